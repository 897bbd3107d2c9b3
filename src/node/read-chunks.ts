import { lookAt } from "../files/index.js";
import { paperChunker, wholeDocumentChunker, type Chunker, type TextChunk } from "../chunk/index.js";
import { decodeText, parseBenchFixture, parseDocuments } from "../formats/index.js";
import { contentOf } from "./evaluate/chunks.js";
import { collectionFile } from "./read-bench-fixture.js";

/** A fixture is one JSON object; a corpus may be one, too, but does not call its documents so. */
const PAPERS = /^\s*\{[^]*"papers"\s*:\s*\[/;

/**
 * Reads what can be searched: documents (JSONL or JSON), a folder that has them in `corpus.jsonl`, or the
 * papers of a benchmark's fixture.
 *
 * @param chunker cuts documents, which are whole unless it is given; papers are cut as their judgments need
 * it.
 * @throws InputError with every problem, each with its place.
 */
export async function readChunks(
  path: string,
  chunker: Chunker = wholeDocumentChunker(),
): Promise<TextChunk[]> {
  const file = lookAt(path)?.isDirectory() === true ? collectionFile(path, "corpus") : path;
  const text = decodeText(await contentOf(file), file);
  if (PAPERS.test(text))
    return parseBenchFixture(text, file).papers.flatMap((paper) => paperChunker().chunk(paper));
  return parseDocuments(text, file).flatMap((document) => chunker.chunk(document));
}
