import { compareIds } from "../ids.js";
import { chunkerVersionOf, type DocSpanMatcher } from "../matching/index.js";
import type { ChunkRecord, Warning } from "../schema/index.js";
import type { JudgedRun } from "./judge-run.js";

/** How many query ids a warning names. */
const IDS_NAMED = 5;
/** The largest cutoff of the fixed fields. */
const DEEPEST_CUTOFF = 10;

function warning(code: string, message: string, queryIds: readonly string[], count = queryIds.length): Warning[] {
  return count === 0 ? [] : [{ code, message, count, query_ids: [...queryIds].sort(compareIds).slice(0, IDS_NAMED) }];
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** What a reader of an aggregate should know about the run: nothing here is an error, everything here can mislead. */
export function aggregateWarnings(judgedRun: JudgedRun, citationsChecked: boolean, places: readonly ChunkRecord[]): Warning[] {
  const { run, queries, unmatched, matcher } = judgedRun;
  const missing = queries.filter(({ result }) => result === null).map(({ query }) => query.id);
  const repeated = queries.filter(({ ranking }) => ranking.repeats > 0);
  const repeats = repeated.reduce((sum, { ranking }) => sum + ranking.repeats, 0);
  const tied = queries.filter(({ ranking }) => ranking.tiedRanks).map(({ query }) => query.id);
  const unplaced = matcher.kind === "docSpan" ? queries.filter(({ query }) => (matcher as DocSpanMatcher).unplaced(query).length > 0).map(({ query }) => query.id) : [];
  const hasCitableAnswers = run.results.some(({ answer }) => answer?.grounded === true);
  const cutoff = run.config_snapshot["eval_k"];
  return [
    ...(run.incomplete === true ? [{ code: "RUN_INCOMPLETE", message: "the run was interrupted and has not all its results; record it again with `resume`" }] : []),
    ...warning("MISSING_QUERIES", `${plural(missing.length, "golden query has", "golden queries have")} no result in the run`, missing),
    ...warning("UNMATCHED_RESULTS", `${plural(unmatched.length, "result is", "results are")} of queries outside the golden set and counted in the totals only`, unmatched.map(({ query_id }) => query_id)),
    ...warning("DUPLICATE_CHUNKS", `${plural(repeats, "hit repeats", "hits repeat")} a chunk at a better rank and counted as not relevant`, repeated.map(({ query }) => query.id), repeats),
    ...warning("TIED_RANKS", `${plural(tied.length, "result has", "results have")} several hits at one rank, taken in the order of the list`, tied),
    ...warning("SPANS_UNKNOWN", `${plural(unplaced.length, "query has", "queries have")} an expected chunk whose spans nobody knows, matched by its document alone`, unplaced),
    ...(citationsChecked || !hasCitableAnswers ? [] : [{ code: "CITATIONS_NOT_CHECKED", message: "citation_coverage is null: checking citations needs the knowledge base's chunks (a store that has them, or a corpus)" }]),
    ...(typeof cutoff === "number" && cutoff < DEEPEST_CUTOFF ? [{ code: "SHORT_RANKINGS", message: `the run was recorded with eval_k ${cutoff}, so scores at 10 cannot see further than ${cutoff}` }] : []),
    ...otherChunker(judgedRun, places),
  ];
}

/** Exact matching of chunk ids that another chunker made finds nothing, and looks like a bad run. */
function otherChunker({ run, queries, matcher }: JudgedRun, places: readonly ChunkRecord[]): Warning[] {
  const version = chunkerVersionOf(run);
  if (matcher.kind === "docSpan" || version === null) return [];
  const versions = new Map(places.map((chunk) => [chunk.chunk_id, chunk.chunker_version]));
  const foreign = queries.filter(({ chunkIds }) => chunkIds.some((id) => (versions.get(id) ?? version) !== version)).map(({ query }) => query.id);
  return warning("OTHER_CHUNKER", `${plural(foreign.length, "query expects chunks", "queries expect chunks")} of another chunker than the run's (${version}), which no exact match can find; match by document and span instead`, foreign);
}
