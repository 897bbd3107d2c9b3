/** Pairs of a query and an item that should be labelled, a line of JSON each. */
export function poolText(unjudged: ReadonlyMap<string, readonly string[]>): string {
  return [...unjudged]
    .flatMap(([query_id, items]) => items.map((item) => `${JSON.stringify({ query_id, item })}\n`))
    .join("");
}
