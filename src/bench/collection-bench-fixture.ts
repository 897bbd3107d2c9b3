import type { GivenWarning } from "../records/index.js";
import { wholeDocumentChunker, type Chunker, type TextChunk, type TextDocument } from "../chunk/index.js";
import { InputError, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { firstIds, queryWarning } from "../records/index.js";
import type { KnownQuery } from "../records/index.js";
import { prepareQrels, type QrelsInput } from "../records/index.js";
import { findRepeatedPositions } from "../foundation/ids/index.js";
import type { BenchCase, BenchFixture } from "./bench-fixture.js";
import { fixtureDigest } from "./fixture-digest.js";
import { countQueries, nothingRelevantWarning } from "./fixture-warnings.js";

/** A judged collection, as its files have it. */
export interface Collection {
  readonly name: string;
  readonly documents: readonly TextDocument[];
  /**
   * Words and labels by query id, as `parseQueries` gives them; the label `query_type` says what kind a query
   * is.
   */
  readonly queries: ReadonlyMap<string, KnownQuery>;
  /** Judgments of documents. */
  readonly qrels: QrelsInput;
  /** How documents are cut; whole unless given. */
  readonly chunker?: Chunker | undefined;
  /** So many documents count for each query. Default 10. */
  readonly topK?: number | undefined;
}

const DEFAULT_TOP_K = 10;
/** The type of queries that have none. */
const UNLABELLED = "unlabelled";

/**
 * A benchmark over any collection with judged documents. Real collections are not complete: queries without
 * words or judgments are left out, and judged documents that the corpus lacks are kept, as something that
 * no system can find; both are warnings.
 *
 * @throws InputError `FIXTURE_CHECK` with every contradiction: duplicated ids, judgments that have no
 * query or no document in common with the collection.
 */
export function collectionBenchFixture({
  name,
  documents,
  queries,
  qrels,
  chunker = wholeDocumentChunker(),
  topK = DEFAULT_TOP_K,
}: Collection): BenchFixture {
  if (!Number.isSafeInteger(topK) || topK < 1)
    throw new InputError("ARGUMENT", `topK must be a whole number from 1, got ${quote(topK)}`);
  const judged = prepareQrels(qrels).queries;
  const chunks = documents.flatMap((document) => chunker.chunk(document));
  const cases = [...queries].flatMap(([case_id, { query, labels }]): BenchCase[] => {
    const grades = judged.get(case_id)?.grades ?? NOT_JUDGED;
    return grades.size > 0 && hasWords(query)
      ? [{ case_id, query, query_type: labels?.["query_type"] ?? UNLABELLED, top_k: topK, grades }]
      : [];
  });
  const judgedDocuments = new JudgedDocuments(cases, documents, chunks);
  const problems = [
    ...findRepeatedIds(documents, chunks),
    ...(cases.length === 0 ? withoutCases(judged, queries) : judgedDocuments.problems()),
  ];
  throwProblems(problems.map((message): Problem => ({ code: "FIXTURE_CHECK", where: name, message })));

  const wordless = [...judged.keys()].filter((id) => !hasWords(queries.get(id)?.query));
  const unjudged = [...queries.keys()].filter((id) => (judged.get(id)?.grades ?? NOT_JUDGED).size === 0);
  const measured = { unit: "doc" as const, chunks, cases };
  return {
    name,
    version: null,
    description: "",
    chunker_version: chunker.version,
    ...measured,
    warnings: [
      ...queryWarning(
        "QUERIES_WITHOUT_WORDS",
        `${countQueries(wordless)} with judgments but without words left out`,
        wordless,
      ),
      ...queryWarning(
        "QUERIES_WITHOUT_JUDGMENTS",
        `${countQueries(unjudged)} without judgments left out`,
        unjudged,
      ),
      ...judgedDocuments.warnings(),
      ...nothingRelevantWarning(cases),
    ],
    digest: fixtureDigest(measured),
  };
}

const NOT_JUDGED: ReadonlyMap<string, number> = new Map();

function hasWords(query: string | null | undefined): query is string {
  return typeof query === "string" && query.trim() !== "";
}

function findRepeatedIds(documents: readonly TextDocument[], chunks: readonly TextChunk[]): string[] {
  const twice = [...findRepeatedPositions(documents, ({ id }) => id)].map(
    (index) =>
      `documents[${index}].id ${quote(documents[index]?.id)} is duplicated; every document needs an ` +
      "id of its own",
  );
  if (twice.length > 0) return twice;
  return [...findRepeatedPositions(chunks, ({ chunk_id }) => chunk_id)].map(
    (index) =>
      `the chunker gives the chunk id ${quote(chunks[index]?.chunk_id)} twice; every chunk needs ` +
      "an id of its own",
  );
}

function withoutCases(judged: ReadonlyMap<string, unknown>, queries: ReadonlyMap<string, unknown>): string[] {
  if (judged.size === 0)
    return ["there are no judgments; add those of the documents that answer the queries"];
  if (queries.size === 0) return ["there are no queries; add the words of those that are judged"];
  return [
    `none of the judged queries has words: judged are ${someOf(judged.keys())}, the queries are ` +
      `${someOf(queries.keys())}; do the ids agree?`,
  ];
}

/** Which judged documents can be found at all. */
class JudgedDocuments {
  readonly #corpus: ReadonlySet<string>;
  readonly #count: number;
  readonly #missing: readonly string[];
  /** Relevant ones without a chunk. */
  readonly #empty: readonly string[];

  constructor(cases: readonly BenchCase[], documents: readonly TextDocument[], chunks: readonly TextChunk[]) {
    const corpus = new Set(documents.map(({ id }) => id));
    const cut = new Set(chunks.map(({ doc_id }) => doc_id));
    const grades = cases.flatMap((each) => [...each.grades]);
    const judged = new Set(grades.map(([id]) => id));
    this.#corpus = corpus;
    this.#count = judged.size;
    this.#missing = [...judged].filter((id) => !corpus.has(id));
    this.#empty = [
      ...new Set(grades.flatMap(([id, grade]) => (grade > 0 && corpus.has(id) && !cut.has(id) ? [id] : []))),
    ];
  }

  /** Files that have nothing to do with each other would read as a bad score. */
  problems(): string[] {
    if (this.#corpus.size === 0) return ["there are no documents; add what is to be searched"];
    return this.#missing.length < this.#count
      ? []
      : [
          `none of the judged documents is in the corpus: judged are ${someOf(this.#missing)}, the ` +
            `corpus has ${someOf(this.#corpus)}; do the ids agree?`,
        ];
  }

  warnings(): GivenWarning[] {
    const warning = (code: GivenWarning["code"], ids: readonly string[], what: string): GivenWarning[] =>
      ids.length === 0
        ? []
        : [
            {
              code,
              message: `${what}, such as ${someOf(ids)}: no mode can find what is not there`,
              count: ids.length,
            },
          ];
    return [
      ...warning(
        "DOCUMENTS_NOT_IN_CORPUS",
        this.#missing,
        `of ${this.#count} judged documents the corpus lacks ${this.#missing.length}`,
      ),
      ...warning(
        "DOCUMENTS_WITHOUT_TEXT",
        this.#empty,
        `${this.#empty.length} relevant ` +
          `${this.#empty.length === 1 ? "document has" : "documents have"} no text`,
      ),
    ];
  }
}

function someOf(ids: Iterable<string>): string {
  return firstIds([...ids])
    .map(quote)
    .join(", ");
}
