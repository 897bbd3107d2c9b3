import {
  checkGoldenQueries,
  type EvalRun,
  type Golden,
  goldenChunkerVersion,
  type GoldenQuery,
  GRADE_OF_EXPECTED,
  listGrades,
  type JudgedUnit,
  type QueryResult,
  type Ranking,
  rankingOf,
  resultsByQuery,
} from "../records/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { matchDocuments, type Matcher, type Matches } from "../matching/index.js";
import { type JudgedRanking } from "../metrics/index.js";
import { judgePairs } from "../metrics/internal.js";

/** One golden query with what the run returned for it, and which of it was expected. */
export interface JudgedQuery {
  readonly query: GoldenQuery;
  /** Null when the run has no result for the query. */
  readonly result: QueryResult | null;
  readonly ranking: Ranking;
  /** Expected chunks, each once. */
  readonly chunkIds: readonly string[];
  /** Those of them that hits stand for, each with its best rank. */
  readonly foundChunks: ReadonlyMap<string, number>;
  /** The expected chunks with grade 1. */
  readonly chunks: JudgedRanking;
  /** The expected documents with grade 1. */
  readonly docs: JudgedRanking;
  /** Whether no chunk was found, and no place of the hits in expected documents could be held against it. */
  readonly isBlind: boolean;
}

/**
 * A run about to be held against a golden set, query by query, so that not all queries need to be kept in
 * memory.
 */
export interface RunJudge {
  readonly run: EvalRun;
  readonly matcher: Matcher;
  /** Every golden query, in the order of the golden set. */
  readonly queries: readonly GoldenQuery[];
  /** The chunker that the golden set names for its ids. */
  readonly namedChunker: string | null;
  /** Results without a golden query. */
  readonly unmatched: readonly QueryResult[];
  judge(query: GoldenQuery): JudgedQuery;
}

const NONE: ReadonlyMap<string, number> = new Map();

/**
 * Pairs the results of a run with the golden queries.
 *
 * @throws InputError when two results or two golden queries share an id, or a rank is not a whole number from
 * 1.
 */
export function judgeRun(run: EvalRun, golden: Golden, matcher: Matcher): RunJudge {
  const queries = checkGoldenQueries(golden);
  const results = resultsByQuery(run);
  const wanted = new Set(queries.map(({ id }) => id));
  const unmatched = run.results.filter(({ query_id }) => !wanted.has(query_id));
  // Results outside the golden set count in the totals only, but a nonsense rank in them is still worth
  // knowing.
  for (const { hits_top_k, query_id } of unmatched) rankingOf(hits_top_k, query_id);
  return {
    run,
    matcher,
    queries,
    namedChunker: goldenChunkerVersion(golden),
    unmatched,
    judge(query) {
      const result = results.get(query.id) ?? null;
      const ranking = rankingOf(result?.hits_top_k ?? [], query.id);
      const chunkIds = distinct(query.expected_chunk_ids);
      const docIds = distinct(query.expected_doc_ids);
      const matches = matcher.match(query, ranking, chunkIds);
      return {
        query,
        result,
        ranking,
        chunkIds,
        foundChunks: matches.items.length === 0 ? NONE : bestRanks(matches, chunkIds),
        chunks: judgeMatches(matches, gradesOfExpected(chunkIds.length), ranking),
        docs: judgeMatches(matchDocuments(ranking, docIds), gradesOfExpected(docIds.length), ranking),
        isBlind: matches.isBlind === true && matches.items.length === 0,
      };
    },
  };
}

function bestRanks({ ranks, items }: Matches, ids: readonly string[]): Map<string, number> {
  const best = new Map<string, number>();
  items.forEach((item, pair) => {
    const id = ids[item] as string;
    if (!best.has(id)) best.set(id, ranks[pair] as number);
  });
  return best;
}

function judgeMatches({ ranks, items }: Matches, grades: readonly number[], ranking: Ranking): JudgedRanking {
  const { length } = ranking.hits;
  return judgePairs(ranks, items, grades, length === 0 ? 0 : (ranking.ranks[length - 1] as number));
}

function distinct(ids: readonly string[] = []): readonly string[] {
  return ids.length < 2 ? ids : [...new Set(ids)];
}

/** Lists of equal grades, by length: most queries expect one, two or three items. */
const gradesByLength: number[][] = [];

function gradesOfExpected(count: number): readonly number[] {
  return (gradesByLength[count] ??= Array<number>(count).fill(GRADE_OF_EXPECTED));
}

/**
 * The query's judgments of one unit as a metric sees them: expected items with grade 1, overruled by graded
 * `judgments`.
 *
 * @returns null when the golden set judges nothing of that unit for this query.
 */
export function judgeByGrade(
  { query, ranking }: JudgedQuery,
  unit: JudgedUnit,
  matcher: Matcher,
): JudgedRanking | null {
  // A hit that stands for several items of one grade earns the first: by id, not by where the golden set
  // names it.
  const items = [...listGrades(query, unit)].sort(([a], [b]) => compareIds(b, a));
  if (items.length === 0) return null;
  const ids = items.map(([id]) => id);
  return judgeMatches(
    unit === "chunk" ? matcher.match(query, ranking, ids) : matchDocuments(ranking, ids),
    items.map(([, grade]) => grade),
    ranking,
  );
}

/**
 * Rank of the first hit that is an expected chunk, or, for a query without expected chunks, of an expected
 * document.
 */
export function firstHitRank({ chunkIds, chunks, docs }: JudgedQuery): number | null {
  return (chunkIds.length > 0 ? chunks : docs).hits.ranks[0] ?? null;
}
