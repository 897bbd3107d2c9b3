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

/** Longer ones take more than a few lines. */
const LONG = 1000;

/** Attributes of an element whose text may be of any length: a long one is scrolled, by keys, too. */
export function scrollAttributes(text: string | null): {
  readonly tabIndex?: 0;
  readonly "data-long"?: true;
} {
  return text !== null && text.length > LONG ? { tabIndex: 0, "data-long": true } : {};
}

/** As HTML has it; nothing for what is no tag, such as a name. */
function languageTag(text: string | undefined): string {
  try {
    return text === undefined ? "" : (Intl.getCanonicalLocales(text)[0] ?? "");
  } catch {
    return "";
  }
}
