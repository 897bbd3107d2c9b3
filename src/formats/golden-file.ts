import type { ZodType } from "zod";
import { InputError, problemsError, throwProblems, quote, type Problem } from "../foundation/errors/index.js";
import {
  goldenConflicts,
  type GoldenQuery,
  type GoldenSet,
  type Judgment,
  type Path,
  type ShapeOptions,
  shapeProblems,
  type Span,
} from "../records/index.js";
import { goldenQuerySchema, goldenSetSchema } from "../records/schema/index.js";
import { headOf, textOf } from "./decode-text.js";
import { headerLine } from "./csv.js";
import { goldenTable } from "./golden-table.js";
import { asProblem, jsonLines } from "./jsonl.js";
import { locateJson } from "./located-json.js";
import { locateYaml } from "./located-yaml.js";
import { isGoldenHeader, isLikelyRun } from "./file-kind.js";
import { locateIn, partOf, placeIn, SyntaxProblem, type LocatedDocument, type Position } from "./located.js";

type ReadFormat = "yaml" | "json" | "jsonl" | "table";

const EXTENSIONS: readonly (readonly [RegExp, ReadFormat])[] = [
  [/\.ya?ml$/i, "yaml"],
  [/\.json$/i, "json"],
  [/\.(jsonl|ndjson)$/i, "jsonl"],
  [/\.(csv|tsv)$/i, "table"],
];

const LISTS = [
  "expected_doc_ids",
  "expected_chunk_ids",
  "must_contain",
  "forbidden",
  "judgments",
  "expected_spans",
];

/** One query as it was written, and where. */
interface WrittenQuery {
  readonly value: unknown;
  readonly positionOf: (path: Path) => Position;
}

/**
 * Reads a golden set: YAML or JSON (a list of queries, or `{version, description, queries}`), JSONL, or a
 * table as spreadsheets save it (CSV, TSV).
 *
 * @param source the text, or the bytes of the file.
 * @param file its name, for messages and, by its extension, for the format; without one the content decides.
 * @throws InputError with every problem, each with line and column.
 */
export function parseGolden(source: string | Uint8Array, file = "golden set"): GoldenSet {
  const text = textOf(source, file);
  if (isLikelyRun(headOf(text, file)))
    throw new InputError("GOLDEN_SHAPE", `${file}: is a run where a golden set is wanted`);
  const { about, written, problems } = readWrittenSet(text, file);
  if (problems.length === 0 && written.length === 0) {
    problems.push({
      code: "GOLDEN_SHAPE",
      where: file,
      message: "has no queries; each needs at least `id` and `query`",
    });
  }
  const queries = problems.length === 0 ? written.map(({ value }) => withoutNulls(value as GoldenQuery)) : [];
  const positionOf = (index: number, field: string): Position =>
    (written[index] as WrittenQuery).positionOf([field]);
  const conflicts = goldenConflicts(queries);
  // From the last, so that the first of an id stays.
  const firsts = new Map(
    conflicts.length === 0 ? [] : queries.map(({ id }, at) => [id, at] as const).reverse(),
  );
  for (const { code, index, field, message } of conflicts) {
    const first = firsts.get((queries[index] as GoldenQuery).id) ?? index;
    problems.push({
      code,
      ...placeIn(file, positionOf(index, field)),
      message:
        first === index ? message : `${message} (the first is in line ${positionOf(first, field).line})`,
    });
  }
  queries.forEach(({ expected_spans = [], judgments = [] }, index) => {
    for (const { at, message } of doubleGrades(judgments))
      problems.push({
        code: "GOLDEN_SHAPE",
        ...placeIn(file, (written[index] as WrittenQuery).positionOf(["judgments", at])),
        message,
      });
    for (const [at, { span }] of expected_spans.entries())
      if (endsBeforeItStarts(span))
        problems.push({
          code: "GOLDEN_SHAPE",
          ...placeIn(file, (written[index] as WrittenQuery).positionOf(["expected_spans", at, "span"])),
          message: "a span ends before it starts, and so nothing can match it",
        });
  });
  throwProblems(problems);
  return { ...withoutNulls(about), queries };
}

/** Judgments of an item that has another grade before. */
function doubleGrades(judgments: readonly Judgment[]): { at: number; message: string }[] {
  const grades = new Map<string, number>();
  return judgments.flatMap((judgment, at) => {
    const what =
      "chunk_id" in judgment ? `chunk ${quote(judgment.chunk_id)}` : `document ${quote(judgment.doc_id)}`;
    const before = grades.get(what) ?? judgment.grade;
    grades.set(what, before);
    return before === judgment.grade
      ? []
      : [
          {
            at,
            message: `${what} has grade ${before} and grade ${judgment.grade}; keep the one that counts`,
          },
        ];
  });
}

function endsBeforeItStarts(span: Span): boolean {
  if (span.kind === "line" || span.kind === "byte") return span.end < span.start;
  if (span.kind === "code") return span.line_end < span.line_start;
  if (span.kind === "time") return span.end_ms < span.start_ms;
  return span.kind === "page" && (span.char_end ?? Infinity) < (span.char_start ?? 0);
}

