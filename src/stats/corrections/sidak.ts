import { type Correction, anyOf } from "./correction.js";

/** As Bonferroni, exact for independent tests. */
export const sidak: Correction = {
  label: "Sidak",
  adjust: (rising) => rising.map((p) => anyOf(p, rising.length)),
};
