import { pairedT } from "./t.js";
import type { PairedTest } from "./paired-test.js";
import { randomization } from "./randomization.js";
import { sign } from "./sign.js";
import { wilcoxon } from "./wilcoxon.js";

/** The tests of paired differences by name, in the order of the help. */
export const pairedTests = {
  randomization,
  t: pairedT,
  wilcoxon,
  sign,
} as const satisfies Readonly<Record<string, PairedTest>>;
