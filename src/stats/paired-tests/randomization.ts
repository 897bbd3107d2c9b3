import { randomizationTests } from "../randomization-test.js";
import type { PairedTest } from "./paired-test.js";

/** {@link randomizationTests} of many metrics. */
export const randomization: PairedTest = {
  label: "paired randomization (sign flips), two-sided",
  test: (pairs, settings) =>
    randomizationTests(
      pairs.map(({ byQuery }) => byQuery),
      settings,
    ),
  isOfSigns: true,
};
