import { formatInterval, formatScoreOf } from "./printed-statistics.js";
import { formatChange, formatP } from "../foundation/numbers/index.js";
import { ownValue } from "../foundation/checks/index.js";
import { firstOf, oneLine } from "../foundation/text/index.js";
import {
  labelOfField,
  readDelta,
  readScore,
  type AggregateMetrics,
  type CompareReport,
  type MetricDifference,
  type MetricRow,
} from "../records/index.js";

const MOST_NAMED = 5;
/** So far apart are two differences of rounded means that are one. */
const ROUNDING = 1.001e-4;

/** A score as it is printed: 4 decimals, or an em dash when nothing was measured. */
export function formatScore(row: MetricRow, aggregate: AggregateMetrics): string {
  return formatScoreOf(readScore(row, aggregate));
}

/** A difference as it is printed, with its sign; an em dash when either side measured nothing. */
export function formatDelta(
  row: MetricRow,
  report: Pick<CompareReport, "deltas" | "aggregate_a" | "aggregate_b">,
): string {
  return formatChange(readDelta(row, report));
}

/**
 * By row of a comparison its test; null where there is none of this very difference: over other queries than
 * those of both scores, or with the worst score for queries without a result, it is another one.
 */
export function rowTests(report: CompareReport): (row: MetricRow) => MetricDifference | null {
  const tests = testsByLabel(report);
  return (row) => {
    const test = tests.get(row.label);
    return test !== undefined && isOverAll(row, test, report) && !isPunished(row, test, report) ? test : null;
  };
}

/** What is said of rows whose test is of another difference than theirs. */
export function otherTests(rows: readonly MetricRow[], report: CompareReport): string[] {
  const tests = testsByLabel(report);
  const describeRows = (
    what: string,
    isTold: (row: MetricRow, test: MetricDifference) => boolean,
  ): string[] => {
    const named = rows.flatMap((row) => {
      const test = tests.get(row.label);
      return test !== undefined && test.difference !== null && isTold(row, test)
        ? [`${oneLine(row.label)} (${formatChange(test.difference)}, ${printTest(test).join(", p ")})`]
        : [];
    });
    return named.length === 0 ? [] : [`${what}: ${firstOf(named, MOST_NAMED)}`];
  };
  return [
    ...describeRows(
      "with the worst score for queries without a result, as the verdict has it",
      (row, test) => isOverAll(row, test, report) && isPunished(row, test, report),
    ),
    ...describeRows("over the queries of both", (row, test) => !isOverAll(row, test, report)),
  ];
}

/** The interval and the adjusted p value of a test. */
export function printTest(test: MetricDifference | null): [interval: string, p: string] {
  return test === null ? ["—", "—"] : [formatInterval(test.interval), formatP(test.p_adjusted)];
}

function testsByLabel({ statistics }: CompareReport): ReadonlyMap<string, MetricDifference> {
  const tests = statistics?.comparisons[0]?.metrics ?? [];
  return new Map(tests.map((test) => [labelOfField(test.metric), test]));
}

function isOverAll(
  { support }: MetricRow,
  { pairs }: MetricDifference,
  { aggregate_a, aggregate_b }: CompareReport,
): boolean {
  return [aggregate_a, aggregate_b].every((aggregate) => ownValue(aggregate.support, support) === pairs);
}

function isPunished(row: MetricRow, { difference }: MetricDifference, report: CompareReport): boolean {
  const delta = readDelta(row, report);
  return delta !== null && difference !== null && Math.abs(delta - difference) > ROUNDING;
}
