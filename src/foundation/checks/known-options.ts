import { InputError, quote } from "../errors/index.js";
import { isSlip } from "../ids/index.js";

const SHORTEST_BEGINNING = 6;

/**
 * The options, unless one has the name of another with a typo in it, or its beginning. Names unlike any are
 * let be: one object may hold the options of several functions. @throws InputError `ARGUMENT`
 */
export function knownOptions<T extends object>(given: T, known: readonly (keyof T & string)[]): T {
  if (typeof given !== "object" || (given as unknown) === null || Array.isArray(given))
    throw new InputError(
      "ARGUMENT",
      `options must be an object, got ${quote(given)}; give an object, or leave them out`,
    );
  const names: readonly string[] = known;
  for (const name of Object.keys(given).filter((each) => !names.includes(each))) {
    // Of short names a slip is hard to tell, but for one or several: `tie` for `ties`.
    const near = names.find(
      (right) =>
        isSlip(name, right) ||
        isSlip(right, name) ||
        name === `${right}s` ||
        right === `${name}s` ||
        isSlip(`is${name}`, right) ||
        (name.length >= SHORTEST_BEGINNING && right.startsWith(name)),
    );
    if (near !== undefined && !Object.hasOwn(given, near))
      throw new InputError("ARGUMENT", `there is no option ${quote(name)}; did you mean ${quote(near)}?`);
  }
  return given;
}
