/** A part of a text: half-open, in UTF-16 code units as `slice` takes them. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Ends a sentence where white space or the end of the text follows. */
const STOPS = ".!?…‽؟۔।॥።";
/** Ends a sentence at once: scripts that write these put no space after them. */
const STOPS_AT_ONCE = "。｡．！？";
const CLOSERS = "”’»›)\\]}）］｝」』】》〉〕";
/**
 * What may end a sentence: stops with what closes after them (a straight quote does where no word follows
 * it), or a line's end with the white space after it.
 */
const CANDIDATE = new RegExp(
  `[${STOPS}${STOPS_AT_ONCE}]+(?:[${CLOSERS}]|["'](?=[\\s"'${CLOSERS}]|$))*|[\\r\\n]\\s*`,
  "g",
);
const AT_ONCE = new RegExp(`[${STOPS_AT_ONCE}]`);
const SINGLE_POINT = new RegExp(`^\\.(?![${STOPS}])`);
const FULL_WIDTH_POINT = "．";
const BLANK_LINE = /^(?:\r\n|\r(?!\n)|\n)[^\r\n]*[\r\n]/;

/** Never the last word of a sentence. */
const ABBREVIATIONS = new Set([
  "al",
  "approx",
  "cf",
  "ca",
  "dr",
  "eq",
  "eqn",
  "eqs",
  "esp",
  "fig",
  "figs",
  "mr",
  "mrs",
  "ms",
  "mt",
  "prof",
  "ref",
  "refs",
  "resp",
  "sec",
  "sect",
  "st",
  "viz",
  "vs",
]);
/** Words of their own, unless a number follows. */
const ABBREVIATIONS_BEFORE_NUMBERS = new Set([
  "art",
  "ch",
  "chap",
  "ed",
  "no",
  "nos",
  "p",
  "par",
  "pp",
  "pt",
  "tab",
  "vol",
  "vols",
  ..."jan feb mar apr jun jul aug sep sept oct nov dec".split(" "),
]);
/**
 * `J`, `U.S`, `e.g`, `Ph.D`: ranges instead of Unicode's properties, which grow from one platform to the
 * next.
 */
const INITIALS = /^(?:[A-Z\u00c0-\u00de\u0391-\u03a9\u0400-\u042f]|(?:[A-Za-z]{1,2}\.)+[A-Za-z]{1,2})$/;
/** Longer than any abbreviation, so that a long word is not copied to be looked up. */
const LONGEST_ABBREVIATION = 12;

/**
 * The sentences of a text, in order: everything but white space is in exactly one of them.
 *
 * A sentence ends, with the quotes and brackets that close after it,
 * - after `.` `!` `?` `…` (and the stops of Arabic, Urdu, Hindi and Amharic) where white space or the end
 *   follows;
 * - after `。` `！` `？` and their like at once;
 * - at a blank line.
 *
 * A single `.` ends none after an initial or dotted letters (`J.`, `e.g.`), after a common abbreviation
 * (`Fig.`, `et al.`; `No.` and months before a number only), and after a number that is all there is so far
 * (`2. Method`). Decimal points have no white space after them. These are few rules of our own, English where
 * they are of a language: `Intl.Segmenter` knows more, but its data differ between platforms, and judgments
 * name what is cut here.
 */
export function sentenceRanges(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  let start = 0;
  const endAt = (end: number): void => {
    const range = trimRange(text, { start, end });
    if (range.start < range.end) ranges.push(range);
    start = end;
  };
  for (const { 0: found, index } of text.matchAll(CANDIDATE)) {
    const end = index + found.length;
    if (/^\s/.test(found) ? BLANK_LINE.test(found) : isStop(text, found, start, index)) endAt(end);
  }
  endAt(text.length);
  return ranges;
}

function isStop(text: string, found: string, sentenceStart: number, index: number): boolean {
  const next = text.charAt(index + found.length);
  if (AT_ONCE.test(found)) return found !== FULL_WIDTH_POINT || !/[0-9０-９]/.test(next);
  if (next !== "" && next.trim() !== "") return false;
  return !SINGLE_POINT.test(found) || !isAbbreviated(text, sentenceStart, index);
}

/** Whether the point at `index` belongs to the word before it. */
function isAbbreviated(text: string, sentenceStart: number, index: number): boolean {
  const near = text.slice(Math.max(sentenceStart, index - LONGEST_ABBREVIATION), index);
  const word = /[^\s"'“‘«([{（「]*$/.exec(near)?.[0] ?? "";
  if (/^[0-9]+$/.test(word)) return text.slice(sentenceStart, index).trim() === word;
  if (INITIALS.test(word)) return true;
  const plain = word.toLowerCase();
  return (
    ABBREVIATIONS.has(plain) ||
    (ABBREVIATIONS_BEFORE_NUMBERS.has(plain) && /^\s+[0-9]/.test(text.slice(index + 1, index + 4)))
  );
}

/** A range without white space at its ends; empty where there is nothing else. */
export function trimRange(text: string, { start, end }: TextRange): TextRange {
  const slice = text.slice(start, end);
  const from = end - slice.trimStart().length;
  return { start: from, end: Math.max(from, start + slice.trimEnd().length) };
}
