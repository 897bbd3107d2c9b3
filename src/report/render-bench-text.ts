import { checkResult } from "./check-result.js";
import { countOf, formatChange, formatShare } from "../foundation/numbers/index.js";
import type { BenchDecision, BenchReport } from "../records/index.js";
import { CHECKLIST, checklistNote, decisionWords, NO_DECISION, promotionInWords } from "./decision-words.js";
import { oneLine } from "../foundation/text/index.js";
import { intervalShare, modeRows } from "./mode-rows.js";
import { formatMilliseconds } from "./format-milliseconds.js";
import { formatInterval, formatScoreOf } from "./printed-statistics.js";
import { columns, plain, type TextOptions } from "./text.js";

const COLOURS: Readonly<Record<BenchDecision["outcome"], "good" | "strong">> = {
  keep_hybrid: "good",
  keep_embedding_only: "good",
  fall_back_to_fts_only: "strong",
  inconclusive: "strong",
};

/** A benchmark for a terminal: the decision, the modes, the rollback and the checklist. */
export function renderBenchText(
  report: BenchReport,
  { paint = plain }: Pick<TextOptions, "paint"> = {},
): string {
  checkResult(report, ["bench"], "what runBench returned");
  const { decision, fixture, checklist } = report;
  const decided =
    decision === null
      ? [paint(NO_DECISION, "strong")]
      : [
          `${paint(oneLine(decisionWords(decision)).toUpperCase(), COLOURS[decision.outcome])}  ` +
            `${paint(oneLine(decision.headline), "strong")}`,
          ...decision.reasons.map((reason) => `  ${oneLine(reason)}`),
        ];
  const items = checklist.map(
    (item) =>
      `${item.is_done ? paint("done", "good") : paint("open", "bad")}  ${CHECKLIST[item.item]}: ` +
      `${paint(oneLine(checklistNote(item)), "quiet")}`,
  );
  return [
    `${oneLine(fixture.name)}, ${countOf(fixture.cases, "case")}, ${countOf(fixture.chunks, "chunk")}`,
    "",
    ...decided,
    "",
    ...modesTable(report, paint),
    "",
    ...(decision === null ? [] : [`rollback: ${oneLine(decision.rollback)}`, ""]),
    ...items,
    "",
    paint(promotionInWords(report), "strong"),
    "",
  ].join("\n");
}

function modesTable(report: BenchReport, paint: NonNullable<TextOptions["paint"]>): string[] {
  const k = report.settings.top_k ?? "k";
  const share = intervalShare(report);
  const rows = modeRows(report).map(({ mode, recall, mrr, ndcg, gain, hitRate, meanLatency, p95Latency }) => [
    oneLine(mode),
    ...[recall, mrr, ndcg].map(formatScoreOf),
    ...(share === null
      ? []
      : [formatChange(gain?.difference ?? null), formatInterval(gain?.interval ?? null)]),
    formatScoreOf(hitRate),
    formatMilliseconds(meanLatency),
    formatMilliseconds(p95Latency),
  ]);
  const [head = "", ...lines] = columns(
    [
      "mode",
      `recall@${k}`,
      `MRR@${k}`,
      `nDCG@${k}`,
      ...(share === null ? [] : ["against fts_only", `${formatShare(share)} interval`]),
      "hit rate",
      "mean",
      "p95",
    ],
    rows,
  );
  return [paint(head, "quiet"), ...lines];
}
