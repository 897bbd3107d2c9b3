import { countOf, formatCount } from "../foundation/numbers/index.js";
import type { EvaluationRecord } from "../records/index.js";
import { oneLine } from "../foundation/text/index.js";
import { columns, plain, type TextOptions } from "./text.js";
import { ownValue } from "../foundation/checks/index.js";
import { formatMean } from "./printed-statistics.js";

/** One run's scores with the name it goes by. */
export interface NamedEvaluation {
  readonly name: string;
  readonly record: EvaluationRecord;
}

/**
 * Runs side by side as a table for a terminal: metrics below each other, runs next to each other, the best of
 * each metric marked.
 */
export function renderEvaluationsText(
  evaluations: readonly NamedEvaluation[],
  { paint = plain }: TextOptions = {},
): string {
  const [first] = evaluations;
  if (first === undefined) return "";
  const names = evaluations.map(({ name }) => oneLine(name));
  const spans = evaluations.some(({ record }) => record.bounds !== null || record.tie_spread !== null);
  const rows = Object.keys(first.record.metrics).map((metric) => [
    metric,
    ...evaluations.flatMap(({ record }) => [
      formatAggregate(record, metric),
      ...(spans ? [span(record, metric)] : []),
    ]),
  ]);
  const lines = columns(["metric", ...names.flatMap((name) => (spans ? [name, ""] : [name]))], rows);
  return [
    ...lines.map((line, index) => (index === 0 ? paint(line.trimEnd(), "quiet") : line.trimEnd())),
    "",
    ...evaluations.map(
      ({ record }, index) => `${evaluations.length > 1 ? `${names[index] ?? ""}: ` : ""}${summary(record)}`,
    ),
    conventionsLine(first.record),
    "",
  ].join("\n");
}

function formatAggregate(record: EvaluationRecord, metric: string): string {
  return formatMean({ metric, mean: ownValue(record.metrics, metric) ?? 0 }, record);
}

function span({ bounds, tie_spread }: EvaluationRecord, metric: string): string {
  const parts = [
    [ownValue(bounds, metric), "judged"] as const,
    [ownValue(tie_spread, metric), "ties"] as const,
  ];
  return parts
    .flatMap(([range, why]) => (range ? [`${why} ${range.low.toFixed(4)}–${range.high.toFixed(4)}`] : []))
    .join(", ");
}

/** Numbers that say how far the scores can be trusted; only those that are not 0. */
function summary({ counts }: EvaluationRecord): string {
  const { ties_at_cutoff } = counts;
  const across = ties_at_cutoff > 0 ? ` (${formatCount(ties_at_cutoff)} across a cutoff)` : "";
  const parts: readonly (readonly [number, string])[] = [
    [counts.missing_queries, "judged but not answered"],
    [counts.unjudged_queries, "answered but not judged"],
    [counts.no_relevant, "without anything relevant"],
    [counts.tied_queries, `with tied scores${across}`],
  ];
  const unjudged =
    counts.hits === 0
      ? ""
      : `; ${formatCount(counts.unjudged_hits)} of ${formatCount(counts.hits)} hits unjudged`;
  const duplicates = counts.duplicates === 0 ? "" : `; ${formatCount(counts.duplicates)} repeated`;
  return (
    [
      countOf(counts.queries, "query"),
      ...parts.flatMap(([count, what]) => (count > 0 ? [`${formatCount(count)} ${what}`] : [])),
    ].join(", ") +
    unjudged +
    duplicates
  );
}

const TIES = { trec: "by id", expected: "as the mean over all orders", input: "in the order of the input" };

/** What was decided differently from the default, which is what a reader must know to compare numbers. */
function conventionsLine({ conventions }: EvaluationRecord): string {
  const { profile, ties, queries, noRelevant, unjudged, depth } = conventions;
  const parts = [
    ...(profile === "default" ? [] : [`profile ${profile}`]),
    queries === "judged"
      ? "averaged over all judged queries"
      : "averaged over the queries that the run answers",
    `ties ${TIES[ties]}`,
    ...(noRelevant === "zero"
      ? []
      : [
          noRelevant === "skip"
            ? "queries without anything relevant left out"
            : "queries without anything relevant score 1",
        ]),
    ...(unjudged === "remove" ? ["unjudged hits left out"] : []),
    ...(depth === null ? [] : [`the top ${depth} of each query`]),
  ];
  return parts.join("; ");
}
