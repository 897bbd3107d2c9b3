import {
  type ChunkRecord,
  type EvalRun,
  expectedChunkIds,
  type GoldenQuery,
  type SearchHit,
} from "../records/index.js";
import { groupedBy } from "../foundation/columns/index.js";
import { chunkerVersionOf, chunkPlaces, type ChunkPlaces } from "./chunk-places.js";
import { extentOf, hasExtent, type Extent } from "./extent.js";
import type { Matcher } from "./matcher.js";
import { extentsOverlap } from "./overlap.js";

/**
 * What hits are held against for one expected chunk: by document, where in it; null means that the whole
 * document counts.
 */
type Evidence = ReadonlyMap<string, Extent | null>;

/**
 * Matching across chunkers: by the document and the place in it, instead of by chunk ids that cannot be the
 * same.
 */
export interface DocSpanMatching {
  /** The matcher for the hits of one run. */
  matcherFor(run: EvalRun): Matcher;
  /** Whether a query expects a chunk whose spans are unknown, so that any hit in its document counts. */
  isUnplaced(query: GoldenQuery): boolean;
  /** How many hits so far lay in the right document but had no spans, and so could not count. */
  hitsWithoutSpans(): number;
}

/**
 * Matching by document and span. A hit stands for an expected chunk when it lies in its document and their
 * spans share at least half of the smaller side.
 *
 * @param known chunks whose places are known: of the knowledge base, now and earlier.
 * @param runs where spans of expected chunks are looked for when neither the golden set nor `known` has them.
 */
export function docSpanMatching(
  queries: readonly GoldenQuery[],
  known: readonly ChunkRecord[],
  runs: readonly EvalRun[],
): DocSpanMatching {
  const places = chunkPlaces(expectedChunkIds(queries), known, runs);
  const blind = new Set<SearchHit>();
  const isUnplaced = (query: GoldenQuery): boolean => {
    const evidence = evidenceOf(query, places);
    return (query.expected_chunk_ids ?? []).some(
      (id) => ![...evidence(id).values()].some((extent) => extent !== null),
    );
  };
  return {
    isUnplaced,
    hitsWithoutSpans: () => blind.size,
    matcherFor(run) {
      const version = chunkerVersionOf(run);
      return {
        kind: "docSpan",
        isUnplaced,
        match(query, ranking, chunkIds) {
          const evidence = chunkIds.map(evidenceOf(query, places));
          const inDocument = groupedBy(
            evidence.flatMap((documents, item) =>
              Array.from(documents, ([docId, extent]) => ({ docId, item, extent })),
            ),
            ({ docId }) => docId,
          );
          const ranks: number[] = [];
          const items: number[] = [];
          ranking.hits.forEach((hit, i) => {
            const expected = ranking.repeated.has(i) ? undefined : inDocument.get(hit.doc_id);
            if (expected === undefined) return;
            const spans = places.ofHit(hit, version);
            const place = spans === null ? null : extentOf(spans);
            // All chunks of a document that the golden set annotates share one extent, which may have
            // thousands of spans.
            let before: Extent | null = null;
            let isFound = true;
            for (const { item, extent } of expected) {
              if (extent !== null && place === null) blind.add(hit);
              if (extent !== before)
                isFound = extent === null || (place !== null && extentsOverlap(extent, place));
              before = extent;
              if (!isFound) continue;
              ranks.push(ranking.ranks[i] as number);
              items.push(item);
            }
          });
          return { ranks, items };
        },
      };
    },
  };
}

/**
 * The evidence for each expected chunk of a query. The `expected_spans` that belong to a chunk are those of
 * its document, or all where the document is unknown. (Pairing the two lists by position would make the
 * result depend on the order of ids.)
 */
function evidenceOf(query: GoldenQuery, places: ChunkPlaces): (chunkId: string) => Evidence {
  const spans = groupedBy(query.expected_spans ?? [], ({ doc_id }) => doc_id);
  const annotated = new Map(
    [...spans].flatMap(([docId, list]) => {
      const ofDocument = list.map(({ span }) => span);
      return hasExtent(ofDocument) ? [[docId, extentOf(ofDocument)] as const] : [];
    }),
  );
  const anywhere: Evidence =
    annotated.size > 0 ? annotated : new Map((query.expected_doc_ids ?? []).map((id) => [id, null]));
  return (chunkId) => {
    const place = places.expected(chunkId);
    if (place === undefined) return anywhere;
    return new Map([
      [place.docId, annotated.get(place.docId) ?? (place.spans === null ? null : extentOf(place.spans))],
    ]);
  };
}
