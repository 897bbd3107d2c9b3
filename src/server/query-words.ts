/** What files of queries call the sentence that says what is looked for; the first that is there counts. */
export const NEEDS = ["need", "narrative", "description"];
/** A label of more values is no kind of query, but says something of each. */
const MOST_VALUES = 50;

type Words = Readonly<Record<string, unknown>> | null | undefined;

/** Queries without what may say in a sentence what is looked for, for whoever is to see no text. */
export function withoutSentences<F extends string, T extends { readonly [field in F]?: Words }>(
  queries: readonly T[],
  field: F,
): T[] {
  const values = new Map<string, Set<unknown>>();
  for (const [name, value] of queries.flatMap((query) => Object.entries<unknown>(query[field] ?? {})))
    values.set(name, (values.get(name) ?? new Set()).add(value));
  const isKept = (name: string): boolean =>
    !NEEDS.includes(name) && (values.get(name)?.size ?? 0) <= MOST_VALUES;
  return queries.map((query) => ({
    ...query,
    [field]: Object.fromEntries(Object.entries(query[field] ?? {}).filter(([name]) => isKept(name))),
  }));
}
