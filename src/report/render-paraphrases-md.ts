import { formatScoreOf } from "./printed-statistics.js";
import { countOf, formatCount } from "../foundation/numbers/index.js";
import type { ParaphraseReport } from "../records/index.js";
import { checkHas } from "./check-result.js";
import { escapeMarkdown } from "./escape-markdown.js";
import { markdownBlocks, markdownTable } from "./markdown-table.js";

/** Said when the run is too short to tell missing from mis-ranked. */
export const TRUNCATED_POOL =
  "No hit reached rank 50, so what is called missing here may only have been cut off: record the " +
  "run with at least 50 hits a query.";

/** A paraphrase report as Markdown: the least steady groups first, each with its wordings. */
export function renderParaphrasesMd(report: ParaphraseReport): string {
  checkHas(report, "groups", "what computeParaphrases returned");
  const groups = [...report.groups].sort((a, b) => (b.spread ?? -1) - (a.spread ?? -1));
  const sections = [
    `# Paraphrases: ${escapeMarkdown(report.run_id)}`,
    `**${paraphraseSummary(report)}**`,
    ...(report.pool_possibly_truncated && groups.length > 0 ? [TRUNCATED_POOL] : []),
    ...groups.map((group) => {
      const rows = group.variants.map(({ query_id, query, recall_narrow, recall_pool, class: kind }) => [
        escapeMarkdown(query_id),
        escapeMarkdown(query),
        formatScoreOf(recall_narrow),
        formatScoreOf(recall_pool),
        kind.replace("_", " "),
      ]);
      const answers =
        group.answers_pass === null
          ? ""
          : group.answers_pass
            ? "; all checked answers pass"
            : "; not all checked answers pass";
      return markdownBlocks(
        `## ${escapeMarkdown(group.group)}`,
        `spread ${formatScoreOf(group.spread)}, worst ${formatScoreOf(group.worst)}${answers}`,
        markdownTable(["query id", "query", "recall@10", "recall@50", "class"], "llrrl", rows),
      );
    }),
  ];
  return `${markdownBlocks(...sections)}\n`;
}

/** The findings of a paraphrase report in one sentence. */
export function paraphraseSummary({
  groups,
  mean_spread,
  mostly_mis_ranked,
  mostly_missing,
}: ParaphraseReport): string {
  if (groups.length === 0)
    return "The golden set has no groups: give the wordings of one intent the same `group`.";
  const steady = groups.filter(({ spread }) => spread === 0).length;
  return (
    `${countOf(groups.length, "group")}, ${formatCount(steady)} with the same recall for ` +
    `every wording; mean spread ${formatScoreOf(mean_spread)}; ${mostly_mis_ranked} ` +
    `suffer${mostly_mis_ranked === 1 ? "s" : ""} from ranking, ${mostly_missing} from retrieval.`
  );
}
