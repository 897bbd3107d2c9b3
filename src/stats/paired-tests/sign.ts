import { signTest } from "../sign-test.js";
import type { PairedTest } from "./paired-test.js";

/** {@link signTest} of many metrics. */
export const sign: PairedTest = {
  label: "sign test, two-sided",
  test: (pairs) =>
    pairs.map(({ differences }) => {
      const { p, above, below } = signTest(differences);
      return { p, isExact: true, way: above - below };
    }),
  isOfSigns: true,
};
