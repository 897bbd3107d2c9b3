import { type BenchReport, modeIn } from "../records/index.js";
import { modeRows, type ModeRow } from "./mode-rows.js";

/** A mode with vectors from hashes beside the same mode with those of a real provider. */
export interface TierRow {
  readonly offline: ModeRow;
  readonly live: ModeRow;
  /** Of nDCG, live minus offline; null where the comparison does not have the two. */
  readonly difference: number | null;
  readonly p: number | null;
}

/** The modes that were measured in both tiers: does the real provider beat the hashes? */
export function tierRows(report: BenchReport): TierRow[] {
  const rows = modeRows(report);
  return rows.flatMap((offline) => {
    const live =
      offline.tier === "offline"
        ? rows.find(
            ({ mode, tier }) => tier === "live_shadow" && mode === modeIn("live_shadow", offline.mode),
          )
        : undefined;
    if (live === undefined) return [];
    const pair = report.comparison?.all_pairs?.find(
      ({ run_a, run_b }) => run_a === offline.mode && run_b === live.mode,
    );
    return [{ offline, live, difference: pair?.difference ?? null, p: pair?.p_adjusted ?? null }];
  });
}
