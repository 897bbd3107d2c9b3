import {
  nearlyJudged,
  type AggregatePartial,
  type ChunkRecord,
  type GoldenQuery,
  type SearchHit,
} from "../records/index.js";
import { chunkerVersionOf } from "../matching/index.js";
import type { JudgedQuery, RunJudge } from "./judge-run.js";

/** Lists that grow while the queries are gone through. */
type Growing<T> = {
  [Field in keyof T]: T[Field] extends readonly (infer Item)[] | null
    ? Item[] | Extract<T[Field], null>
    : T[Field];
};

/** Notes, query by query, what can mislead about the aggregate of a run. */
export class Notices {
  readonly #judge: RunJudge;
  /**
   * The chunkers of each known chunk, to tell chunks that the run's own chunker cannot have made; empty when
   * that cannot be told.
   */
  readonly #chunkers = new Map<string, Set<string | null | undefined>>();
  /** The run's, where chunks of another one can be told. */
  readonly chunkerVersion: string | null;
  readonly #noticed: Growing<Omit<AggregatePartial["noticed"], "without_spans">> = {
    repeats: 0,
    repeating: [],
    tied: [],
    unplaced: [],
    foreign: [],
    near: [],
    blind: [],
  };

  constructor(judge: RunJudge, places: readonly ChunkRecord[]) {
    this.#judge = judge;
    const isTold = judge.namedChunker !== null || places.length > 0;
    this.chunkerVersion = isTold && judge.matcher.kind !== "docSpan" ? chunkerVersionOf(judge.run) : null;
    if (this.chunkerVersion === null) return;
    for (const { chunk_id, chunker_version } of places) {
      const versions = this.#chunkers.get(chunk_id);
      if (versions === undefined) this.#chunkers.set(chunk_id, new Set([chunker_version]));
      else versions.add(chunker_version);
    }
  }

  add({ query, ranking, chunkIds, chunks, docs }: JudgedQuery): void {
    const noticed = this.#noticed;
    if (ranking.repeated.size > 0) noticed.repeating.push(query.id);
    noticed.repeats += ranking.repeated.size;
    if (ranking.tiedRanks) noticed.tied.push(query.id);
    if (this.#judge.matcher.isUnplaced?.(query) === true) noticed.unplaced.push(query.id);
    if (chunkIds.some((id) => this.#isForeign(id))) noticed.foreign.push(query.id);
    if (isNearlyFound(query, ranking.hits)) noticed.near.push(query.id);
    const expected = chunkIds[0] ?? query.expected_doc_ids?.[0];
    const [hit] = ranking.hits;
    if (chunks.hits.ranks.length + docs.hits.ranks.length > 0) noticed.blind = null;
    else if (expected !== undefined && hit !== undefined)
      noticed.blind?.push({
        query: query.id,
        expected,
        hit: hit[chunkIds.length > 0 ? "chunk_id" : "doc_id"],
      });
  }

  /** What was noticed so far. */
  get noticed(): AggregatePartial["noticed"] {
    return { ...this.#noticed, without_spans: this.#judge.matcher.hitsWithoutSpans?.() ?? 0 };
  }

  /** Whether a chunk is one of another chunker: the golden set says so, or it is known as such alone. */
  #isForeign(chunkId: string): boolean {
    const { namedChunker } = this.#judge;
    if (namedChunker !== null) return this.chunkerVersion !== null && this.chunkerVersion !== namedChunker;
    const versions = this.#chunkers.get(chunkId);
    return (
      versions !== undefined &&
      !versions.has(this.chunkerVersion) &&
      !versions.has(null) &&
      !versions.has(undefined)
    );
  }
}

/** Whether a hit is an expected item but for Unicode form or white space, and so does not count. */
function isNearlyFound(query: GoldenQuery, hits: readonly SearchHit[]): boolean {
  return (["chunk", "doc"] as const).some((unit) => {
    const expected = new Set(query[`expected_${unit}_ids`]);
    const isNear = (id: string): boolean => !expected.has(id) && nearlyJudged(id, expected) !== null;
    return expected.size > 0 && hits.some((hit) => isNear(hit[`${unit}_id`]));
  });
}
