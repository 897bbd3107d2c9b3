import { type Correction, anyOf, neverFalling } from "./correction.js";

/** As Holm, exact for independent tests. */
export const holmSidak: Correction = {
  label: "Holm-Sidak",
  adjust: (rising) => neverFalling(rising.map((p, place) => anyOf(p, rising.length - place))),
};
