import type { BenchDecision, BenchMode, BenchReport } from "../schema/index.js";
import { oneLine } from "./escape-markdown.js";
import { columns, plain, type TextOptions } from "./text.js";

const COLOURS = { keep_hybrid: "good", keep_embedding_only: "good", fall_back_to_fts_only: "bad", inconclusive: "strong" } as const;

/** A benchmark for a terminal: the decision, why, the modes side by side, what is missing before embeddings may be promoted. */
export function renderBenchText(report: BenchReport, { paint = plain }: TextOptions = {}): string {
  const { fixture, decision, modes, checklist } = report;
  const names = scoreNames(report);
  const [head = "", ...lines] = columns(
    ["mode", ...names, "hit rate", "mean ms", "p95 ms"],
    modes.map(({ mode, overall }) => [oneLine(mode), ...names.map((name) => ((overall as Readonly<Record<string, number>>)[name] ?? 0).toFixed(4)), overall.evidence_hit_rate.toFixed(4), printedMilliseconds(overall.avg_latency_ms), printedMilliseconds(overall.p95_latency_ms)]),
  );
  return [
    `${oneLine(fixture.name)}: ${fixture.cases} cases over ${fixture.chunks} chunks`,
    "",
    ...(decision === null ? ["No decision: it takes fts_only, and embedding_only or hybrid."] : decisionLines(decision, paint)),
    "",
    paint(head, "quiet"),
    ...lines,
    "",
    ...byQueryType(report, paint),
    ...failures(modes).map((line) => paint(line, "bad")),
    "Before embeddings are promoted:",
    ...checklist.map(({ item, is_done, note }) => `  ${paint(is_done ? "done   " : "missing", is_done ? "good" : "bad")} ${ITEMS[item]}: ${oneLine(note)}`),
    "",
  ].join("\n");
}

const ITEMS = { judged_dataset: "judged dataset", side_by_side: "side by side", metrics: "metrics", manual_sampling: "manual sampling", rollback: "rollback" } as const;

function decisionLines({ outcome, headline, reasons }: BenchDecision, paint: NonNullable<TextOptions["paint"]>): string[] {
  return [`${paint(outcome.replaceAll("_", " ").replace("fts only", "fts_only").replace("embedding only", "embedding_only").toUpperCase(), COLOURS[outcome])}  ${paint(oneLine(headline), "strong")}`, ...reasons.map((reason) => `  ${oneLine(reason)}`)];
}

/** `recall_at_5` and so on, as this report names them. */
function scoreNames({ modes }: BenchReport): string[] {
  return Object.keys(modes[0]?.overall ?? {}).filter((name) => name.includes("_at_"));
}

/** nDCG by query type; nothing where there is only one type. */
function byQueryType(report: BenchReport, paint: NonNullable<TextOptions["paint"]>): string[] {
  const { fixture, modes } = report;
  const ndcg = scoreNames(report).find((name) => name.startsWith("ndcg"));
  if (fixture.query_types.length < 2 || ndcg === undefined) return [];
  const [head = "", ...lines] = columns(
    [`${ndcg} by query type`, "cases", ...modes.map(({ mode }) => oneLine(mode))],
    fixture.query_types.map(({ query_type, cases }) => [oneLine(query_type), String(cases), ...modes.map(({ by_query_type }) => ((by_query_type[query_type] as Readonly<Record<string, number>> | undefined)?.[ndcg] ?? 0).toFixed(4))]),
  );
  return [paint(head, "quiet"), ...lines, ""];
}

function failures(modes: readonly BenchMode[]): string[] {
  const lines = modes.flatMap(({ mode, per_case }) => {
    const failed = per_case.filter(({ error }) => error !== null);
    return failed.length === 0 ? [] : [`${oneLine(mode)} failed for ${failed.length} of ${per_case.length} cases, the first time: ${oneLine(failed[0]?.error ?? "")}`];
  });
  return lines.length === 0 ? [] : [...lines, ""];
}

const PRECISE_BELOW_MS = 10;

/** Milliseconds as people read them: two decimals where they are few. */
function printedMilliseconds(milliseconds: number): string {
  return milliseconds < PRECISE_BELOW_MS ? milliseconds.toFixed(2) : milliseconds.toFixed(0);
}
