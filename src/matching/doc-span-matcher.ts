import { expectedChunkIds } from "../golden-set.js";
import type { ChunkRecord, EvalRun, GoldenQuery, SearchHit, Span } from "../schema/index.js";
import { chunkerVersionOf, chunkPlaces, type ChunkPlaces } from "./chunk-places.js";
import { extentOf, hasExtent, type Extent } from "./extent.js";
import type { Matcher } from "./matcher.js";
import { extentsOverlap } from "./overlap.js";

/** What a hit is held against for one expected chunk: by document, where in it; null means that the whole document counts. */
type Evidence = ReadonlyMap<string, Extent | null>;

/** Matching across chunkers: by the document and the place in it, instead of by chunk ids that cannot be the same. */
export interface DocSpanMatching {
  /** The matcher for the hits of one run. */
  matcherFor(run: EvalRun): Matcher;
  /** Whether a query expects a chunk whose spans nobody knows, so that any hit in its document counts. */
  isUnplaced(query: GoldenQuery): boolean;
  /** How many hits so far lay in the right document but had no spans, and so could not count. */
  hitsWithoutSpans(): number;
}

/**
 * Matching by document and span. A hit stands for an expected chunk when it lies in its document and their spans share at
 * least half of the smaller side.
 *
 * @param known chunks whose places are known: of the knowledge base, now and earlier.
 * @param runs where spans of expected chunks are looked for when neither the golden set nor `known` has them.
 */
export function docSpanMatching(queries: readonly GoldenQuery[], known: readonly ChunkRecord[], runs: readonly EvalRun[]): DocSpanMatching {
  const places = chunkPlaces(expectedChunkIds(queries), known, runs);
  const blind = new Set<SearchHit>();
  const isUnplaced = (query: GoldenQuery): boolean => (query.expected_chunk_ids ?? []).some((id) => ![...evidenceFor(query, id, places).values()].some((extent) => extent !== null));
  return {
    isUnplaced,
    hitsWithoutSpans: () => blind.size,
    matcherFor(run) {
      const version = chunkerVersionOf(run);
      return {
        kind: "docSpan",
        isUnplaced,
        match(query, ranking, chunkIds) {
          const evidence = chunkIds.map((id) => evidenceFor(query, id, places));
          const ranks: number[] = [];
          const items: number[] = [];
          ranking.hits.forEach((hit, i) => {
            if (ranking.repeated.has(i) || !evidence.some((documents) => documents.has(hit.doc_id))) return;
            const spans = places.ofHit(hit, version);
            const place = spans === null ? null : extentOf(spans);
            evidence.forEach((documents, item) => {
              const extent = documents.get(hit.doc_id);
              if (extent === undefined) return;
              if (extent !== null && place === null) blind.add(hit);
              if (extent !== null && (place === null || !extentsOverlap(extent, place))) return;
              ranks.push(ranking.ranks[i] as number);
              items.push(item);
            });
          });
          return { ranks, items };
        },
      };
    },
  };
}

function evidenceFor(query: GoldenQuery, chunkId: string, places: ChunkPlaces): Evidence {
  const place = places.expected(chunkId);
  const annotated = annotatedSpans(query, place?.docId);
  if (annotated.size > 0) return annotated;
  if (place === undefined) return new Map((query.expected_doc_ids ?? []).map((id) => [id, null]));
  return new Map([[place.docId, place.spans === null ? null : extentOf(place.spans)]]);
}

/**
 * The `expected_spans` that belong to one expected chunk, by document: those of its document, or all where nobody knows it.
 * (Pairing the two lists by position would make the result depend on the order of ids.)
 */
function annotatedSpans(query: GoldenQuery, docId: string | undefined): Evidence {
  const byDocument = new Map<string, Span[]>();
  for (const { doc_id, span } of query.expected_spans ?? []) {
    if (docId !== undefined && doc_id !== docId) continue;
    const spans = byDocument.get(doc_id);
    if (spans === undefined) byDocument.set(doc_id, [span]);
    else spans.push(span);
  }
  return new Map([...byDocument].filter(([, spans]) => hasExtent(spans)).map(([id, spans]) => [id, extentOf(spans)]));
}
