import { InputError, problemsError, quote } from "../foundation/errors/index.js";
import {
  type EvalRun,
  type GivenWarning,
  goldenQueries,
  rankList,
  listGrades,
  type ListScores,
  prepareQrels,
  type Qrel,
  type Qrels,
  rankingOf,
  type RunReadOptions,
  scoredRunOf,
  type ScoredRun,
} from "../records/index.js";
import { readFormats, type ReadFormatName } from "./catalog.js";
import { readAtOnce, sniffingReader, wholeTextReader, type ByteReader } from "./byte-reader.js";
import { checkBytes, decodeText, headOf } from "./decode-text.js";
import { fileKind, isGoldenLine } from "./file-kind.js";
import { parseGolden } from "./golden-file.js";
import { jsonDocument, jsonlTableReader, jsonTableOf, parseJsonTable } from "./json-tables.js";
import { asProblem } from "./jsonl.js";
import { SyntaxProblem, type LocatedDocument } from "./located.js";
import { syntaxCode, type Role, type RowCollector } from "./rows.js";
import { parseRun, resultLinesReader } from "./run-file.js";
import { trecJudgments, trecRunReader } from "./trec/parse.js";

/** What a file turned out to be. */
export type TableFormat =
  | "trec"
  | "jsonl"
  | "json"
  | "json list"
  | "rank_eval request"
  | "rank_eval response"
  | "rankproof"
  | "parquet"
  | ReadFormatName;

/** A run of any known format. */
export interface AnyRun {
  readonly format: TableFormat;
  /** Scored; or this project's own, whose hits have ranks. */
  readonly run: ScoredRun | EvalRun;
  /** The name that the file gives the run. */
  readonly name: string | null;
  /** What can mislead about it. */
  readonly warnings: readonly GivenWarning[];
}

/** Judgments of any known format. */
export interface AnyQrels {
  readonly format: TableFormat;
  readonly qrels: Qrels;
  readonly judgments: readonly Qrel[];
  /** What can mislead about them. */
  readonly warnings: readonly GivenWarning[];
}

/** How judgments are read. */
export interface QrelsReadOptions {
  /** Which ids of a golden set; `doc` unless given. */
  readonly unit?: "chunk" | "doc" | undefined;
  /** Whether the second column of TREC qrels is the subtopic. */
  readonly subtopics?: boolean | undefined;
}

/** One JSON document, with the places of its values. */
function documentOf(text: string, file: string, role: Role): LocatedDocument {
  try {
    return jsonDocument(text);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw problemsError([asProblem(error, file, syntaxCode(role))]);
    throw error;
  }
}

/**
 * Reads a run of any known format, which is found out by its content: TREC, MS MARCO, CSV or TSV with a
 * header, JSONL, JSON of ranx and pytrec_eval, Elasticsearch's `_rank_eval` response, or this project's own.
 *
 * @throws InputError with all problems, each with line and column.
 */
export function parseAnyRun(bytes: Uint8Array, file: string, options?: RunReadOptions): AnyRun {
  checkBytes(bytes, file);
  return readAtOnce(anyRunReader(file, options), bytes);
}

/**
 * As {@link parseAnyRun}, of bytes as they come: TREC's format and JSONL are read line by line and have no
 * limit.
 */
export function anyRunReader(file: string, options?: RunReadOptions): ByteReader<AnyRun> {
  return sniffingReader((head) => {
    const kind = fileKind(head, "run");
    if (kind === "trec")
      return mapEnd(trecRunReader(file, options), ({ tag, ...run }) => ({
        format: "trec",
        ...run,
        name: tag,
      }));
    const table = readFormats.find(({ name }) => name === kind);
    if (table !== undefined)
      return wholeTextReader(file, (text) => runOfRows(table.name, table.read(text, file, "run"), options));
    if (kind === "document")
      return wholeTextReader(file, (text) =>
        anyRunOfDocument(documentOf(text, file, "run"), text, file, options),
      );
    if (!/"hits_top_k"\s*:/.test(head))
      return mapEnd(jsonlTableReader(file, "run"), (rows) => runOfRows("jsonl", rows, options));
    return mapEnd(resultLinesReader({ run_id: file }, file), ownRun(file));
  });
}

