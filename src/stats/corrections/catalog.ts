import { benjaminiHochberg } from "./benjamini-hochberg.js";
import { benjaminiYekutieli } from "./benjamini-yekutieli.js";
import { bonferroni } from "./bonferroni.js";
import type { Correction } from "./correction.js";
import { hochberg } from "./hochberg.js";
import { holmSidak } from "./holm-sidak.js";
import { holm } from "./holm.js";
import { hommelCorrection } from "./hommel.js";
import { none } from "./none.js";
import { sidak } from "./sidak.js";
import { twoStageBh, twoStageBky } from "./two-stage.js";

/** The corrections that comparisons offer, by name, in the order of the help. */
export const corrections = {
  holm,
  bonferroni,
  hochberg,
  hommel: hommelCorrection,
  "benjamini-hochberg": benjaminiHochberg,
  "benjamini-yekutieli": benjaminiYekutieli,
  none,
} as const satisfies Readonly<Record<string, Correction>>;

/** Those for independent tests or for one alpha only, which a comparison cannot promise. */
export const furtherCorrections = {
  sidak,
  "holm-sidak": holmSidak,
  "two-stage-bh": twoStageBh,
  "two-stage-bky": twoStageBky,
} as const satisfies Readonly<Record<string, Correction>>;
