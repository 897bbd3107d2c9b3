import type { Paper } from "../records/index.js";
import { sentenceCuts } from "./sentence-cuts.js";
import type { Chunker } from "./text-chunk.js";

/** The limits that the judgments of paper fixtures are made with: others would give other references. */
const CUTS = { maxCharacters: 900, overlap: 120 };

/**
 * The sections of a paper as chunks `paper_id:section:index`: `overview`, `abstract`, then each field of the
 * structured card under its own key.
 *
 * White space of a section is folded. Up to 900 characters are one chunk; longer text is cut between
 * sentences, and each further chunk begins with the last 120 characters of the one before, which count
 * towards its 900. An empty section gives none. What is folded and put together lies nowhere in a document,
 * so that there are no spans; the title stands in the overview and is no field of its own.
 */
export function paperChunker(): Chunker<Paper> {
  return {
    version: `paper-1(max=${CUTS.maxCharacters},overlap=${CUTS.overlap})`,
    chunk: (paper) =>
      sectionsOf(paper).flatMap(([section, text]) => {
        const folded = text.trim().replace(/\s+/g, " ");
        return sentenceCuts(folded, CUTS).map(({ start, end }, index) => ({
          chunk_id: `${paper.paper_id}:${section}:${index}`,
          doc_id: String(paper.paper_id),
          text: folded.slice(start, end),
        }));
      }),
  };
}

/** Names and texts, in order. */
function sectionsOf({ title, year, venue, abstract, structured_card }: Paper): [string, string][] {
  const about = [
    ["Title", title],
    ["Year", year],
    ["Venue", venue],
  ] as const;
  const overview = about
    .filter(([, value]) => isFilled(value))
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  // What stands under `__proto__` is a section like any other, but schemas look past it: it can be anything.
  const card = Object.entries(structured_card).map(([key, value]): [string, string] => [
    key,
    Array.isArray(value)
      ? value
          .filter(isFilled)
          .map((item) => `- ${item}`)
          .join("\n")
      : String(value),
  ]);
  return [["overview", overview], ["abstract", abstract], ...card];
}

function isFilled(value: string | number | null | undefined): boolean {
  return value !== null && value !== undefined && String(value).trim() !== "";
}
