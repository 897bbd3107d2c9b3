import { firstIndex } from "../foundation/columns/index.js";
import { entriesOf, isMap } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import {
  type Conventions,
  type EvalRun,
  type JudgedSubtopics,
  type JudgedUnit,
  type QueryJudgments,
  rankingOf,
  resultsByQuery,
  type ScoredRanking,
  type ScoredRun,
  type SearchHit,
} from "../records/index.js";
import { compareIds, findRepeatedPositions } from "../foundation/ids/index.js";
import type { QueryHits } from "./judge-hits.js";

/** One hit of a scored run. */
export interface ScoredHit {
  readonly query_id: string;
  readonly doc_id: string;
  /** A finite number, the higher the better. */
  readonly score: number;
}

/** One query's hits: scores by id, ids in the order of their rank, or columns. */
export type QueryRanking = ReadonlyMap<string, number> | readonly string[] | ScoredRanking;

/**
 * A run as a caller may have it: by query id, or as a flat list, or recorded. Maps, lists and columns are
 * read at full speed; plain objects are slower, and JavaScript orders ids that look like numbers its own way,
 * which matters only where ties keep the order of the input.
 */
export type RunInput =
  | ScoredRun
  | ReadonlyMap<string, QueryRanking>
  | Readonly<Record<string, Readonly<Record<string, number>> | readonly string[]>>
  | readonly ScoredHit[]
  | EvalRun;

/** A run, opened: its queries, and the hits of each. */
export interface OpenedRun {
  /** The run's own id, where it has one. */
  readonly runId: string | null;
  readonly queryIds: Iterable<string>;
  has(queryId: string): boolean;
  hits(queryId: string, judgments: QueryJudgments, conventions: Conventions): OpenedQuery;
}

/** One query's hits, and how to find them among judged documents. */
export interface OpenedQuery {
  readonly hits: QueryHits;
  readonly idAt: (position: number) => string;
}

/**
 * Opens a run of any kind.
 *
 * @throws InputError `ARGUMENT` for what is no run.
 */
export function openRun(run: RunInput, unit: JudgedUnit): OpenedRun {
  if (Array.isArray(run)) return openMap(groupByQuery(run as readonly ScoredHit[]));
  if (isRecordedRun(run)) return openRecorded(run, unit);
  if (!isMap(run) && Array.isArray((run as Partial<EvalRun> | null)?.results))
    throw new InputError("RUN_SHAPE", "a run with `results` needs a `run_id`, too: the name of the run");
  return openMap(isMap(run) ? run : new Map(entriesOf<unknown>(run, "run")));
}

/** Whether a run is one that was recorded, with results by query. */
export function isRecordedRun(run: RunInput): run is EvalRun {
  const { results, run_id } = (run ?? {}) as Partial<EvalRun>;
  return !isMap(run) && Array.isArray(results) && typeof run_id === "string";
}

function groupByQuery(hits: readonly ScoredHit[]): Map<string, ScoredRanking> {
  const byQuery = new Map<string, { ids: string[]; scores: number[] }>();
  for (const [index, hit] of hits.entries()) {
    if (typeof hit !== "object" || (hit as unknown) === null)
      throw new InputError(
        "RUN_SHAPE",
        `run: hit ${index + 1} must be an object with \`query_id\`, \`doc_id\` and \`score\`, got ` +
          `${quote(hit)}`,
      );
    const { query_id, doc_id, score } = hit;
    if (!isText(query_id)) refuseId(`run: hit ${index + 1}: query_id`, query_id);
    if (!isText(doc_id)) refuseId(`run: hit ${index + 1}: doc_id`, doc_id);
    let query = byQuery.get(query_id);
    if (query === undefined) byQuery.set(query_id, (query = { ids: [], scores: [] }));
    query.ids.push(doc_id);
    query.scores.push(score);
  }
  return byQuery;
}

function isText(id: unknown): boolean {
  return typeof id === "string";
}

