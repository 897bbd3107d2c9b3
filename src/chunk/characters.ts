/**
 * The position `count` characters after another, at most the end of the text. Characters are Unicode code
 * points, the same in every language that reads a fixture; positions are in UTF-16 code units, as `slice`
 * takes them.
 */
export function charactersAfter(text: string, from: number, count: number): number {
  let position = from;
  for (let left = count; left > 0 && position < text.length; left--)
    position += (text.codePointAt(position) as number) > 0xffff ? 2 : 1;
  return position;
}

/** The position `count` characters before another, at least the beginning of the text. */
export function charactersBefore(text: string, from: number, count: number): number {
  let position = from;
  for (let left = count; left > 0 && position > 0; left--)
    position -= isInsidePair(text, position - 1) ? 2 : 1;
  return position;
}

/** Whether a position lies between the halves of one character. */
function isInsidePair(text: string, position: number): boolean {
  return position > 0 && (text.codePointAt(position - 1) as number) > 0xffff;
}

/**
 * Marks of any script, joiners, skin tones, and the vowels and finals of decomposed Hangul: they belong to
 * the character before them.
 */
const JOINS_THE_ONE_BEFORE = /^[\p{M}\u200d\u1160-\u11ff\uff9e\uff9f\u{1f3fb}-\u{1f3ff}]/u;
/** A flag is two letters of two code units each. */
const FLAG_LETTER_LENGTH = 2;

/**
 * Whether what a reader sees as one character would be torn by a cut here. Short of Unicode's grapheme
 * clusters, but enough for marks, emoji and flags.
 *
 * @param origin a place before, where no character is torn: flags are counted from there.
 */
function isInsideCharacter(text: string, origin: number, position: number): boolean {
  if (position <= origin || position >= text.length) return false;
  if (isInsidePair(text, position) || text[position - 1] === "\u200d") return true;
  if (JOINS_THE_ONE_BEFORE.test(String.fromCodePoint(text.codePointAt(position) as number))) return true;
  if (!isFlagLetter(text, position)) return false;
  let first = position;
  while (first > origin && isFlagLetter(text, first - FLAG_LETTER_LENGTH)) first -= FLAG_LETTER_LENGTH;
  return ((position - first) / FLAG_LETTER_LENGTH) % 2 === 1;
}

function isFlagLetter(text: string, position: number): boolean {
  const letter = text.codePointAt(position) ?? 0;
  return letter >= 0x1f1e6 && letter <= 0x1f1ff;
}

/**
 * The last position up to `limit` that tears no character, after `origin`, which tears none; `limit` itself
 * where there is none.
 */
export function cutBefore(text: string, origin: number, limit: number): number {
  for (let position = limit; position > origin; position--)
    if (!isInsideCharacter(text, origin, position)) return position;
  return limit;
}

/**
 * The first position from `from` to `limit` that tears no character, not before `origin`, which tears none.
 */
export function startAfter(text: string, origin: number, from: number, limit: number): number {
  let position = Math.max(origin, from);
  while (position < limit && isInsideCharacter(text, origin, position)) position++;
  return position;
}
