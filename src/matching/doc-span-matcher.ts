import {
  aggregateCutoffs,
  type ChunkRecord,
  type EvalRun,
  type Golden,
  goldenChunkerVersion,
  listExpectedChunkIds,
  type GoldenQuery,
  type SearchHit,
} from "../records/index.js";
import { groupBy } from "../foundation/columns/index.js";
import { chunkerVersionOf, chunkPlaces, type ChunkPlaces } from "./chunk-places.js";
import { ExtentIndex } from "./extent-index.js";
import { extentOf, hasExtent, isEmpty, type Extent } from "./extent.js";
import type { Matcher } from "./matcher.js";
import { extentsOverlap } from "./overlap.js";

/**
 * What hits are held against for one expected chunk: by document, where in it; null means that the whole
 * document counts.
 */
type Evidence = ReadonlyMap<string, Extent | null>;

/** Hits below the deepest cutoff of an aggregate's metrics are not what decides. */
const DEEPEST_SEEN = Math.max(...aggregateCutoffs);

/**
 * Matching across chunkers: by the document and the place in it, instead of by chunk ids that cannot be the
 * same.
 */
export interface DocSpanMatching {
  /** The matcher for the hits of one run. */
  matcherFor(run: EvalRun): Matcher;
  /** Whether a query expects a chunk whose spans are unknown, so that any hit in its document counts. */
  isUnplaced(query: GoldenQuery): boolean;
  /** The chunker that the golden set names; null where it names none. */
  readonly expectedVersion: string | null;
}

/**
 * Matching by document and span. A hit stands for an expected chunk when it lies in its document and their
 * spans share at least half of the smaller side. One without a place that is its own document, as bare ids
 * are, stands for the expected chunk of its id.
 *
 * @param known chunks whose places are known: of the knowledge base, now and earlier.
 * @param runs where spans of expected chunks are looked for when neither the golden set nor `known` has them.
 */
export function docSpanMatching(
  golden: Golden,
  known: readonly ChunkRecord[],
  runs: readonly EvalRun[],
): DocSpanMatching {
  const expectedVersion = goldenChunkerVersion(golden);
  const places = chunkPlaces(listExpectedChunkIds(golden), expectedVersion, known, runs);
  const isUnplaced = (query: GoldenQuery): boolean => {
    const evidence = evidenceOf(query, places);
    return (query.expected_chunk_ids ?? []).some(
      (id) => ![...evidence(id).values()].some((extent) => extent !== null),
    );
  };
  return {
    isUnplaced,
    expectedVersion,
    matcherFor(run) {
      const version = chunkerVersionOf(run);
      const blind = new Set<SearchHit>();
      return {
        kind: "docSpan",
        isUnplaced,
        hitsWithoutSpans: () => blind.size,
        placeOf(chunkId, hits) {
          const hit = hits.find(({ chunk_id }) => chunk_id === chunkId);
          return hit === undefined
            ? places.ofChunk(chunkId, version)
            : { docId: hit.doc_id, spans: places.ofHit(hit, version) };
        },
        match(query, ranking, chunkIds) {
          const evidence = chunkIds.map(evidenceOf(query, places));
          const byId = new Map(chunkIds.map((id, item) => [id, item]));
          const inDocument = new Map(
            Array.from(
              groupBy(
                evidence.flatMap((documents, item) =>
                  Array.from(documents, ([docId, extent]) => ({ docId, item, extent })),
                ),
                ({ docId }) => docId,
              ),
              ([docId, expected]) => [docId, new ExpectedItems(expected)] as const,
            ),
          );
          const ranks: number[] = [];
          const items: number[] = [];
          const add = (at: number, item: number): void => {
            ranks.push(ranking.ranks[at] as number);
            items.push(item);
          };
          let isBlind = false;
          let isPlaced = false;
          ranking.hits.forEach((hit, i) => {
            if (ranking.repeated.has(i)) return;
            const itself = hit.doc_id === hit.chunk_id ? byId.get(hit.chunk_id) : undefined;
            const expected = inDocument.get(hit.doc_id);
            if (expected === undefined && itself === undefined) return;
            const spans = places.ofHit(hit, version);
            // A bare id is all that the system gave: it can be held against ids alone.
            if (spans === null && itself !== undefined) return add(i, itself);
            if (expected === undefined) return;
            const place = spans === null ? null : extentOf(spans);
            if (expected.hasPlaces && (place === null || isEmpty(place) || !expected.isComparable(place))) {
              blind.add(hit);
              isBlind ||= (ranking.ranks[i] as number) <= DEEPEST_SEEN;
            } else isPlaced = true;
            for (const item of expected.at(place)) add(i, item);
          });
          return { ranks, items, isBlind: isBlind && !isPlaced };
        },
      };
    },
  };
}

/** The expected items of one document, and where in it. */
class ExpectedItems {
  /**
   * By extent, with their places in the order given: all chunks of a document that the golden set annotates
   * share one extent, which may have thousands of spans.
   */
  readonly #byExtent: ReadonlyMap<Extent, readonly number[]>;
  readonly #anywhere: readonly number[];
  readonly #items: readonly number[];
  readonly #index: ExtentIndex;

  constructor(expected: readonly { readonly item: number; readonly extent: Extent | null }[]) {
    const byExtent = groupBy(expected.keys(), (at) => (expected[at] as (typeof expected)[number]).extent);
    this.#items = expected.map(({ item }) => item);
    this.#anywhere = byExtent.get(null) ?? [];
    byExtent.delete(null);
    this.#byExtent = byExtent as Map<Extent, number[]>;
    this.#index = new ExtentIndex([...this.#byExtent.keys()]);
  }

  get hasPlaces(): boolean {
    return this.#byExtent.size > 0;
  }

  /** Lines are held against lines, bytes against bytes. */
  isComparable(place: Extent): boolean {
    return this.#index.isComparable(place);
  }

  /** The items that a hit stands for, in the order given; null where nothing is known of its place. */
  at(place: Extent | null): number[] {
    const overlapping =
      place === null ? [] : [...this.#index.near(place)].filter((extent) => extentsOverlap(extent, place));
    return [...this.#anywhere, ...overlapping.flatMap((extent) => this.#byExtent.get(extent) ?? [])]
      .sort((a, b) => a - b)
      .map((at) => this.#items[at] as number);
  }
}

/**
 * The evidence for each expected chunk of a query. The `expected_spans` that belong to a chunk are those of
 * its document, or all where the document is unknown. (Pairing the two lists by position would make the
 * result depend on the order of ids.)
 */
function evidenceOf(query: GoldenQuery, places: ChunkPlaces): (chunkId: string) => Evidence {
  const spans = groupBy(query.expected_spans ?? [], ({ doc_id }) => doc_id);
  const annotated = new Map(
    [...spans].flatMap(([docId, list]) => {
      const ofDocument = list.map(({ span }) => span);
      return hasExtent(ofDocument) ? [[docId, extentOf(ofDocument)] as const] : [];
    }),
  );
  const anywhere: Evidence =
    annotated.size > 0 ? annotated : new Map((query.expected_doc_ids ?? []).map((id) => [id, null]));
  return (chunkId) => {
    const place = places.findExpected(chunkId);
    if (place === undefined) return anywhere;
    return new Map([
      [place.docId, annotated.get(place.docId) ?? (place.spans === null ? null : extentOf(place.spans))],
    ]);
  };
}
