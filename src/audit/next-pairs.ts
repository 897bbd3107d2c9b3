import { wholeNumber } from "../foundation/checks/index.js";
import { evaluate } from "../evaluate/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { metricDepth, type Metric } from "../metrics/index.js";
import { TOP_LABEL_GRADE, type EvalRun, type QueryResult } from "../records/index.js";

/** Grades by query id, then by item. */
type Grades = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Two runs that are to be compared, and what is labelled of them. */
export interface NextPairsOptions {
  /** The runs, whose hits are named as labels name items. */
  readonly runs: readonly [EvalRun, EvalRun];
  /** The metric that decides between them. */
  readonly metric: Metric;
  /** What people said. */
  readonly people: Grades;
  /** What the model said, of people's pairs, too. */
  readonly model: Grades;
  /**
   * By query id its text, as `normalizeQuery` has it: a label is of all queries that have it. A query without
   * one is by itself.
   */
  readonly texts?: ReadonlyMap<string, string> | undefined;
  /** Most pairs that are listed. */
  readonly size: number;
}

/** A pair that people should label. */
export interface NextPair {
  readonly queryId: string;
  readonly item: string;
  /**
   * How far the difference of the runs moves, in all queries of this text, between Irrelevant and Fully
   * Relevant.
   */
  readonly weight: number;
  /** The model's grade; null where it has none. */
  readonly grade: number | null;
  /** The chance that people find it relevant, given the model's grade. */
  readonly chance: number;
}

/** Mostly Relevant: relevant to most readers. */
const RELEVANT = 2;
/** Pairs that what is believed of a grade counts as, before people have said anything. */
const PRIOR_PAIRS = 2;
/** What moves queries of one text by as much to either side leaves roundings. */
const NO_WEIGHT = 1e-12;
/** Pairs that are tried in one evaluation. */
const CHUNK = 500;

/**
 * Which pairs of query and item should people label next for a comparison? Those whose label may move it
 * most: the largest weight² p (1 - p), p the chance to be relevant given the model's label.
 *
 * The weight is found by trying: the difference of the runs with the item Fully Relevant minus that with the
 * item Irrelevant, all other labels as they are. The chance is the share of relevant ones among the pairs of
 * the model's grade g that people labelled, with two pairs of share (g + 1/2) / 4 added; 1/2 for no grade.
 * Such labels are chosen, not drawn: nothing follows from them for other queries.
 */
export function nextPairs(options: NextPairsOptions): NextPair[] {
  const { runs, metric, people, model, size } = options;
  wholeNumber("size", size);
  const textOf = (queryId: string): string => {
    const text = options.texts?.get(queryId);
    return text === undefined ? `id ${queryId}` : `text ${text}`;
  };
  const chanceOf = relevanceChances(onePerText(people, textOf), model);
  const results = runs.map((run) => new Map(run.results.map((result) => [result.query_id, result])));
  const open = [...new Set(results.flatMap((byQuery) => [...byQuery.keys()]))].flatMap((queryId) => {
    const view = results.flatMap((byQuery) => headOf(byQuery.get(queryId), metric));
    return [...new Set(view)]
      .filter((item) => people.get(queryId)?.has(item) !== true)
      .map((item) => ({ queryId, item }));
  });
  const pairs = new Map<string, NextPair>();
  for (let at = 0; at < open.length; at += CHUNK) {
    const chunk = open.slice(at, at + CHUNK);
    const weights = weightsOf(chunk, { runs, results, metric, people, model });
    chunk.forEach(({ queryId, item }, place) => {
      const key = JSON.stringify([textOf(queryId), item]);
      const grade = model.get(queryId)?.get(item) ?? null;
      const pair = pairs.get(key) ?? { queryId, item, weight: 0, grade, chance: chanceOf(grade) };
      pairs.set(key, { ...pair, weight: pair.weight + (weights[place] as number) });
    });
  }
  return [...pairs.values()]
    .map((pair) => ({ ...pair, weight: Math.abs(pair.weight) }))
    .filter(({ weight }) => weight > NO_WEIGHT)
    .sort((a, b) => valueOf(b) - valueOf(a) || compareIds(a.queryId, b.queryId) || compareIds(a.item, b.item))
    .slice(0, size);
}

/** What is not known of the difference for want of this label. */
function valueOf({ weight, chance }: NextPair): number {
  return weight ** 2 * chance * (1 - chance);
}

function headOf(result: QueryResult | undefined, metric: Metric): string[] {
  return (result?.hits_top_k ?? []).slice(0, metricDepth(metric)).map(({ doc_id }) => doc_id);
}

interface Tried extends Omit<NextPairsOptions, "size"> {
  readonly results: readonly ReadonlyMap<string, QueryResult>[];
}

/** How far each pair's label moves the difference: every pair is a query of its own, once with each label. */
function weightsOf(
  pairs: readonly Pick<NextPair, "queryId" | "item">[],
  { runs, results, metric, people, model }: Tried,
): number[] {
  const grades = new Map<string, ReadonlyMap<string, number>>();
  pairs.forEach(({ queryId, item }, at) => {
    const known = [...(model.get(queryId) ?? []), ...(people.get(queryId) ?? [])];
    grades.set(`${at} 0`, new Map([...known, [item, 0]]));
    grades.set(`${at} 1`, new Map([...known, [item, TOP_LABEL_GRADE]]));
  });
  const differences = runs.map((run, place) => {
    const asked = pairs.flatMap(({ queryId }, at) => {
      const result = results[place]?.get(queryId);
      return result === undefined ? [] : [0, 1].map((label) => ({ ...result, query_id: `${at} ${label}` }));
    });
    const evaluation = evaluate({ ...run, results: asked }, grades, [metric], { unit: "doc" });
    const column = evaluation.column(metric.name);
    const scores = new Map(evaluation.queryIds.map((id, row) => [id, column[row] as number]));
    return pairs.map((_, at) => (scores.get(`${at} 1`) ?? 0) - (scores.get(`${at} 0`) ?? 0));
  });
  return pairs.map((_, at) => (differences[1]?.[at] ?? 0) - (differences[0]?.[at] ?? 0));
}

/** The grades of one query of each text. */
function onePerText(grades: Grades, textOf: (queryId: string) => string): Grades {
  const first = new Map([...grades.keys()].reverse().map((queryId) => [textOf(queryId), queryId]));
  return new Map([...grades].filter(([queryId]) => first.get(textOf(queryId)) === queryId));
}

/** The chance that people find an item relevant, by the model's grade. */
function relevanceChances(people: Grades, model: Grades): (grade: number | null) => number {
  const counts = new Map<number | null, { pairs: number; relevant: number }>();
  for (const [queryId, ofQuery] of people)
    for (const [item, said] of ofQuery) {
      const grade = model.get(queryId)?.get(item) ?? null;
      const count = counts.get(grade) ?? { pairs: 0, relevant: 0 };
      counts.set(grade, {
        pairs: count.pairs + 1,
        relevant: count.relevant + (said >= RELEVANT ? 1 : 0),
      });
    }
  return (grade) => {
    const { pairs, relevant } = counts.get(grade) ?? { pairs: 0, relevant: 0 };
    const believed = grade === null ? 1 / 2 : (grade + 1 / 2) / (TOP_LABEL_GRADE + 1);
    return (relevant + PRIOR_PAIRS * believed) / (pairs + PRIOR_PAIRS);
  };
}
