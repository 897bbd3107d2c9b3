import { raterId, type Assessment } from "../../records/index.js";
import { jsonText } from "../eval-store.js";
import { columnsOf, type Value } from "./columns.js";
import type { PostgresConnection } from "./postgres-database.js";
import { keyOf, escapeText } from "./escape-text.js";

/** What is written of one assessment. */
interface AssessmentRow {
  readonly query: readonly [tenant: string, query: string];
  readonly item: string;
  readonly identity: string;
  readonly rater: string;
  readonly said: string;
}

/** What is stored of an assessment, checked to be JSON. */
export function rowOf({ tenant, query, item, rater, ...said }: Assessment): AssessmentRow {
  const json = (part: unknown): string => jsonText(part, "an assessment");
  return { query: [tenant, query], item, identity: raterId(rater), rater: json(rater), said: json(said) };
}

/** By their keys: who inserts in one order never waits for one that waits. */
export function sortByKey<T>(byKey: ReadonlyMap<string, T>): (readonly [key: string, value: T])[] {
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Those that are not there yet. */
export async function insertQueries(
  db: PostgresConnection,
  queries: Iterable<readonly [tenant: string, query: string]>,
): Promise<void> {
  await db.each(
    "INSERT INTO @queries(key, tenant, query) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) " +
      "ON CONFLICT (key) DO NOTHING",
    sortByKey(new Map([...queries].map((query) => [keyOf(...query), query]))),
    ([key, texts]) => [key, ...texts.map(escapeText)],
  );
}

/** Adds assessments of queries and raters that are all there, and else none; returns how many it were. */
const INSERT_ASSESSMENTS =
  "WITH said AS (SELECT q.id AS query, r.id AS rater, item, said, place " +
  "FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY " +
  "AS a(query_key, rater_key, item, said, place) JOIN @queries AS q ON q.key = query_key " +
  "JOIN @raters AS r ON r.key = rater_key), added AS (" +
  "INSERT INTO @assessments(query_id, rater_id, item, said_json) SELECT query, rater, item, said FROM said " +
  "WHERE (SELECT count(*) FROM said) = cardinality($1::uuid[]) ORDER BY place RETURNING 1) " +
  "SELECT count(*)::int AS count FROM added";

/** Queries and raters of assessments, where they are not there yet. */
export async function insertSubjects(db: PostgresConnection, rows: readonly AssessmentRow[]): Promise<void> {
  await insertQueries(
    db,
    rows.map(({ query }) => query),
  );
  const raters = new Map(rows.map(({ rater, identity }) => [rater, identity]));
  await db.each(
    "INSERT INTO @raters(key, identity, rater_json) " +
      "SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]) ON CONFLICT (key) DO NOTHING",
    sortByKey(new Map([...raters].map((rater) => [keyOf(rater[0]), rater]))),
    ([key, [json, identity]]) => [key, escapeText(identity), json],
  );
}

/** Most speak of queries and for raters that are known: then it takes one statement. */
export async function insertAssessments(
  db: PostgresConnection,
  rows: readonly AssessmentRow[],
): Promise<void> {
  const keys = new Map([...new Set(rows.map(({ rater }) => rater))].map((rater) => [rater, keyOf(rater)]));
  const valuesOf = ({ query, rater, item, said }: AssessmentRow): Value[] => [
    keyOf(...query),
    keys.get(rater) ?? "",
    escapeText(item),
    said,
  ];
  for (const columns of columnsOf(rows, valuesOf)) {
    const areAdded = async (): Promise<boolean> =>
      (await db.rows(INSERT_ASSESSMENTS, columns))[0]?.["count"] === columns[0]?.length;
    if (await areAdded()) continue;
    await insertSubjects(db, rows);
    await areAdded();
  }
}