/**
 * The line, from 1, at which each query of a golden set begins, by id; for notes beside it.
 *
 * @throws InputError as {@link parseGolden} does.
 */
export function goldenLines(source: string | Uint8Array, file = "golden set"): ReadonlyMap<string, number> {
  const text = textOf(source, file);
  const { queries } = parseGolden(text, file);
  const { written } = readWrittenSet(text, file);
  return new Map(queries.map(({ id }, at) => [id, (written[at] as WrittenQuery).positionOf(["id"]).line]));
}

function readWrittenSet(text: string, file: string): WrittenSet {
  const format = formatOf(text, file);
  if (format === "jsonl") return fromLines(text, file);
  return format === "table" ? fromTable(text, file) : fromDocument(text, file, format);
}

function formatOf(text: string, file: string): ReadFormat {
  const byName = EXTENSIONS.find(([pattern]) => pattern.test(file.replace(/\.gz$/i, "")))?.[1];
  if (byName !== undefined) return byName;
  const start = text.trimStart();
  if (start.startsWith("[")) return "json";
  const firstLine = headerLine(start);
  if (!start.startsWith("{")) return isGoldenHeader(firstLine) ? "table" : "yaml";
  try {
    return "id" in (JSON.parse(firstLine) as object) ? "jsonl" : "json";
  } catch {
    return "json";
  }
}

/** A golden set as it was written, and what is wrong with it so far. */
interface WrittenSet {
  readonly about: Omit<GoldenSet, "queries">;
  readonly written: readonly WrittenQuery[];
  readonly problems: Problem[];
}

/** The problems of a document, or of one line, that should be a golden query, or a set of them. */
function goldenProblems(schema: ZodType, document: LocatedDocument, file: string, lineOffset = 0): Problem[] {
  const options: ShapeOptions = {
    code: "GOLDEN_SHAPE",
    unknownKeyCode: "GOLDEN_UNKNOWN_KEY",
    locate: locateIn(document, file, lineOffset),
    advice,
    knownKeys: (path) =>
      Object.keys(
        schema === goldenSetSchema && path.length === 0 ? goldenSetSchema.shape : goldenQuerySchema.shape,
      ),
  };
  return shapeProblems(schema, document.value, options);
}

function advice(field: string, value: unknown, must: string): string | undefined {
  if (value === null && LISTS.includes(field))
    return field === "expected_doc_ids"
      ? "write `[]` for a query that the system should refuse, or leave the key out"
      : "write `[]`, or leave the key out";
  if (typeof value === "string" && must.startsWith("must be a list")) return "write it in `[` and `]`";
  const isPlainWord = typeof value === "number" || typeof value === "boolean";
  return isPlainWord && must === "must be a string" ? "write it in quotes" : undefined;
}

function fromLines(text: string, file: string): WrittenSet {
  const { lines, problems } = jsonLines(text, file, "GOLDEN_SYNTAX");
  const wrong = lines.flatMap(({ lineOffset, located }) =>
    goldenProblems(goldenQuerySchema, located(), file, lineOffset),
  );
  const written = lines.map(({ value, lineOffset, located }): WrittenQuery => ({
    value,
    positionOf: (path) => {
      const { line, column } = located().positionOf(path);
      return { line: line + lineOffset, column };
    },
  }));
  return { about: {}, written, problems: problems.concat(wrong) };
}

function fromTable(text: string, file: string): WrittenSet {
  const { rows, problems } = goldenTable(text, file);
  return {
    about: {},
    written: rows.map(({ value, positionOf }) => ({ value, positionOf })),
    problems: problems.concat(rows.flatMap((row) => goldenProblems(goldenQuerySchema, row, file))),
  };
}

function fromDocument(text: string, file: string, format: "yaml" | "json"): WrittenSet {
  let document: LocatedDocument;
  try {
    document = format === "json" ? locateJson(text) : locateYaml(text, { isProse: true });
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    throw problemsError([asProblem(error, file, "GOLDEN_SYNTAX")]);
  }
  const { value } = document;
  if (typeof value !== "object" || value === null) {
    const message =
      value === null
        ? "is empty; it needs a list of queries"
        : `must be a list of queries, or a mapping with \`queries\`, got ${quote(value)}`;
    return { about: {}, written: [], problems: [{ code: "GOLDEN_SHAPE", where: file, message }] };
  }
  const at = (base: Path, list: readonly unknown[]): WrittenQuery[] =>
    list.map((query, index) => ({
      value: query,
      positionOf: (path) => document.positionOf([...base, index, ...path]),
    }));
  if (Array.isArray(value)) {
    const list = value as unknown[];
    return {
      about: {},
      written: at([], list),
      problems: list.flatMap((query, index) =>
        goldenProblems(goldenQuerySchema, partOf(document, [index], query), file),
      ),
    };
  }
  const { queries, ...about } = value as { queries?: unknown } & Omit<GoldenSet, "queries">;
  return {
    about,
    written: at(["queries"], Array.isArray(queries) ? queries : []),
    problems: goldenProblems(goldenSetSchema, document, file),
  };
}

/** Optional labels may be written as null; in memory they are absent. */
function withoutNulls<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)) as T;
}
