const NAMES: readonly string[] = ["lang", "language", "locale"];

/**
 * Attributes of an element with text from the data: direction and language of the page are not its own.
 *
 * @param facts labels of a query or fields of an item, of which one may tell the language.
 */
export function foreign(facts: Iterable<readonly [name: string, value: string]> = []): {
  readonly dir: "auto";
  readonly lang: string;
} {
  const told = [...facts].find(([name]) => NAMES.includes(name.toLowerCase()))?.[1];
  return { dir: "auto", lang: languageTag(told) };
}

/** As HTML has it; nothing for what is no tag, such as a name. */
function languageTag(text: string | undefined): string {
  try {
    return text === undefined ? "" : (Intl.getCanonicalLocales(text)[0] ?? "");
  } catch {
    return "";
  }
}
