import type { GivenWarning } from "../records/index.js";
import { queryWarning, RELEVANT_FROM } from "../records/index.js";
import type { BenchCase } from "./bench-fixture.js";

/** Queries that every mode answers equally well, whatever it finds. */
export function nothingRelevantWarning(cases: readonly BenchCase[]): GivenWarning[] {
  const ids = cases
    .filter(({ grades }) => [...grades.values()].every((grade) => grade < RELEVANT_FROM))
    .map(({ case_id }) => case_id);
  return queryWarning(
    "NOTHING_RELEVANT",
    `nothing is judged relevant to ${countQueries(ids)}, where every mode scores 1 in recall, ` +
      "MRR and nDCG, and has no hit",
    ids,
  );
}

/** How many queries, in words. */
export function countQueries({ length }: readonly string[]): string {
  return length === 1 ? "1 query" : `${length} queries`;
}
