import { checkSeed, wholeNumber } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { scoreDifference } from "../foundation/numbers/index.js";
import type { AuditConclusions } from "../records/index.js";
import { kendallTau, mean, tauAp } from "../stats/index.js";
import { FEWEST_RESAMPLES, eachResample } from "./resampled-queries.js";

/** A system's scores by both sets of labels: query by query, in one order for all systems. */
export interface TwiceScored {
  readonly name: string;
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** How conclusions are drawn again. */
export interface ConclusionOptions {
  /** The metric, by its printed name. */
  readonly metric: string;
  /** Whether a larger score is better. Default true. */
  readonly higherIsBetter?: boolean | undefined;
  readonly seed: number;
  /** Resamples of queries. Default 2,000. */
  readonly resamples?: number | undefined;
  /** Systems whose scores differ by no more are nearly the same. Default 0.02. */
  readonly near?: number | undefined;
}

const [RESAMPLES, NEAR] = [2000, 0.02];
/** Means that differ by less are equal. */
const ROUNDING = 1e-12;

/**
 * What does the difference between two sets of labels do to conclusions? Kendall's tau-b and tau-ap between
 * the orders of the systems by their mean scores; how often the best system changes over resamples of
 * queries; and pairs of systems whose difference has another sign, above all among those that are nearly the
 * same, where a choice rests on the labels alone.
 *
 * Edges: null for fewer than two systems, and without queries. Systems with equal means are equally good: all
 * of them are the best, and tau-ap, which knows no ties, is null.
 *
 * @throws InputError `ARGUMENT` for lists of different lengths, and for settings that are none.
 */
export function auditConclusions(
  systems: readonly TwiceScored[],
  options: ConclusionOptions,
): AuditConclusions | null {
  const { metric, higherIsBetter = true, seed, resamples = RESAMPLES, near = NEAR } = options;
  wholeNumber("resamples", resamples, FEWEST_RESAMPLES);
  checkSeed(seed);
  if (!(near >= 0)) throw new InputError("ARGUMENT", `near must be a number from 0, got ${quote(near)}`);
  const queries = systems[0]?.first.length ?? 0;
  for (const { name, first, second } of systems)
    if (first.length !== queries || second.length !== queries)
      throw new InputError(
        "ARGUMENT",
        `every system must have a score for each of the ${queries} queries by both labels, ` +
          `${quote(name)} has ${first.length} and ${second.length}`,
      );
  if (systems.length < 2 || queries === 0) return null;
  const sign = higherIsBetter ? 1 : -1;
  // What sums lose by rounding must not put equal systems in an order.
  const means = systems.map(({ name, first, second }) => ({
    name,
    first: scoreDifference(mean(first), 0),
    second: scoreDifference(mean(second), 0),
  }));
  const [first, second] = [means.map((each) => each.first), means.map((each) => each.second)];
  const orderNames = (values: readonly number[]): string[] =>
    values
      .map((value, at) => ({ value, at }))
      .sort((a, b) => sign * (b.value - a.value) || a.at - b.at)
      .map(({ at }) => (systems[at] as TwiceScored).name);
  const [byFirst, bySecond] = [orderNames(first), orderNames(second)];
  const pairs = means.flatMap((a, at) => means.slice(at + 1).map((b) => [a, b] as const));
  const isWrong = ([a, b]: (typeof pairs)[number]): boolean =>
    Math.sign(a.first - b.first) * Math.sign(a.second - b.second) < 0;
  const close = pairs.filter(([a, b]) => Math.abs(a.first - b.first) <= near + ROUNDING);
  const places = new Map(byFirst.map((name, place) => [name, place]));
  return {
    metric,
    queries,
    systems: [...means].sort((a, b) => (places.get(a.name) ?? 0) - (places.get(b.name) ?? 0)),
    kendall_tau: kendallTau(first, second).tauB,
    tau_ap: isTied(first) || isTied(second) ? null : tauAp(byFirst, bySecond),
    best_first: bestOf(means, first, sign),
    best_second: bestOf(means, second, sign),
    best_changes: changesOf(systems, queries, sign, { seed, resamples }),
    pairs: pairs.length,
    wrong_signs: pairs.filter(isWrong).length,
    near: { below: near, pairs: close.length, wrong_signs: close.filter(isWrong).length },
  };
}

function isTied(values: readonly number[]): boolean {
  const rising = [...values].sort((a, b) => a - b);
  return rising.some((value, at) => at > 0 && value - (rising[at - 1] as number) <= ROUNDING);
}

/** The best system by its mean; of equally good ones all. */
function bestOf(
  systems: readonly { readonly name: string }[],
  values: readonly number[],
  sign: 1 | -1,
): string {
  const most = Math.max(...values.map((value) => sign * value));
  return systems
    .filter((_, at) => sign * (values[at] as number) >= most - ROUNDING)
    .map(({ name }) => name)
    .join(", ");
}

/** The share of resamples in which no system is the best by both labels. */
function changesOf(
  systems: readonly TwiceScored[],
  queries: number,
  sign: 1 | -1,
  options: { readonly seed: number; readonly resamples: number },
): number {
  let changed = 0;
  eachResample(queries, options, (places) => {
    const best = (scoresOf: (system: TwiceScored) => readonly number[]): Set<number> => {
      const sums = systems.map((system) => {
        const scores = scoresOf(system);
        let sum = 0;
        for (const query of places) sum += scores[query] as number;
        return sign * sum;
      });
      const most = Math.max(...sums);
      const isBest = (sum: number): boolean => sum >= most - ROUNDING * queries;
      return new Set(sums.flatMap((sum, at) => (isBest(sum) ? [at] : [])));
    };
    const bySecond = best(({ second }) => second);
    if (![...best(({ first }) => first)].some((at) => bySecond.has(at))) changed++;
  });
  return changed / options.resamples;
}
