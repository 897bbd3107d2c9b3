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
  return wordAnalyzer({
    name: language,
    stem: (word) => stemmer.stem(word),
    stopWords: (lists as unknown as Record<string, readonly string[]>)[code] ?? [],
  });
}
