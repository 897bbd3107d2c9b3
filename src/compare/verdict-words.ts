import {
  countOf,
  formatChange,
  formatCount,
  formatP,
  formatPInProse,
  formatShare,
} from "../foundation/numbers/index.js";
import {
  isSignificant,
  missableClause,
  type AllowedLoss,
  neededSentences,
  signOfMove,
  FEW_PAIRS,
  unitsWorth,
  worthInWords,
  type ComparisonSettings,
  type MetricDifference,
  type MovedMetric,
  type Verdict,
} from "../records/index.js";
import { fewestDifferences, pairedTests } from "../stats/index.js";

/** What is nearer to an end of an interval than this share of its width is near. */
const NEAR_END = 0.1;

/** Which run was asked fewer queries: one that is new in the golden set has no result in an older run. */
export function describeUnanswered(
  { a, b }: { readonly a: number; readonly b: number },
  isZero: boolean,
): string[] {
  if (a === b) return [];
  const [count, where] = a > b ? [a, "in the baseline"] : [b, "in this run"];
  const [has, counts] = count === 1 ? ["has", "counts"] : ["have", "count"];
  const score = isZero ? "0" : "the worst score";
  return [`${countOf(count, "query")} ${has} no result ${where} and ${counts} as ${score} there.`];
}

/** A verdict in a sentence or two. */
export function headlineOf(
  kind: Verdict["kind"],
  primary: MetricDifference,
  isRising: boolean,
  settings: ComparisonSettings,
  allowed: Omit<AllowedLoss, "loss">,
): string {
  const { metric, difference, improved, worse, pairs, by_group } = primary;
  const areFew = unitsWorth(primary) < FEW_PAIRS;
  const move = describeMove(primary, isRising);
  if (kind === "equivalent") {
    const missable = missableClause(primary, { ...allowed, loss: Math.abs(difference ?? 0) });
    const isSame = improved + worse === 0 && difference === 0 && settings.tolerance === 0;
    const sentence = isSame
      ? `Every one of the ${formatCount(pairs)} queries has the same ${metric} in both runs.`
      : `${metric} is the same for all that matters: ${formatChange(difference)} (${evidence(primary)}).`;
    return missable === null ? sentence : `${sentence} ${missable}.`;
  }
  if (isContradicted(primary, settings)) {
    return (
      `${metric} ${move} on average, but the ${settings.test} test points the other way ` +
      `(${evidence(primary)}): the mean follows a few large differences, the test the many small ones.`
    );
  }
  if (kind === "inconclusive") {
    const doubt =
      primary.p === null
        ? ", which could not be tested"
        : signOfMove(primary, isRising) === 0
          ? " on average, which can hide a difference"
          : ", which can be chance";
    const sentences = [`${metric} ${move}${doubt} (${evidence(primary)}).`, ...neededSentences(primary)];
    return `${sentences.join(" ")}${disagreement(primary, settings)}`;
  }
  return (
    `${metric} ${move} (${evidence(primary)}` +
    (areFew
      ? `: ${by_group === undefined ? pairs : `${by_group.groups}${worthInWords(by_group)}`})`
      : `, ${formatCount(pairs)} queries${by_group ? ` of ${formatCount(by_group.groups)} intents` : ""})`) +
    `${settings.test === "randomization" ? "" : `, by the ${settings.test} test`}.` +
    disagreement(primary, settings)
  );
}

/**
 * Why the test finds something and the interval holds 0, or the other way round; nothing where they agree.
 * The test decides.
 */
function disagreement(primary: MetricDifference, settings: ComparisonSettings): string {
  const { interval, p, p_adjusted, improved, worse } = primary;
  if (interval === null || p === null || p_adjusted === null) return "";
  const holdsZero = interval.low <= 0 && interval.high >= 0;
  const isFound = p_adjusted < settings.alpha;
  if (isFound !== holdsZero) return "";
  const share = formatShare(settings.confidence);
  const fromEnd = Math.min(Math.abs(interval.low), Math.abs(interval.high));
  const isNearEnd = fromEnd <= NEAR_END * (interval.high - interval.low);
  if (isFound)
    return settings.confidence > 1 - settings.alpha
      ? ` The interval holds 0 because it is one of ${share}, wider than the test at ${settings.alpha} ` +
          "asks for."
      : isOfSizes(primary)
        ? " The interval holds 0, since intents of unequal sizes say less to it than to the test, which " +
          "decides."
        : isNearEnd
          ? " The interval holds 0, since it is the wider of two methods and 0 lies near its end; the test " +
            "decides."
          : " The interval holds 0, and not near its end: most queries move a little one way and a few far " +
            "the other way, where the test finds too much; look at the queries.";
  const differing = improved + worse;
  const why =
    p < settings.alpha
      ? `p is adjusted from ${formatP(p)} for the number of runs, and the interval is of this run alone`
      : settings.confidence < 1 - settings.alpha
        ? `the interval is one of ${share} only`
        : differing < fewestDifferences(pairedTests[settings.test], settings.alpha) &&
            pairedTests[settings.test].isOfSigns &&
            settings.tolerance === 0
          ? `with ${countOf(differing, "query that differs", "queries that differ")} no test ` +
            `of signs can find anything at ${settings.alpha}`
          : isNearEnd
            ? "they are different methods, and 0 lies near the end of the interval"
            : "they are different methods, and few large differences weigh differently in them";
  return ` The interval does not hold 0, but the test decides: ${why}.`;
}

/** Whether an interval holds 0 since it counts intents, of unequal sizes, and not queries. */
function isOfSizes({ by_query, by_group }: MetricDifference): boolean {
  const { low, high } = by_query?.interval ?? { low: 0, high: 0 };
  return by_group?.effective !== undefined && (low > 0 || high < 0);
}

/** Whether the test found something, and it is not what the mean shows. */
export function isContradicted(
  { is_opposed, p_adjusted }: MetricDifference,
  settings: ComparisonSettings,
): boolean {
  return is_opposed === true && isSignificant({ p_adjusted }, settings);
}

/** Where a metric went: `fell by 0.0100`. */
export function describeMove(found: MovedMetric, isRising: boolean): string {
  const sign = signOfMove(found, isRising);
  const size = Math.abs(found.difference ?? 0);
  if (sign === 0) return "did not move";
  return `${sign > 0 ? "rose" : "fell"} by ${size === 0 ? "less than 0.0001" : size.toFixed(4)}`;
}

/** What a move rests on: its interval and p value. */
export function evidence({
  interval,
  p_adjusted,
  ...row
}: Pick<MetricDifference, "interval" | "p_adjusted" | "pairs" | "by_group" | "improved" | "worse">): string {
  return [
    ...(interval === null
      ? []
      : [`interval ${formatChange(interval.low)} to ${formatChange(interval.high)}`]),
    formatPInProse(p_adjusted),
    ...(unitsWorth(row) < FEW_PAIRS ? [row.by_group === undefined ? "few queries" : "few intents"] : []),
  ].join(", ");
}
