import type { Span } from "../records/index.js";

/** A document as it is cut into chunks, or indexed whole. */
export interface TextDocument {
  readonly id: string;
  /** Searched as a field of its own; empty where there is none. */
  readonly title: string;
  readonly text: string;
}

/** A piece of a document, as it is indexed. */
export interface TextChunk {
  /** Stable from run to run, so that judgments can name it. */
  readonly chunk_id: string;
  readonly doc_id: string;
  /** Of the document; searched as a field of its own. */
  readonly title?: string | undefined;
  readonly text: string;
  /** Where the text lies in that of its document: half-open ranges of UTF-8 bytes. */
  readonly source_spans?: readonly Span[] | undefined;
}

/** Cuts documents, of texts or of another kind. The same document and version always give the same chunks. */
export interface Chunker<Source = TextDocument> {
  /**
   * Changes whenever the chunks of any text would; runs of different versions are compared by document and
   * span.
   */
  readonly version: string;
  /**
   * The chunks of one document, in the order of its text; none for a document that says nothing, one of empty
   * text where it has a title only.
   */
  chunk(document: Source): readonly TextChunk[];
}
