import { DASH } from "./dash.js";
import { formatChange, roundTo4 } from "../foundation/numbers/index.js";
import {
  familyOf,
  type MetricDifference,
  type ScoreComparison,
  type VerdictKind,
  type CardedResult,
} from "../records/index.js";
import { corrections, intervalMethods } from "../stats/index.js";
import { ownValue } from "../foundation/checks/index.js";

/** A verdict in words. */
export function formatVerdict(kind: VerdictKind): string {
  return kind === "not_comparable" ? "not comparable" : kind;
}

/** A score at 4 decimals, an em dash where there is none. */
export function formatScoreOf(value: number | null | undefined): string {
  return value == null ? DASH : roundTo4(value).toFixed(4);
}

/** A mean as it is printed: a count is a whole number. */
export function formatMean(
  { metric, mean }: { readonly metric: string; readonly mean: number | null },
  result: CardedResult,
): string {
  const isCount = Number.isInteger(mean) && ownValue(result.metric_cards, metric)?.range[1] === null;
  return isCount ? String(mean) : formatScoreOf(mean);
}

/** Both ends of an interval of differences. */
export function formatInterval(interval: MetricDifference["interval"]): string {
  return interval === null ? "—" : `${formatChange(interval.low)} to ${formatChange(interval.high)}`;
}

/** How intervals were made; before version 2 by the bootstrap alone. */
export function intervalMethod({ schema_version }: Pick<ScoreComparison, "schema_version">): string {
  return intervalMethods[schema_version === 1 ? "bca" : "wider"].label;
}

/** Which tests are adjusted together, without which an adjusted p value cannot be read. */
export function testFamilies({
  comparisons,
  metrics,
  settings,
}: Pick<ScoreComparison, "comparisons" | "metrics" | "settings">): string {
  const { correction, primary } = settings;
  if (correction === "none") return "p values are not adjusted";
  const runs = comparisons.length;
  const over = (count: number): string =>
    runs > 1 ? `over ${runs} runs` : count === 1 ? "by itself" : "together";
  const count = (family: string): number =>
    metrics.filter((metric) => familyOf(metric, settings) === family).length;
  const [guards, others] = [count("guards"), count("others")];
  const other = primary === null ? "" : "other ";
  const families = [
    ...(primary === null ? [] : [`${primary} ${over(1)}`]),
    ...(guards === 0 ? [] : [`${guards === 1 ? "the guard" : `the ${guards} guards`} ${over(guards)}`]),
    ...(others === 0 ? [] : [`the ${other}${others === 1 ? "metric" : `${others} metrics`} ${over(others)}`]),
    ...(comparisons.some(({ slices }) => slices.length > 0) ? ["each metric over its slices"] : []),
  ];
  return `p adjusted (${corrections[correction].label}) in families: ${families.join(", ")}`;
}
