import type { BenchReport } from "../records/index.js";

/** A case that a mode could not answer. */
export interface FailedCase {
  readonly mode: string;
  readonly case_id: string;
  readonly error: string;
}

/** What retrievers failed with, mode by mode. */
export function listFailedCases({ modes }: BenchReport): FailedCase[] {
  return modes.flatMap(({ mode, per_case }) =>
    per_case.flatMap(({ case_id, error }) => (error === null ? [] : [{ mode, case_id, error }])),
  );
}
