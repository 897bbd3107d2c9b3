import type { GoldenQuery } from "./types/index.js";

/** How `must_contain` and `forbidden` are looked for. */
export type TextMatch = "caseSensitive" | "caseInsensitive";

/**
 * A text without case, letter by letter, so that what is in another text stays in it: a sigma at the end of
 * a word is one like any other, and ß and ẞ are the ss that they are in upper case.
 */
function withoutCase(text: string): string {
  // ẞ is upper case already: its upper case is no SS.
  return text.replaceAll("ẞ", "ß").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

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
    match === "caseSensitive" ? value.normalize("NFC") : withoutCase(value.normalize("NFC")).normalize("NFC");
  const haystack = fold(text);
  const contains = (needle: string): boolean => haystack.includes(fold(needle));
  return (query.must_contain ?? []).every(contains) && !(query.forbidden ?? []).some(contains);
}
