import { groupBy } from "../foundation/columns/index.js";
import type { Answer, ChunkRecord, Citation, CorpusSnapshot } from "../records/index.js";
import type { ChunkPlace } from "./chunk-places.js";
import { areComparable, extentOf, extentsMeet, type Extent } from "./extent.js";

/** Where a chunk of the run lies, for runs of another chunker than the corpus. */
export type PlaceOf = (chunkId: string) => ChunkPlace | undefined;

/** Answers whether a citation points at a chunk that exists. */
export type CitationResolver = (citation: Citation, placeOf?: PlaceOf) => boolean;

/**
 * Resolves citations against a corpus: by chunk id, or by the path of a document and a place that one of its
 * chunks covers. A cited caption is any caption of the document. The chunk of another chunker resolves where
 * the corpus covers its place.
 */
export function citationResolver({ chunks }: CorpusSnapshot): CitationResolver {
  const ids = new Set(chunks.map(({ chunk_id }) => chunk_id));
  const covered = findCoverage(chunks, ({ doc_path, doc_id }) => doc_path ?? doc_id);
  let documents: ReadonlyMap<string, Coverage> | undefined;
  return (citation, placeOf) => {
    const id = citation["chunk_id"];
    if (typeof id === "string") {
      if (ids.has(id)) return true;
      const chunk = placeOf?.(id);
      documents ??= findCoverage(chunks, ({ doc_id }) => doc_id);
      const document = chunk && documents.get(chunk.docId);
      // Lines and bytes cannot be compared; then being in the document is enough.
      if (document && (chunk.spans === null || meetsOrUnlike(extentOf(chunk.spans), document.extent)))
        return true;
    }
    const cited = citation.kind === undefined ? undefined : covered.get(citation.path);
    if (cited === undefined) return false;
    return citation.kind === "caption" ? cited.hasCaption : extentsMeet(extentOf([citation]), cited.extent);
  };
}

/** Whether two extents have anything in common, or are of kinds that cannot be compared: lines and bytes. */
function meetsOrUnlike(a: Extent, b: Extent): boolean {
  return extentsMeet(a, b) || !areComparable(a, b);
}

/** What chunks cover of a document. */
interface Coverage {
  readonly extent: Extent;
  readonly hasCaption: boolean;
}

function findCoverage(
  chunks: readonly ChunkRecord[],
  documentOf: (chunk: ChunkRecord) => string,
): ReadonlyMap<string, Coverage> {
  return new Map(
    Array.from(groupBy(chunks, documentOf), ([document, own]) => {
      const spans = own.flatMap(({ source_spans }) => source_spans ?? []);
      return [
        document,
        { extent: extentOf(spans), hasCaption: spans.some(({ kind }) => kind === "caption") },
      ];
    }),
  );
}

/** Whether an answer has citations and every one of them resolves. */
export function citesOnlyRealChunks(answer: Answer, resolves: CitationResolver, placeOf?: PlaceOf): boolean {
  const citations = answer.citations ?? [];
  return citations.length > 0 && citations.every(({ citation }) => resolves(citation, placeOf));
}
