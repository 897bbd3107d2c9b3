import { countOf, formatChange, formatCount, scoreDifference } from "../foundation/numbers/index.js";
import {
  FEWEST_PAIRS,
  missableClause,
  type ComparisonSettings,
  type MetricDifference,
} from "../records/index.js";
import { pairsNeeded, studentQuantile } from "../stats/index.js";
import { absent, describeDifference, fewIntents, inDifference, inStatistics } from "./candidate.js";
import { METRIC, NUMBER, type RuleKind } from "./rule-kind.js";

/** A loss of more than so much must be ruled out: `nDCG@10 not worse by 0.02`. */
export interface NotWorseBy {
  readonly kind: "not worse by";
  readonly metric: string;
  /** From 0, in units of the metric. */
  readonly allowed: number;
}

const PATTERN = new RegExp(`^(${METRIC}) not worse by (${NUMBER})$`, "i");

export const notWorseBy: RuleKind<NotWorseBy> = {
  kind: "not worse by",
  written: "METRIC not worse by NUMBER",
  meaning:
    "The interval of the difference rules out a loss larger than the number (non-inferiority), or all " +
    "queries differ by the same, and by no more. Where the interval is too wide to tell, the rule fails " +
    "and says how many queries are needed.",
  examples: ["nDCG@10 not worse by 0.02", "MRR@10 not worse by 0.02"],
  concludes: true,
  parse(text) {
    const [, metric, allowed] = PATTERN.exec(text) ?? [];
    return metric === undefined || Number(allowed) < 0
      ? null
      : { kind: "not worse by", metric, allowed: Number(allowed) };
  },
  print: ({ metric, allowed }) => `${metric} not worse by ${allowed}`,
  check: ({ metric, allowed }, candidate) =>
    inStatistics(candidate, ({ settings }) =>
      inDifference(candidate, { metric, allowed }, (found) => {
        const { difference, ofScores, higherIsBetter, tested, widest } = found;
        const differs = describeDifference(found);
        if (tested === null) return absent(`${differs}, which was not tested`);
        if (tested.interval === null && tested.pairs < FEWEST_PAIRS)
          return absent(
            `${differs} over ${countOf(tested.pairs, "query")}; at least ${FEWEST_PAIRS} are needed`,
          );
        const few = fewIntents(tested);
        if (few !== undefined) return absent(`${differs} ${few}`);
        // Where all queries differ by the same there is no interval: the difference is all there is.
        const { low, high } = tested.interval ?? { low: difference, high: difference };
        const [largest, least] = higherIsBetter ? [-low, -high] : [high, low];
        const told =
          tested.interval === null
            ? `${differs}${ofScores === difference ? " on every query" : ", on each the same"}`
            : `${differs}, interval ${formatChange(low)} to ${formatChange(high)}`;
        // An end that is the bound but for what doubles cannot hold is the bound.
        const isRuledOut = scoreDifference(largest, allowed) <= 0;
        // Nothing was tested of what lies in the queries of one run alone.
        const lost = higherIsBetter ? -ofScores : ofScores;
        const isElsewhere = isRuledOut && ofScores !== difference && scoreDifference(lost, allowed) > 0;
        const passed = isRuledOut && !isElsewhere;
        const why = isElsewhere
          ? `the scores differ by a loss of more than ${allowed}, which lies in queries of one run alone`
          : passed
            ? tested.interval === null
              ? `no loss of more than ${allowed}, as far as queries that all differ by the same can tell`
              : `a loss of more than ${allowed} is ruled out`
            : scoreDifference(least, allowed) > 0
              ? `all of the interval is a loss of more than ${allowed}`
              : `cannot tell whether the loss is more than ${allowed}; ${describeNeed(
                  (higherIsBetter ? difference : -difference) + allowed,
                  tested,
                  settings,
                )}`;
        const missable = passed
          ? missableClause(tested, { widest, allowed, loss: higherIsBetter ? -difference : difference })
          : null;
        const but = missable === null ? "" : `; ${missable}`;
        return { value: difference, passed, why: `${told}: ${why}${but}` };
      }),
    ),
};

/** How many queries would tell, were their differences like those that there are. */
function describeNeed(
  distance: number,
  { t_interval, pairs, by_group }: MetricDifference,
  settings: ComparisonSettings,
): string {
  const none = "with a difference like this one no number of queries rules it out";
  if (distance <= 0) return none;
  const alpha = 1 - settings.confidence;
  const needOf = (interval: MetricDifference["interval"], count: number, worth: number): number | null => {
    if (interval === null) return null;
    const { low, high } = interval;
    const deviation = ((high - low) * Math.sqrt(count)) / (2 * studentQuantile(1 - alpha / 2, worth - 1));
    return pairsNeeded(distance / deviation, { alpha, power: settings.power });
  };
  const describeNeeded = (needed: number, count: number, what: string): string =>
    `about ${formatCount(Math.max(needed, count + 1))} ${what} needed, there are ${formatCount(count)}`;
  const ofQueries = needOf(t_interval, pairs, pairs);
  const ofIntents =
    by_group === undefined
      ? null
      : needOf(by_group.interval, by_group.groups, by_group.effective ?? by_group.groups);
  // Whichever is the larger share of what there is.
  if (by_group !== undefined && ofIntents !== null && ofIntents / by_group.groups >= (ofQueries ?? 0) / pairs)
    return describeNeeded(ofIntents, by_group.groups, "intents");
  return ofQueries === null ? none : describeNeeded(ofQueries, pairs, "queries");
}
