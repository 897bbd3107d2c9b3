import { formatCount } from "../foundation/numbers/index.js";
import { clip } from "../foundation/errors/index.js";
import {
  type CompareReport,
  type FailedResults,
  readFailedResults,
  describeFailedShare,
  isResult,
  type ScoreComparison,
} from "../records/index.js";
import { oneLine } from "../foundation/text/index.js";

/** The failed results of one run in words, on one line each. */
export interface FailedRun {
  /** `4 of 20 results of after failed (20 %)` */
  readonly title: string;
  /** `3 × timeout (q1, q2, q7)`, the most frequent first. */
  readonly reasons: readonly string[];
}

const MOST_MESSAGES = 5;
const LONGEST_MESSAGE = 300;

/** The runs of a comparison with failed results; none where all is well. */
export function listFailedRuns(comparison: CompareReport | ScoreComparison): FailedRun[] {
  return isResult(comparison, "comparison")
    ? comparison.runs.flatMap(({ run, failed_results }) => describeFailedRun(failed_results, run))
    : [
        ...describeFailedRun(readFailedResults(comparison.aggregate_a), comparison.run_a),
        ...describeFailedRun(readFailedResults(comparison.aggregate_b), comparison.run_b),
      ];
}

/** What is said of one run's failed results; nothing where there are none. */
export function describeFailedRun(found: FailedResults | null | undefined, run?: string): FailedRun[] {
  if (found == null || found.failed === 0) return [];
  const told = (found.failures ?? []).slice(0, MOST_MESSAGES);
  const untold = found.failed - told.reduce((sum, { count }) => sum + count, 0);
  return [
    {
      title: oneLine(describeFailedShare(found, run)),
      reasons: [
        ...told.map(({ message, count, query_ids }) =>
          oneLine(
            `${formatCount(count)} × ${cut(message)} ` +
              `(${query_ids.join(", ")}${count > query_ids.length ? ", …" : ""})`,
          ),
        ),
        ...(untold > 0 && told.length > 0 ? [`${formatCount(untold)} × other messages`] : []),
      ],
    },
  ];
}

/** The lines of failed results for a terminal. */
export function printFailed(runs: readonly FailedRun[]): string[] {
  return runs.flatMap(({ title, reasons }) => [title, ...reasons.map((reason) => `  ${reason}`)]);
}

const cut = (message: string): string => clip(message || "(no message)", LONGEST_MESSAGE);
