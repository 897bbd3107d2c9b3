import type { ChunkRecord, EvalRun, GoldenQuery, SearchHit, Span } from "../schema/index.js";
import { chunkPlaces, type ChunkPlaces } from "./chunk-places.js";
import { extentOf, hasExtent, type Extent } from "./extent.js";
import type { Matcher } from "./matcher.js";
import { extentsOverlap } from "./overlap.js";

/** What a hit is held against for one expected chunk. */
interface Evidence {
  /** The documents that count: the chunk's own, or all expected ones when nobody knows it. */
  readonly docIds: readonly string[];
  /** Where in the document; null means that the whole document counts. */
  readonly extent: Extent | null;
}

/** Matches across chunkers: by the document and the place in it, instead of by chunk ids that cannot be the same. */
export interface DocSpanMatcher extends Matcher {
  readonly kind: "docSpan";
  /** The expected chunks of a query whose spans nobody knows, so that any hit in their document counts. */
  unplaced(query: GoldenQuery): string[];
  /** How many hits so far lay in the right document but had no spans, and so could not count. */
  hitsWithoutSpans(): number;
}

/**
 * A matcher by document and span. A hit stands for an expected chunk when it lies in its document and their spans share at
 * least half of the smaller side.
 *
 * @param places chunks whose places are known: of the knowledge base, now and earlier.
 * @param runs where spans of expected chunks are looked for when neither the golden set nor `places` has them.
 */
export function docSpanMatcher(queries: readonly GoldenQuery[], places: readonly ChunkRecord[], runs: readonly EvalRun[]): DocSpanMatcher {
  const expectedIds = new Set<string>();
  for (const query of queries) {
    for (const id of query.expected_chunk_ids ?? []) expectedIds.add(id);
    for (const judgment of query.judgments ?? []) if ("chunk_id" in judgment) expectedIds.add(judgment.chunk_id);
  }
  const lookup = chunkPlaces(expectedIds, places, runs);
  const blind = new Set<SearchHit>();
  return {
    kind: "docSpan",
    hitsWithoutSpans: () => blind.size,
    unplaced: (query) => (query.expected_chunk_ids ?? []).filter((id) => evidenceFor(query, id, lookup).extent === null),
    match(query, ranking, chunkIds) {
      const evidence = chunkIds.map((id) => evidenceFor(query, id, lookup));
      const wanted = new Set(evidence.flatMap(({ docIds }) => docIds));
      const ranks: number[] = [];
      const items: number[] = [];
      ranking.hits.forEach((hit, i) => {
        if (ranking.repeated.has(i) || !wanted.has(hit.doc_id)) return;
        const spans = lookup.ofHit(hit);
        const extent = spans === null ? null : extentOf(spans);
        evidence.forEach((item, index) => {
          if (!item.docIds.includes(hit.doc_id)) return;
          if (item.extent !== null && extent === null) blind.add(hit);
          if (item.extent !== null && (extent === null || !extentsOverlap(item.extent, extent))) return;
          ranks.push(ranking.ranks[i] as number);
          items.push(index);
        });
      });
      return { ranks, items };
    },
  };
}

function evidenceFor(query: GoldenQuery, chunkId: string, places: ChunkPlaces): Evidence {
  const place = places.expected(chunkId);
  const annotated = annotatedSpans(query, place?.docId);
  if (annotated !== undefined) return { docIds: [annotated.docId], extent: extentOf(annotated.spans) };
  if (place === undefined) return { docIds: query.expected_doc_ids ?? [], extent: null };
  return { docIds: [place.docId], extent: place.spans === null ? null : extentOf(place.spans) };
}

/**
 * The `expected_spans` that belong to one expected chunk: those in its document, which is the only one they name where nobody
 * knows it. (Pairing the two lists by position would make the result depend on the order of ids.)
 */
function annotatedSpans(query: GoldenQuery, docId: string | undefined): { docId: string; spans: Span[] } | undefined {
  const annotated = query.expected_spans ?? [];
  const documents = new Set(annotated.map(({ doc_id }) => doc_id));
  const document = docId ?? (documents.size === 1 ? annotated[0]?.doc_id : undefined);
  const spans = annotated.filter(({ doc_id }) => doc_id === document).map(({ span }) => span);
  return document === undefined || !hasExtent(spans) ? undefined : { docId: document, spans };
}