/** A number would equal no id of the judgments. @throws InputError `RUN_SHAPE` */
function refuseId(what: string, id: unknown): never {
  throw new InputError("RUN_SHAPE", `${what} must be a string, got ${quote(id)}; write \`String(id)\``);
}

function isColumns(ranking: unknown): ranking is ScoredRanking {
  const { ids, scores } = (ranking ?? {}) as Partial<ScoredRanking>;
  return Array.isArray(ids) && typeof scores === "object" && (scores as unknown) !== null;
}

function openMap(run: ReadonlyMap<string, unknown>): OpenedRun {
  for (const id of run.keys()) if (!isText(id)) refuseId("the id of a query", id);
  return {
    runId: null,
    queryIds: run.keys(),
    has: (queryId) => run.has(queryId),
    hits(queryId, judgments, conventions) {
      const ranking = run.get(queryId);
      if (Array.isArray(ranking))
        return fromColumns(queryId, ranking as readonly string[], null, null, judgments, conventions);
      if (isColumns(ranking)) {
        const { ids, scores } = ranking;
        if (ids.length !== scores.length)
          throw new InputError(
            "ARGUMENT",
            `query ${quote(queryId)}: there must be one score for each id, got ${scores.length} ` +
              `for ${ids.length}`,
            { queryId },
          );
        return fromColumns(
          queryId,
          ids,
          checkScores(queryId, scores, conventions, (index) => ids[index] as string),
          null,
          judgments,
          conventions,
        );
      }
      return fromMap(
        queryId,
        isMap(ranking)
          ? (ranking as ReadonlyMap<string, number>)
          : new Map(entriesOf<number>(ranking, `query ${quote(queryId)}`)),
        judgments,
        conventions,
      );
    },
  };
}

function openRecorded(run: EvalRun, unit: JudgedUnit): OpenedRun {
  const results = resultsByQuery(run);
  const idOf =
    unit === "doc" ? (hit: SearchHit): string => hit.doc_id : (hit: SearchHit): string => hit.chunk_id;
  return {
    runId: run.run_id,
    queryIds: results.keys(),
    has: (queryId) => results.has(queryId),
    hits(queryId, judgments, conventions) {
      const { hits, ranks } = rankingOf(results.get(queryId)?.hits_top_k ?? [], queryId);
      return fromColumns(queryId, hits.map(idOf), null, ranks, judgments, conventions);
    },
  };
}

/** Scores as doubles, or in single precision; the check comes before that. */
function checkScores(
  queryId: string,
  scores: ArrayLike<number>,
  { precision }: Conventions,
  idAt: (index: number) => string,
): Float64Array {
  const checked = new Float64Array(scores.length);
  for (let i = 0; i < checked.length; i++) {
    const score = scores[i] as number;
    if (!Number.isFinite(score)) throw badScore(queryId, idAt(i), score);
    checked[i] = precision === "single" ? Math.fround(score) : score;
  }
  return checked;
}

function badScore(queryId: string, id: string, score: unknown): InputError {
  return new InputError(
    "RUN_SCORE",
    `query ${quote(queryId)}, item ${quote(id)}: score must be a finite number, got ${quote(score)}`,
    { queryId },
  );
}

/**
 * Below this share of judged ids, looking them up in the run is faster than looking every hit up in the
 * judgments.
 */
const FEW_JUDGED = 0.5;

