import { countOf, formatCount } from "../foundation/numbers/index.js";
import { queryWarning, type ComparisonSettings, type GivenWarning } from "../records/index.js";
import type { AlignedScores } from "./aligned-scores.js";

/** Fewer queries say little of what the next one will score. */
const FEWEST_QUERIES = 10;
/** From this share of queries on. */
const MOST_AT_BEST = 0.9;

/** Warns where nearly every query has the best score in every run: what decides sees no difference. */
export function warnOfSaturatedPrimary(
  { metrics, columns, queryIds }: AlignedScores,
  { primary }: ComparisonSettings,
): GivenWarning[] {
  const column = metrics.findIndex(({ name }) => name === primary);
  const card = metrics[column]?.card;
  const best = card?.range[card.higher_is_better ? 1 : 0] ?? null;
  const inAll = (holds: (score: number) => boolean): string[] =>
    queryIds.filter((_, row) => columns.every((run) => holds(run[column]?.[row] ?? NaN)));
  const scored = inAll((score) => !Number.isNaN(score)).length;
  const atBest = inAll((score) => score === best);
  if (best === null || scored < FEWEST_QUERIES || atBest.length < MOST_AT_BEST * scored) return [];
  return queryWarning(
    "PRIMARY_SATURATED",
    `${primary} is ${best} for ${formatCount(atBest.length)} of ${countOf(scored, "query")} in every run, ` +
      "so it can hardly tell them apart; decide by one that more queries can lose by, or judge harder " +
      "queries",
    atBest,
  );
}
