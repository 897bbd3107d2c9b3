import { countOf } from "../foundation/numbers/index.js";
import {
  aggregateCutoffs,
  type AggregatePartial,
  firstIds,
  type GivenWarning,
  queryWarning,
} from "../records/index.js";
import { quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { misreadFields } from "./misread-fields.js";
import type { RunJudge } from "./judge-run.js";

/** The largest cutoff of the fields of an aggregate. */
const DEEPEST_CUTOFF = Math.max(...aggregateCutoffs);

/** Of fewer queries all can well be missed. */
const FEWEST_MISSED = 5;

/**
 * What a reader of an aggregate should know about the run as a whole: nothing here is an error, everything
 * can mislead.
 *
 * @param citationsChecked whether there was a knowledge base to check citations with.
 * @param measured what the golden queries have to be held against.
 */
export function warningsOfRun(
  { run, unmatched }: RunJudge,
  citationsChecked: boolean,
  measured: "all" | "documents" | "nothing",
): GivenWarning[] {
  const { results } = run;
  const cutoff = run.config_snapshot["eval_k"];
  const outside = unmatched.map(({ query_id }) => query_id);
  return [
    ...warnIf(
      run.incomplete === true,
      "RUN_INCOMPLETE",
      "the run was interrupted; record it again with `resume` (--resume)",
    ),
    ...warnIf(results.length === 0, "RUN_EMPTY", "the run has no results at all"),
    ...warnIf(
      results.length > 0 && outside.length === results.length,
      "RUN_OUTSIDE_GOLDEN_SET",
      "the run answers none of the golden queries; do the query ids agree?",
      outside,
    ),
    ...warnIf(
      measured === "documents",
      "DOCUMENTS_ONLY",
      "the golden queries name documents and no chunks, so hit@k, MRR and precision have nothing " +
        "to measure: ask for metrics by document (-m RR@10,nDCG@10 --unit doc), or name chunks",
    ),
    ...warnIf(
      measured === "nothing",
      "GOLDEN_MEASURES_NOTHING",
      "no golden query says what is expected: ids of chunks or documents, a refusal, or what the " +
        "answer must contain",
    ),
    ...queryWarning(
      "UNMATCHED_RESULTS",
      `${countOf(outside.length, "result is of a query", "results are of queries")} outside the ` +
        "golden set and counted in the totals only",
      outside,
    ),
    ...warnIf(
      !citationsChecked && results.some(({ answer }) => answer?.grounded === true),
      "CITATIONS_NOT_CHECKED",
      "citation_coverage is null: checking citations needs the knowledge base's chunks, " +
        "from a store or a corpus",
    ),
    ...warnIf(
      typeof cutoff === "number" && cutoff < DEEPEST_CUTOFF,
      "SHORT_RANKINGS",
      `the run was recorded with eval_k ${String(cutoff)}, and scores at 10 see no further`,
    ),
    ...misreadFields(run),
  ];
}

/** A warning where it holds, with the first of the queries that it is about. */
function warnIf(
  holds: boolean,
  code: GivenWarning["code"],
  message: string,
  queryIds?: readonly string[],
): GivenWarning[] {
  return holds ? [{ code, message, ...(queryIds && { query_ids: firstIds(queryIds) }) }] : [];
}

/** What can mislead about single queries. */
export function warningsOfQueries({
  missing_queries: missing,
  noticed,
  chunker_version,
}: Pick<AggregatePartial, "missing_queries" | "noticed" | "chunker_version">): GivenWarning[] {
  const { repeats, repeating, tied, unplaced, without_spans: withoutSpans, foreign, near } = noticed;
  return [
    ...queryWarning(
      "MISSING_QUERIES",
      `${countOf(missing.length, "golden query has", "golden queries have")} no result`,
      missing,
    ),
    ...queryWarning(
      "DUPLICATE_CHUNKS",
      `${countOf(repeats, "hit repeats", "hits repeat")} a chunk at a better rank and ` +
        "counted as not relevant",
      repeating,
      repeats,
    ),
    ...queryWarning(
      "TIED_RANKS",
      `${countOf(tied.length, "result has", "results have")} several hits at one rank, taken in the ` +
        "order of the list",
      tied,
    ),
    ...spansUnknown(unplaced),
    ...spansMissing(withoutSpans),
    ...queryWarning(
      "NEAR_IDS",
      `${countOf(near.length, "query has", "queries have")} hits that differ from expected ids only by ` +
        "Unicode form or white space, and so count as others",
      near,
    ),
    ...(near.length > 0 ? [] : warnOfNothingFound(noticed)),
    // Exact matching of chunk ids that another chunker made finds nothing, and looks like a bad run.
    ...queryWarning(
      "OTHER_CHUNKER",
      `${countOf(foreign.length, "query expects chunks", "queries expect chunks")} of another chunker ` +
        `than the run's (${chunker_version}); match by document and span instead`,
      foreign,
    ),
  ];
}

/** Hits throughout, never one that is expected: the ids are of two kinds, or the search is broken. */
function warnOfNothingFound({ blind }: AggregatePartial["noticed"]): GivenWarning[] {
  const missed = (blind ?? []).toSorted((a, b) => compareIds(a.query, b.query));
  const [first] = missed;
  if (first === undefined || missed.length < FEWEST_MISSED) return [];
  return queryWarning(
    "NOTHING_FOUND",
    `nothing that is expected is among the hits of any of ${countOf(missed.length, "query")}; ` +
      `do the ids agree? ${quote(first.query)} expects ${quote(first.expected)}, and its first hit is ` +
      quote(first.hit),
    missed.map(({ query }) => query),
  );
}

/**
 * The warning for queries with an expected chunk that was matched by its document, because its place in it
 * is unknown.
 */
export function spansUnknown(queryIds: readonly string[]): GivenWarning[] {
  return queryWarning(
    "SPANS_UNKNOWN",
    `${countOf(queryIds.length, "query has", "queries have")} an expected chunk of unknown place, or ` +
      "of two by different chunkers, matched by its document alone; add `expected_spans`, or record runs " +
      "into a store",
    queryIds,
  );
}

/** The warning for hits that lay in an expected document and could not be matched by their place in it. */
export function spansMissing(count: number): GivenWarning[] {
  if (count === 0) return [];
  return [
    {
      code: "HITS_WITHOUT_SPANS",
      message:
        `${countOf(count, "hit")} in expected documents had no spans, or empty ones, or of another ` +
        "kind than the expected ones, and could not count; return `source_spans` or a located " +
        "`citation` of that kind",
      count,
    },
  ];
}
