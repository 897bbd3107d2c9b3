import { englishAnalyzer, type Analyzer } from "../analysis/index.js";
import { InputError } from "../foundation/errors/index.js";
import { checkKnownOptions } from "../foundation/checks/index.js";
import { canonicalJson } from "../foundation/text/index.js";
import type { LabelItem, Reranker } from "../records/index.js";
import { textsIn } from "./item-text.js";
import type { Labeler } from "./labeler.js";
import { overlapOver } from "./overlap.js";

/** The least share of a query's words, by weight, for each grade. */
const THRESHOLDS = [
  [0.9, 3],
  [0.6, 2],
  [0.3, 1],
] as const;

/** How words are separated. */
export interface OverlapOptions {
  /** Default `englishAnalyzer`. */
  readonly analyzer?: Analyzer | undefined;
}

/**
 * A baseline judge that knows no language: the share of the query's distinct words, weighted by BM25's idf
 * over the corpus, that an item's fields hold; from 0.9, 0.6 and 0.3 on the grades are 3, 2 and 1. Words
 * that say nothing are left out where the query has others. It needs nothing and costs nothing; a model
 * that does not beat it is not worth its price.
 *
 * @param corpus all items, also those that are never judged.
 */
export function overlapLabeler(corpus: Iterable<LabelItem>, options: OverlapOptions = {}): Labeler {
  const { analyzer = englishAnalyzer } = checkKnownOptions(options, ["analyzer"]);
  const overlap = overlapOver(textsOfEach(corpus), analyzer);
  return {
    rater: { kind: "model", name: "overlap", parameters: { version: 1, analyzer: analyzer.name } },
    async label({ query, items }) {
      const shares = overlap.shares(query, [...textsOfEach(items)]);
      return {
        verdicts: items.map(({ id }, at) => ({
          id,
          outcome: "graded",
          grade: gradeOf(shares[at] as number),
        })),
      };
    },
  };
}

/**
 * A reranker that needs nothing: the same share of the query's words, from 0 to 1, as {@link overlapLabeler}
 * grades by.
 *
 * @param corpus all items, also those that are never reranked.
 */
export function overlapReranker(corpus: Iterable<LabelItem>, options: OverlapOptions = {}): Reranker {
  const { analyzer = englishAnalyzer } = options;
  const overlap = overlapOver(textsOfEach(corpus), analyzer);
  return {
    identity: canonicalJson({
      kind: "overlap",
      version: 1,
      analyzer: analyzer.name,
      corpus: overlap.digest().slice(0, 16),
    }),
    score: (query, documents) =>
      overlap.shares(
        query,
        documents.map(({ text }) => [text]),
      ),
  };
}

function* textsOfEach(items: Iterable<LabelItem>): Generator<readonly string[]> {
  for (const item of items) {
    // Entries of a Map are lists.
    if (Array.isArray(item))
      throw new InputError("ARGUMENT", "the items of a corpus are no entries; of a Map give its `values()`");
    yield textsIn(item.fields);
  }
}

function gradeOf(share: number): number {
  return THRESHOLDS.find(([least]) => share >= least)?.[1] ?? 0;
}
