import { clip } from "./clip.js";
import type { errorCodes } from "./codes.js";

/** The closed set of error codes; `docs/errors.md` explains each. */
export type ErrorCode = keyof typeof errorCodes;

/** One thing that is wrong with an input, and where. */
export interface Problem {
  readonly code: ErrorCode;
  /** `file:line:column`, `file:line`, or a path such as `results[3].hits_top_k[0].rank`. */
  readonly where: string;
  /** What is wrong, what was found, and what to do. */
  readonly message: string;
  /** 1-based; absent where the input has no lines. */
  readonly line?: number;
  /** 1-based, in UTF-16 code units. */
  readonly column?: number;
}

/** Shared by every copy of the package, so that two installed versions recognize each other's errors. */
const brand = Symbol.for("rankproof.error");

/**
 * Every error that this package throws on purpose. `code` says which; `details` has the values; `cause` what
 * was underneath.
 */
export class RankproofError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
    Object.defineProperty(this, brand, { value: true });
  }

  override get name(): string {
    return "RankproofError";
  }
}

/**
 * Something you gave is wrong: a file, an argument, a record. Fixing it is up to you; trying again does not
 * help.
 */
export class InputError extends RankproofError {
  /** All that is wrong, not only the first. */
  readonly problems: readonly Problem[];

  constructor(
    code: ErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
    problems: readonly Problem[] = [],
  ) {
    super(code, message, details, cause);
    this.problems = problems;
  }

  override get name(): string {
    return "InputError";
  }
}

/** Something outside failed: a locked store, a full disk, a service. Trying again may help. */
export class AdapterError extends RankproofError {
  override get name(): string {
    return "AdapterError";
  }
}

/** The numbers say no: a rule of a gate does not hold. `details` has the gate's report. */
export class GateError extends RankproofError {
  override get name(): string {
    return "GateError";
  }
}

/** Whether `error` was thrown by this package, or by another copy of it. */
export function isRankproofError(error: unknown): error is RankproofError {
  return typeof error === "object" && error !== null && brand in error;
}

const MOST_PROBLEMS_SHOWN = 20;
/** Where there are more: the same in line after line is one mistake, such as a file of another kind. */
const MOST_ALIKE_SHOWN = 3;

/**
 * An error that shows every problem on a line of its own, in the order of the file, up to a limit, and
 * beyond it three of those with the same words; `problems` has all.
 */
export function problemsError(unordered: readonly [Problem, ...Problem[]]): InputError {
  const problems = [...unordered].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) as [Problem, ...Problem[]];
  const alike = new Map<string, number>();
  const lines: string[] = [];
  const most = problems.length > MOST_PROBLEMS_SHOWN ? MOST_ALIKE_SHOWN : MOST_PROBLEMS_SHOWN;
  for (const { where, message } of problems) {
    const count = alike.get(message) ?? 0;
    if (count === most || lines.length === MOST_PROBLEMS_SHOWN) continue;
    alike.set(message, count + 1);
    lines.push(`${where}: ${message}`);
  }
  const hidden = problems.length - lines.length;
  if (hidden > 0) lines.push(`and ${hidden} more problem${hidden === 1 ? "" : "s"}`);
  return new InputError(problems[0].code, lines.join("\n"), {}, undefined, problems);
}

/** Throws all problems as one error, if there are any. */
export function throwProblems(problems: readonly Problem[]): void {
  const [first, ...others] = problems;
  if (first !== undefined) throw problemsError([first, ...others]);
}

const LONGEST_VALUE_SHOWN = 60;

/** A value as error messages show it: in backticks, more than it has, on one line, cut to a length. */
export function quote(value: unknown): string {
  return quoteWithin(LONGEST_VALUE_SHOWN, value);
}

/** Control and bidirectional characters: they could rewrite the terminal line that a message is on. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * As {@link quote}, cut to another length, for what others say in sentences. Not a second parameter there:
 * `map` would give it the index.
 */
export function quoteWithin(longest: number, value: unknown): string {
  const text = plainWithin(longest, value);
  let fence = "`";
  while (text.includes(fence)) fence += "`";
  const pad = fence[1] ? " " : "";
  return fence + pad + text + pad + fence;
}

function plainWithin(longest: number, value: unknown): string {
  const text = typeof value === "string" ? value : jsonOf(value);
  const plain = text.replace(HIDDEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return clip(plain, longest);
}

/** Whatever was thrown, in words. */
export function messageOf(cause: unknown): string {
  if (!isError(cause)) return plainWithin(LONGEST_VALUE_SHOWN, cause);
  return typeof (cause.message as unknown) === "string" && cause.message !== "" ? cause.message : cause.name;
}

/** Whether something is an error, also of another realm: test runners have a global object of their own. */
export function isError(thrown: unknown): thrown is Error {
  if (thrown instanceof Error) return true;
  const { name, message } = (thrown ?? {}) as Readonly<Record<string, unknown>>;
  return typeof thrown === "object" && typeof name === "string" && typeof message === "string";
}

/** JSON, or what else can be said of a value that JSON cannot hold. */
function jsonOf(value: unknown): string {
  // JSON has null for what is no finite number.
  if (typeof value === "number") return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
