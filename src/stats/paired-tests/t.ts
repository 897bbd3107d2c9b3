import { pairedTTest } from "../paired-t.js";
import type { PairedTest } from "./paired-test.js";

/** {@link pairedTTest} of many metrics. */
export const pairedT: PairedTest = {
  label: "paired t, two-sided",
  test: (pairs) => pairs.map(({ differences }) => ({ p: pairedTTest(differences).p, isExact: true })),
  isOfSigns: false,
};
