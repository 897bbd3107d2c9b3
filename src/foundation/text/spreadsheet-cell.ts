/**
 * Also in their full-width forms, which some spreadsheets take for the same; also behind apostrophes, so that
 * taking one off gives what was there.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const GUARDED = /^'(?='*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/;

/**
 * A text as a field of a CSV file for spreadsheets, which run what begins like a formula: such a text gets an
 * apostrophe in front.
 */
export function spreadsheetCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text that {@link spreadsheetCell} was given, from the field's value. */
export function spreadsheetText(value: string): string {
  return value.replace(GUARDED, "");
}
