import { InputError, quote } from "../foundation/errors/index.js";
import type { Alternative } from "./alternative.js";

/** @throws InputError `ARGUMENT` for what is not above 0 and below 1, such as 95 for 95 %. */
export function checkShare(name: string, value: number): void {
  if (!(value > 0 && value < 1))
    throw new InputError("ARGUMENT", `${name} must be above 0 and below 1, got ${quote(value)}`);
}

const ALTERNATIVES: readonly Alternative[] = ["two-sided", "greater", "less"];

/** @throws InputError `ARGUMENT` for any other word, which would be taken for the opposite. */
export function checkAlternative(alternative: Alternative): void {
  checkChoice("alternative", alternative, ALTERNATIVES);
}

/** @throws InputError `ARGUMENT` for a word that is none of those that there are. */
export function checkChoice<T extends string>(name: string, value: T, choices: readonly T[]): void {
  if (choices.includes(value)) return;
  const others = choices.slice(0, -1).join(", ");
  throw new InputError(
    "ARGUMENT",
    `${name} must be ${others} or ${choices.at(-1) ?? ""}, got ${quote(value)}`,
  );
}

/** @throws InputError `ARGUMENT` for degrees of freedom that are not above 0. */
export function checkDegrees(caller: string, ...degrees: readonly number[]): void {
  checkNumbers(caller, ...degrees);
  const wrong = degrees.find((each) => !(each > 0));
  if (wrong !== undefined)
    throw new InputError("ARGUMENT", `${caller}: degrees of freedom must be above 0, got ${quote(wrong)}`);
}

/** @throws InputError `ARGUMENT` for what is no share of a distribution, such as 95 for 95 %. */
export function checkQuantile(caller: string, share: number): void {
  if (!(typeof share === "number" && share >= 0 && share <= 1))
    throw new InputError("ARGUMENT", `${caller}: a share must be from 0 to 1, got ${quote(share)}`);
}

/** @throws InputError `ARGUMENT` for what is no number: NaN has no place in any distribution. */
export function checkNumbers(caller: string, ...values: readonly number[]): void {
  const wrong = values.find((value) => typeof value !== "number" || Number.isNaN(value));
  if (wrong !== undefined || values.includes(undefined as never))
    throw new InputError("ARGUMENT", `${caller} takes numbers, got ${quote(wrong)}`);
}
