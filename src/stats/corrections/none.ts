import type { Correction } from "./correction.js";

/** Each test by itself. */
export const none: Correction = {
  label: "none",
  adjust: (rising) => [...rising],
};
