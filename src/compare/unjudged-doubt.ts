import type { LinearScore, Metric } from "../metrics/index.js";
import { exactSum, roundTo4 } from "../numbers/index.js";
import { judgedRanking, type JudgedRanking } from "../ranking.js";
import type { JudgeNext, UnjudgedDoubt } from "../schema/index.js";

/** One query of two runs, and its judgments. */
export interface DoubtedQuery {
  readonly queryId: string;
  /** Ids, best first, each once. */
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly grades: ReadonlyMap<string, number>;
}

/** What labels for unjudged hits could do to a difference. */
export interface Doubt {
  readonly doubt: UnjudgedDoubt;
  /** The labels that could move it most come first. */
  readonly judgeNext: readonly JudgeNext[];
}

/** Hits looked at where the metric has no cutoff: whoever judges starts at the top. */
const USUAL_DEPTH = 20;
/** The lowest top of a scale: where all judgments are 0, an unjudged hit may still be relevant. */
const LOWEST_TOP = 1;
const MOST_LISTED = 50;

/**
 * Could labels for unjudged hits turn the mean difference b - a around?
 *
 * `yes` is a proof by example: with every unjudged hit relevant that the losing run ranks higher, the difference has the other sign. `no`
 * follows from bounds: of each run's score by itself, and, where gains add up, of the sum over hits that both runs share.
 * Between the two neither is shown.
 *
 * @param highest the top grade of the judgments.
 * @param apart bounds of the mean difference from the bounds of each run's mean; null where there are none.
 */
export function unjudgedDoubt(queries: readonly DoubtedQuery[], metric: Metric, highest: number, apart: { readonly low: number; readonly high: number } | null): Doubt {
  const top = Math.max(highest, LOWEST_TOP);
  const depth = metric.cutoff ?? Infinity;
  const weighed = queries.map((query) => new WeighedQuery(query, metric, top, depth));
  const mean = (of: (query: WeighedQuery) => number): number => exactSum(weighed.map(of)) / Math.max(1, weighed.length);
  const difference = mean((query) => query.difference);
  const witness = mean((query) => query.labelledFor(difference > 0 ? "a" : "b"));
  const joint = weighed.map((query) => query.jointBounds());
  const together = joint.every((each) => each !== null) ? { low: exactSum(joint.map(({ low }) => low)) / Math.max(1, joint.length), high: exactSum(joint.map(({ high }) => high)) / Math.max(1, joint.length) } : null;
  const bounds = narrower(apart, together);
  const isOverturned = difference > 0 ? witness < 0 : difference < 0 ? witness > 0 : witness !== 0;
  const isSafe = bounds !== null && (difference > 0 ? bounds.low >= 0 : difference < 0 ? bounds.high <= 0 : bounds.low === 0 && bounds.high === 0);
  const labels = weighed.flatMap((query) => query.labels(metric.cutoff ?? USUAL_DEPTH));
  return {
    doubt: {
      could_overturn: isOverturned ? "yes" : isSafe ? "no" : "perhaps",
      bounds: bounds && { low: roundTo4(bounds.low), high: roundTo4(bounds.high) },
      unjudged_a: weighed.reduce((sum, { unjudgedA }) => sum + unjudgedA, 0),
      unjudged_b: weighed.reduce((sum, { unjudgedB }) => sum + unjudgedB, 0),
    },
    judgeNext: labels.sort((x, y) => Math.abs(y.impact) - Math.abs(x.impact)).slice(0, MOST_LISTED),
  };
}

/** Both hold, so what both allow. */
function narrower(x: UnjudgedDoubt["bounds"], y: UnjudgedDoubt["bounds"]): UnjudgedDoubt["bounds"] {
  if (x === null || y === null) return x ?? y;
  return { low: Math.max(x.low, y.low), high: Math.min(x.high, y.high) };
}

/** A query's unjudged hits in view, and what labels for them would do. */
class WeighedQuery {
  readonly #query: DoubtedQuery;
  readonly #metric: Metric;
  readonly #top: number;
  readonly #rankA: ReadonlyMap<string, number>;
  readonly #rankB: ReadonlyMap<string, number>;
  readonly #unjudged: readonly string[];
  readonly unjudgedA: number;
  readonly unjudgedB: number;
  readonly difference: number;

  constructor(query: DoubtedQuery, metric: Metric, top: number, depth: number) {
    this.#query = query;
    this.#metric = metric;
    this.#top = top;
    this.#rankA = ranksOf(query.a);
    this.#rankB = ranksOf(query.b);
    const isUnjudged = (id: string): boolean => !((query.grades.get(id) ?? -1) >= 0);
    const [a, b] = [query.a.slice(0, depth).filter(isUnjudged), query.b.slice(0, depth).filter(isUnjudged)];
    this.unjudgedA = a.length;
    this.unjudgedB = b.length;
    this.#unjudged = [...new Set([...a, ...b])];
    this.difference = this.#difference([]);
  }

