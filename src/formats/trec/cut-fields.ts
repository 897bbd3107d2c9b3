const TAB = 9;
const SPACE = 32;

/**
 * The fields of a line with any white space between them: where the first begins and ends, then the second,
 * and so on. Those that are missing are empty, at its end.
 */
export function cutFields(bytes: Uint8Array, lineStart: number, lineEnd: number, most: number): number[] {
  const fields: number[] = [];
  let p = lineStart;
  for (let field = 0; field < most; field++) {
    while (p < lineEnd && (bytes[p] as number) <= SPACE) p++;
    fields.push(p);
    while (p < lineEnd && (bytes[p] as number) > SPACE) p++;
    fields.push(p);
  }
  return fields;
}

/** What is said of a line whose ids may have blanks. */
export const UNCLEAR_FIELDS =
  "tabs stand between some of the fields and only blanks between others; put the same between all of them " +
  "(ids with blanks go into CSV, into JSON, or below a line that names the columns, `query_id doc_id …`)";

/**
 * Whether a cell between tabs may be an id with a blank in it: tabs stand between some fields, but not
 * between all of them, and the second one is not the `0` or `Q0` that TREC's files have there.
 *
 * @param fields as {@link cutFields} gives them.
 */
export function areUnclear(bytes: Uint8Array, fields: readonly number[]): boolean {
  let gaps = 0;
  let tabbed = 0;
  for (let at = 1; at + 2 < fields.length && fields[at + 1] !== fields[at + 2]; at += 2) {
    gaps++;
    for (let p = fields[at] as number; p < (fields[at + 1] as number); p++)
      if (bytes[p] === TAB) {
        tabbed++;
        break;
      }
  }
  if (tabbed === 0 || tabbed === gaps) return false;
  const [, , second = 0, secondEnd = 0] = fields;
  return !/^q?0$/i.test(String.fromCharCode(...bytes.subarray(second, Math.min(secondEnd, second + 3))));
}
