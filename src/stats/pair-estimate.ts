import { checkShare } from "./check-settings.js";
import { checkLists } from "./check-pairs.js";
import { checkKnownOptions } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { exactSum } from "../foundation/numbers/index.js";
import { standardDeviation } from "./moments.js";
import { normalQuantile } from "./normal.js";
import type { Interval } from "./intervals/interval.js";

/** A query and an item, in view of one of two systems. */
export interface WeighedPair {
  readonly query: string;
  /** What a grade of 1 is worth in b, minus what it is worth in a. */
  readonly weight: number;
  /** The model's grade. */
  readonly modelGrade: number;
  /** The probability by which it was drawn: above 0 and up to 1; 0 only where the weight is 0. */
  readonly probability: number;
  /** The grade that people gave it; null where it was not drawn. */
  readonly humanGrade: number | null;
}

/** How the model's grades are translated, and how wide the interval is. */
export interface PairEstimateOptions {
  /** People's mean grade by the model's; a grade that it lacks stands for itself. Default: cross-fitted. */
  readonly meanGrades?: ReadonlyMap<number, number> | undefined;
  /** Share of the interval. Default 0.95. */
  readonly level?: number | undefined;
}

/** A mean difference, estimated from pairs that were drawn by chance. */
export interface PairEstimate {
  /** Mean over queries, b minus a. */
  readonly estimate: number;
  /** The part that the model's grades say, translated into people's. */
  readonly modelPart: number;
  /** What the drawn pairs add to it. */
  readonly correction: number;
  /** Of the draw, for these queries; NaN where nothing was drawn. */
  readonly standardError: number;
  /** By the normal distribution; null where nothing was drawn. */
  readonly interval: Interval | null;
  /** For a population of queries: NaN for one query, and where nothing was drawn. */
  readonly queryStandardError: number;
  /** Pairs that people graded. */
  readonly drawn: number;
}

/**
 * The difference of an additive metric (DCG, P, RBP, the mean grade) between two systems, from pairs that
 * were drawn with known probabilities:
 *
 *     (1/Q) [sum over all pairs of w m(f) + sum over drawn pairs of w (y - m(f)) / pi]
 *
 * m(f) is the mean grade of people for a grade f of the model: a table, or cross-fitted from the drawn pairs
 * of other queries, each weighed by 1/pi, and f itself where there are none. Without bias whatever the model
 * says. Variance of the draw alone: (1/Q²) sum over drawn (1 - pi) (w (y - m)/pi)².
 *
 * Source: Horvitz, Thompson: A generalization of sampling without replacement (1952),
 * {@link https://doi.org/10.1080/01621459.1952.10483446}.
 *
 * @param queries Q, also those without a pair.
 * @throws InputError `ARGUMENT` for a probability outside (0, 1], what is no number, no queries, or fewer
 * than the pairs have.
 */
export function pairEstimate(
  pairs: readonly WeighedPair[],
  queries: number,
  options: PairEstimateOptions = {},
): PairEstimate {
  const { meanGrades, level = 0.95 } = checkKnownOptions(options, ["meanGrades", "level"]);
  checkShare("level", level);
  checkLists("pairEstimate", pairs);
  check(pairs, queries, [...(meanGrades?.values() ?? [])]);
  const translated =
    meanGrades === undefined
      ? crossFitted(pairs)
      : (pair: WeighedPair): number => meanGrades.get(pair.modelGrade) ?? pair.modelGrade;
  const said = pairs.map((pair) => pair.weight * translated(pair));
  const added = pairs.map((pair, at) =>
    pair.humanGrade === null ? 0 : (pair.weight * pair.humanGrade - (said[at] as number)) / pair.probability,
  );
  const drawn = pairs.filter(({ humanGrade }) => humanGrade !== null).length;
  const modelPart = exactSum(said) / queries;
  const correction = exactSum(added) / queries;
  const estimate = modelPart + correction;
  const variance = exactSum(
    pairs.map(({ probability }, at) => (1 - probability) * (added[at] as number) ** 2),
  );
  const standardError = drawn === 0 ? NaN : Math.sqrt(variance) / queries;
  const reach = normalQuantile(0.5 + level / 2) * standardError;
  return {
    estimate,
    modelPart,
    correction,
    standardError,
    interval: drawn === 0 ? null : { low: estimate - reach, high: estimate + reach },
    queryStandardError: drawn === 0 ? NaN : spreadOverQueries(pairs, queries, said, added),
    drawn,
  };
}

