import { firstIndex } from "../foundation/columns/index.js";
import {
  judgeRanking,
  metricDepth,
  type GradedRanks,
  type JudgedRanking,
  type LinearScore,
  type Metric,
} from "../metrics/index.js";
import { hasOwnGains, positive } from "../metrics/internal.js";

/**
 * The lowest and the highest score over every possible labelling of the unjudged hits in view; null where
 * there is no exact form.
 */
export type BoundsOf = (judged: JudgedRanking) => { low: number; high: number };

/** The lowest top of a scale: where all judgments are 0, an unjudged hit may still be relevant. */
const LOWEST_TOP = 1;

/**
 * How far the unjudged hits in view (down to the cutoff) can move a score. A label is a grade from 0 to
 * `highest`, at least 1.
 *
 * @param highest the top grade of the judgments.
 */
export function boundsOf(metric: Metric, highest: number): BoundsOf | null {
  const { definition, score, parameters, linear } = metric;
  const depth = metricDepth(metric);
  const top = Math.max(highest, LOWEST_TOP);
  // Without unjudged hits there is nothing to label, and gains of one's own may fall where grades rise.
  if (parameters["judged_only"] === true || hasOwnGains(metric)) return null;
  if (definition.bounds === "rising")
    return (judged) => ({
      low: score(judged),
      high: score(labelUnjudged(judged, listUnjudgedRanks(judged, depth), top)),
    });
  if (definition.bounds === "counted")
    return (judged) => boundCounted(metric, judged, listUnjudgedRanks(judged, depth), top);
  if (definition.bounds === "normalized gain" && linear !== undefined)
    return (judged) => gainBounds(judged, listUnjudgedRanks(judged, depth), linear, top);
  return null;
}

/** Ranks of hits that are not judged, down to a depth. */
function listUnjudgedRanks({ hits: { ranks }, returned }: JudgedRanking, depth: number): number[] {
  const unjudged: number[] = [];
  let next = 0;
  for (let rank = 1; rank <= Math.min(depth, returned); rank++) {
    if (ranks[next] === rank) next++;
    else unjudged.push(rank);
  }
  return unjudged;
}

/** The ranking as it would be, had the hits at some ranks (rising) a grade. */
function labelUnjudged(
  { hits, pool, returned }: JudgedRanking,
  at: readonly number[],
  grade: number,
): JudgedRanking {
  const count = hits.ranks.length + at.length;
  const ranks = new Int32Array(count);
  const grades = new Float64Array(count);
  let judged = 0;
  let label = 0;
  for (let i = 0; i < count; i++) {
    const isLabel =
      judged === hits.ranks.length ||
      (label < at.length && (at[label] as number) < (hits.ranks[judged] as number));
    ranks[i] = isLabel ? (at[label++] as number) : (hits.ranks[judged] as number);
    grades[i] = isLabel ? grade : (hits.grades[judged++] as number);
  }
  const all = new Float64Array(pool.length + at.length).fill(grade);
  all.set(pool, at.length);
  return judgeRanking(ranks, grades, all, returned);
}

/**
 * Items are relevant or not. For each number of newly relevant ones the score is highest with them in the
 * highest places and lowest with them in the lowest, since a better item higher up never lowers it.
 */
function boundCounted(
  { score, along, parameters, definition: { range } }: Metric,
  judged: JudgedRanking,
  unjudged: readonly number[],
  grade: number,
): { low: number; high: number } {
  const bare = score(judged);
  // Labels below the level from which items are relevant change nothing.
  if ((parameters["rel"] as number) > grade) return { low: bare, high: bare };
  /** The farthest score; `end` is the end of the scale on that side. */
  const farthest = (labels: readonly number[], sign: 1 | -1, end: number | null): number => {
    const estimates = along?.(judged, labels);
    const best = estimates?.reduce((most, each) => (sign * each > sign * most ? each : most)) ?? 0;
    const ranking = new GrowingRanking(judged, labels, grade);
    let found = bare;
    for (let count = 1; count <= labels.length; count++) {
      if (estimates !== undefined) {
        if (found === end) break;
        if (sign * (best - (estimates[count] as number)) > ROUNDING) continue;
      }
      const each = score(ranking.after(count));
      if (sign * each > sign * found) found = each;
    }
    return found;
  };
  return {
    low: farthest([...unjudged].reverse(), -1, range[0]),
    high: farthest(unjudged, 1, range[1]),
  };
}

