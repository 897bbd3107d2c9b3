import { stemmer } from "stemmer";
import { eng } from "stopword";

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
  /** Whether a word says nothing about what is asked for. It is indexed, but left out of questions that have other words. */
  isStopWord?(word: string): boolean;
}

/** What an analyzer does with words; without anything words are their own terms. */
export interface AnalyzerOptions {
  readonly name: string;
  /** Brings the forms of a word together. Gets words in lower case. */
  readonly stem?: ((word: string) => string) | undefined;
  /** In lower case. */
  readonly stopWords?: Iterable<string> | undefined;
}

/** Scripts that are written without spaces between words, or with particles joined to them. */
const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]`;
const WORDS = new RegExp(String.raw`${CJK}+|(?:(?!${CJK})[\p{L}\p{N}\p{M}\p{Co}])+`, "gu");
const UNICODE61_WORDS = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const ASCII_WORDS = /[a-z0-9]+/g;
const isCjk = new RegExp(`^${CJK}`, "u");
// eslint-disable-next-line no-control-regex -- all of ASCII is what is asked for
const isAscii = /^[\x00-\x7f]*$/;
const LATIN_MARKS = /(?<=\p{Script=Latin})\p{M}+/gu;

/**
 * An analyzer of words: runs of letters and digits in lower case, without the accents of Latin letters. Chinese, Japanese and Korean text,
 * where spaces do not part words, becomes single characters and pairs of neighbours.
 *
 * Characters as well as pairs: a question of one character finds its documents, and a pair still weighs more than its parts.
 */
export function wordAnalyzer({ name, stem, stopWords = [] }: AnalyzerOptions): Analyzer {
  const stops = new Set(stopWords);
  return {
    name,
    words(text) {
      if (isAscii.test(text)) return text.toLowerCase().match(ASCII_WORDS) ?? [];
      const words: string[] = [];
      for (const word of text.normalize("NFKC").toLowerCase().match(WORDS) ?? []) {
        if (isCjk.test(word)) addCharactersAndPairs(word, words);
        else words.push(word);
      }
      return words;
    },
    term: (word) => withoutAccents(stem === undefined || isCjk.test(word) ? word : stem(word)),
    isStopWord: (word) => stops.has(word),
  };
}

function addCharactersAndPairs(run: string, words: string[]): void {
  let before = "";
  for (const character of run) {
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
export const englishAnalyzer: Analyzer = wordAnalyzer({ name: "english", stem: porter, stopWords: eng });

/** The tokens of SQLite's `porter unicode61`, for rankings that are those of an FTS5 table: runs of letters and digits of any script, no stop words. */
export const fts5Analyzer: Analyzer = {
  name: "fts5",
  words: (text) => text.toLowerCase().match(isAscii.test(text) ? ASCII_WORDS : UNICODE61_WORDS) ?? [],
  term: porter,
};

/** SQLite stems words of 3 to 64 bytes. */
const [SHORTEST_STEMMED, LONGEST_STEMMED] = [3, 64];

function porter(word: string): string {
  const plain = withoutAccents(word);
  return plain.length < SHORTEST_STEMMED || plain.length > LONGEST_STEMMED ? plain : stemmer(plain);
}
