import type { Analyzer } from "../analysis/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { digestOf } from "./content-hash.js";

/** How much of a question an item holds, by words. */
export interface Overlap {
  /** What tells the corpus from another one: SHA-256 of how many items have each word. */
  digest(): string;
  /**
   * The share of the question's distinct words, weighted by their idf, that each of several texts holds, from
   * 0 to 1. Words that say nothing are left out where the question has others.
   */
  shares(query: string, items: readonly (readonly string[])[]): number[];
}

/** Items whose words are kept; more would take too much memory. */
const MOST_KEPT = 10_000;

/**
 * Shares of a question's words over a corpus. The idf is BM25's, ln(1 + (N - n + 0.5) / (n + 0.5)), as in
 * {@link https://doi.org/10.1561/1500000019}.
 *
 * @param corpus the texts of every item.
 */
export function overlapOver(corpus: Iterable<readonly string[]>, analyzer: Analyzer): Overlap {
  const documents = new Map<string, number>();
  let count = 0;
  for (const texts of corpus) {
    count++;
    for (const term of termsOf(texts, analyzer)) documents.set(term, (documents.get(term) ?? 0) + 1);
  }
  const weightOf = (term: string): number => {
    const having = documents.get(term) ?? 0;
    return Math.log(1 + (count - having + 0.5) / (having + 0.5));
  };
  // Every query of a rebuild looks at the same items.
  const seen = new Map<string, Set<string>>();
  const termsIn = (texts: readonly string[]): Set<string> => {
    const text = texts.join("\n");
    const terms = seen.get(text) ?? termsOf(texts, analyzer);
    if (seen.size < MOST_KEPT) seen.set(text, terms);
    return terms;
  };
  return {
    digest: () => digestOf([count, [...documents].sort(([a], [b]) => compareIds(a, b))]),
    shares(query, items) {
      const asked = [...queryTerms(query, analyzer)].map((term) => ({ term, weight: weightOf(term) }));
      const all = asked.reduce((sum, { weight }) => sum + weight, 0);
      return items.map((texts) => {
        const held = termsIn(texts);
        const found = asked.reduce((sum, { term, weight }) => sum + (held.has(term) ? weight : 0), 0);
        return all === 0 ? 0 : found / all;
      });
    },
  };
}

function queryTerms(query: string, analyzer: Analyzer): Set<string> {
  const words = analyzer.words(query);
  const telling = words.filter((word) => analyzer.isStopWord?.(word) !== true);
  return new Set((telling.length === 0 ? words : telling).map((word) => analyzer.term(word)));
}

function termsOf(texts: readonly string[], analyzer: Analyzer): Set<string> {
  return new Set(texts.flatMap((text) => analyzer.words(text).map((word) => analyzer.term(word))));
}
