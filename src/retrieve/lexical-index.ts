import type { TextChunk } from "../chunk/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { englishAnalyzer, type Analyzer } from "../analysis/index.js";
import { checkLimit, searchOptions, checkKnownOptions } from "../foundation/checks/index.js";
import { hitOf, indexChunks, type IndexedChunk } from "./index-chunks.js";
import { packIndex, unpackIndex } from "./packed-index.js";
import { PostingsBuilder, type Postings } from "./postings.js";
import type { Retriever, SearchHit, SearchOptions } from "../records/index.js";
import { TopHits } from "./top-hits.js";

/** How {@link lexicalIndex} ranks. */
export interface LexicalOptions {
  /** Default {@link englishAnalyzer}, which also serves Chinese, Japanese and Korean. */
  readonly analyzer?: Analyzer | undefined;
  /**
   * `lucene`: ln(1 + (N - n + 0.5) / (n + 0.5)), which is never negative (default). `fts5`: as SQLite's
   * `bm25()`, ln((N - n + 0.5) / (n + 0.5)), and 0.000001 where that is not above 0, so a term that half of
   * all chunks have counts for nothing.
   */
  readonly idf?: "lucene" | "fts5" | undefined;
  /** How soon further occurrences of a term stop counting; from 0. Default 1.2. */
  readonly k1?: number | undefined;
  /** How much long chunks are marked down; 0 to 1. Default 0.75. */
  readonly b?: number | undefined;
  /**
   * What an occurrence counts in each field, in single precision; a field of 0 is left out. Default 2 in the
   * title and 1 in the text.
   */
  readonly weights?: { readonly title?: number | undefined; readonly text?: number | undefined } | undefined;
}

/** The settings of an index, as they are stored with it and written into reports. */
export interface LexicalSettings {
  readonly analyzer: string;
  readonly idf: "lucene" | "fts5";
  readonly k1: number;
  readonly b: number;
  readonly weights: { readonly title: number; readonly text: number };
}

/** `RPLX` and a version. */
const FORMAT = "RPLX1";
const TITLE_WEIGHT = 2;

/**
 * Full-text search with BM25 over chunks in memory: the strong baseline that anything else has to beat.
 *
 * Score: the sum over the question's distinct words of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length /
 * mean length)), f the weighted occurrences of the word's term in all fields. A chunk's length is the number
 * of its terms; with `lucene` weighted as f is (BM25F), with `fts5` not. Two words of one stem count twice,
 * as in an FTS5 query of both. Equal scores stand in the order of the chunks. Robertson, Zaragoza (2009),
 * doi:10.1561/1500000019.
 *
 * @throws InputError `ARGUMENT` for parameters out of range and for chunk ids that are duplicated.
 */
export function lexicalIndex(chunks: Iterable<TextChunk>, options: LexicalOptions = {}): LexicalIndex {
  const { analyzer = englishAnalyzer } = checkKnownOptions(options, [
    "analyzer",
    "idf",
    "k1",
    "b",
    "weights",
  ]);
  const settings = resolveOptions(options, analyzer);
  const { weights, idf } = settings;
  const terms = new Map<string, number>();
  const wordTerms = new Map<string, number>();
  const postings = new PostingsBuilder();
  const lengths: number[] = [];
  const addField = (text: string, weight: number): number => {
    if (weight === 0 || text === "") return 0;
    let count = 0;
    for (const word of analyzer.words(text)) {
      let term = wordTerms.get(word);
      if (term === undefined) wordTerms.set(word, (term = numberOf(analyzer.term(word), terms)));
      postings.add(term, weight);
      count++;
    }
    return idf === "fts5" ? count : count * weight;
  };
  const kept = indexChunks(chunks, ({ title = "", text }) => {
    lengths.push(addField(title, weights.title) + addField(text, weights.text));
    postings.endDocument();
  });
  return new LexicalIndex(kept, settings, analyzer, terms, postings.finish(), Float64Array.from(lengths));
}

function numberOf(term: string, terms: Map<string, number>): number {
  let number = terms.get(term);
  if (number === undefined) terms.set(term, (number = terms.size));
  return number;
}

function resolveOptions(
  { idf = "lucene", k1 = 1.2, b = 0.75, weights = {} }: LexicalOptions,
  analyzer: Analyzer,
): LexicalSettings {
  const { title = TITLE_WEIGHT, text = 1 } = weights;
  const check = (isGood: boolean, name: string, must: string, value: unknown): void => {
    if (!isGood)
      throw new InputError(
        "ARGUMENT",
        `${name} must be ${must}, got ${quote(typeof value === "number" ? String(value) : value)}`,
      );
  };
  check(idf === "lucene" || idf === "fts5", "idf", "`lucene` or `fts5`", idf);
  check(Number.isFinite(k1) && k1 >= 0, "k1", "a number from 0", k1);
  check(b >= 0 && b <= 1, "b", "a number from 0 to 1", b);
  for (const [field, weight] of Object.entries({ title, text }))
    check(Number.isFinite(Math.fround(weight)) && weight >= 0, `weights.${field}`, "a number from 0", weight);
  return { analyzer: analyzer.name, idf, k1, b, weights: { title, text } };
}

