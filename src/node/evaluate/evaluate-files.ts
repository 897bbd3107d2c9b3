import {
  evaluate,
  evaluatePartial,
  evaluateRunFile,
  evaluateRunFilePartial,
  type ChunkSource,
  type EvaluateOptions,
  type Evaluation,
  resolveConventions,
  resolveMetrics,
} from "../../evaluate/index.js";
import type * as Formats from "../../formats/index.js";
import type { AnyQrels, AnyRun, QrelsReadOptions, RunReadOptions } from "../../formats/index.js";
import {
  bytesLookLikeTrec,
  qrelsOfTable,
  QrelsTableBuilder,
  tableOfQrels,
  trecRunReader,
  type QrelsTable,
} from "../../formats/trec/index.js";
import type { LabelEvidence } from "../../compare/index.js";
import { checkOptions, type EvaluationPartial, type GivenWarning, type Qrels } from "../../records/index.js";
import type { Metric } from "../../metrics/index.js";
import { judgmentOrigin } from "./label-origin.js";
import { contentHead, contentOf, fileChunks, fileSize, isParquetFile, read } from "./chunks.js";
import { stemOf } from "../../files/index.js";

/**
 * Loaded only when they are needed: readers of JSON and YAML take longer to start than a small run to score.
 */
const otherFormats = async (): Promise<typeof Formats> => import("../../formats/index.js");

/** So many bytes are looked at to find out what a file is. */
const HEAD = 65_536;

/** Judgments from a file, in the two forms in which they are needed. */
export interface LoadedQrels {
  /** For runs in TREC's format, which are scored without making strings of their ids. */
  table(): QrelsTable;
  /** For runs of any other format. */
  qrels(): Qrels;
  /** How many queries are judged. */
  readonly queries: number;
  /** Whether most grades are no whole numbers, which looks more like scores. */
  hasFractions(): boolean;
  /** What must be said of judgments that are labels. */
  readonly warnings: readonly GivenWarning[];
  /** Who made them. */
  readonly evidence: LabelEvidence;
}

/**
 * Reads judgments of any known format, plain or gzip.
 *
 * @throws InputError with all problems, each with line and column.
 */
export async function loadQrels(path: string, options: QrelsReadOptions = {}): Promise<LoadedQrels> {
  const { warnings, evidence } = await judgmentOrigin(path);
  if (options.subtopics !== true && (await looksLikeTrec(path, "qrels"))) {
    const builder = new QrelsTableBuilder(path, fileSize(path));
    for await (const chunk of fileChunks(path)) builder.write(chunk);
    const table = builder.end();
    return {
      warnings,
      evidence,
      queries: table.queries.size,
      table: () => table,
      qrels: () => qrelsOfTable(table),
      hasFractions: () => areFractions(table.queries.values()),
    };
  }
  const { qrels, warnings: ofFile } = await readAnyQrels(path, options);
  return {
    warnings: [...warnings, ...ofFile],
    evidence,
    queries: qrels.queries.size,
    table: () => tableOfQrels(qrels),
    qrels: () => qrels,
    hasFractions: () => areFractions(qrels.queries.values()),
  };
}

/** Whether a file is in TREC's format, by its beginning. */
async function looksLikeTrec(path: string, role: "run" | "qrels"): Promise<boolean> {
  return !isParquetFile(path) && bytesLookLikeTrec(await contentHead(path, HEAD), role);
}

/** Whether most grades are no whole numbers. */
function areFractions(queries: Iterable<{ readonly pool: Float64Array }>): boolean {
  let fractions = 0;
  let all = 0;
  for (const { pool } of queries) {
    all += pool.length;
    for (const grade of pool) if (!Number.isInteger(grade)) fractions++;
  }
  return 2 * fractions > all;
}

/**
 * Scores a run file of any known format, plain or gzip. A run in TREC's format is read in a stream.
 *
 * @throws InputError for what is wrong with the run, with line and column.
 */
