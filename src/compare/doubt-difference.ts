import { metricDepth, type LinearScore, type Metric } from "../metrics/index.js";
import { hasOwnGains } from "../metrics/internal.js";
import { exactSum, scoreDifference } from "../foundation/numbers/index.js";
import type { JudgedRanking } from "../metrics/index.js";
import type { JudgeNext, UnjudgedDoubt } from "../records/index.js";
import type { LabelledRanking } from "./labelled-ranking.js";

/** One query of two runs. */
export interface DoubtedQuery {
  readonly queryId: string;
  readonly a: LabelledRanking;
  readonly b: LabelledRanking;
}

/** What labels for unjudged hits could do to a difference. */
export interface Doubt {
  readonly doubt: UnjudgedDoubt;
  /** The labels that could move it most come first. */
  readonly judgeNext: readonly JudgeNext[];
}

/** Hits looked at where the metric has no cutoff: judging starts at the top. */
const USUAL_DEPTH = 20;
const MOST_LISTED = 50;

/**
 * Could labels for unjudged hits turn the mean difference b - a around?
 *
 * `yes` is a proof by example: with every unjudged hit relevant that the losing run ranks higher, the
 * difference has the other sign. `no` follows from bounds, query by query: rankings that are alike stay so;
 * where gains add up, of the sum over hits that both runs share; else, where labels can only lift a score and
 * nothing but a run's own hits moves it, of each run by itself. Between the two neither is shown. Labels are
 * grades up to the highest that is judged, or to 1.
 */
export function doubtDifference(queries: readonly DoubtedQuery[], metric: Metric): Doubt {
  const weighed = queries.map((query) => new WeighedQuery(query, metric));
  const mean = (of: (query: WeighedQuery) => number): number =>
    withoutNoise(exactSum(weighed.map(of)) / Math.max(1, weighed.length));
  const difference = mean((query) => query.difference);
  const witness = mean((query) => query.differenceLabelledFor(difference > 0 ? "a" : "b"));
  const all = weighed.map((query) => query.bounds());
  const isBounded = all.every(
    (each): each is Bounds => each !== null && Number.isFinite(each.low) && Number.isFinite(each.high),
  );
  const bounds = isBounded
    ? {
        low: exactSum(all.map(({ low }) => low)) / Math.max(1, all.length),
        high: exactSum(all.map(({ high }) => high)) / Math.max(1, all.length),
      }
    : null;
  const isOverturned = difference > 0 ? witness < 0 : difference < 0 ? witness > 0 : witness !== 0;
  const [low, high] = [bounds?.low ?? NaN, bounds?.high ?? NaN].map(withoutNoise) as [number, number];
  const isSafe = difference > 0 ? low >= 0 : difference < 0 ? high <= 0 : low === 0 && high === 0;
  const depth = metricDepth(metric);
  const labels = weighed.flatMap((query) => query.labels(Number.isFinite(depth) ? depth : USUAL_DEPTH));
  return {
    doubt: {
      could_overturn: isOverturned ? "yes" : isSafe ? "no" : "perhaps",
      bounds,
      unjudged_a: weighed.reduce((sum, { unjudgedA }) => sum + unjudgedA, 0),
      unjudged_b: weighed.reduce((sum, { unjudgedB }) => sum + unjudgedB, 0),
    },
    judgeNext: labels.sort((x, y) => Math.abs(y.impact) - Math.abs(x.impact)).slice(0, MOST_LISTED),
  };
}

interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** What sums of scores add or lose by rounding must not decide on which side of 0 a mean is. */
const withoutNoise = (mean: number): number => scoreDifference(mean, 0);

/** A query's unjudged hits in view, and what labels for them would do. */
class WeighedQuery {
  readonly #queryId: string;
  readonly #metric: Metric;
  readonly #a: LabelledRanking;
  readonly #b: LabelledRanking;
  readonly #unjudged: readonly DoubtedItem[];
  readonly unjudgedA: number;
  readonly unjudgedB: number;
  readonly difference: number;

