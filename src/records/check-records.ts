import { InputError, quote, type ErrorCode } from "../foundation/errors/index.js";
import { isSlip } from "../foundation/ids/index.js";
import { knownOptions } from "../foundation/checks/index.js";

/*
 * What the pure functions must know of records that come from code without types. It is less than the
 * schemas check, which read files: only what a computation would stumble over.
 */

/** Refuses a run whose results or hits cannot be walked through. @throws InputError `RUN_SHAPE` */
export function checkRunRecord(run: unknown): void {
  const { results, run_id, created_at, config_snapshot } = record(
    run,
    "a run",
    "RUN_SHAPE",
    "give an object with `run_id` and `results`",
  );
  if (run_id !== undefined) text(run_id, "run_id", "RUN_SHAPE");
  const where = `run ${quote(run_id)}`;
  if (created_at != null) text(created_at, `${where}: created_at`, "RUN_SHAPE");
  record(
    config_snapshot,
    `${where}: config_snapshot`,
    "RUN_SHAPE",
    "write `{}` when there is nothing to remember",
  );
  list(results, `${where}: results`, "RUN_SHAPE").forEach((result, index) => {
    const at = `${where}: results[${index}]`;
    const { query_id, hits_top_k, answer, elapsed_ms, error } = record(
      result,
      at,
      "RUN_SHAPE",
      "give an object with `query_id` and `hits_top_k`",
    );
    text(query_id, `${at}.query_id`, "RUN_SHAPE");
    if (elapsed_ms != null && !(Number.isFinite(elapsed_ms) && (elapsed_ms as number) >= 0))
      refuse(elapsed_ms, `${at}.elapsed_ms`, "a number of milliseconds from 0", "RUN_SHAPE");
    if (error != null) text(error, `${at}.error`, "RUN_SHAPE");
    if (answer != null) checkAnswer(answer, `${at}.answer`);
    list(hits_top_k, `${at}.hits_top_k`, "RUN_SHAPE").forEach((hit, place) => {
      const there = `${at}.hits_top_k[${place}]`;
      const { chunk_id, doc_id, source_spans } = record(
        hit,
        there,
        "RUN_SHAPE",
        "give an object with `chunk_id` and `doc_id`",
      );
      text(chunk_id, `${there}.chunk_id`, "RUN_SHAPE");
      text(doc_id, `${there}.doc_id`, "RUN_SHAPE");
      if (source_spans != null)
        list(source_spans, `${there}.source_spans`, "RUN_SHAPE").forEach((span, index) =>
          checkPlace(span, `${there}.source_spans[${index}]`, "RUN_SHAPE"),
        );
    });
  });
}

function checkAnswer(value: unknown, at: string): void {
  const { answer, grounded, citations } = record(
    value,
    at,
    "RUN_SHAPE",
    "give an object with `answer`, its text",
  );
  text(answer, `${at}.answer`, "RUN_SHAPE");
  if (grounded != null && typeof grounded !== "boolean")
    refuse(grounded, `${at}.grounded`, "true, or false where the system refused", "RUN_SHAPE");
  if (citations != null)
    list(citations, `${at}.citations`, "RUN_SHAPE").forEach((each, place) => {
      const cited = `${at}.citations[${place}]`;
      const { citation } = record(each, cited, "RUN_SHAPE", "give an object with `citation`");
      checkPlace(citation, `${cited}.citation`, "RUN_SHAPE");
    });
}

const PLACES = [
  "start",
  "end",
  "line_start",
  "line_end",
  "start_ms",
  "end_ms",
  "page",
  "char_start",
  "char_end",
];

/** A span or a citation: numbers as texts would be compared as texts. */
function checkPlace(value: unknown, at: string, code: ErrorCode): void {
  const place = record(value, at, code, "give an object with its place");
  for (const name of [...PLACES, "x", "y", "w", "h"])
    if (place[name] != null && typeof place[name] !== "number")
      refuse(place[name], `${at}.${name}`, "a number", code);
}