/** Made by {@link lexicalIndex}; can be stored and loaded. */
export class LexicalIndex implements Retriever {
  readonly settings: LexicalSettings;
  readonly #chunks: readonly IndexedChunk[];
  readonly #analyzer: Analyzer;
  readonly #terms: ReadonlyMap<string, number>;
  readonly #postings: Postings;
  readonly #lengths: Float64Array;
  /** By chunk: what a frequency is weighed against, k1 * (1 - b + b * length / mean length). */
  readonly #norms: Float64Array;
  /** Of the search that is going on; all 0 between searches. */
  readonly #scores: Float64Array;

  /** @internal */
  constructor(
    chunks: readonly IndexedChunk[],
    settings: LexicalSettings,
    analyzer: Analyzer,
    terms: ReadonlyMap<string, number>,
    postings: Postings,
    lengths: Float64Array,
  ) {
    this.settings = settings;
    this.#chunks = chunks;
    this.#analyzer = analyzer;
    this.#terms = terms;
    this.#postings = postings;
    this.#lengths = lengths;
    const { k1, b } = settings;
    const meanLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    this.#norms = lengths.map((length) => (meanLength === 0 ? k1 : k1 * (1 - b + (b * length) / meanLength)));
    this.#scores = new Float64Array(chunks.length);
  }

  /** How many chunks there are. */
  get size(): number {
    return this.#chunks.length;
  }

  /** The chunks with any of the question's terms, best first. */
  search(query: string, options: SearchOptions): SearchHit[] {
    if (typeof query !== "string")
      throw new InputError("ARGUMENT", `search takes a question and \`{ limit }\`, got ${quote(query)}`);
    const { limit } = searchOptions(options);
    const top = new TopHits(Math.min(checkLimit(limit), this.size));
    const [scores, norms] = [this.#scores, this.#norms];
    const { starts, documents, frequencies } = this.#postings;
    const found: number[] = [];
    for (const [term, times] of this.#queryTerms(query)) {
      const [start, end] = [starts[term] as number, starts[term + 1] as number];
      const gain = times * this.#idf(end - start) * (this.settings.k1 + 1);
      for (let at = start; at < end; at++) {
        const document = documents[at] as number;
        const frequency = frequencies[at] as number;
        const before = scores[document] as number;
        if (before === 0) found.push(document);
        scores[document] = before + (gain * frequency) / (frequency + (norms[document] as number));
      }
    }
    for (const document of found) {
      // A document is here twice where a gain was too small to be seen; the second time its score is gone.
      const score = scores[document] as number;
      if (score > 0) top.offer(document, score);
      scores[document] = 0;
    }
    return top
      .rank()
      .map(({ item, score }, index) => hitOf(this.#chunks[item] as IndexedChunk, index + 1, score));
  }

  /** The question's terms that the index has, each with the number of distinct words that stand for it. */
  #queryTerms(query: string): Map<number, number> {
    const analyzer = this.#analyzer;
    const words = [...new Set(analyzer.words(query))];
    const telling = words.filter((word) => analyzer.isStopWord?.(word) !== true);
    const found = new Map<number, number>();
    // If every term is a stop word, as in "The Who", keep them all.
    for (const word of telling.length === 0 ? words : telling) {
      const term = this.#terms.get(analyzer.term(word));
      if (term !== undefined) found.set(term, (found.get(term) ?? 0) + 1);
    }
    return found;
  }

  #idf(holders: number): number {
    const odds = (this.size - holders + 0.5) / (holders + 0.5);
    if (this.settings.idf === "lucene") return Math.log1p(odds);
    const idf = Math.log(odds);
    return idf > 0 ? idf : LEAST_FTS5_IDF;
  }

  /** The index as bytes, for {@link loadLexicalIndex}. */
  toBytes(): Uint8Array {
    const { starts, documents, frequencies } = this.#postings;
    return packIndex(
      FORMAT,
      { settings: this.settings, chunks: this.#chunks, terms: [...this.#terms.keys()] },
      [starts, documents, frequencies, this.#lengths],
    );
  }
}

const LEAST_FTS5_IDF = 1e-6;

/**
 * Reads what {@link LexicalIndex.toBytes} wrote.
 *
 * @param analyzer the one that the index was made with.
 * @throws InputError `INDEX_SHAPE` for bytes that are damaged, or of another version or analyzer.
 */
export function loadLexicalIndex(
  bytes: Uint8Array,
  { analyzer = englishAnalyzer }: Pick<LexicalOptions, "analyzer"> = {},
): LexicalIndex {
  const { head, arrays } = unpackIndex<{
    settings: LexicalSettings;
    chunks: IndexedChunk[];
    terms: string[];
  }>(FORMAT, bytes, [Uint32Array, Uint32Array, Float32Array, Float64Array]);
  const [starts, documents, frequencies, lengths] = arrays as [
    Uint32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
  ];
  if (head.settings.analyzer !== analyzer.name)
    throw new InputError(
      "INDEX_SHAPE",
      `the index was made with the analyzer ${quote(head.settings.analyzer)}, got ` +
        `${quote(analyzer.name)}; give the same one, or build the index again`,
    );
  return new LexicalIndex(
    head.chunks,
    head.settings,
    analyzer,
    new Map(head.terms.map((term, number) => [term, number])),
    { starts, documents, frequencies },
    lengths,
  );
}