/** A Map's ids are distinct, so that only the order is left to find out. */
function fromMap(
  queryId: string,
  ranking: ReadonlyMap<string, number>,
  judgments: QueryJudgments,
  conventions: Conventions,
): OpenedQuery {
  const { grades } = judgments;
  const count = ranking.size;
  const first: unknown = ranking.keys().next().value;
  if (count > 0 && !isText(first)) refuseId(`query ${quote(queryId)}: an id`, first);
  const scores = new Float64Array(count);
  const isSingle = conventions.precision === "single";
  let isFalling = true;
  let index = 0;
  let previous = Infinity;
  for (const given of ranking.values()) {
    const score = isSingle ? Math.fround(given) : given;
    if (!(score < previous)) isFalling = false;
    if (!Number.isFinite(given)) throw badScore(queryId, [...ranking.keys()][index] as string, given);
    previous = score;
    scores[index++] = score;
  }
  let ids: string[] | null = null;
  const idAt = (position: number): string => (ids ??= [...ranking.keys()])[position] as string;
  if (!isFalling || grades.size > count * FEW_JUDGED || conventions.identicalIds === "drop")
    return fromColumns(queryId, [...ranking.keys()], scores, null, judgments, conventions, false);
  const found: { position: number; grade: number }[] = [];
  for (const [id, grade] of grades) {
    const given = ranking.get(id);
    // Keys are mostly of one kind; a number that stands for a judged id would never be found.
    if (given === undefined && ranking.has(Number(id) as never))
      refuseId(`query ${quote(queryId)}: an id`, Number(id));
    if (given !== undefined)
      found.push({ position: positionIn(scores, isSingle ? Math.fround(given) : given), grade });
  }
  found.sort((a, b) => a.position - b.position);
  return {
    hits: {
      queryId,
      count,
      scores,
      ranks: null,
      named: Int32Array.from(found, ({ position }) => position),
      grades: Float64Array.from(found, ({ grade }) => grade),
      items: null,
      duplicates: 0,
      duplicate: null,
      tieOrder: (a, b) => compareIds(idAt(b), idAt(a)),
    },
    idAt,
  };
}

/** Where a score stands in a strictly falling list. */
function positionIn(falling: Float64Array, score: number): number {
  return firstIndex(falling.length - 1, (index) => (falling[index] as number) <= score);
}

function fromColumns(
  queryId: string,
  allIds: readonly string[],
  allScores: Float64Array | null,
  ranks: ArrayLike<number> | null,
  judgments: QueryJudgments,
  conventions: Conventions,
  mayRepeat = true,
): OpenedQuery {
  // A hole in the list is found, too.
  const foreign = allIds.findIndex((id) => !isText(id));
  if (foreign >= 0) refuseId(`query ${quote(queryId)}: an id`, allIds[foreign]);
  const isKept = conventions.identicalIds === "keep" || !allIds.includes(queryId);
  const ids = isKept ? allIds : allIds.filter((id) => id !== queryId);
  const scores = isKept ? allScores : (allScores?.filter((_, index) => allIds[index] !== queryId) ?? null);
  const { grades } = judgments;
  const named: number[] = [];
  const found: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    const grade = grades.get(ids[i] as string);
    if (grade === undefined) continue;
    named.push(i);
    found.push(grade);
  }
  const repeated = mayRepeat ? findRepeatedPositions(ids, (id) => id) : null;
  const hasCopies = repeated !== null && repeated.size > 0;
  const [copy] = hasCopies ? repeated : [];
  return {
    hits: {
      queryId,
      count: ids.length,
      scores,
      ranks,
      named: Int32Array.from(named),
      grades: Float64Array.from(found),
      items: hasCopies ? numberItems(named.map((position) => ids[position] as string)) : null,
      duplicates: repeated?.size ?? 0,
      duplicate: copy === undefined ? null : (ids[copy] as string),
      tieOrder: (a, b) => compareIds(ids[b] as string, ids[a] as string),
    },
    idAt: (position) => ids[position] as string,
  };
}

function numberItems(ids: readonly string[]): number[] {
  const numbers = new Map<string, number>();
  return ids.map((id) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return number;
  });
}

/** Where a hit stands among the documents judged by subtopic. */
export function documentPlace(
  { idAt }: OpenedQuery,
  subtopics: JudgedSubtopics | undefined,
): ((position: number) => number) | undefined {
  return subtopics && ((position) => subtopics.places.get(idAt(position)) as number);
}
