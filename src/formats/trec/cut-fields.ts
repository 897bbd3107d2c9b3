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
