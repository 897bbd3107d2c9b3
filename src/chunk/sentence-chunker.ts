import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import type { ChunkerCard } from "./chunker-card.js";
import { checkDocument, cutRanges } from "./cut-ranges.js";
import { sentenceCuts, type SentenceCutOptions } from "./sentence-cuts.js";
import type { Chunker } from "./text-chunk.js";

/** About as much as embedding models and readers take in at once. */
const DEFAULT_MAX_CHARACTERS = 900;

/**
 * Chunks of whole sentences, as many as fit into `maxCharacters` (900): the chunker to begin with, for any
 * language.
 *
 * @throws InputError `ARGUMENT` for a limit or an overlap (0) that is not possible.
 */
export function sentenceChunker(
  options: { [Key in keyof SentenceCutOptions]?: SentenceCutOptions[Key] | undefined } = {},
): Chunker {
  const { maxCharacters = DEFAULT_MAX_CHARACTERS, overlap = 0 } = checkKnownOptions(options, [
    "maxCharacters",
    "overlap",
  ]);
  wholeNumber("sentenceChunker: maxCharacters", maxCharacters, 1);
  wholeNumber("sentenceChunker: overlap", overlap, 0, maxCharacters - 1);
  return {
    version: `sentences-1(max=${maxCharacters},overlap=${overlap})`,
    chunk: (document) =>
      cutRanges(document, sentenceCuts(checkDocument(document).text, { maxCharacters, overlap })),
  };
}

export const sentenceChunkerCard: ChunkerCard = {
  name: "sentences",
  size: { unit: "characters", usual: DEFAULT_MAX_CHARACTERS, usualOverlap: 0 },
  make: ({ size, overlap } = {}) => sentenceChunker({ maxCharacters: size, overlap }),
};