const LISTS_OF_TEXT = ["expected_chunk_ids", "expected_doc_ids", "must_contain", "forbidden"];
const GOLDEN_FIELDS = [...LISTS_OF_TEXT, "judgments", "expected_spans", "expected_refusal"];

/**
 * The queries of a golden set, or of its bare list. @throws InputError `GOLDEN_SHAPE` where there are none to
 * walk through
 */
export function queryList(golden: unknown): readonly unknown[] {
  if (Array.isArray(golden)) return golden;
  return list(
    record(golden, "a golden set", "GOLDEN_SHAPE", "give an object with `queries`, or a list of queries")[
      "queries"
    ],
    "golden set: queries",
    "GOLDEN_SHAPE",
  );
}

/** Refuses golden queries that cannot be walked through. @throws InputError `GOLDEN_SHAPE` */
export function checkGoldenRecords(queries: readonly unknown[]): void {
  queries.forEach((query, index) => {
    const at = `golden query ${index + 1}`;
    const fields = record(query, at, "GOLDEN_SHAPE", "give an object with `id` and `query`");
    text(fields["id"], `${at}: id`, "GOLDEN_SHAPE");
    text(fields["query"], `${at}: query`, "GOLDEN_SHAPE");
    for (const name of Object.keys(fields)) {
      // Other names may be anybody's; of these one would silently change what is measured.
      const near = GOLDEN_FIELDS.includes(name)
        ? undefined
        : GOLDEN_FIELDS.find((right) => isSlip(name, right));
      if (near !== undefined && fields[near] === undefined)
        throw new InputError(
          "GOLDEN_UNKNOWN_KEY",
          `${at}: unknown key ${quote(name)}; did you mean ${quote(near)}?`,
        );
    }
    const { expected_refusal } = fields;
    if (expected_refusal != null && typeof expected_refusal !== "boolean")
      refuse(expected_refusal, `${at}: expected_refusal`, "true or false", "GOLDEN_SHAPE");
    for (const field of LISTS_OF_TEXT)
      if (fields[field] !== undefined)
        list(fields[field], `${at}: ${field}`, "GOLDEN_SHAPE").forEach((each, place) => {
          const what = `${at}: ${field}[${place}]`;
          text(each, what, "GOLDEN_SHAPE");
          // Every answer contains the empty text.
          if (each === "") refuse(each, what, "a string that is not empty", "GOLDEN_SHAPE");
        });
    const { judgments, expected_spans } = fields;
    if (judgments !== undefined) checkJudgments(judgments, `${at}: judgments`);
    if (expected_spans !== undefined)
      list(expected_spans, `${at}: expected_spans`, "GOLDEN_SHAPE").forEach((each, place) => {
        const there = `${at}: expected_spans[${place}]`;
        const { span } = record(each, there, "GOLDEN_SHAPE", "give an object with `doc_id` and `span`");
        checkPlace(span, `${there}.span`, "GOLDEN_SHAPE");
      });
  });
}

function checkJudgments(value: unknown, at: string): void {
  const grades = new Map<string, unknown>();
  list(value, at, "GOLDEN_SHAPE").forEach((each, index) => {
    const there = `${at}[${index}]`;
    const advice = "give an object with `grade` and either `chunk_id` or `doc_id`";
    const { chunk_id, doc_id, grade } = record(each, there, "GOLDEN_SHAPE", advice);
    if ((chunk_id === undefined) === (doc_id === undefined))
      refuse(each, there, "of either a `chunk_id` or a `doc_id`", "GOLDEN_SHAPE");
    text(chunk_id ?? doc_id, `${there}: its id`, "GOLDEN_SHAPE");
    if (!Number.isFinite(grade)) refuse(grade, `${there}.grade`, "a finite number", "GOLDEN_SHAPE");
    const item = JSON.stringify([chunk_id, doc_id]);
    if (grades.has(item) && grades.get(item) !== grade)
      refuse(grade, `${there}.grade`, `${quote(grades.get(item))}, as it is before`, "GOLDEN_SHAPE");
    grades.set(item, grade);
  });
}

