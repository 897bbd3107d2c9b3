import { charactersAfter, charactersBefore, cutBefore, startAfter } from "./characters.js";
import { sentenceRanges, trimRange, type TextRange } from "./sentences.js";

/** How sentences are gathered into chunks. Characters are Unicode code points. */
export interface SentenceCutOptions {
  /** The most characters of a chunk, those that repeat the chunk before included. From 1. */
  readonly maxCharacters: number;
  /** So many characters of the chunk before begin each further one. Less than `maxCharacters`. */
  readonly overlap: number;
}

/**
 * A text as overlapping ranges of whole sentences, each as many as fit. A sentence that is too long by itself
 * is cut at the last white space that fits, else where the limit falls, but not inside a character. An
 * overlap that would begin inside a character is that much shorter; between sentences that lie so far apart
 * that nothing new would fit there is none.
 */
export function sentenceCuts(text: string, { maxCharacters, overlap }: SentenceCutOptions): TextRange[] {
  const sentences = sentenceRanges(text);
  const cuts: TextRange[] = [];
  // The first sentence that is not wholly in a chunk, and where the part of it that is in none begins.
  let next = 0;
  let fresh = sentences[0]?.start ?? 0;
  while (next < sentences.length) {
    const start = startOf(text, fresh, cuts.at(-1), maxCharacters, overlap);
    const limit = charactersAfter(text, start, maxCharacters);
    const first = next;
    while ((sentences[next]?.end ?? Infinity) <= limit) next++;
    const end = next > first ? (sentences[next - 1] as TextRange).end : cutWithin(text, fresh, limit);
    cuts.push({ start, end });
    fresh =
      next > first
        ? (sentences[next]?.start ?? end)
        : trimRange(text, { start: end, end: (sentences[next] as TextRange).end }).start;
  }
  return cuts;
}

/** Where a chunk begins whose new part begins at `fresh`. */
function startOf(
  text: string,
  fresh: number,
  before: TextRange | undefined,
  maxCharacters: number,
  overlap: number,
): number {
  if (before === undefined) return fresh;
  const repeated = startAfter(text, before.start, charactersBefore(text, before.end, overlap), before.end);
  return repeated < before.end && charactersAfter(text, repeated, maxCharacters) > fresh ? repeated : fresh;
}

/** Where a sentence that goes on beyond the limit is cut: not before `fresh + 1`, not after `limit`. */
function cutWithin(text: string, fresh: number, limit: number): number {
  for (let end = limit; end > fresh; end--)
    if (/\s/.test(text.charAt(end))) return trimRange(text, { start: fresh, end }).end;
  return cutBefore(text, fresh, limit);
}
