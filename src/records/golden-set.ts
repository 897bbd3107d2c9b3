import { checkGoldenRecords, queryList } from "./check-golden.js";
import { InputError, quote, type ErrorCode } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import type { GoldenQuery, GoldenSet } from "./types/index.js";

/** The grade of an item that is simply expected. */
export const GRADE_OF_EXPECTED = 1;
/** From this grade on an item is relevant, where no metric says otherwise. */
export const RELEVANT_FROM = 1;

/** A golden set, or its bare list of queries. */
export type Golden = GoldenSet | readonly GoldenQuery[];

/** The queries of a golden set, in its order. */
export function goldenQueries(golden: Golden): readonly GoldenQuery[] {
  return queryList(golden) as readonly GoldenQuery[];
}

/** The chunker that the chunk ids of a golden set are of; null where the set does not say. */
export function goldenChunkerVersion(golden: Golden): string | null {
  const version = "queries" in golden ? golden.chunker_version : null;
  return version == null ? null : String(version);
}

/** A rule between queries that is broken, and at which query. */
export interface GoldenConflict {
  readonly code: ErrorCode;
  /** Index of the query, 0-based. */
  readonly index: number;
  readonly field: "id" | "group";
  readonly message: string;
}

/**
 * What is wrong between the queries of a golden set: an id that is duplicated, a group that expects different
 * documents.
 */
export function goldenConflicts(queries: readonly GoldenQuery[]): GoldenConflict[] {
  const conflicts: GoldenConflict[] = [];
  const seen = new Set<string>();
  const groups = new Map<string, { id: string; expected: string }>();
  queries.forEach((query, index) => {
    if (seen.has(query.id))
      conflicts.push({
        code: "GOLDEN_DUPLICATE_ID",
        index,
        field: "id",
        message: `id ${quote(query.id)} is duplicated; every query needs an id of its own`,
      });
    seen.add(query.id);
    if (query.group === undefined || query.group === null) return;
    const expected = JSON.stringify([...new Set(query.expected_doc_ids ?? [])].sort(compareIds));
    const first = groups.get(query.group);
    if (first === undefined) groups.set(query.group, { id: query.id, expected });
    else if (first.expected !== expected) {
      const message =
        `group ${quote(query.group)}: query ${quote(query.id)} expects other documents than query ` +
        `${quote(first.id)}; all wordings of one intent must name the same \`expected_doc_ids\``;
      conflicts.push({ code: "GOLDEN_GROUP", index, field: "group", message });
    }
  });
  return conflicts;
}

/**
 * The queries of a golden set whose ids are all different.
 *
 * @throws InputError for the first broken rule.
 */
export function checkGoldenQueries(golden: Golden): readonly GoldenQuery[] {
  const queries = goldenQueries(golden);
  checkGoldenRecords(queries);
  const [conflict] = goldenConflicts(queries);
  if (conflict !== undefined)
    throw new InputError(conflict.code, `golden query ${conflict.index + 1}: ${conflict.message}`, {
      index: conflict.index,
    });
  return queries;
}

/**
 * Whether the system should refuse to answer: said outright by `expected_refusal`, or by an explicitly empty
 * `expected_doc_ids` without expected chunks. A query that does not mention `expected_doc_ids` is unlabelled,
 * not refused.
 */
export function shouldRefuse(query: GoldenQuery): boolean {
  if (query.expected_refusal !== undefined && query.expected_refusal !== null) return query.expected_refusal;
  return (
    query.expected_doc_ids !== undefined &&
    query.expected_doc_ids.length === 0 &&
    (query.expected_chunk_ids ?? []).length === 0
  );
}

/** Whether the golden query says anything about the text of the answer. */
export function checksText(query: GoldenQuery): boolean {
  return (query.must_contain ?? []).length > 0 || (query.forbidden ?? []).length > 0;
}

/** All chunk ids that a golden set names. */
export function listExpectedChunkIds(golden: Golden): Set<string> {
  return new Set(
    goldenQueries(golden).flatMap(({ expected_chunk_ids = [], judgments = [] }) => [
      ...expected_chunk_ids,
      ...judgments.flatMap((judgment) => ("chunk_id" in judgment ? [judgment.chunk_id] : [])),
    ]),
  );
}

/** What a golden query judges of a unit: expected items with grade 1, overruled by graded `judgments`. */
export function listGrades(query: GoldenQuery, unit: "chunk" | "doc"): Map<string, number> {
  const grades = new Map((query[`expected_${unit}_ids`] ?? []).map((id) => [id, GRADE_OF_EXPECTED]));
  for (const judgment of query.judgments ?? []) {
    const id = (judgment as { readonly chunk_id?: string; readonly doc_id?: string })[`${unit}_id`];
    if (id !== undefined) grades.set(id, judgment.grade);
  }
  return grades;
}

/** What queries are sliced by: `lang` to `ko`. */
export type QueryLabels = Readonly<Record<string, string>>;

/** @throws InputError `ARGUMENT` for a label that no query has. */
export function checkLabels(wanted: readonly string[], labels: readonly QueryLabels[]): void {
  const known = [...new Set(labels.flatMap((ofQuery) => Object.keys(ofQuery)))].sort(compareIds);
  const missing = wanted.find((label) => !known.includes(label));
  if (missing === undefined) return;
  const hint =
    known.length === 0
      ? "the queries have no labels: give a golden set that has them"
      : `there are ${known.map(quote).join(", ")}`;
  throw new InputError("ARGUMENT", `no query has a label ${quote(missing)} to slice by; ${hint}`);
}

/** What is known of a query beside its scores and judgments. */
export interface KnownQuery {
  readonly query?: string | null | undefined;
  readonly labels?: QueryLabels | undefined;
  /** The intent that it is a wording of; wordings of one intent say the same thing again. */
  readonly group?: string | null | undefined;
}

/**
 * The fields of a record that say what kind it is: texts, numbers, yes and no. But for `__proto__`, which
 * readers of results would drop.
 */
export function sliceLabelsOf(fields: Readonly<Record<string, unknown>>): QueryLabels {
  const labels = Object.entries(fields).filter(
    ([name, value]) =>
      name !== "__proto__" &&
      (typeof value === "string" || typeof value === "number" || typeof value === "boolean"),
  );
  return Object.fromEntries(labels.map(([name, value]) => [name, String(value)]));
}

/**
 * What a golden set says of its queries beside what they expect, by id: their words, and as labels what is in
 * `meta`, and `lang`, `query_type`, `difficulty` and `group`, which come before fields of these names in it.
 */
export function listKnownQueries(golden: Golden): Map<string, KnownQuery> {
  return new Map(
    goldenQueries(golden).map(({ id, query, lang, query_type, difficulty, group, meta }) => [
      id,
      {
        query,
        labels: { ...sliceLabelsOf(meta ?? {}), ...sliceLabelsOf({ lang, query_type, difficulty, group }) },
        group,
      },
    ]),
  );
}
