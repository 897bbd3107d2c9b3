import { stemmer } from "stemmer";
import { eng } from "stopword";
import { UNSPACED_SCRIPTS } from "../foundation/text/index.js";

/**
 * How text becomes terms. The same analyzer must serve index and questions, so an index remembers its name.
 *
 * For those who implement it: `words` is called for each text, `term` once for each distinct word.
 */
export interface Analyzer {
  /** `english`; changes whenever the terms of any text would. */
  readonly name: string;
  /** The words of a text, in order, each as often as it occurs. */
  words(text: string): readonly string[];
  /** The term that a word is found by. */
  term(word: string): string;
  /**
   * Whether a word says nothing about what is asked for. It is indexed, but left out of questions that have
   * other words.
   */
  isStopWord?(word: string): boolean;
}

/** What an analyzer does with words; without anything words are their own terms. */
export interface AnalyzerOptions {
  readonly name: string;
  /**
   * Brings a text to the spelling in which `stem` and `stopWords` know words, before capitals become small:
   * for Turkish it makes of `I` an `ı`. Gets composed characters.
   */
  readonly spelling?: ((text: string) => string) | undefined;
  /** Brings the forms of a word together. Gets words in lower case. */
  readonly stem?: ((word: string) => string) | undefined;
  /** In lower case. */
  readonly stopWords?: Iterable<string> | undefined;
}

const LETTER = String.raw`[\p{L}\p{N}\p{Co}]`;
/** A letter of a script that is written without spaces between words, or with particles joined to them. */
const UNSPACED = `(?=${LETTER})[${UNSPACED_SCRIPTS}ー]`;
/** A mark belongs to the letter before it; by itself, as the colour of an emoji, it is no word. */
const WORDS = new RegExp(String.raw`(?:${UNSPACED}\p{M}*)+|(?:(?!${UNSPACED})${LETTER}\p{M}*)+`, "gu");
const ASCII_WORDS = /[a-z0-9]+/g;
const CHARACTERS = /\P{M}\p{M}*/gu;
/**
 * Soft hyphens, joiners, variation selectors, circles around letters: all that only says how a word looks. A
 * space of no width does part words.
 */
const ONLY_LOOKS = /(?!\u200b)[\p{DI}\p{Me}]+/gu;
const LATIN_MARKS = /(?<=\p{Script=Latin})\p{M}+/gu;
const isUnspaced = new RegExp(`^${UNSPACED}`, "u");
// eslint-disable-next-line no-control-regex -- all of ASCII is what is asked for
const isAscii = /^[\x00-\x7f]*$/;

/**
 * An analyzer of words: runs of letters and digits in lower case, without the accents of Latin letters.
 * Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese text, where spaces do not part words, becomes
 * single characters and pairs of neighbours.
 *
 * Characters as well as pairs: a question of one character finds its documents, and a pair still weighs more
 * than its parts.
 */
export function wordAnalyzer({ name, spelling, stem, stopWords = [] }: AnalyzerOptions): Analyzer {
  const wordsOf = (text: string): readonly string[] =>
    wordsIn(spelling === undefined ? text : spelling(text.normalize("NFKC")));
  // The tokenizer splits "don't" into "don" and "t"; "don" is no stop word because Don is a name.
  const stops = new Set(Array.from(stopWords, wordsOf).flatMap((words) => (words.length === 1 ? words : [])));
  return {
    name,
    words: wordsOf,
    term: (word) => withoutAccents(stem === undefined || isUnspaced.test(word) ? word : stem(word)),
    isStopWord: (word) => stops.has(word),
  };
}

function wordsIn(text: string): readonly string[] {
  if (isAscii.test(text)) return text.toLowerCase().match(ASCII_WORDS) ?? [];
  const words: string[] = [];
  for (const word of text.normalize("NFKC").toLowerCase().replace(ONLY_LOOKS, "").match(WORDS) ?? []) {
    if (isUnspaced.test(word)) addCharactersAndPairs(word, words);
    else words.push(word);
  }
  return words;
}

function addCharactersAndPairs(run: string, words: string[]): void {
  let before = "";
  for (const character of run.match(CHARACTERS) ?? []) {
    words.push(character);
    if (before !== "") words.push(before + character);
    before = character;
  }
}

function withoutAccents(word: string): string {
  return isAscii.test(word) ? word : word.normalize("NFD").replace(LATIN_MARKS, "").normalize("NFC");
}

/** Words as they are, for text of any language. */
export const plainAnalyzer: Analyzer = wordAnalyzer({ name: "plain" });

/** English: Porter's stemmer, and the stop words of the package `stopword`. */
export const englishAnalyzer: Analyzer = wordAnalyzer({
  name: "english",
  stem: (word) => porter(withoutAccents(word)),
  stopWords: eng,
});

/** The marks that `unicode61` knows: parts of a word, and left out of it. Any other mark ends a word. */
const UNICODE61_MARKS =
  String.raw`\u0300-\u0304\u0306-\u030c\u030f\u0311\u031b` +
  String.raw`\u0323-\u0328\u032d\u032e\u0330\u0331`;
const UNICODE61_WORDS = new RegExp(String.raw`${LETTER}[\p{L}\p{N}\p{Co}${UNICODE61_MARKS}]*`, "gu");
const UNICODE61_MARK = new RegExp(`[${UNICODE61_MARKS}]`, "g");
/** Small letters that are small forms of others. */
const UNICODE61_FOLDED: Readonly<Record<string, string>> = {
  ς: "σ",
  µ: "μ",
  ſ: "s",
  ϐ: "β",
  ϑ: "θ",
  ϕ: "φ",
  ϖ: "π",
  ϰ: "κ",
  ϱ: "ρ",
  ϵ: "ε",
};
const UNICODE61_SMALL = new RegExp(`[${Object.keys(UNICODE61_FOLDED).join("")}]`, "g");

/**
 * The tokens of SQLite's `porter unicode61`, for rankings that are those of an FTS5 table: runs of letters
 * and digits of any script, no stop words.
 *
 * SQLite's tables end with Unicode 6.1: newer symbols, such as ₽ and most emoji, and
 * unassigned characters are words there and none here.
 */
export const fts5Analyzer: Analyzer = {
  name: "fts5",
  words: (text) => text.toLowerCase().match(isAscii.test(text) ? ASCII_WORDS : UNICODE61_WORDS) ?? [],
  term: (word) =>
    porter(
      isAscii.test(word)
        ? word
        : word
            .replace(UNICODE61_MARK, "")
            .replace(UNICODE61_SMALL, (letter) => UNICODE61_FOLDED[letter] as string)
            .replace(/\p{Script=Latin}/gu, withoutOneAccent),
    ),
};

/** Letters with two accents keep both, and so do those that are not of the English alphabet without them. */
function withoutOneAccent(letter: string): string {
  const [base = "", ...marks] = letter.normalize("NFD");
  return marks.length === 1 && isAscii.test(base) ? base : letter;
}

/** SQLite stems words of 3 to 64 bytes. */
const [SHORTEST_STEMMED, LONGEST_STEMMED] = [3, 64];

function porter(word: string): string {
  const bytes = isAscii.test(word) ? word.length : utf8.encode(word).length;
  return bytes < SHORTEST_STEMMED || bytes > LONGEST_STEMMED ? word : stemmer(word);
}

const utf8 = new TextEncoder();
