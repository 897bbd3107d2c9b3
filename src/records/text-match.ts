import type { GoldenQuery } from "./types/index.js";

/** How `must_contain` and `forbidden` are looked for. */
export type TextMatch = "caseSensitive" | "caseInsensitive";

/**
 * Whether a text has every required string and none of the forbidden ones. Both sides are brought to Unicode
 * NFC, so that an "é" in one code point equals an "é" in two.
 */
export function passesTextChecks(
  text: string,
  query: GoldenQuery,
  match: TextMatch = "caseSensitive",
): boolean {
  const fold = (value: string): string =>
    match === "caseSensitive"
      ? value.normalize("NFC")
      : value.normalize("NFC").toLowerCase().normalize("NFC");
  const haystack = fold(text);
  const contains = (needle: string): boolean => haystack.includes(fold(needle));
  return (query.must_contain ?? []).every(contains) && !(query.forbidden ?? []).some(contains);
}