/** Scores that are nearer than this may be in another order than their estimates. */
const ROUNDING = 1e-9;

/** A ranking that gets one label after the other, of which lists are written only for who reads them. */
class GrowingRanking {
  readonly #judged: JudgedRanking;
  readonly #labels: readonly number[];
  readonly #grade: number;
  readonly #hits: GrowingRanks;
  readonly #positive: GrowingRanks;
  /** As many labels as there may be, then the pool: what counts is its end. */
  readonly #pool: Float64Array;
  /** By level the ranks of judged hits that have it. */
  readonly #known = new Map<number, number[]>();

  /** @param labels ranks, all rising or all falling. */
  constructor(judged: JudgedRanking, labels: readonly number[], grade: number) {
    this.#judged = judged;
    this.#labels = labels;
    this.#grade = grade;
    this.#hits = new GrowingRanks(judged.hits, labels, grade);
    this.#positive = new GrowingRanks(positive(judged.hits), labels, grade);
    this.#pool = new Float64Array(labels.length + judged.pool.length).fill(grade);
    this.#pool.set(judged.pool, labels.length);
  }

  /** With the first labels, at least as many as before; good until the next call. */
  after(count: number): JudgedRanking {
    const [hits, relevant] = [this.#hits, this.#positive];
    const list: GradedRanks = {
      get ranks() {
        return hits.after(count).ranks;
      },
      get grades() {
        return hits.after(count).grades;
      },
      get positive() {
        return relevant.after(count);
      },
      within: (level, cutoff) =>
        this.#countKnownWithin(level, cutoff) + this.#labelsWithin(count, level, cutoff),
    };
    return {
      ...this.#judged,
      hits: list,
      finds: list,
      earned: list,
      pool: this.#pool.subarray(this.#labels.length - count),
    };
  }

  #countKnownWithin(level: number, cutoff: number): number {
    const { ranks, grades } = this.#judged.hits;
    let known = this.#known.get(level);
    if (known === undefined) {
      known = Array.from(ranks).filter((_, index) => (grades[index] as number) >= level);
      this.#known.set(level, known);
    }
    return firstIndex(known.length, (index) => (known[index] as number) > cutoff);
  }

