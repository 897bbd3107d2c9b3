import { lookAt } from "../files/index.js";
import { paperChunker, wholeDocumentChunker, type Chunker, type TextChunk } from "../chunk/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { decodeText, parseBenchFixture, parseCorpus, parseDocuments } from "../formats/index.js";
import { contentOf } from "./evaluate/chunks.js";
import { collectionFile } from "./read-bench-fixture.js";

/** A fixture is one JSON object; a corpus may be one, too, but does not call its documents so. */
const PAPERS = /^\s*\{[^]*"papers"\s*:\s*\[/;
/** The first record is a chunk, as those of a knowledge base are. */
const CHUNKS = /^\s*(?:\[\s*|\{\s*"chunks"\s*:\s*\[\s*)?\{[^{}]*"chunk_id"\s*:/;

/**
 * Reads what can be searched: documents (JSONL or JSON), a folder that has them in `corpus.jsonl`, the chunks
 * of a knowledge base, or the papers of a benchmark's fixture.
 *
 * @param chunker cuts documents, which are whole unless it is given; papers are cut as their judgments need
 * it.
 * @throws InputError with every problem, each with its place; `ARGUMENT` where chunks are to be cut.
 */
export async function readChunks(path: string, chunker?: Chunker): Promise<TextChunk[]> {
  const file = lookAt(path)?.isDirectory() === true ? collectionFile(path, "corpus") : path;
  const text = decodeText(await contentOf(file), file);
  if (PAPERS.test(text))
    return parseBenchFixture(text, file).papers.flatMap((paper) => paperChunker().chunk(paper));
  if (CHUNKS.test(text)) return readCutChunks(text, file, chunker !== undefined);
  const cut = chunker ?? wholeDocumentChunker();
  return parseDocuments(text, file).flatMap((document) => cut.chunk(document));
}

function readCutChunks(source: string, file: string, hasChunker: boolean): TextChunk[] {
  if (hasChunker)
    throw new InputError("ARGUMENT", `${file}: has chunks, which are not cut again; leave the chunker out`);
  return parseCorpus(source, file).chunks.map(({ title, text, ...chunk }) => {
    if (typeof text !== "string")
      throw new InputError("CORPUS_SHAPE", `${file}: chunk ${quote(chunk.chunk_id)} has no text to search`);
    return {
      chunk_id: chunk.chunk_id,
      doc_id: chunk.doc_id,
      title: typeof title === "string" ? title : "",
      text,
      ...(chunk.source_spans != null && { source_spans: chunk.source_spans }),
    };
  });
}