function mapEnd<T, U>(reader: ByteReader<T>, make: (made: T) => U): ByteReader<U> {
  return { write: (chunk) => reader.write(chunk), end: () => make(reader.end()) };
}

function anyRunOfDocument(
  document: LocatedDocument,
  text: string,
  file: string,
  options?: RunReadOptions,
): AnyRun {
  if (isOwnRun(document.value)) return ownRun(file)(parseRun(text, { run_id: file }, file));
  const rows = parseJsonTable(document, file, "run", options?.inFileOrder === true ? text : undefined);
  return runOfRows(jsonTableOf(document.value), rows.check(), options);
}

/** A file that does not say its id has its path for one. */
function ownRun(file: string): (run: EvalRun) => AnyRun {
  return (run) => ({
    format: "rankproof",
    run,
    name: run.run_id === file ? null : run.run_id,
    warnings: [],
  });
}

function isOwnRun(value: unknown): boolean {
  const results: unknown = Array.isArray(value) ? value : (value as { results?: unknown } | null)?.results;
  return (
    Array.isArray(results) &&
    (!Array.isArray(value) ||
      results.some(
        (result: unknown) => typeof result === "object" && result !== null && "hits_top_k" in result,
      ))
  );
}

/** The run that the rows of a table make. */
export function runOfRows(format: TableFormat, rows: RowCollector, options?: RunReadOptions): AnyRun {
  return { format, run: readScoredRun(rows, options), name: null, warnings: rows.warnings };
}

/** The judgments that the rows of a table make. */
export function qrelsOfRows(
  format: TableFormat,
  { judgments, warnings = [] }: Pick<RowCollector, "judgments"> & Partial<Pick<RowCollector, "warnings">>,
): AnyQrels {
  return { format, judgments, qrels: prepareQrels(judgments), warnings };
}

function readScoredRun({ hits, emptyQueries }: RowCollector, options?: RunReadOptions): ScoredRun {
  const queries = new Map<string, { ids: string[]; scores: number[] }>();
  for (const { query_id, doc_id, score } of hits) {
    let query = queries.get(query_id);
    if (query === undefined) queries.set(query_id, (query = { ids: [], scores: [] }));
    query.ids.push(doc_id);
    query.scores.push(score);
  }
  for (const query of emptyQueries) queries.set(query, { ids: [], scores: [] });
  return scoredRunOf(queries, options);
}

/**
 * Reads judgments of any known format, which is found out by its content: TREC qrels, CSV or TSV with a
 * header (BEIR), JSONL, JSON of ranx and pytrec_eval, Elasticsearch's `_rank_eval` request, or a golden set.
 *
 * @throws InputError with all problems, each with line and column.
 */
export function parseAnyQrels(
  bytes: Uint8Array,
  file: string,
  { unit = "doc", subtopics = false }: QrelsReadOptions = {},
): AnyQrels {
  checkBytes(bytes, file);
  const head = headOf(bytes);
  const kind = fileKind(head, "qrels");
  const golden = (): AnyQrels => qrelsOfRows("rankproof", { judgments: goldenJudgments(bytes, file, unit) });
  if (kind === "trec") return qrelsOfRows("trec", { judgments: trecJudgments([bytes], file, subtopics) });
  const table = readFormats.find(({ name }) => name === kind);
  if (table !== undefined) return qrelsOfRows(table.name, table.read(decodeText(bytes, file), file, "qrels"));
  if (kind === "golden" || (kind === "jsonl" && isGoldenLine(head))) return golden();
  if (kind === "jsonl") return qrelsOfRows("jsonl", readAtOnce(jsonlTableReader(file, "qrels"), bytes));
  const document = documentOf(decodeText(bytes, file), file, "qrels");
  return isGolden(document.value)
    ? golden()
    : qrelsOfRows(jsonTableOf(document.value), parseJsonTable(document, file, "qrels").check());
}

