import type { CompareReport, Warning } from "../schema/index.js";

/** What became of the queries, in one sentence. Counts, not a significance test. */
export function comparisonSummary({ counts }: CompareReport): string {
  const { win, loss, regression, draw } = counts;
  const worse = loss + regression;
  const total = worse + win + draw;
  if (total === 0) return "Nothing to compare: no golden query has a result in either run.";
  if (worse === 0 && win === 0) return `No change: ${total === 1 ? "the query has" : `all ${total} queries have`} the same rank in both runs.`;
  const verdict = worse === 0 ? "Better" : win === 0 ? "Worse" : win > worse ? "Mixed, more better than worse" : win < worse ? "Mixed, more worse than better" : "Mixed";
  return `${verdict}: of ${total} quer${total === 1 ? "y" : "ies"} ${win} improved, ${worse} got worse (${regression} of them lost altogether), ${draw} kept their rank.`;
}

/** The warnings of a report and of its two aggregates, each once, said of the run that it is about. */
export function allWarnings(report: CompareReport): string[] {
  const own = new Set(report.warnings.map(({ code }) => code));
  const line = ({ message, query_ids }: Warning): string => `${message}${query_ids === undefined || query_ids.length === 0 ? "" : ` (${query_ids.join(", ")}${query_ids.length < 5 ? "" : ", …"})`}`;
  const ofRun = (id: string, warnings: readonly Warning[]): string[] => warnings.filter(({ code }) => !own.has(code)).map((warning) => `${id}: ${line(warning)}`);
  return [...report.warnings.map(line), ...ofRun(report.run_a, report.aggregate_a.warnings), ...ofRun(report.run_b, report.aggregate_b.warnings)];
}
