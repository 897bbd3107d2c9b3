import type { ZodType } from "zod";
import { shown, type ErrorCode, type Problem } from "../errors.js";
import { nearestIds } from "../ids.js";
import type { LocatedDocument, Path } from "./located.js";

/** The parts of a zod issue that are read here. */
interface Issue {
  readonly code: string;
  readonly path: PropertyKey[];
  readonly message: string;
  readonly input?: unknown;
  readonly keys?: readonly string[];
  readonly expected?: string;
  readonly discriminator?: string;
  readonly options?: readonly unknown[];
  readonly errors?: readonly (readonly Issue[])[];
}

/** How the problems of one kind of file are worded. */
export interface ShapeOptions {
  readonly code: ErrorCode;
  /** Where an unknown key gets a code of its own. */
  readonly unknownKeyCode?: ErrorCode;
  /** Where the file is, as shown before the line. */
  readonly file: string;
  /** Lines before the document: of the file that a JSONL line stands in. */
  readonly lineOffset?: number;
  /** Advice for a known mistake, by field name. */
  readonly advice?: (field: string, value: unknown) => string | undefined;
  /** Keys that may stand where an unknown one was found, for the suggestion. */
  readonly knownKeys?: readonly string[];
}

/** What a schema finds wrong with a document, as problems with line and column. Empty when all is well. */
export function shapeProblems(schema: ZodType, document: LocatedDocument, options: ShapeOptions): Problem[] {
  const checked = schema.safeParse(document.value, { reportInput: true });
  if (checked.success) return [];
  return (checked.error.issues as unknown as Issue[]).flatMap((issue) => problemsOf(issue, [], document, options));
}

function problemsOf(issue: Issue, base: Path, document: LocatedDocument, options: ShapeOptions): Problem[] {
  const path = [...base, ...issue.path];
  const problem = (message: string, code = options.code, position = document.positionOf(path)): Problem => {
    const line = position.line + (options.lineOffset ?? 0);
    return { code, where: `${options.file}:${line}:${position.column}`, message, line, column: position.column };
  };
  if (issue.code === "unrecognized_keys") {
    return (issue.keys ?? []).map((key) => {
      const [near] = nearestIds(key, options.knownKeys ?? [], 1);
      const hint = near === undefined ? "free-form data goes under `meta`" : `did you mean ${shown(near)}?`;
      return problem(`unknown key ${shown(key)}; ${hint}`, options.unknownKeyCode ?? options.code, document.positionOfKey(path, key));
    });
  }
  // The complaints of every alternative of a union would bury the point; the union's own message says what it takes.
  if (issue.code === "invalid_union" && issue.discriminator === undefined) return [problem(`${printedPath(path)} ${issue.message}, got ${shown(valueAt(document.value, path))}`)];
  const value = valueAt(document.value, path);
  const field = [...path].reverse().find((step) => typeof step === "string");
  const advice = options.advice?.(typeof field === "string" ? field : "", value);
  const missing = value === undefined;
  const what = missing ? "is missing" : issue.discriminator !== undefined ? `must be a known kind, got ${shown((value as Record<string, unknown> | null)?.["kind"] ?? value)}` : `${issue.message}, got ${shown(value)}`;
  return [problem(`${printedPath(path)} ${what}${advice === undefined ? "" : `; ${advice}`}`)];
}

function valueAt(root: unknown, path: Path): unknown {
  let node = root;
  for (const step of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, step)) return undefined;
    node = (node as Record<PropertyKey, unknown>)[step];
  }
  return node;
}

/** `["results", 3, "rank"]` as `results[3].rank`; the root is `the record`. */
export function printedPath(path: Path): string {
  if (path.length === 0) return "the record";
  return path.reduce<string>((text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? String(step) : `${text}.${String(step)}`), "");
}
