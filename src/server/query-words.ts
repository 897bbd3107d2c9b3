/** What files of queries call the sentence that says what is looked for; the first that is there counts. */
export const NEEDS = ["need", "narrative", "description"];
/** A label of more values is no kind of query, but says something of each. */
const MOST_VALUES = 50;

type Words = Readonly<Record<string, unknown>>;

/** Labels of queries without those that may say what is looked for, for whoever is to see no text. */
export function withoutSentences<T extends Words>(all: readonly T[]): T[] {
  const values = new Map<string, Set<unknown>>();
  for (const [name, value] of all.flatMap((labels) => Object.entries(labels)))
    values.set(name, (values.get(name) ?? new Set()).add(value));
  const isKept = (name: string): boolean =>
    !NEEDS.includes(name) && (values.get(name)?.size ?? 0) <= MOST_VALUES;
  return all.map(
    (labels) => Object.fromEntries(Object.entries(labels).filter(([name]) => isKept(name))) as T,
  );
}
