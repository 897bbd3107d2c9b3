import { shown } from "../errors.js";
import type { BenchMode, Warning } from "../schema/index.js";
import type { Contender } from "./contender.js";
import { firstIds } from "./fixture-warnings.js";

/** What can mislead in the numbers of a benchmark. */
export function benchWarnings(contenders: readonly Contender[], modes: readonly BenchMode[]): Warning[] {
  const recorded = contenders.filter(({ isRecorded }) => isRecorded === true).map(({ mode }) => mode);
  const foundNothing = modes.every(({ per_case }) => per_case.every(({ is_hit }) => !is_hit));
  return [
    ...modes.flatMap(failedCases),
    ...(recorded.length === 0 ? [] : [{ code: "LATENCY_NOT_MEASURED", message: `${recorded.join(", ")}: answers come from a record, at least in part, so that the latency is not that of a system, and the budget says nothing about it`, count: recorded.length }]),
    ...(foundNothing ? [{ code: "NOTHING_FOUND", message: "no mode found anything relevant for any case; do the ids of the judgments agree with those of the hits?", count: modes.length }] : []),
  ];
}

function failedCases({ mode, per_case }: BenchMode): Warning[] {
  const failed = per_case.filter(({ error }) => error !== null);
  const [first] = failed;
  if (first === undefined) return [];
  return [{ code: "CASES_FAILED", message: `${mode} failed for ${failed.length} of ${per_case.length} cases, which count as nothing found; ${shown(first.case_id)}: ${first.error ?? ""}`, count: failed.length, query_ids: firstIds(failed.map(({ case_id }) => case_id)) }];
}