/** People's grades of drawn pairs, each weighed by 1 / probability. */
interface WeighedGrades {
  readonly weight: number;
  readonly grades: number;
}

/** The mean of people's grades over the drawn pairs of other queries with the same grade of the model. */
function crossFitted(pairs: readonly WeighedPair[]): (pair: WeighedPair) => number {
  const byGrade = new Map<number, Map<string, WeighedGrades>>();
  for (const { query, modelGrade, humanGrade, probability } of pairs) {
    if (humanGrade === null) continue;
    const byQuery = byGrade.get(modelGrade) ?? new Map<string, WeighedGrades>();
    const own = { weight: 1 / probability, grades: humanGrade / probability };
    byGrade.set(modelGrade, byQuery.set(query, plus(byQuery.get(query) ?? NOTHING, own)));
  }
  const means = new Map([...byGrade].map(([grade, byQuery]) => [grade, meansWithout(byQuery)]));
  return ({ query, modelGrade }) => {
    const mean = means.get(modelGrade)?.(query) ?? NaN;
    return Number.isNaN(mean) ? modelGrade : mean;
  };
}

/** The mean grade of all queries but one; NaN where there is no other. */
function meansWithout(byQuery: ReadonlyMap<string, WeighedGrades>): (query: string) => number {
  const whole = [...byQuery.values()].reduce(plus, NOTHING);
  const meanOf = ({ weight, grades }: WeighedGrades): number => grades / weight;
  // Taking most of a sum away would leave little but rounding; two queries at most have so much of it.
  const without = ([query, { weight, grades }]: readonly [string, WeighedGrades]): WeighedGrades =>
    weight < whole.weight / 2
      ? { weight: whole.weight - weight, grades: whole.grades - grades }
      : [...byQuery].reduce((sum, [other, its]) => (other === query ? sum : plus(sum, its)), NOTHING);
  const means = new Map([...byQuery].map((entry) => [entry[0], meanOf(without(entry))]));
  return (query) => means.get(query) ?? meanOf(whole);
}

const NOTHING: WeighedGrades = { weight: 0, grades: 0 };

function plus(a: WeighedGrades, b: WeighedGrades): WeighedGrades {
  return { weight: a.weight + b.weight, grades: a.grades + b.grades };
}

function spreadOverQueries(
  pairs: readonly WeighedPair[],
  queries: number,
  said: readonly number[],
  added: readonly number[],
): number {
  const byQuery = new Map<string, number>();
  pairs.forEach(({ query }, at) =>
    byQuery.set(query, (byQuery.get(query) ?? 0) + (said[at] as number) + (added[at] as number)),
  );
  const all = [...byQuery.values(), ...Array.from({ length: queries - byQuery.size }, () => 0)];
  return standardDeviation(all) / Math.sqrt(queries);
}

function check(pairs: readonly WeighedPair[], queries: number, meanGrades: readonly number[]): void {
  const known = new Set(pairs.map(({ query }) => query)).size;
  if (!Number.isSafeInteger(queries) || queries < Math.max(1, known))
    throw new InputError(
      "ARGUMENT",
      `pairEstimate: queries must be a whole number from ${Math.max(1, known)}, as many as the pairs have, ` +
        `got ${quote(queries)}`,
    );
  const numbers = pairs.flatMap(({ weight, modelGrade, humanGrade }) => [
    weight,
    modelGrade,
    humanGrade ?? 0,
  ]);
  const wrong = [...numbers, ...meanGrades].find((value) => !Number.isFinite(value));
  if (wrong !== undefined)
    throw new InputError(
      "ARGUMENT",
      `pairEstimate: weights and grades must be finite numbers, got ${quote(wrong)}`,
    );
  for (const { weight, probability, humanGrade } of pairs) {
    const isUndrawable = probability === 0 && weight === 0 && humanGrade === null;
    if (!(probability > 0 && probability <= 1) && !isUndrawable)
      throw new InputError(
        "ARGUMENT",
        "pairEstimate: the probability of a pair that counts must lie above 0 and up to 1, got " +
          quote(probability),
      );
    if (probability === 1 && weight !== 0 && humanGrade === null)
      throw new InputError(
        "ARGUMENT",
        "pairEstimate: a pair of probability 1 is always drawn, and must have a grade",
      );
  }
}
