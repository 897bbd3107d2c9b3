import { InputError, quote } from "../foundation/errors/index.js";
import type { Alternative } from "./alternative.js";

/** @throws InputError `ARGUMENT` for what is not above 0 and below 1, such as 95 for 95 %. */
export function checkShare(name: string, value: number): void {
  if (!(value > 0 && value < 1))
    throw new InputError("ARGUMENT", `${name} must be above 0 and below 1, got ${quote(String(value))}`);
}

const ALTERNATIVES: readonly unknown[] = ["two-sided", "greater", "less"] satisfies Alternative[];

/** @throws InputError `ARGUMENT` for any other word, which would be taken for the opposite. */
export function checkAlternative(alternative: Alternative): void {
  if (!ALTERNATIVES.includes(alternative))
    throw new InputError(
      "ARGUMENT",
      `alternative must be two-sided, greater or less, got ${quote(alternative)}`,
    );
}
