import {
  aggregateFields,
  type AggregateMetrics,
  type CardedResult,
  type EvaluationRecord,
  readScore,
  type MetricRow,
  metricCardOf,
  metricRows,
  type RunReport,
  type ScoreComparison,
} from "../records/index.js";
import { isRankproofError, quote } from "../foundation/errors/index.js";
import { didYouMean, nearestIds } from "../foundation/ids/index.js";
import { parseMetric } from "../metrics/index.js";
import { roundTo4 } from "../foundation/numbers/index.js";
import type { NamedValue, Sought } from "./candidate.js";
import { firstOf } from "../foundation/text/index.js";

const MOST_NAMED = 12;
const NOT_MEASURED = "was not measured";

/** The scores of one run by every name that they have, and the record that they stand in. */
export interface NamedScores {
  /** Null where nothing was measured. */
  readonly scores: ReadonlyMap<string, number | null>;
  /** Everything else is found by its path in here. */
  readonly record: unknown;
  readonly cards?: CardedResult["metric_cards"];
}

/** The names of one row of an aggregate: as people say it, and its path. */
export function namesOf({ label, path }: MetricRow): string[] {
  return [path[0] === "metrics" ? (path[1] ?? label) : label, path.join(".")];
}

/** The scores of an aggregate: `hit@5` is also `hit_at_k.5`. */
export function scoresOfAggregate(record: AggregateMetrics): NamedScores {
  return {
    scores: new Map(
      metricRows(record).flatMap((row) =>
        namesOf(row).map((name) => [name, readScore(row, record)] as const),
      ),
    ),
    record,
    cards: record.metric_cards,
  };
}

/** The scores of a run against judgments. */
export function evaluationScores(record: EvaluationRecord): NamedScores {
  return { scores: measureOver(record.counts.queries, record.metrics), record, cards: record.metric_cards };
}

/** The means of a report on one run. */
export function runReportScores(record: RunReport): NamedScores {
  const means = record.metrics.map(({ metric, mean }) => [metric, mean] as const);
  return { scores: withFailed(new Map(means), record), record, cards: record.metric_cards };
}

/** The scores of one run of a comparison. */
export function listComparedScores(
  record: ScoreComparison["runs"][number],
  { metric_cards: cards }: CardedResult,
): NamedScores {
  return { scores: withFailed(measureOver(record.queries, record.means), record), record, cards };
}

/** With the count of failed results under the name that it has in an aggregate. */
function withFailed(
  scores: ReadonlyMap<string, number | null>,
  { failed_results }: Pick<ScoreComparison["runs"][number], "failed_results">,
): ReadonlyMap<string, number | null> {
  return failed_results == null ? scores : new Map([...scores, ["failed_queries", failed_results.failed]]);
}

/** Means over no query are no means. */
function measureOver(
  queries: number,
  scores: Readonly<Record<string, number | null>>,
): ReadonlyMap<string, number | null> {
  return new Map(Object.entries(scores).map(([name, score]) => [name, queries === 0 ? null : score]));
}

/**
 * A number of a run: by its printed name, by an alias of the metric, or by its path in the record. The first
 * table that has it counts.
 */
export function findMeasured(tables: readonly NamedScores[], name: string): Sought<NamedValue> {
  for (const { scores, record, cards } of tables) {
    const known = findKnownName(name, scores);
    const value = known === undefined ? atPath(record, name) : (scores.get(known) ?? null);
    if (value === undefined) continue;
    if (value === null || Number.isNaN(value)) return { missing: NOT_MEASURED };
    if (typeof value === "number") {
      const found = known ?? name;
      return { found: { name: found, value: roundTo4(value), isLowerBetter: isLowerBetter(found, cards) } };
    }
    return {
      missing:
        typeof value === "object" && !Array.isArray(value)
          ? `is not a number; it has ${quoteNames(Object.keys(value).map((key) => `${name}.${key}`))}`
          : "is not a number",
    };
  }
  return {
    missing: unknown(
      name,
      tables.flatMap(({ scores }) => [...scores.keys()]),
      tables.flatMap(({ record }) => numberPaths(record)),
    ),
  };
}

/** Paths of an aggregate that count what is wrong, or take time. */
const COSTS =
  /^(?:latency_ms\.|(?:failed_queries|(?:failures|missing_queries|unmatched_results|warnings)\.length)$)/;

function isLowerBetter(name: string, cards: NamedScores["cards"] = {}): boolean {
  if (COSTS.test(name)) return true;
  const field = aggregateFields.find((each) => namesOf(each).includes(name));
  return !(field?.higherIsBetter ?? metricCardOf({ metric_cards: cards }, name).higher_is_better);
}

/** The paths of all numbers in a record, but for those in its lists. */
function numberPaths(node: unknown, path = ""): string[] {
  if (typeof node === "number") return [path];
  if (typeof node !== "object" || node === null || Array.isArray(node)) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    numberPaths(value, path === "" ? key : `${path}.${key}`),
  );
}

/**
 * A name as a table has it: the same, another name of the same field of an aggregate, or the printed name of
 * the metric that it is an alias of.
 */
export function findKnownName(name: string, known: { has(name: string): boolean }): string | undefined {
  const ofField = aggregateFields.map(namesOf).find((names) => names.includes(name)) ?? [];
  return (
    [name, ...ofField].find((each) => known.has(each)) ??
    [formatName(name)].find((each) => each !== null && known.has(each)) ??
    undefined
  );
}

/**
 * What is said of a name that nothing has.
 *
 * @param further names that are too many to list, and may be meant.
 */
export function unknown(name: string, known: readonly string[], further: readonly string[] = []): string {
  const names = [...new Set(known)];
  const metric = formatName(name);
  const hint =
    didYouMean(nearestIds(name, names)) ??
    didYouMean(nearestIds(name, further)) ??
    `there ${names.length === 1 ? "is" : "are"} ${quoteNames(names)}`;
  const advice = metric === null ? "" : `${hint.endsWith("?") ? " " : "; "}\`-m ${metric}\` scores it, too`;
  return `is not in the result; ${hint}${advice}`;
}

function quoteNames(names: readonly string[]): string {
  return names.length === 0 ? "no scores" : firstOf(names.map(quote), MOST_NAMED);
}

function formatName(name: string): string | null {
  try {
    return parseMetric(name).name;
  } catch (error) {
    if (isRankproofError(error)) return null;
    throw error;
  }
}

/**
 * What stands at a dotted path: undefined for nothing, null for what is null, or lies in something that is.
 * Keys may have dots themselves, as `metrics.RBP(p=0.8)` has. Only own keys count, so that `constructor.name`
 * is nothing.
 */
function atPath(node: unknown, path: string): unknown {
  if (node === null) return null;
  if (typeof node !== "object") return undefined;
  if (Object.hasOwn(node, path)) return (node as Readonly<Record<string, unknown>>)[path];
  for (const [key, value] of Object.entries(node)) {
    if (!path.startsWith(`${key}.`)) continue;
    const found = atPath(value, path.slice(key.length + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
