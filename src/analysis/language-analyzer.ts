import { InputError, quote } from "../foundation/errors/index.js";
import { nearestHint } from "../foundation/ids/index.js";
import { englishAnalyzer, fts5Analyzer, plainAnalyzer, wordAnalyzer, type Analyzer } from "./analyzer.js";

/** Languages with a Snowball stemmer, and what the package `stopword` calls them. */
const SNOWBALL: ReadonlyMap<string, string> = new Map(
  Object.entries({
    arabic: "ara",
    armenian: "hye",
    basque: "eus",
    catalan: "cat",
    czech: "ces",
    danish: "dan",
    dutch: "nld",
    finnish: "fin",
    french: "fra",
    german: "deu",
    hungarian: "hun",
    irish: "gle",
    italian: "ita",
    norwegian: "nob",
    portuguese: "por",
    romanian: "ron",
    russian: "rus",
    slovene: "slv",
    spanish: "spa",
    swedish: "swe",
    turkish: "tur",
  }),
);
/** How a language is spelled and stemmed otherwise than its stemmer does. */
interface Spelling {
  /** What stemmer and stop words know. */
  readonly spelling: (text: string) => string;
  readonly stem?: (word: string, stem: (word: string) => string) => string;
}

/** Where people write words otherwise than stemmer and stop words do; there were other terms before. */
const SPELLINGS: Readonly<Record<string, Spelling>> = {
  // Letters with a comma below, which computers had only with a cedilla for long.
  romanian: { spelling: respellWith({ ș: "ş", ț: "ţ", Ș: "Ş", Ț: "Ţ" }) },
  // The dots are left out more often than not.
  russian: { spelling: respellWith({ ё: "е", Ё: "Е" }) },
  turkish: { spelling: respellWith({ I: "ı", İ: "i", "i\u0307": "i" }), stem: stemTurkish },
};
const BUILT_IN: ReadonlyMap<string, Analyzer> = new Map(
  [englishAnalyzer, plainAnalyzer, fts5Analyzer].map((analyzer) => [analyzer.name, analyzer]),
);

/** Every name that {@link languageAnalyzer} knows. */
export const languageNames: readonly string[] = [...BUILT_IN.keys(), ...SNOWBALL.keys()];

/**
 * The analyzer of a language: Snowball's stemmer and a list of stop words, which are loaded when they are
 * first asked for. Each also serves Chinese, Japanese and Korean.
 *
 * @throws InputError `ARGUMENT` for a language that is not one of {@link languageNames}.
 */
export async function languageAnalyzer(language: string): Promise<Analyzer> {
  const known = BUILT_IN.get(language);
  if (known !== undefined) return known;
  const code = SNOWBALL.get(language);
  if (code === undefined) {
    throw new InputError(
      "ARGUMENT",
      `language must be one of ${languageNames.join(", ")}, got ` +
        `${quote(language)}${nearestHint(language, languageNames)}`,
    );
  }
  const [{ newStemmer }, lists] = await Promise.all([import("snowball-stemmers"), import("stopword")]);
  const stemmer = newStemmer(language);
  const own = SPELLINGS[language];
  const stem = (word: string): string => stemmer.stem(word);
  return wordAnalyzer({
    name: own === undefined ? language : `${language} 2`,
    spelling: own?.spelling,
    stem: own?.stem === undefined ? stem : (word) => own.stem?.(word, stem) ?? word,
    stopWords: (lists as unknown as Record<string, readonly string[]>)[code] ?? [],
  });
}

function respellWith(letters: Readonly<Record<string, string>>): (text: string) => string {
  const any = new RegExp(Object.keys(letters).join("|"), "gu");
  return (text) => text.replace(any, (letter) => letters[letter] as string);
}

/**
 * The stem of a Turkish word, or of one of another language in capitals: `IPHONE` has become `ıphone`, and
 * suffixes go by the vowels before them. The shortest stem of the word with the one and the other letter, and
 * as it is, is the same however it was written.
 */
function stemTurkish(word: string, stem: (word: string) => string): string {
  const [dotted, dotless] = [word.replaceAll("ı", "i"), word.replaceAll("i", "ı")];
  return [...new Set([word, dotted, dotless])]
    .map((each) => stem(each).replaceAll("ı", "i"))
    .reduce((best, each) =>
      each.length < best.length || (each.length === best.length && each < best) ? each : best,
    );
}
