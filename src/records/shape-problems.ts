import { quote, type ErrorCode, type Problem } from "../foundation/errors/index.js";
import { didYouMean, nearestIds } from "../foundation/ids/index.js";

/** Steps from the root of a record to a value in it. */
export type Path = readonly PropertyKey[];

/** Where a value, or a key of the mapping at a path, stands, as far as that is known. */
export type Locate = (path: Path, key?: string) => Pick<Problem, "where" | "line" | "column">;

/** How what is wrong with one kind of record is said. */
export interface ShapeOptions {
  readonly code: ErrorCode;
  readonly locate: Locate;
  /** Where an unknown key has a code of its own. */
  readonly unknownKeyCode?: ErrorCode;
  /** Keys that may stand where an unknown one was found, for the suggestion. */
  readonly knownKeys?: (path: Path) => readonly string[];
  /** What to do about one that is like none of them; free-form data goes under `meta` unless given. */
  readonly unknownAdvice?: (path: Path) => string;
  /** What to do about a known mistake: in which field, what it has, and what it must be. */
  readonly advice?: (field: string, value: unknown, must: string) => string | undefined;
}

/** The parts of a zod issue that are read here. */
interface Issue {
  readonly code: string;
  readonly path: PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly expected?: string;
  readonly discriminator?: string;
  /** What is wrong with a key. */
  readonly issues?: readonly { readonly message: string }[];
}

/** The part of a zod schema that is used here, so that the core's types need none of zod's. */
interface Schema {
  safeParse(value: unknown): { error?: { issues: readonly unknown[] } | undefined };
}

/** What a schema finds wrong with a record, in our own words. Empty when all is well. */
export function shapeProblems(schema: Schema, record: unknown, options: ShapeOptions): Problem[] {
  const issues = (schema.safeParse(record).error?.issues ?? []) as readonly Issue[];
  return issues.flatMap((issue) => problemsOf(issue, record, options));
}

const MERGED = "merging is of YAML 1.1: begin the file with `%YAML 1.1` and `---`, or write the fields out";

function problemsOf(
  issue: Issue,
  record: unknown,
  { code, locate, unknownKeyCode = code, knownKeys, unknownAdvice, advice }: ShapeOptions,
): Problem[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    return (issue.keys ?? []).map((key) => {
      const hint =
        (key === "<<" ? MERGED : undefined) ??
        didYouMean(nearestIds(key, knownKeys?.(path) ?? [], 1)) ??
        unknownAdvice?.(path) ??
        "free-form data goes under `meta`";
      return { code: unknownKeyCode, ...locate(path, key), message: `unknown key ${quote(key)}; ${hint}` };
    });
  }
  const [ofKey] = issue.code === "invalid_key" ? (issue.issues ?? []) : [];
  if (ofKey !== undefined)
    return [{ code, ...locate(path), message: `the name ${quote(path.at(-1))} ${ofKey.message}` }];
  const value = valueAt(record, path);
  const field = path.findLast((step) => typeof step === "string");
  const hint = advice?.(typeof field === "string" ? field : "", value, issue.message);
  return [
    {
      code,
      ...locate(path),
      message:
        `${formatPath(path)} ${complaint(issue, value)}` +
        // Where keys are known, one that is not has a problem of its own.
        (value === undefined && knownKeys === undefined ? meantBy(path, record) : "") +
        (hint === undefined ? "" : `; ${hint}`),
    },
  ];
}

/** A key that may be what is missing, by another name: `hits` for `hits_top_k`. */
function meantBy(path: Path, record: unknown): string {
  const [missing, parent] = [path.at(-1), valueAt(record, path.slice(0, -1))];
  if (typeof missing !== "string" || typeof parent !== "object" || parent === null) return "";
  const keys = Object.keys(parent);
  const words = missing.split("_");
  const near = nearestIds(missing, keys, 1)[0] ?? keys.find((key) => words.includes(key));
  return near === undefined ? "" : ` (is it what \`${near}\` has?)`;
}

function complaint(issue: Issue, value: unknown): string {
  if (value === undefined) return "is missing";
  if (issue.discriminator !== undefined) {
    const kind =
      typeof value === "object" && value !== null
        ? (value as Record<string, unknown>)[issue.discriminator]
        : value;
    // Spans come in many schemas, none of which words it.
    const must = issue.message.startsWith("must")
      ? issue.message
      : "must be a span of a known kind (line, code, byte, page, time, region, caption)";
    return `${must}, got ${quote(kind)}`;
  }
  // Messages that no schema of ours worded are zod's own, which speak of types and not of what to do.
  const message = issue.message.startsWith("must")
    ? issue.message
    : issue.expected === "object"
      ? "must be a mapping of fields"
      : "has the wrong type";
  // In quotes, so that the text "1" is not taken for the number 1.
  return `${message}, got ${quote(typeof value === "string" ? JSON.stringify(value) : value)}`;
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
export function formatPath(path: Path): string {
  if (path.length === 0) return "the record";
  return path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? String(step) : `${text}.${String(step)}`,
    "",
  );
}
