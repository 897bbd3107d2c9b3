import { charactersAfter, charactersBefore, cutBefore, startAfter } from "./characters.js";
import type { ChunkerCard } from "./chunker-card.js";
import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { checkDocument, cutRanges } from "./cut-ranges.js";
import { trimRange, type TextRange } from "./sentences.js";
import type { Chunker } from "./text-chunk.js";

/** How wide the windows are, and how far each reaches back into the one before. */
export type WindowOptions = {
  /** In the unit of the width; less than it. Default 0. */
  readonly overlap?: number | undefined;
} & (
  | {
      /** Unicode code points, white space included. */
      readonly characters: number;
    }
  | {
      /**
       * Runs of anything but white space: not for Chinese, Japanese or Thai, which put none between words.
       */
      readonly words: number;
    }
);

/**
 * Chunks of one width, whatever the text says: the plainest chunker, to compare others with. Windows of
 * characters tear words, but no characters.
 *
 * @throws InputError `ARGUMENT` for a width or an overlap that is not possible.
 */
export function windowChunker(options: WindowOptions): Chunker {
  checkKnownOptions<{ characters?: number; words?: number; overlap?: number | undefined }>(options, [
    "characters",
    "words",
    "overlap",
  ]);
  const [unit, width, windows] =
    "words" in options
      ? (["words", options.words, wordWindows] as const)
      : (["characters", options.characters, characterWindows] as const);
  const { overlap = 0 } = options;
  wholeNumber(`windowChunker: ${unit}`, width, 1);
  wholeNumber("windowChunker: overlap", overlap, 0, width - 1);
  return {
    version: `window-1(${unit}=${width},overlap=${overlap})`,
    chunk: (document) => cutRanges(document, windows(checkDocument(document).text, width, overlap)),
  };
}

function wordWindows(text: string, width: number, overlap: number): TextRange[] {
  const words = Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
  }));
  const windows: TextRange[] = [];
  // A window that would hold nothing but the overlap is not made.
  for (
    let first = 0;
    first === 0 ? words.length > 0 : first + overlap < words.length;
    first += width - overlap
  ) {
    windows.push({
      start: (words[first] as TextRange).start,
      end: (words[Math.min(first + width, words.length) - 1] as TextRange).end,
    });
  }
  return windows;
}

function characterWindows(text: string, width: number, overlap: number): TextRange[] {
  const windows: TextRange[] = [];
  const { start: first, end: last } = trimRange(text, { start: 0, end: text.length });
  for (
    let start = first, end = first;
    end < last;
    start = startAfter(text, start, charactersBefore(text, end, overlap), end)
  ) {
    const before = end;
    end = cutBefore(text, before, Math.min(charactersAfter(text, start, width), last));
    const window = trimRange(text, { start, end });
    // Not where nothing but white space is new.
    if (window.start < window.end && window.end > before) windows.push(window);
  }
  return windows;
}

const USUAL_WORDS = 150;
const USUAL_OVERLAP = 30;
/** Of short windows the usual overlap is no more than one word in so many. */
const WORDS_PER_OVERLAP = 5;

export const windowChunkerCard: ChunkerCard = {
  name: "windows",
  size: { unit: "words", usual: USUAL_WORDS, usualOverlap: USUAL_OVERLAP },
  make: ({
    size = USUAL_WORDS,
    overlap = Math.min(USUAL_OVERLAP, Math.floor(size / WORDS_PER_OVERLAP)),
  } = {}) => windowChunker({ words: size, overlap }),
};
