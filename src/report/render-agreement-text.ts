import { formatScoreOf } from "./printed-statistics.js";
import { formatCount } from "../foundation/numbers/index.js";
import type { RankingAgreement } from "../records/index.js";
import { renderTable } from "./text.js";

/**
 * How alike the rankings of two runs are, as a table.
 *
 * @param top how many queries are listed, those that changed most first.
 */
export function renderAgreementText(
  { run_a, run_b, means, settings, per_query }: RankingAgreement,
  top: number,
): string {
  const rows = per_query
    .slice(0, top)
    .map((query) => [
      query.query_id,
      formatScoreOf(query.rbo),
      formatScoreOf(query.jaccard),
      formatScoreOf(query.kendall_tau),
      formatScoreOf(query.tau_ap),
      `${query.shared} of ${query.hits_a} / ${query.hits_b}`,
    ]);
  const head = [
    "query",
    `RBO(p=${settings.persistence})`,
    `Jaccard@${settings.cutoff}`,
    "Kendall's tau",
    "tau-ap",
    "shared hits",
  ];
  const all = [
    `all ${formatCount(per_query.length)}, mean`,
    formatScoreOf(means.rbo),
    formatScoreOf(means.jaccard),
    formatScoreOf(means.kendall_tau),
    formatScoreOf(means.tau_ap),
    `${run_b} against ${run_a}`,
  ];
  const hidden = per_query.length - rows.length;
  const rest = hidden > 0 ? `and ${formatCount(hidden)} queries that changed less\n` : "";
  return renderTable(head, [all, ...rows]) + rest;
}
