import {
  aggregateCutoffs,
  type ChunkRecord,
  firstIds,
  type GivenWarning,
  queryWarning,
} from "../records/index.js";
import { quote } from "../foundation/errors/index.js";
import { chunkerVersionOf } from "../matching/index.js";
import { misreadFields } from "./misread-fields.js";
import type { JudgedQuery, RunJudge } from "./judge-run.js";

/** The largest cutoff of the fields of an aggregate. */
const DEEPEST_CUTOFF = Math.max(...aggregateCutoffs);

/** Of fewer queries all can well be missed. */
const FEWEST_MISSED = 5;

/**
 * What a reader of an aggregate should know about the run: nothing here is an error, everything here can
 * mislead.
 */
export class AggregateWarnings {
  readonly #judge: RunJudge;
  readonly #missing: string[] = [];
  readonly #repeating: string[] = [];
  #repeats = 0;
  readonly #tied: string[] = [];
  readonly #unplaced: string[] = [];
  readonly #foreign: string[] = [];
  /** Queries with hits of which something is expected; null once anything was found. */
  #blind: { readonly query: string; readonly expected: string; readonly hit: string }[] | null = [];
  /**
   * The chunkers of each known chunk, to tell chunks that the run's own chunker cannot have made; empty when
   * that cannot be told.
   */
  readonly #chunkers = new Map<string, Set<string | null | undefined>>();
  readonly #version: string | null;

