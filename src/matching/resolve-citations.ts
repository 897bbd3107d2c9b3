import type { Answer, ChunkRecord, Citation, CorpusSnapshot } from "../schema/index.js";
import { citesAnyOf } from "./overlap.js";

/** Answers whether a citation points at a chunk that exists. */
export type CitationResolver = (citation: Citation) => boolean;

/** Resolves citations against a corpus: by chunk id, or by the path of a document and a place that one of its chunks covers. */
export function citationResolver(corpus: CorpusSnapshot): CitationResolver {
  const ids = new Set<string>();
  const byPath = new Map<string, ChunkRecord[]>();
  for (const chunk of corpus.chunks) {
    ids.add(chunk.chunk_id);
    const path = chunk.doc_path ?? chunk.doc_id;
    const chunks = byPath.get(path);
    if (chunks === undefined) byPath.set(path, [chunk]);
    else chunks.push(chunk);
  }
  return (citation) => {
    if (typeof citation["chunk_id"] === "string" && ids.has(citation["chunk_id"])) return true;
    if (citation.kind === undefined) return false;
    return (byPath.get(citation.path) ?? []).some((chunk) => citesAnyOf(citation, chunk.source_spans ?? []));
  };
}

/** Whether an answer has citations and every one of them resolves. */
export function citesOnlyRealChunks(answer: Answer, resolves: CitationResolver): boolean {
  const citations = answer.citations ?? [];
  return citations.length > 0 && citations.every(({ citation }) => resolves(citation));
}
