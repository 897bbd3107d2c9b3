import type { ZodType } from "zod";
import { problemsError, throwProblems, shown, type Problem } from "../foundation/errors/index.js";
import { goldenConflicts } from "../records/index.js";
import {
  goldenQuerySchema,
  goldenSetSchema,
  type GoldenQuery,
  type GoldenSet,
} from "../records/schema/index.js";
import { shapeProblems, type Path, type ShapeOptions } from "../records/index.js";
import { textOf } from "./decode-text.js";
import { asProblem, jsonLines } from "./jsonl.js";
import { locatedJson } from "./located-json.js";
import { locatedYaml } from "./located-yaml.js";
import { locateIn, partOf, placeIn, SyntaxProblem, type LocatedDocument, type Position } from "./located.js";

type GoldenFormat = "yaml" | "json" | "jsonl";

const EXTENSIONS: readonly (readonly [RegExp, GoldenFormat])[] = [
  [/\.ya?ml$/i, "yaml"],
  [/\.json$/i, "json"],
  [/\.(jsonl|ndjson)$/i, "jsonl"],
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
 * Reads a golden set: YAML or JSON (a list of queries, or `{version, description, queries}`) or JSONL.
 *
 * @param source the text, or the bytes of the file.
 * @param file its name, for messages and, by its extension, for the format; without one the content decides.
 * @throws InputError with every problem, each with line and column.
 */
export function parseGolden(source: string | Uint8Array, file = "golden set"): GoldenSet {
  const text = textOf(source, file);
  const { about, written, problems } =
    formatOf(text, file) === "jsonl" ? fromLines(text, file) : fromDocument(text, file);
  if (problems.length === 0 && written.length === 0) {
    problems.push({
      code: "GOLDEN_SHAPE",
      where: file,
      message: "has no queries; each needs at least `id` and `query`",
    });
  }
  const queries = problems.length === 0 ? written.map(({ value }) => withoutNulls(value as GoldenQuery)) : [];
  for (const { code, index, field, message } of goldenConflicts(queries)) {
    problems.push({ code, ...placeIn(file, (written[index] as WrittenQuery).positionOf([field])), message });
  }
  throwProblems(problems);
  return { ...withoutNulls(about), queries };
}

function formatOf(text: string, file: string): GoldenFormat {
  const byName = EXTENSIONS.find(([pattern]) => pattern.test(file.replace(/\.gz$/i, "")))?.[1];
  if (byName !== undefined) return byName;
  const start = text.trimStart();
  if (start.startsWith("[")) return "json";
  if (!start.startsWith("{")) return "yaml";
  const [firstLine = ""] = start.split("\n");
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
  const wrong = lines.flatMap(({ lineOffset, located }): Problem[] => {
    // Checked with positions at once: a key that stands twice is silently dropped by JSON.parse.
    try {
      return goldenProblems(goldenQuerySchema, located(), file, lineOffset);
    } catch (error) {
      if (error instanceof SyntaxProblem) return [asProblem(error, file, "GOLDEN_SYNTAX", lineOffset)];
      throw error;
    }
  });
  const written = lines.map(({ value, lineOffset, located }): WrittenQuery => ({
    value,
    positionOf: (path) => {
      const { line, column } = located().positionOf(path);
      return { line: line + lineOffset, column };
    },
  }));
  return { about: {}, written, problems: problems.concat(wrong) };
}

function fromDocument(text: string, file: string): WrittenSet {
  let document: LocatedDocument;
  try {
    document = formatOf(text, file) === "json" ? locatedJson(text) : locatedYaml(text);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    throw problemsError([asProblem(error, file, "GOLDEN_SYNTAX")]);
  }
  const { value } = document;
  if (typeof value !== "object" || value === null) {
    const message =
      value === null
        ? "is empty; it needs a list of queries"
        : `must be a list of queries, or a mapping with \`queries\`, got ${shown(value)}`;
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