  #labelsWithin(count: number, level: number, cutoff: number): number {
    if (this.#grade < level) return 0;
    const isWithin = (index: number): boolean => (this.#labels[index] as number) <= cutoff;
    const isRising = (this.#labels[0] as number) <= (this.#labels[count - 1] as number);
    return isRising
      ? firstIndex(count, (index) => !isWithin(index))
      : count - firstIndex(count, (index) => isWithin(index));
  }
}

/** A list that gets labels, in memory that is there already. */
class GrowingRanks {
  readonly #ranks: Int32Array;
  readonly #grades: Float64Array;
  readonly #labels: readonly number[];
  readonly #grade: number;
  readonly #known: number;
  #labelled = 0;

  constructor({ ranks, grades }: GradedRanks, labels: readonly number[], grade: number) {
    this.#known = ranks.length;
    this.#labels = labels;
    this.#grade = grade;
    this.#ranks = new Int32Array(this.#known + labels.length);
    this.#grades = new Float64Array(this.#known + labels.length);
    this.#ranks.set(ranks);
    this.#grades.set(grades);
  }

  after(count: number): GradedRanks {
    if (this.#labelled < count) this.#insert(this.#labels.slice(this.#labelled, count));
    this.#labelled = count;
    const all = this.#known + count;
    return { ranks: this.#ranks.subarray(0, all), grades: this.#grades.subarray(0, all) };
  }

  /** From the end on, so that nothing is written over that is still to be moved. */
  #insert(labels: number[]): void {
    labels.sort((a, b) => a - b);
    let from = this.#known + this.#labelled - 1;
    for (let label = labels.length - 1; label >= 0;) {
      const rank = labels[label] as number;
      const to = from + label + 1;
      const isLabel = from < 0 || (this.#ranks[from] as number) < rank;
      this.#ranks[to] = isLabel ? rank : (this.#ranks[from] as number);
      this.#grades[to] = isLabel ? this.#grade : (this.#grades[from] as number);
      if (isLabel) label--;
      else from--;
    }
  }
}

/**
 * Gain over ideal gain is quasi-concave in the labels (a linear function over a convex one). So at its
 * minimum there are labels of 0 and of the highest grade only, the latter in the lowest places; and at its
 * maximum every label is a grade that some judged item has, or 0, or the highest, and labels fall with the
 * rank.
 *
 * How many labels of each grade there are at the maximum is found by Dinkelbach's method: for a ratio t
 * already reached, maximize gain - t * ideal gain. That sum falls apart into one term for each grade, which
 * depends on how many labels are of that grade or more; those counts fall with the grade.
 */
function gainBounds(
  judged: JudgedRanking,
  unjudged: readonly number[],
  { gain, discount }: LinearScore,
  highest: number,
): { low: number; high: number } {
  const { hits, pool } = judged;
  let earned = 0;
  for (let i = 0; i < hits.ranks.length; i++)
    earned += gain(hits.grades[i] as number) * discount(hits.ranks[i] as number, judged);
  /**
   * Sums of the discounts of the first n ideal ranks, and of the first and the last n unjudged ranks in view.
   */
  const ideal = sums(pool.length + unjudged.length, (index) => discount(index + 1, judged));
  const first = sums(unjudged.length, (index) => discount(unjudged[index] as number, judged));
  const last = sums(unjudged.length, (index) =>
    discount(unjudged[unjudged.length - 1 - index] as number, judged),
  );
  const steps = gainSteps(pool, gain, highest);
  const ratio = (counts: readonly number[], places: Float64Array): number => {
    let above = earned;
    let below = 0;
    steps.forEach(({ height, judged: known }, index) => {
      above += height * (places[counts[index] as number] as number);
      below += height * (ideal[known + (counts[index] as number)] as number);
    });
    return below === 0 ? 0 : above / below;
  };
  let low = Infinity;
  for (let count = 0; count <= unjudged.length; count++)
    low = Math.min(
      low,
      ratio(
        steps.map(() => count),
        last,
      ),
    );
  let high = Math.max(
    ratio(
      steps.map(() => 0),
      first,
    ),
    ratio(
      steps.map(() => unjudged.length),
      first,
    ),
  );
  for (;;) {
    const next = ratio(bestCounts(steps, first, ideal, high, unjudged.length), first);
    // Not `next <= high`: gains beyond the largest double make it NaN.
    if (!(next > high)) return { low, high };
    high = next;
  }
}

/** Sums of the first n values, for n from 0. */
function sums(count: number, value: (index: number) => number): Float64Array {
  const all = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) all[i + 1] = (all[i] as number) + value(i);
  return all;
}

/** A gain above the next lower one, and how many judged items have it or a higher one. */
interface GainStep {
  readonly height: number;
  readonly judged: number;
}

function gainSteps(pool: ArrayLike<number>, gain: (grade: number) => number, highest: number): GainStep[] {
  const gains = [...new Set([...Array.from(pool, gain), gain(highest)])]
    .filter((each) => each > 0)
    .sort((a, b) => a - b);
  // Highest first, as the grades are.
  const judged = Array.from(pool, gain);
  return gains.map((each, index) => ({
    height: each - (gains[index - 1] ?? 0),
    judged: firstIndex(judged.length, (place) => (judged[place] as number) < each),
  }));
}

/** For each step how many labels reach it, so that gain - t * ideal gain is largest. */
function bestCounts(
  steps: readonly GainStep[],
  first: Float64Array,
  ideal: Float64Array,
  t: number,
  most: number,
): number[] {
  /** By step from the top: the best count of at most n labels. */
  const choices: Int32Array[] = [];
  let above = new Float64Array(most + 1);
  for (const { height, judged } of [...steps].reverse()) {
    const best = new Float64Array(most + 1);
    const choice = new Int32Array(most + 1);
    for (let n = 0; n <= most; n++) {
      const value =
        height * ((first[n] as number) - t * (ideal[judged + n] as number)) + (above[n] as number);
      const isBetter = n === 0 || value > (best[n - 1] as number);
      best[n] = isBetter ? value : (best[n - 1] as number);
      choice[n] = isBetter ? n : (choice[n - 1] as number);
    }
    choices.push(choice);
    above = best;
  }
  const counts: number[] = [];
  let left = most;
  for (const choice of choices.reverse()) counts.push((left = choice[left] as number));
  return counts;
}
