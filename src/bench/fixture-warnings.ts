import { compareIds } from "../ids.js";
import type { Warning } from "../schema/index.js";
import type { BenchCase } from "./bench-fixture.js";

/** How many ids a warning names. */
const IDS_NAMED = 5;

/** A warning about queries, of which it names the first few; none where there are none. */
export function queriesWarning(code: string, queryIds: readonly string[], message: (queries: string) => string): Warning[] {
  const count = queryIds.length;
  return count === 0 ? [] : [{ code, message: message(count === 1 ? "1 query" : `${count} queries`), count, query_ids: firstIds(queryIds) }];
}

/** The first few ids, sorted. */
export function firstIds(ids: readonly string[]): string[] {
  return [...ids].sort(compareIds).slice(0, IDS_NAMED);
}

/** What is relevant has at least this grade. */
const RELEVANT = 1;

/** Queries that every mode answers equally well, whatever it finds. */
export function nothingRelevantWarning(cases: readonly BenchCase[]): Warning[] {
  const ids = cases.filter(({ grades }) => [...grades.values()].every((grade) => grade < RELEVANT)).map(({ case_id }) => case_id);
  return queriesWarning("NOTHING_RELEVANT", ids, (queries) => `nothing is judged relevant to ${queries}, where every mode scores 1 in recall, MRR and nDCG, and has no hit`);
}
