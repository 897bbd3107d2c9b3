import { InputError, quote } from "../errors/index.js";
import { isSlip } from "../ids/index.js";

const [SHORTEST_BEGINNING, SHORTEST_MISCOUNTED] = [6, 4];

/** Whether a name is another with one letter too many behind its first. */
const hasOneMore = (long: string, short: string): boolean =>
  short.length >= SHORTEST_MISCOUNTED &&
  [...long].some((_, at) => at > 0 && long.slice(0, at) + long.slice(at + 1) === short);

/**
 * The options, unless one has the name of another with a typo in it, or its beginning. Names unlike any are
 * let be: one object may hold the options of several functions. @throws InputError `ARGUMENT`
 */
export function checkKnownOptions<T extends object>(given: T, known: readonly (keyof T & string)[]): T {
  if (typeof given !== "object" || (given as unknown) === null || Array.isArray(given))
    throw new InputError(
      "ARGUMENT",
      `options must be an object, got ${quote(given)}; give an object, or leave them out`,
    );
  const names: readonly string[] = known;
  for (const name of Object.keys(given).filter((each) => !names.includes(each))) {
    // Of short names a wrong letter is hard to tell; one too many or too few is not: `powr`, `ties`.
    const near = names.find(
      (right) =>
        isSlip(name, right) ||
        isSlip(right, name) ||
        hasOneMore(name, right) ||
        hasOneMore(right, name) ||
        right === `${name}s` ||
        isSlip(`is${name}`, right) ||
        (name.length >= SHORTEST_BEGINNING && right.startsWith(name)),
    );
    if (near !== undefined && !Object.hasOwn(given, near))
      throw new InputError("ARGUMENT", `there is no option ${quote(name)}; did you mean ${quote(near)}?`);
  }
  return given;
}
