import { InputError, quoteWithin } from "../foundation/errors/index.js";

/** Whose labels they are where nobody says. */
export const DEFAULT_TENANT = "default";

/** Longer texts are no queries. */
const MOST_BYTES = 8192;

/**
 * The text that labels of a query are kept under: NFC, outer white space removed, inner runs of it one blank,
 * case kept.
 *
 * @throws InputError `ARGUMENT` for a text that is blank, or longer than 8 kB in UTF-8.
 */
export function normalizeQuery(text: string): string {
  const query = text.normalize("NFC").trim().replace(/\s+/g, " ");
  if (query === "")
    throw new InputError("ARGUMENT", "a query must have at least one letter, got a blank one");
  const bytes = new TextEncoder().encode(query).length;
  if (bytes > MOST_BYTES)
    throw new InputError(
      "ARGUMENT",
      `a query of ${bytes} bytes, which begins ${quoteWithin(80, query)}, is longer than ${MOST_BYTES} bytes`,
      { bytes },
    );
  return query;
}