/** Refuses what should be a list of several runs or systems. @throws InputError `ARGUMENT` */
export function checkCompared(value: unknown, what: string): void {
  if (!Array.isArray(value) || value.length === 0)
    throw new InputError("ARGUMENT", `${what} must be a list with the baseline first, got ${quote(value)}`);
  value.forEach((each, index) => record(each, `${what}[${index}]`, "ARGUMENT", "give an object"));
}

/** Choices of options that code without types may get wrong, and would not notice. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  unit: ["chunk", "doc"],
  matching: ["exact", "docSpan"],
  missingQueries: ["zero", "skip"],
  textMatch: ["caseSensitive", "caseInsensitive"],
};

/** What evaluations, comparisons and reports take: not all of it each. */
export const OPTION_NAMES = [
  ...["metrics", "unit", "matching", "missingQueries", "textMatch", "corpus", "archive", "isIndexed"],
  ...["profile", "depth", "ties", "precision", "queries", "noRelevant", "unjudged", "duplicates", "grades"],
  ...["means", "identicalIds", "tieSpread", "bounds", "shard", "onQuery", "runId", "known", "test", "seed"],
  ...["permutations", "labels", "resamples", "confidence", "alpha", "correction", "power", "tolerance"],
  ...["margin", "primary", "guards", "maxP95Ms", "maxFailedShare", "slices", "strictChunkerVersion"],
  ...["statistics", "channels"],
] as const;

/**
 * Refuses options that are no object, a misspelt one, a choice that there is not, and values of another kind;
 * `undefined` are the defaults. @throws InputError `ARGUMENT`
 */
export function checkOptions(options: unknown): void {
  if (options === undefined) return;
  const given = knownOptions(options as Readonly<Record<string, unknown>>, OPTION_NAMES);
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = given[name];
    if (value !== undefined && !choices.some((choice) => choice === value))
      throw new InputError(
        "ARGUMENT",
        `${name} must be ${choices.map((choice) => quote(choice)).join(" or ")}, got ${quote(value)}`,
      );
  }
  const checkEach = <T>(names: readonly string[], check: (value: unknown, name: string) => T): void => {
    for (const name of names) if (given[name] != null) check(given[name], name);
  };
  checkEach(["metrics", "archive", "slices", "guards"], (value, name) => list(value, name, "ARGUMENT"));
  checkEach(["corpus", "shard"], (value, name) => record(value, name, "ARGUMENT", "or leave it out"));
  const { corpus } = given as { readonly corpus?: { readonly chunks?: unknown } | null };
  if (corpus != null)
    list(corpus.chunks, "corpus.chunks", "ARGUMENT").forEach((chunk, index) =>
      record(chunk, `corpus.chunks[${index}]`, "ARGUMENT", "give an object with `chunk_id` and `doc_id`"),
    );
  checkEach(["primary", "profile"], (value, name) => text(value, name, "ARGUMENT"));
}

function record(
  value: unknown,
  what: string,
  code: ErrorCode,
  advice: string,
): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InputError(code, `${what} must be an object, got ${quote(value)}; ${advice}`);
  return value as Readonly<Record<string, unknown>>;
}

function list(value: unknown, what: string, code: ErrorCode): readonly unknown[] {
  if (!Array.isArray(value))
    throw new InputError(
      code,
      `${what} must be a list, got ${quote(value)}; write \`[]\` when there is nothing`,
    );
  return value;
}

function text(value: unknown, what: string, code: ErrorCode): void {
  if (typeof value !== "string") refuse(value, what, "a string", code);
}

function refuse(value: unknown, what: string, wanted: string, code: ErrorCode): never {
  throw new InputError(code, `${what} must be ${wanted}, got ${quote(value)}`);
}
