import { countOf, formatCount } from "../foundation/numbers/index.js";
import type { CompareReport, Outcome, QueryComparison, Warning } from "../records/index.js";

/** What became of the queries, in a sentence or two. Counts, not a significance test. */
export function comparisonSummary(report: CompareReport): string {
  const { win, loss, regression, draw } = report.counts;
  const worse = loss + regression;
  const total = worse + win + draw;
  if (total === 0) return NOTHING;
  if (worse === 0 && win === 0)
    return (
      `No change in rank in ${total === 1 ? "the one query" : `any of the ${formatCount(total)} queries`}.` +
      answerSummary(report.per_query)
    );
  const verdict =
    worse === 0
      ? "Better"
      : win === 0
        ? "Worse"
        : win > worse
          ? "Mixed, more better than worse"
          : win < worse
            ? "Mixed, more worse than better"
            : "Mixed";
  return `${verdict}: ${describeMovement(report)}`;
}

/** What became of the queries below a verdict: counts, without a second verdict of their own. */
export function rankLine(report: CompareReport): string {
  const isEmpty = Object.values(report.counts).every((count) => count === 0);
  if (isEmpty) return NOTHING;
  const isRanked = report.per_query.some(({ a_hit_rank, b_hit_rank }) => (a_hit_rank ?? b_hit_rank) !== null);
  const moved = isRanked
    ? describeMovement(report)
    : `neither run finds a chunk or document that a query expects.${answerSummary(report.per_query)}`;
  return `By rank: ${moved}`;
}

const NOTHING = "Nothing to compare: no golden query has a result in either run.";

function describeMovement({ counts: { win, loss, regression, draw }, per_query }: CompareReport): string {
  const worse = loss + regression;
  const total = worse + win + draw;
  const lost = regression === 0 ? "" : ` (${formatCount(regression)} lost altogether)`;
  return (
    `of ${countOf(total, "query")} ${formatCount(win)} improved, ${formatCount(worse)} got ` +
    `worse${lost}, ${formatCount(draw)} did not move.${answerSummary(per_query)}`
  );
}

function answerSummary(queries: readonly QueryComparison[]): string {
  const better = queries.filter(({ answer_gained = [] }) => answer_gained.length > 0).length;
  const worse = queries.filter(({ answer_lost = [] }) => answer_lost.length > 0).length;
  return better + worse === 0
    ? ""
    : ` Answers: ${formatCount(better)} got better, ${formatCount(worse)} got worse.`;
}

/** Queries of one kind, those that moved most first: by the change of their reciprocal rank. */
export function byMovement(queries: readonly QueryComparison[], kind: Outcome): QueryComparison[] {
  const share = (rank: number | null): number => (rank === null ? 0 : 1 / rank);
  const movementOf = ({ a_hit_rank, b_hit_rank }: QueryComparison): number =>
    Math.abs(share(a_hit_rank) - share(b_hit_rank));
  return queries.filter((query) => query.kind === kind).sort((x, y) => movementOf(y) - movementOf(x));
}

/** A warning with some of the queries that it is about. */
export function warningLine({ message, count, query_ids = [] }: Warning): string {
  if (query_ids.length === 0) return message;
  return `${message} (${query_ids.join(", ")}${(count ?? 0) > query_ids.length ? ", …" : ""})`;
}

/** The warnings of a report and of its two aggregates, each once, said of the run that it is about. */
export function allWarnings(report: CompareReport): string[] {
  const all = [...report.warnings, ...(report.statistics?.warnings ?? [])];
  const own = new Set(all.map(({ code }) => code));
  const ofRun = (id: string, warnings: readonly Warning[]): string[] =>
    warnings.filter(({ code }) => !own.has(code)).map((warning) => `${id}: ${warningLine(warning)}`);
  return [
    ...new Set([
      ...all.map(warningLine),
      ...ofRun(report.run_a, report.aggregate_a.warnings),
      ...ofRun(report.run_b, report.aggregate_b.warnings),
    ]),
  ];
}
