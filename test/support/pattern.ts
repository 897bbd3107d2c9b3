/** One pattern of parts that stand one after the other, with the flags of the last. */
export function pattern(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join(""), parts.at(-1)?.flags);
}
