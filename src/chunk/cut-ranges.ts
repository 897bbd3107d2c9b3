import { expectShape, recordOf, text as someText } from "../foundation/checks/index.js";
import type { TextRange } from "./sentences.js";
import type { TextChunk, TextDocument } from "./text-chunk.js";
import { utf8Offsets } from "./utf8-offsets.js";

const DOCUMENT = recordOf(
  { id: someText, title: someText, text: someText },
  "give `id`, `title` and `text`, each a string",
);

/** @throws InputError `ARGUMENT` for what is no document: one without an id would make chunks of none. */
export function checkDocument(document: TextDocument): TextDocument {
  expectShape(document, DOCUMENT, "ARGUMENT", "a document");
  return document;
}

/**
 * Parts of a document's text as chunks `id#0`, `id#1`, …, with their spans. A document that has a title only
 * is one chunk of empty text: its title can still be found.
 */
export function cutRanges({ id, title, text }: TextDocument, ranges: readonly TextRange[]): TextChunk[] {
  const hasTitle = title.trim() !== "";
  const about = { doc_id: id, ...(hasTitle && { title }) };
  if (ranges.length === 0) return hasTitle ? [{ chunk_id: `${id}#0`, ...about, text: "" }] : [];
  const bytes = utf8Offsets(text);
  return ranges.map(({ start, end }, index) => ({
    chunk_id: `${id}#${index}`,
    ...about,
    text: text.slice(start, end),
    source_spans: [{ kind: "byte", start: bytes[start] as number, end: bytes[end] as number }],
  }));
}
