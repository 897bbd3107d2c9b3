import type { ChunkerCard } from "./chunker-card.js";
import { checkDocument, cutRanges } from "./cut-ranges.js";
import { trimRange } from "./sentences.js";
import type { Chunker } from "./text-chunk.js";

/** Every document as one chunk that has its id: for collections whose documents are judged, and are short. */
export function wholeDocumentChunker(): Chunker {
  return {
    version: "whole-1",
    chunk: (document) => {
      checkDocument(document);
      const range = trimRange(document.text, { start: 0, end: document.text.length });
      return cutRanges(document, range.start < range.end ? [range] : []).map((chunk) => ({
        ...chunk,
        chunk_id: document.id,
      }));
    },
  };
}

export const wholeDocumentChunkerCard: ChunkerCard = { name: "whole", make: wholeDocumentChunker };
