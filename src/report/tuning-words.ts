import { DASH } from "./dash.js";
import type { FusionTuning, HeldOutGain } from "../records/index.js";
import { reportSection, type ReportSection } from "./report-section.js";
import { formatChange, formatPInProse, formatShare } from "../foundation/numbers/index.js";

/** A score at 4 decimals. */
export function formatTuningScore(value: number): string {
  return value.toFixed(4);
}

/** How often chance alone would lift the best setting as far, whichever was chosen. */
export function chanceSentence(p: number, of: string): string {
  const share = p < 0.001 ? "less than 0.1 %" : formatShare(Number(p.toFixed(3)));
  const shown = formatPInProse(p);
  return `By chance alone the best of all settings gains as much in ${share} of searches (${shown}, ${of}).`;
}

/** What the queries that chose seem to gain. */
export function naiveGain(gain: number): string {
  return gain > 0
    ? `The gain of ${formatChange(gain)} is of the same queries that chose, and too good.`
    : "Not even the queries that chose gain by it.";
}

/** How queries were held out. */
export function partsInWords({ validation, parts }: HeldOutGain, groups: number, queries: number): string {
  const together = groups < queries ? `, ${groups} groups of queries together` : "";
  if (validation === "leave_one_out")
    return groups < queries ? `each of ${groups} groups of queries by itself` : "each by itself";
  return `in ${parts} parts that were ${validation === "given" ? "given" : "drawn"}${together}`;
}

/** How many queries gain and lose by what others chose. */
export function describeHeldOut({ improved, worse, equal }: HeldOutGain, parts: string): string {
  return `Queries held out (${parts}): ${improved} gain, ${worse} lose, ${equal} stay as they are.`;
}

const ROUNDING = 1e-12;

/** The queries that move, those that move most first. */
export function queriesThatMove(
  queries: readonly (Omit<FusionTuning["per_query"][number], "query_id"> & { readonly name: string })[],
  isHeldOut: boolean,
  maxRows: number,
): ReportSection {
  const moved = queries
    .map((query) => ({ ...query, gain: (query.held_out ?? query.chosen) - query.current }))
    .filter(({ gain }) => Math.abs(gain) > ROUNDING)
    .sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain));
  return reportSection(
    "queries",
    isHeldOut ? "Queries that move when held out" : "Queries that move",
    "lrrrr",
    ["query", "current", "chosen by all", "chosen by the others", "gain"],
    moved.map(({ name, current, chosen, held_out, gain }) => [
      name,
      formatTuningScore(current),
      formatTuningScore(chosen),
      held_out === null ? DASH : formatTuningScore(held_out),
      formatChange(gain),
    ]),
    { most: maxRows },
  );
}
