import { type BenchMode, type GivenWarning, queryWarning, type Warning } from "../records/index.js";
import { quote } from "../foundation/errors/index.js";
import type { BenchSystem } from "./bench-system.js";

/** What can mislead in the numbers of a benchmark. */
export function benchWarnings(systems: readonly BenchSystem[], modes: readonly BenchMode[]): Warning[] {
  const recorded = systems.filter(({ isRecorded }) => isRecorded === true).map(({ mode }) => mode);
  const blind = modes
    .filter(({ per_case }) => per_case.every(({ is_hit }) => !is_hit))
    .map(({ mode }) => mode);
  return [
    ...systems.flatMap(({ warnings = [] }) => warnings),
    ...modes.flatMap(warnOfFailedCases),
    ...modes.filter(({ mode }) => recorded.includes(mode)).flatMap(warnOfUnanswered),
    ...(recorded.length === 0
      ? []
      : [
          {
            code: "LATENCY_NOT_MEASURED" as const,
            message:
              `${recorded.join(", ")}: answers come from a record, at least in part, so that the ` +
              "latency is not that of a system, and the budget says nothing about it",
            count: recorded.length,
          },
        ]),
    ...(blind.length === 0
      ? []
      : [
          {
            code: "NOTHING_FOUND" as const,
            message:
              `${blind.join(", ")} found nothing relevant for any case; do the ids of the hits agree ` +
              "with those of the judgments?",
            count: blind.length,
          },
        ]),
  ];
}

/** A record that knows other questions returns nothing, which is no bad ranking. */
function warnOfUnanswered({ mode, per_case }: BenchMode): GivenWarning[] {
  const silent = per_case.filter(({ ranked, error }) => ranked.length === 0 && error === null);
  return queryWarning(
    "CASES_UNANSWERED",
    `${mode} has no answer to ${silent.length} of ${per_case.length} cases, which count as nothing found`,
    silent.map(({ case_id }) => case_id),
  );
}

function warnOfFailedCases({ mode, per_case }: BenchMode): GivenWarning[] {
  const failed = per_case.filter(({ error }) => error !== null);
  const [first] = failed;
  if (first === undefined) return [];
  return queryWarning(
    "CASES_FAILED",
    `${mode} failed for ${failed.length} of ${per_case.length} cases, which count as nothing ` +
      `found; ${quote(first.case_id)}: ${first.error ?? ""}`,
    failed.map(({ case_id }) => case_id),
  );
}
