import type { ZodType } from "zod";
import {
  InputError,
  quote,
  throwProblems,
  type ErrorCode,
  type Problem,
} from "../foundation/errors/index.js";
import {
  chunkRecordSchema,
  corpusSchema,
  evalRunSchema,
  queryResultSchema,
} from "../records/schema/index.js";
import {
  type ChunkRecord,
  type CorpusSnapshot,
  type EvalRun,
  type Locate,
  type QueryResult,
  resultKind,
  type ResultKind,
  shapeProblems,
  UNKNOWN_TIME,
} from "../records/index.js";
import { readAtOnce, sniffingReader, wholeTextReader, type ByteReader } from "./byte-reader.js";
import { headOf, textOf } from "./decode-text.js";
import { isLikelyGolden } from "./file-kind.js";
import { eachJsonLine, JsonlReader, type JsonLine } from "./jsonl.js";
import { locateIn, type LocatedDocument } from "./located.js";
import { wholeJson } from "./whole-json.js";

/** What stored results are called. */
const RESULTS: Readonly<Record<ResultKind, string>> = {
  report: "report on two runs",
  comparison: "comparison",
  aggregate: "aggregate",
  evaluation: "evaluation",
  run: "report on one run",
  bench: "benchmark",
};

/** What a run file of bare query results does not say about the run. */
export interface RunDefaults {
  readonly run_id: string;
  readonly suite?: string;
  readonly created_at?: string;
}

/**
 * Reads a run: one JSON run (of which only `results` must be there), a JSON list of query results, or JSONL
 * with one query result a line. Unknown fields are kept.
 *
 * @param source the text, or the bytes of the file.
 * @param defaults the id (the file's stem, by custom), suite and time of a run that the file does not name.
 * @param named the file in messages; the id where it is left out.
 * @throws InputError with every problem, each with line and column.
 */
export function parseRun(source: string | Uint8Array, defaults: RunDefaults, named?: string): EvalRun {
  const given: Partial<RunDefaults> | undefined = defaults;
  if (typeof given?.run_id !== "string")
    throw new InputError("ARGUMENT", `parseRun needs the run's id: \`{ run_id: "…" }\`, got ${quote(given)}`);
  const file = named ?? defaults.run_id;
  if (source instanceof Uint8Array) return readAtOnce(runReader(defaults, file), source);
  const text = textOf(source, file);
  refuseGolden(headOf(text, file), file);
  if (!isJsonl(text)) return runOfDocument(text, defaults, file);
  const results = new ResultLines(file);
  return results.run(defaults, eachJsonLine(text, file, "RUN_SYNTAX", results.take));
}

/** As {@link parseRun}, of bytes as they come: JSONL is read line by line and has no limit. */
export function runReader(defaults: RunDefaults, file = defaults.run_id): ByteReader<EvalRun> {
  return sniffingReader((head) => {
    refuseGolden(head, file);
    return isJsonl(head)
      ? resultLinesReader(defaults, file)
      : wholeTextReader(file, (text) => runOfDocument(text, defaults, file));
  });
}

/** As {@link runReader}, of bytes that are known to be JSONL. */
export function resultLinesReader(defaults: RunDefaults, file: string): ByteReader<EvalRun> {
  const results = new ResultLines(file);
  const lines = new JsonlReader(file, "RUN_SYNTAX", results.take);
  return {
    write: (chunk) => lines.write(chunk),
    end() {
      lines.end();
      return results.run(defaults, lines.problems);
    },
  };
}

