import { firstIndex } from "../foundation/columns/index.js";
import {
  judgedRanking,
  type GradedRanks,
  type JudgedRanking,
  type LinearScore,
  type Metric,
} from "../metrics/index.js";
import { positive } from "../metrics/internal.js";

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
export function boundsOf(
  { definition, score, cutoff, parameters, linear }: Metric,
  highest: number,
): BoundsOf | null {
  const depth = definition.cutoff === "recall level" ? Infinity : (cutoff ?? Infinity);
  const top = Math.max(highest, LOWEST_TOP);
  // Without unjudged hits there is nothing to label, and gains of one's own may fall where grades rise.
  if (parameters["judged_only"] === true || hasOwnGains(parameters)) return null;
  if (definition.bounds === "rising")
    return (judged) => ({
      low: score(judged),
      high: score(labelled(judged, unjudgedRanks(judged, depth), top)),
    });
  if (definition.bounds === "counted")
    return (judged) => countedBounds(score, judged, unjudgedRanks(judged, depth), top);
  if (definition.bounds === "normalized gain" && linear !== undefined)
    return (judged) => gainBounds(judged, unjudgedRanks(judged, depth), linear, top);
  return null;
}

/** Whether a metric was given gains by grade. */
export function hasOwnGains({ gains }: Metric["parameters"]): boolean {
  return Array.isArray(gains) && gains.length > 0;
}

/** Ranks of hits that are not judged, down to a depth. */
function unjudgedRanks({ hits: { ranks }, returned }: JudgedRanking, depth: number): number[] {
  const unjudged: number[] = [];
  let next = 0;
  for (let rank = 1; rank <= Math.min(depth, returned); rank++) {
    if (ranks[next] === rank) next++;
    else unjudged.push(rank);
  }
  return unjudged;
}

/** The ranking as it would be, had the hits at some ranks (rising) a grade. */
function labelled(
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
  return judgedRanking(ranks, grades, all, returned);
}

/**
 * Items are relevant or not. For each number of newly relevant ones the score is highest with them in the
 * highest places and lowest with them in the lowest, since a better item higher up never lowers it.
 */
function countedBounds(
  score: (judged: JudgedRanking) => number,
  judged: JudgedRanking,
  unjudged: readonly number[],
  grade: number,
): { low: number; high: number } {
  const scores = (ranks: readonly number[]): number[] => {
    const ranking = new GrowingRanking(judged, ranks.length, grade);
    return [
      score(judged),
      ...ranks.map((rank) => {
        ranking.label(rank);
        return score(ranking.judged());
      }),
    ];
  };
  return {
    low: scores([...unjudged].reverse()).reduce((low, each) => Math.min(low, each)),
    high: scores(unjudged).reduce((high, each) => Math.max(high, each)),
  };
}

/** A ranking that gets one label after the other, in memory that is there already, without a new copy. */
class GrowingRanking {
  readonly #returned: number;
  readonly #hits: GrowingRanks;
  readonly #positive: GrowingRanks;
  /** As many labels as there may be, then the pool: what counts is its end. */
  readonly #pool: Float64Array;
  readonly #grade: number;
  #left: number;

  constructor({ hits, pool, returned }: JudgedRanking, labels: number, grade: number) {
    this.#returned = returned;
    this.#hits = new GrowingRanks(hits, labels);
    this.#positive = new GrowingRanks(positive(hits), labels);
    this.#pool = new Float64Array(labels + pool.length).fill(grade);
    this.#pool.set(pool, labels);
    this.#grade = grade;
    this.#left = labels;
  }

  label(rank: number): void {
    this.#hits.insert(rank, this.#grade);
    this.#positive.insert(rank, this.#grade);
    this.#left--;
  }

  /** As it is now; good until the next label. */
  judged(): JudgedRanking {
    const hits = { ...this.#hits.list(), positive: this.#positive.list() };
    return {
      ...judgedRanking([], [], [], this.#returned),
      hits,
      finds: hits,
      earned: hits,
      pool: this.#pool.subarray(this.#left),
    };
  }
}

class GrowingRanks {
  readonly #ranks: Int32Array;
  readonly #grades: Float64Array;
  #count: number;

  constructor({ ranks, grades }: GradedRanks, more: number) {
    this.#count = ranks.length;
    this.#ranks = new Int32Array(this.#count + more);
    this.#grades = new Float64Array(this.#count + more);
    this.#ranks.set(ranks);
    this.#grades.set(grades);
  }

  insert(rank: number, grade: number): void {
    const at = firstIndex(this.#count, (index) => (this.#ranks[index] as number) > rank);
    this.#ranks.copyWithin(at + 1, at, this.#count);
    this.#grades.copyWithin(at + 1, at, this.#count);
    this.#ranks[at] = rank;
    this.#grades[at] = grade;
    this.#count++;
  }

  list(): GradedRanks {
    return { ranks: this.#ranks.subarray(0, this.#count), grades: this.#grades.subarray(0, this.#count) };
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
  const judged = Array.from(pool, gain);
  return gains.map((each, index) => ({
    height: each - (gains[index - 1] ?? 0),
    judged: judged.filter((other) => other >= each).length,
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