  /** The difference with every unjudged hit relevant that one of the runs ranks higher. */
  labelledFor(run: "a" | "b"): number {
    const lead = (id: string): number => (this.#rankB.get(id) ?? Infinity) - (this.#rankA.get(id) ?? Infinity);
    const chosen = this.#unjudged.filter((id) => (run === "a" ? lead(id) > 0 : lead(id) < 0));
    return chosen.length === 0 ? this.difference : this.#difference(chosen);
  }

  /** What each label would do by itself. */
  labels(depth: number): JudgeNext[] {
    const inView = this.#unjudged.filter((id) => Math.min(this.#rankA.get(id) ?? Infinity, this.#rankB.get(id) ?? Infinity) <= depth);
    return inView.map((item) => ({
      query_id: this.#query.queryId,
      item,
      rank_a: this.#rankA.get(item) ?? null,
      rank_b: this.#rankB.get(item) ?? null,
      impact: roundTo4(this.#difference([item]) - this.difference),
    })).filter(({ impact }) => impact !== 0);
  }

  /** Bounds of a difference of gains that add up: a hit of both runs moves both. Null for metrics of another kind. */
  jointBounds(): { low: number; high: number } | null {
    const { linear, parameters, definition } = this.#metric;
    if (this.#unjudged.length === 0) return { low: this.difference, high: this.difference };
    if (linear === undefined || (Array.isArray(parameters["gains"]) && parameters["gains"].length > 0)) return null;
    const [bare, full] = [[], this.#unjudged].map((labelled) => ({ a: this.#judged(this.#query.a, labelled), b: this.#judged(this.#query.b, labelled) })) as [Pair, Pair];
    const [least, most] = [linear.norm(bare.a), linear.norm(full.a)];
    if (least !== linear.norm(bare.b) || most !== linear.norm(full.b)) return null;
    const discounts = this.#unjudged.map((id) => discountOf(linear, this.#rankB.get(id), bare.b, full.b) - discountOf(linear, this.#rankA.get(id), bare.a, full.a));
    if (discounts.some(Number.isNaN)) return null;
    const gain = linear.gain(this.#top);
    const now = this.difference * least;
    const low = now + exactSum(discounts.map((each) => Math.min(0, gain * each)));
    const high = now + exactSum(discounts.map((each) => Math.max(0, gain * each)));
    if (least === 0) {
      // Nothing is relevant yet: a single label decides the norm.
      const [bottom, ceiling] = definition.range;
      return bottom === null || ceiling === null ? null : { low: low < 0 ? bottom - ceiling : 0, high: high > 0 ? ceiling - bottom : 0 };
    }
    return { low: low / (low < 0 ? least : most), high: high / (high > 0 ? least : most) };
  }

  #difference(labelled: readonly string[]): number {
    return this.#score(this.#query.b, labelled) - this.#score(this.#query.a, labelled);
  }

  #score(ids: readonly string[], labelled: readonly string[]): number {
    return this.#metric.score(this.#judged(ids, labelled));
  }

  /** A ranking as metrics see it, with some unjudged hits at the top grade. */
  #judged(ids: readonly string[], labelled: readonly string[]): JudgedRanking {
    const grades = labelled.length === 0 ? this.#query.grades : new Map([...this.#query.grades, ...labelled.map((id) => [id, this.#top] as const)]);
    const ranks: number[] = [];
    const found: number[] = [];
    const pooled: number[] = [];
    ids.forEach((id, index) => {
      const grade = grades.get(id);
      if (grade === undefined) return;
      if (grade < 0) pooled.push(index + 1);
      else {
        ranks.push(index + 1);
        found.push(grade);
      }
    });
    return judgedRanking(ranks, found, [...grades.values()].filter((grade) => grade >= 0), ids.length, { pooled });
  }
}

interface Pair {
  readonly a: JudgedRanking;
  readonly b: JudgedRanking;
}

/** NaN where the discount depends on the labels. */
function discountOf({ discount }: LinearScore, rank: number | undefined, bare: JudgedRanking, full: JudgedRanking): number {
  if (rank === undefined) return 0;
  const value = discount(rank, bare);
  return value === discount(rank, full) ? value : NaN;
}

function ranksOf(ids: readonly string[]): Map<string, number> {
  return new Map(ids.map((id, index) => [id, index + 1]));
}