/** The query results of a JSONL file, checked one by one; only those are kept, and their lines. */
class ResultLines {
  readonly #file: string;
  readonly #results: QueryResult[] = [];
  readonly #lineNumbers: number[] = [];
  readonly #problems: Problem[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  readonly take = (line: JsonLine): void => {
    this.#results.push(line.value as QueryResult);
    this.#lineNumbers.push(line.lineOffset + 1);
    for (const problem of lineProblems(line, queryResultSchema, this.#file, "RUN_SHAPE"))
      this.#problems.push(problem);
  };

  run(defaults: RunDefaults, syntaxProblems: readonly Problem[]): EvalRun {
    const problems = [...syntaxProblems, ...this.#problems];
    throwProblems(
      problems.length > 0
        ? problems
        : findRepeatedResults(this.#results, (index) => this.#lineNumbers[index] as number, this.#file),
    );
    return { ...aboutRun(defaults), results: this.#results };
  }
}

function aboutRun(
  defaults: RunDefaults,
): Pick<EvalRun, "run_id" | "suite" | "created_at" | "config_snapshot"> {
  return { suite: "default", created_at: UNKNOWN_TIME, ...defaults, config_snapshot: {} };
}

/** What is another file altogether has one problem, and not one for each of its lines. */
function refuseGolden(head: string, file: string): void {
  if (isLikelyGolden(head))
    throw new InputError(
      "RUN_SHAPE",
      `${file}: is a golden set where a run is wanted; a run has \`query_id\` and \`hits_top_k\` of each ` +
        "query",
    );
}

function runOfDocument(text: string, defaults: RunDefaults, file: string): EvalRun {
  const document = wholeJson(text, file, "RUN_SYNTAX");
  const kind = resultKind(document.value);
  if (kind !== null)
    throw new InputError("RUN_SHAPE", `${file}: is a stored ${RESULTS[kind]} where a run is wanted`);
  const isList = Array.isArray(document.value);
  const run: EvalRun = {
    ...aboutRun(defaults),
    ...(isList ? { results: document.value as QueryResult[] } : (document.value as Pick<EvalRun, "results">)),
  };
  const filled = { ...(isList ? listAs("results", document) : document), value: run };
  throwProblems(
    shapeProblems(evalRunSchema, run, { code: "RUN_SHAPE", locate: locateIn(filled, file), advice }),
  );
  throwProblems(
    findRepeatedResults(run.results, (index) => filled.positionOf(["results", index]).line, file),
  );
  return { ...run, created_at: inUtc(run.created_at) };
}

/** A time with another offset, in UTC: runs are put in order by the text. */
function inUtc(time: string): string {
  const isOffset = /^\d{4}-\d\d-\d\dT.*[+-]\d\d:\d\d$/.test(time);
  const at = isOffset ? new Date(time) : null;
  return at === null || Number.isNaN(at.getTime()) ? time : at.toISOString();
}

/**
 * Reads the chunks of a knowledge base: JSONL, or a JSON list or `{chunks}`, of
 * `{chunk_id, doc_id, doc_path?, source_spans?, chunker_version?}`. Other fields are kept.
 *
 * @throws InputError with every problem, each with line and column.
 */
export function parseCorpus(source: string | Uint8Array, file = "corpus"): CorpusSnapshot {
  let problems: Problem[] = [];
  let chunks: ChunkRecord[] = [];
  if (isJsonl(headOf(source, file))) {
    const misshapen: Problem[] = [];
    const syntax = eachJsonLine(source, file, "CORPUS_SYNTAX", (line) => {
      chunks.push(line.value as ChunkRecord);
      for (const problem of lineProblems(line, chunkRecordSchema, file, "CORPUS_SHAPE"))
        misshapen.push(problem);
    });
    problems = syntax.concat(misshapen);
  } else {
    const document = wholeJson(textOf(source, file), file, "CORPUS_SYNTAX");
    const isList = Array.isArray(document.value);
    const filled = isList ? { ...listAs("chunks", document), value: { chunks: document.value } } : document;
    problems = shapeProblems(corpusSchema, filled.value, {
      code: "CORPUS_SHAPE",
      locate: locateIn(filled, file),
    });
    chunks = (filled.value as { chunks: ChunkRecord[] }).chunks;
  }
  if (problems.length === 0 && chunks.length === 0)
    problems.push({
      code: "CORPUS_SHAPE",
      where: file,
      message: "has no chunks; give one `{chunk_id, doc_id}` a line",
    });
  throwProblems(problems);
  return { chunks };
}

/** Query results as JSONL, one a line, in their order; every line ends with a line feed. */
export function formatResults(results: readonly QueryResult[]): string {
  return [...resultParts(results)].join("");
}

/** As {@link formatResults}, line by line, because a long run has no room in one string. */
export function* resultParts(results: readonly QueryResult[]): Iterable<string> {
  for (const result of results) yield `${JSON.stringify(result)}\n`;
}

/**
 * Whether a text holds one record a line, told by its first line; an empty text holds none.
 *
 * @param text its beginning is enough, also where that is a part of the first line.
 */
function isJsonl(text: string): boolean {
  const [line = ""] = text.trimStart().split("\n", 1);
  try {
    const value = JSON.parse(line) as unknown;
    if (typeof value !== "object" || value === null) return true;
    // A result may carry any further field, also one that is called `results`.
    return (
      "query_id" in value ||
      "chunk_id" in value ||
      !(Array.isArray(value) || "results" in value || "chunks" in value)
    );
  } catch {
    if (!line.startsWith("{")) return !line.startsWith("[");
    const keys = keysOfBeginning(line);
    if (keys.some((key) => key === "query_id" || key === "chunk_id")) return true;
    // Fields of one's own may fill the beginning of a record; what a whole file begins with is known.
    return keys.length > 0 && !keys.some((key) => key in evalRunSchema.shape || key in corpusSchema.shape);
  }
}

/** The keys of an object of which only the beginning is there. */
function keysOfBeginning(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [token, key] of text.matchAll(/[[\]{}]|"((?:[^"\\]|\\.)*)"(?:\s*:)?/g)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && token.endsWith(":")) keys.push(key as string);
  }
  return keys;
}

/** The positions of a bare list, as if it stood under a key. */
function listAs(key: string, document: LocatedDocument): LocatedDocument {
  const inList = (path: readonly PropertyKey[]): readonly PropertyKey[] =>
    path[0] === key ? path.slice(1) : path;
  return {
    ...document,
    positionOf: (path) => document.positionOf(inList(path)),
    positionOfKey: (path, name) => document.positionOfKey(inList(path), name),
  };
}

/** What is wrong with a record; its line is parsed again with positions only when something is. */
function lineProblems(line: JsonLine, schema: ZodType, file: string, code: ErrorCode): Problem[] {
  let locate: Locate | undefined;
  return shapeProblems(schema, line.value, {
    code,
    locate: (path, key) => (locate ??= locateIn(line.located(), file, line.lineOffset))(path, key),
    advice,
  });
}

function advice(field: string, value: unknown): string | undefined {
  return field === "hits_top_k" && (value === undefined || value === null)
    ? "write `[]` when nothing came back"
    : undefined;
}

function findRepeatedResults(
  results: readonly QueryResult[],
  lineOf: (index: number) => number,
  file: string,
): Problem[] {
  const first = new Map<string, number>();
  return results.flatMap(({ query_id }, index): Problem[] => {
    const earlier = first.get(query_id);
    if (earlier === undefined) {
      first.set(query_id, index);
      return [];
    }
    const line = lineOf(index);
    return [
      {
        code: "RUN_DUPLICATE_QUERY",
        where: `${file}:${line}`,
        message: `query ${quote(query_id)} has two results, the first in line ${lineOf(earlier)}; keep one`,
        line,
      },
    ];
  });
}
