import { groupBy } from "../foundation/columns/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { queryWarning, type GivenWarning } from "../records/index.js";
import type { AlignedScores } from "./aligned-scores.js";

/** Of the queries of the run that has fewest. */
const MOST_UNEVEN = 0.1;

/**
 * Warns of metrics that runs have for different queries, such as those of answers where a run gives few: its
 * mean says nothing of the others. Queries that a run was not scored on are told elsewhere.
 */
export function warnOfUnevenScores(
  { metrics, columns, queryIds, isAbsent }: AlignedScores,
  runs: readonly string[],
): GivenWarning[] {
  const rows = [...queryIds.keys()].filter((row) => !isAbsent.some((ofRun) => ofRun[row]));
  const found = metrics.flatMap(({ name }, metric) => {
    const scored = columns.map((run) => new Set(rows.filter((row) => !Number.isNaN(run[metric]?.[row]))));
    const uneven = rows.filter((row) => new Set(scored.map((ofRun) => ofRun.has(row))).size > 1);
    const counts = scored.map(({ size }, run) => `${countOf(size, "query")} in ${runs[run] ?? ""}`);
    const fewest = Math.min(...scored.map(({ size }) => size));
    // A run that has none of it is seen to have none.
    return fewest > 0 && uneven.length > MOST_UNEVEN * fewest
      ? [{ name, counts: counts.join(", "), uneven: uneven.map((row) => queryIds[row] as string) }]
      : [];
  });
  // Queries that are left out of all metrics are told once.
  return [...groupBy(found, ({ counts }) => counts)].flatMap(([counts, [first, ...more]]) =>
    queryWarning(
      "UNEVEN_SCORES",
      `${first?.name ?? ""}${more.length === 0 ? " has" : ` and ${more.length} more have`} a score for ` +
        `${counts}: a mean says nothing of the others`,
      first?.uneven ?? [],
    ),
  );
}
