import { groupBy } from "../foundation/columns/index.js";
import type { Answer, Citation, CorpusSnapshot } from "../records/index.js";
import { extentOf, extentsMeet } from "./extent.js";

/** Answers whether a citation points at a chunk that exists. */
export type CitationResolver = (citation: Citation) => boolean;

/**
 * Resolves citations against a corpus: by chunk id, or by the path of a document and a place that one of its
 * chunks covers. A cited caption is any caption of the document.
 */
export function citationResolver(corpus: CorpusSnapshot): CitationResolver {
  const ids = new Set(corpus.chunks.map(({ chunk_id }) => chunk_id));
  const covered = new Map(
    Array.from(
      groupBy(corpus.chunks, ({ doc_path, doc_id }) => doc_path ?? doc_id),
      ([path, chunks]) => {
        const spans = chunks.flatMap(({ source_spans }) => source_spans ?? []);
        return [path, { extent: extentOf(spans), hasCaption: spans.some(({ kind }) => kind === "caption") }];
      },
    ),
  );
  return (citation) => {
    if (typeof citation["chunk_id"] === "string" && ids.has(citation["chunk_id"])) return true;
    const place = citation.kind === undefined ? undefined : covered.get(citation.path);
    if (place === undefined) return false;
    return citation.kind === "caption" ? place.hasCaption : extentsMeet(extentOf([citation]), place.extent);
  };
}

/** Whether an answer has citations and every one of them resolves. */
export function citesOnlyRealChunks(answer: Answer, resolves: CitationResolver): boolean {
  const citations = answer.citations ?? [];
  return citations.length > 0 && citations.every(({ citation }) => resolves(citation));
}
