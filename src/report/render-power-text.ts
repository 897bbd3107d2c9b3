import { formatScoreOf } from "./printed-statistics.js";
import { countOf } from "../foundation/numbers/index.js";
import type { ScoreComparison } from "../records/index.js";
import type { PowerTable } from "../stats/index.js";
import { renderTable } from "./text.js";

/** What query sets of some sizes can tell, as a table. */
export function renderPowerText({ difference, queries_needed, sizes }: PowerTable): string {
  const table = renderTable(
    ["queries", "detectable", ...(difference === null ? [] : [`power for ${difference}`])],
    sizes.map(({ queries, detectable, power }) => [
      String(queries),
      formatScoreOf(detectable),
      ...(power === null ? [] : [power.toFixed(3)]),
    ]),
  );
  if (difference === null) return table;
  return queries_needed === null
    ? `${table}\nA difference of ${difference} is too small for any query set.\n`
    : `${table}\nA difference of ${difference} needs ${countOf(queries_needed, "query")}.\n`;
}

/** What the queries of a comparison can tell, run by run and metric by metric, as a table. */
export function renderComparisonPowerText({ comparisons }: Pick<ScoreComparison, "comparisons">): string {
  return renderTable(
    ["run", "metric", "queries", "difference", "detectable", "queries needed"],
    comparisons.flatMap(({ run, metrics }) =>
      metrics.map(({ metric, pairs, difference, detectable, queries_needed }) => [
        run,
        metric,
        String(pairs),
        formatScoreOf(difference),
        formatScoreOf(detectable),
        queries_needed === null ? "—" : String(queries_needed),
      ]),
    ),
  );
}
