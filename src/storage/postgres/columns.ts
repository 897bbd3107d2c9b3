/** What a statement takes as a parameter. */
export type Value = string | number | null;

/** What is sent at once. */
const [MOST_RECORDS, MOST_CHARACTERS] = [10_000, 4_000_000];

/** Records as arrays of their values, as many as are sent at once. */
export function* columnsOf<T>(
  records: Iterable<T>,
  values: (record: T, at: number) => readonly Value[],
): Iterable<unknown[][]> {
  let columns: unknown[][] = [];
  let [count, characters] = [0, 0];
  for (const record of records) {
    values(record, count++).forEach((value, at) => {
      (columns[at] ??= []).push(value);
      characters += typeof value === "string" ? value.length : 0;
    });
    if (columns[0]?.length === MOST_RECORDS || characters > MOST_CHARACTERS) {
      yield columns;
      columns = [];
      characters = 0;
    }
  }
  if (columns.length > 0) yield columns;
}