/**
 * Whether a file is a golden set, not judgments alone.
 *
 * @throws InputError for JSON that is none.
 */
export function isGoldenFile(bytes: Uint8Array, file: string): boolean {
  const head = headOf(bytes);
  const kind = fileKind(head, "qrels");
  // What has no columns of judgments is for the reader of golden sets to name.
  if (/\.csv(?:\.gz)?$/i.test(file)) return kind !== "csv";
  if (kind === "jsonl") return isGoldenLine(head);
  return kind === "document"
    ? isGolden(documentOf(decodeText(bytes, file), file, "qrels").value)
    : kind === "golden";
}

function goldenJudgments(bytes: Uint8Array, file: string, unit: "chunk" | "doc"): Qrel[] {
  const judgments = goldenQueries(parseGolden(bytes, file)).flatMap((query) =>
    [...listGrades(query, unit)].map(([doc_id, grade]) => ({ query_id: query.id, doc_id, grade })),
  );
  if (judgments.length === 0)
    throw new InputError(
      "QRELS_SYNTAX",
      `${file}: the golden set judges no ${unit === "doc" ? "documents" : "chunks"}; try the unit ` +
        `${quote(unit === "doc" ? "chunk" : "doc")}`,
    );
  return judgments;
}

function isGolden(value: unknown): boolean {
  const queries: unknown = Array.isArray(value) ? value : (value as { queries?: unknown } | null)?.queries;
  return (
    Array.isArray(queries) &&
    (!Array.isArray(value) ||
      queries.some(
        (query: unknown) => typeof query === "object" && query !== null && "id" in query && "query" in query,
      ))
  );
}

/**
 * A run of any kind as a scored one. Hits of this project's own runs have their scores where all have one
 * that is good for what is wanted, else scores that fall by one from rank to rank.
 *
 * @param wanted `falling` (the default) for what sorts by score; `sorted` to keep equal scores where sorting
 * gives the same order; `level` for fusing, which keeps the order of equal scores; `distances` where less is
 * better.
 * @param onRanks called with each query of which the scores are not its own.
 */
export function asScoredRun(
  run: ScoredRun | EvalRun,
  unit: "chunk" | "doc",
  wanted: ListScores = "falling",
  onRanks?: (queryId: string) => void,
): ScoredRun {
  if (run instanceof Map) return run as ScoredRun;
  return new Map(
    (run as EvalRun).results.map(({ query_id, hits_top_k }) => {
      const { hits } = rankingOf(hits_top_k, query_id);
      const ids = [...new Set(hits.map((hit) => (unit === "doc" ? hit.doc_id : hit.chunk_id)))];
      const firsts = new Map(
        [...hits].reverse().map((hit) => [unit === "doc" ? hit.doc_id : hit.chunk_id, hit]),
      );
      const own = ids.map((id) => firsts.get(id)?.score);
      const ranking = rankList(ids, own, wanted);
      if (!own.every((score, at) => score === ranking.scores[at])) onRanks?.(query_id);
      return [query_id, ranking] as const;
    }),
  );
}

/** The document of each chunk in runs that say so; the first that is named. */
export function docsOfChunks(runs: readonly (ScoredRun | EvalRun)[]): Map<string, string> {
  const docs = new Map<string, string>();
  for (const run of runs) {
    if (run instanceof Map) continue;
    for (const { hits_top_k } of (run as EvalRun).results)
      for (const { chunk_id, doc_id } of hits_top_k) if (!docs.has(chunk_id)) docs.set(chunk_id, doc_id);
  }
  return docs;
}