  constructor(judge: RunJudge, places: readonly ChunkRecord[]) {
    this.#judge = judge;
    this.#version =
      places.length === 0 || judge.matcher.kind === "docSpan" ? null : chunkerVersionOf(judge.run);
    if (this.#version === null) return;
    for (const { chunk_id, chunker_version } of places) {
      const versions = this.#chunkers.get(chunk_id);
      if (versions === undefined) this.#chunkers.set(chunk_id, new Set([chunker_version]));
      else versions.add(chunker_version);
    }
  }

  add({ query, result, ranking, chunkIds, chunks, docs }: JudgedQuery): void {
    const { matcher } = this.#judge;
    if (result === null) this.#missing.push(query.id);
    if (ranking.repeated.size > 0) this.#repeating.push(query.id);
    this.#repeats += ranking.repeated.size;
    if (ranking.tiedRanks) this.#tied.push(query.id);
    if (matcher.isUnplaced?.(query) === true) this.#unplaced.push(query.id);
    if (chunkIds.some((id) => this.#isForeign(id))) this.#foreign.push(query.id);
    const expected = chunkIds[0] ?? query.expected_doc_ids?.[0];
    const [hit] = ranking.hits;
    if (chunks.hits.ranks.length + docs.hits.ranks.length > 0) this.#blind = null;
    else if (expected !== undefined && hit !== undefined)
      this.#blind?.push({
        query: query.id,
        expected,
        hit: hit[chunkIds.length > 0 ? "chunk_id" : "doc_id"],
      });
  }

  /** Whether a chunk is known, and never as one of the run's own chunker. */
  #isForeign(chunkId: string): boolean {
    const versions = this.#chunkers.get(chunkId);
    return (
      versions !== undefined &&
      !versions.has(this.#version) &&
      !versions.has(null) &&
      !versions.has(undefined)
    );
  }

  /**
   * @param citationsChecked whether there was a knowledge base to check citations with.
   * @param measured what the golden queries have to be held against.
   */
  // eslint-disable-next-line max-lines-per-function -- a list of warnings in the order in which they are told
  list(citationsChecked: boolean, measured: "all" | "documents" | "nothing"): GivenWarning[] {
    const { run, unmatched } = this.#judge;
    const [missing, tied, foreign] = [this.#missing.length, this.#tied.length, this.#foreign.length];
    const cutoff = run.config_snapshot["eval_k"];
    return [
      ...(run.incomplete === true
        ? [
            {
              code: "RUN_INCOMPLETE" as const,
              message: "the run was interrupted; record it again with `resume`",
            },
          ]
        : []),
      ...(run.results.length === 0
        ? [{ code: "RUN_EMPTY" as const, message: "the run has no results at all" }]
        : []),
      ...(run.results.length > 0 && unmatched.length === run.results.length
        ? [
            {
              code: "RUN_OUTSIDE_GOLDEN_SET" as const,
              message: "the run answers none of the golden queries; do the query ids agree?",
              query_ids: firstIds(unmatched.map(({ query_id }) => query_id)),
            },
          ]
        : []),
      ...(measured === "documents"
        ? [
            {
              code: "DOCUMENTS_ONLY" as const,
              message:
                "the golden queries name documents and no chunks, so hit@k, MRR and precision have nothing " +
                "to measure: ask for metrics by document (-m RR@10,nDCG@10 --unit doc), or name chunks",
            },
          ]
        : []),
      ...(measured === "nothing"
        ? [
            {
              code: "GOLDEN_MEASURES_NOTHING" as const,
              message:
                "no golden query says what is expected: ids of chunks or documents, a refusal, or what the " +
                "answer must contain",
            },
          ]
        : []),
      ...queryWarning(
        "MISSING_QUERIES",
        `${plural(missing, "golden query has", "golden queries have")} no result`,
        this.#missing,
      ),
      ...queryWarning(
        "UNMATCHED_RESULTS",
        `${plural(unmatched.length, "result is of a query", "results are of queries")} outside the ` +
          "golden set and counted in the totals only",
        unmatched.map(({ query_id }) => query_id),
      ),
      ...queryWarning(
        "DUPLICATE_CHUNKS",
        `${plural(this.#repeats, "hit repeats", "hits repeat")} a chunk at a better rank and ` +
          "counted as not relevant",
        this.#repeating,
        this.#repeats,
      ),
      ...queryWarning(
        "TIED_RANKS",
        `${plural(tied, "result has", "results have")} several hits at one rank, taken in the ` +
          "order of the list",
        this.#tied,
      ),
      ...spansUnknown(this.#unplaced),
      ...(citationsChecked || !run.results.some(({ answer }) => answer?.grounded === true)
        ? []
        : [
            {
              code: "CITATIONS_NOT_CHECKED" as const,
              message:
                "citation_coverage is null: checking citations needs the knowledge base's chunks, " +
                "from a store or a corpus",
            },
          ]),
      ...(typeof cutoff === "number" && cutoff < DEEPEST_CUTOFF
        ? [
            {
              code: "SHORT_RANKINGS" as const,
              message: `the run was recorded with eval_k ${cutoff}, and scores at 10 see no further`,
            },
          ]
        : []),
      ...this.#warnOfNothingFound(),
      ...misreadFields(run),
      // Exact matching of chunk ids that another chunker made finds nothing, and looks like a bad run.
      ...queryWarning(
        "OTHER_CHUNKER",
        `${plural(foreign, "query expects chunks", "queries expect chunks")} of another chunker ` +
          `than the run's (${this.#version}); match by document and span instead`,
        this.#foreign,
      ),
    ];
  }

  /** Hits throughout, never one that is expected: the ids are of two kinds, or the search is broken. */
  #warnOfNothingFound(): GivenWarning[] {
    const blind = this.#blind ?? [];
    const [first] = blind;
    if (first === undefined || blind.length < FEWEST_MISSED) return [];
    return queryWarning(
      "NOTHING_FOUND",
      `nothing that is expected is among the hits of any of ${blind.length} queries; do the ids agree? ` +
        `${quote(first.query)} expects ${quote(first.expected)}, and its first hit is ${quote(first.hit)}`,
      blind.map(({ query }) => query),
    );
  }
}

/**
 * The warning for queries with an expected chunk that was matched by its document, because its place in it
 * is unknown.
 */
export function spansUnknown(queryIds: readonly string[]): GivenWarning[] {
  return queryWarning(
    "SPANS_UNKNOWN",
    `${plural(queryIds.length, "query has", "queries have")} an expected chunk of unknown place, ` +
      "matched by its document alone; add `expected_spans`, or record runs into a store",
    queryIds,
  );
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
