import { type LinearScore, type Metric } from "../metrics/index.js";
import { groupTies, hasOwnGains } from "../metrics/internal.js";
import { InputError, quote } from "../foundation/errors/index.js";
import type { JudgedRanking } from "../metrics/index.js";

/** Where the ranks of a tied group lie, and what its judged hits are worth. */
function reorderTies(judged: JudgedRanking, which: "best" | "worst"): JudgedRanking {
  if (judged.tied === undefined) return judged;
  const ranks: number[] = [];
  const grades: number[] = [];
  for (const group of groupTies(judged)) {
    const sorted = [...group.grades].sort((a, b) => (which === "best" ? b - a : a - b));
    const start = which === "best" ? group.first : group.last - sorted.length + 1;
    sorted.forEach((grade, index) => {
      ranks.push(start + index);
      grades.push(grade);
    });
  }
  const hits = { ranks, grades };
  return { ...judged, hits, finds: hits, earned: hits };
}

/**
 * A way to score a query with tied hits in the worst and in the best order: worse items first, and better
 * items first. That is so for metrics that never fall when a better item moves up, which are those that have
 * bounds, too; null for all others.
 */
export function spreadOf(metric: Metric): ((judged: JudgedRanking) => { low: number; high: number }) | null {
  return metric.definition.bounds === undefined || hasOwnGains(metric)
    ? null
    : (judged) => scoresOfWorstAndBest(metric, judged);
}

function scoresOfWorstAndBest(metric: Metric, judged: JudgedRanking): { low: number; high: number } {
  const scores = [
    metric.score(reorderTies(judged, "worst")),
    metric.score(reorderTies(judged, "best")),
  ] as const;
  return { low: Math.min(...scores), high: Math.max(...scores) };
}

/**
 * A way to score a query as the mean over all orders of its tied hits.
 *
 * @throws InputError `METRIC_TIES` when the metric has no exact form for it.
 */
export function expectScore(metric: Metric): (judged: JudgedRanking) => number {
  const { expected, linear, name } = metric;
  const ofTies = expected ?? (linear && expectLinear(linear));
  if (ofTies === undefined)
    throw new InputError(
      "METRIC_TIES",
      `${quote(name)} has no exact form for the mean over all orders of tied hits; leave it out, ` +
        "or take another mode for ties",
      { metric: name },
    );
  return (judged) => (judged.tied === undefined ? metric.score(judged) : ofTies(judged));
}

/**
 * In a tied group every hit has every rank equally often, so that each is worth its gain times the mean
 * discount.
 */
function expectLinear({ over, gain, discount, norm }: LinearScore): (judged: JudgedRanking) => number {
  return (judged) => {
    let sum = 0;
    for (const { first, last, grades } of groupTies(judged, judged[over])) {
      let gained = 0;
      for (const grade of grades) gained += gain(grade);
      if (gained === 0) continue;
      let discounts = 0;
      for (let rank = first; rank <= last; rank++) discounts += discount(rank, judged);
      sum += (gained * discounts) / (last - first + 1);
    }
    return sum === 0 ? 0 : sum / norm(judged);
  };
}