  constructor({ queryId, a, b }: DoubtedQuery, metric: Metric) {
    this.#queryId = queryId;
    this.#metric = metric;
    [this.#a, this.#b] = [a, b];
    this.unjudgedA = a.unjudged.length;
    this.unjudgedB = b.unjudged.length;
    const items = new Set([...a.unjudged, ...b.unjudged]);
    const [inA, inB] = [a.ranksOf(items), b.ranksOf(items)];
    this.#unjudged = Array.from(items, (id) => ({ id, a: inA.get(id), b: inB.get(id) }));
    this.difference = this.#difference([]);
  }

  /** The difference with every unjudged hit relevant that one of the runs ranks higher. */
  differenceLabelledFor(run: "a" | "b"): number {
    const chosen = this.#unjudged.filter(({ a = Infinity, b = Infinity }) => (run === "a" ? b > a : b < a));
    return chosen.length === 0 ? this.difference : this.#difference(chosen);
  }

  /** What each label would do by itself. */
  labels(depth: number): JudgeNext[] {
    return this.#unjudged
      .filter(({ a = Infinity, b = Infinity }) => Math.min(a, b) <= depth)
      .map(({ id, a, b }) => ({
        query_id: this.#queryId,
        item: id,
        rank_a: a ?? null,
        rank_b: b ?? null,
        impact: scoreDifference(this.#b.scoreWith(b) - this.#a.scoreWith(a), this.difference),
      }))
      .filter(({ impact }) => impact !== 0);
  }

  /** How far labels can move the difference; null where that is not known. */
  bounds(): Bounds | null {
    if (this.#unjudged.length === 0 || this.#a.isAlike(this.#b))
      return { low: this.difference, high: this.difference };
    if (hasOwnGains(this.#metric)) return null;
    return this.#boundsTogether() ?? this.#boundsApart();
  }

  /** Of gains that add up: a hit of both runs moves both. */
  #boundsTogether(): Bounds | null {
    const { linear, definition } = this.#metric;
    if (linear === undefined) return null;
    const [bare, full] = [this.#judgePair([]), this.#judgePair(this.#unjudged)];
    const [least, most] = [linear.norm(bare.a), linear.norm(full.a)];
    if (least !== linear.norm(bare.b) || most !== linear.norm(full.b)) return null;
    const discounts = this.#unjudged.map(
      ({ a, b }) => discountOf(linear, b, bare.b, full.b) - discountOf(linear, a, bare.a, full.a),
    );
    if (
      discounts.some(Number.isNaN) ||
      ![bare.a, bare.b].every((judged, run) => hasFixedDiscounts(linear, judged, run === 0 ? full.a : full.b))
    )
      return null;
    const gain = linear.gain(this.#a.top);
    const now = this.difference * least;
    const low = now + exactSum(discounts.map((each) => Math.min(0, gain * each)));
    const high = now + exactSum(discounts.map((each) => Math.max(0, gain * each)));
    const [bottom, ceiling] = definition.range;
    const widest = bottom === null || ceiling === null ? Infinity : ceiling - bottom;
    // Where nothing is relevant yet, a single label decides the norm, and the range is all that is known.
    const ends =
      least === 0
        ? { low: low < 0 ? -widest : 0, high: high > 0 ? widest : 0 }
        : { low: low / (low < 0 ? least : most), high: high / (high > 0 ? least : most) };
    return { low: Math.max(ends.low, -widest), high: Math.min(ends.high, widest) };
  }

  /**
   * Each run at its end: its lowest and highest score hold for it alone where no label for a hit of the other
   * run, which makes the pool larger, moves it.
   */
  #boundsApart(): Bounds | null {
    if (this.#metric.definition.bounds !== "rising" || !this.#isFreeOfPool) return null;
    const [low, high] = [[], this.#unjudged].map((labelled) => {
      const { a, b } = this.#judgePair(labelled);
      return { a: this.#metric.score(a), b: this.#metric.score(b) };
    }) as [{ a: number; b: number }, { a: number; b: number }];
    return { low: low.b - high.a, high: high.b - low.a };
  }

  /**
   * Whether the scores stay as they are when further items of the top grade are judged that neither run
   * returned.
   */
  get #isFreeOfPool(): boolean {
    const { top, pool } = this.#a;
    const more = [...this.#unjudged.map(() => top), top, ...pool];
    return [this.#judgePair([]), this.#judgePair(this.#unjudged)]
      .flatMap(({ a, b }) => [a, b])
      .every((judged) => this.#metric.score({ ...judged, pool: more }) === this.#metric.score(judged));
  }

  #difference(labelled: readonly DoubtedItem[]): number {
    const { a, b } = this.#judgePair(labelled);
    return this.#metric.score(b) - this.#metric.score(a);
  }

  #judgePair(labelled: readonly DoubtedItem[]): Pair {
    return {
      a: this.#a.judgeWith(labelled.map(({ a }) => a)),
      b: this.#b.judgeWith(labelled.map(({ b }) => b)),
    };
  }
}

/** An unjudged item, and its rank in each run that has it. */
interface DoubtedItem {
  readonly id: string;
  readonly a: number | undefined;
  readonly b: number | undefined;
}

interface Pair {
  readonly a: JudgedRanking;
  readonly b: JudgedRanking;
}

/**
 * Whether labels leave what judged hits count for as it is: in R-precision a larger R lets more of them in.
 */
function hasFixedDiscounts(
  { discount, over }: LinearScore,
  bare: JudgedRanking,
  full: JudgedRanking,
): boolean {
  return Array.from(bare[over].ranks).every((rank) => discount(rank, bare) === discount(rank, full));
}

/** NaN where the discount depends on the labels. */
function discountOf(
  { discount }: LinearScore,
  rank: number | undefined,
  bare: JudgedRanking,
  full: JudgedRanking,
): number {
  if (rank === undefined) return 0;
  const value = discount(rank, bare);
  return value === discount(rank, full) ? value : NaN;
}