export async function evaluateFile(
  path: string,
  qrels: LoadedQrels,
  metrics: readonly (string | Metric)[],
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  const settled = settleMetrics(metrics, options);
  const informed = withOrigin(qrels, options);
  return scoreFile(
    path,
    settled,
    (chunks) => evaluateRunFile(chunks, qrels.table(), settled, { ...informed, file: path }),
    (run) => evaluate(run.run, qrels.qrels(), settled, besides(run, informed)),
  );
}

/**
 * The partial of one shard of a run file of any known format, plain or gzip.
 *
 * @param options `shard`: which one; the whole run unless given.
 * @throws InputError for what is wrong with the run, with line and column.
 */
export async function evaluateFilePartial(
  path: string,
  qrels: LoadedQrels,
  metrics: readonly (string | Metric)[],
  options: EvaluateOptions = {},
): Promise<EvaluationPartial> {
  const settled = settleMetrics(metrics, options);
  const informed = withOrigin(qrels, options);
  return scoreFile(
    path,
    settled,
    (chunks) => evaluateRunFilePartial(chunks, qrels.table(), settled, { ...informed, file: path }),
    (run) => evaluatePartial(run.run, qrels.qrels(), settled, besides(run, informed)),
  );
}

/** The metrics, with the parameters of the profile; what is wrong is said before a file is read. */
function settleMetrics(metrics: readonly (string | Metric)[], options: EvaluateOptions): Metric[] {
  checkOptions(options);
  return resolveMetrics(metrics, resolveConventions(options));
}

/** Options with what must be said of the judgments, so that every record of the scores has it. */
export function withOrigin<T extends EvaluateOptions>({ warnings }: LoadedQrels, options: T): T {
  return { ...options, warnings: [...warnings, ...(options.warnings ?? [])] };
}

/** What a file tells besides its hits; only TREC's format says in every line what the run is called. */
function besides({ format, name, warnings }: NamedRun, options: EvaluateOptions): EvaluateOptions {
  const all = [...(options.warnings ?? []), ...warnings];
  return { ...(format === "trec" && { runId: name }), ...options, warnings: all };
}

/** A run in TREC's format in a stream, any other one as a whole. */
async function scoreFile<T>(
  path: string,
  metrics: readonly Metric[],
  inStream: (chunks: ChunkSource) => Promise<T>,
  asWhole: (run: NamedRun) => T,
): Promise<T> {
  if (
    (await looksLikeTrec(path, "run")) &&
    !metrics.some(({ definition }) => definition.needs === "subtopics")
  ) {
    return inStream(() => fileChunks(path));
  }
  return asWhole(await readAnyRun(path, { inFileOrder: true }));
}

/**
 * Reads judgments of any known format, plain, gzip or Parquet.
 *
 * @throws InputError with all problems, each with line and column.
 */
export async function readAnyQrels(path: string, options: QrelsReadOptions = {}): Promise<AnyQrels> {
  const table = isParquetFile(path) ? await (await import("./parquet.js")).parquetQrels(path) : null;
  if (table !== null) return table;
  const { parseAnyQrels } = await otherFormats();
  return parseAnyQrels(await contentOf(path), path, options);
}

/** A run of any known format, and what it is called. */
export type NamedRun = AnyRun & { readonly name: string };

/** Reads a run of any known format, plain, gzip or Parquet. One without a name has the file's. */
export async function readAnyRun(path: string, options?: RunReadOptions): Promise<NamedRun> {
  if (await looksLikeTrec(path, "run")) {
    const { tag, ...run } = await read(path, trecRunReader(path, options));
    return { format: "trec", ...run, name: tag ?? stemOf(path) };
  }
  const table = isParquetFile(path) ? await (await import("./parquet.js")).parquetRun(path, options) : null;
  const any = table ?? (await read(path, (await otherFormats()).anyRunReader(path, options)));
  return { ...any, name: any.name ?? stemOf(path) };
}
