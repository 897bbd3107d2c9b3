import type { ZodType } from "zod";
import { linkController, raceAbort } from "../foundation/async/index.js";
import { isMap } from "../foundation/checks/index.js";
import { parseJson } from "../foundation/text/index.js";
import { InputError, isError, keysInWords, messageOf, quote } from "../foundation/errors/index.js";
import {
  type Answer,
  type GoldenQuery,
  type QueryResult,
  type SearchHit,
  type SearchTrace,
  shapeProblems,
} from "../records/index.js";
import { answerSchema, queryResultSchema, searchHitSchema } from "../records/schema/index.js";
import type { QueryContext, RecordOptions } from "./record-options.js";

const A_HIT = '{ chunk_id: "guide#3", doc_id: "guide" }';
const AN_ANSWER = '{ answer: "Hold the button.", grounded: true, citations: [] }';

/**
 * One query's result; null when the recording was aborted before it was there. Its time is from the call of
 * each function to its settling, and has nothing of the checks in it.
 */
export async function recordQuery(
  query: GoldenQuery,
  { retrieve, answer, mode, signal, timeoutMs }: RecordOptions,
  stop: AbortSignal,
  onFailure: (cause: unknown) => void,
): Promise<QueryResult | null> {
  // Not AbortSignal.timeout: its timer lets the process end while a query that never answers is waited for.
  const { controller, letGo } = linkController(signal, stop);
  const limits = controller.signal;
  let isTooLate = false;
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          isTooLate = true;
          controller.abort(new Error("timeout"));
        }, timeoutMs);
  let trace: SearchTrace | undefined;
  const context: QueryContext = {
    goldenQuery: query,
    signal: limits,
    onTrace: (told) => (trace = told),
  };
  const watch = new Stopwatch();
  let hits: SearchHit[] = [];
  let said: Answer | null = null;
  let error: string | null = null;
  let isFoundTooLate = false;
  const isLate = (): boolean => timeoutMs !== undefined && milliseconds(watch.elapsed) > timeoutMs;
  try {
    const given = await raceAbort(() => watch.time(async () => retrieve(query.query, context)), limits);
    isFoundTooLate = isLate();
    hits = checkHits(given);
    if (answer !== undefined) {
      // Its own list: what it does to it is not what was retrieved.
      const own = given.map((hit, index) => ({ ...hit, rank: hit.rank ?? index + 1 }));
      said = checkAnswer(
        await raceAbort(() => watch.time(async () => answer(query.query, own, context)), limits),
      );
    }
  } catch (cause) {
    if (signal?.aborted === true || stop.aborted) return null;
    onFailure(cause);
    error = isTooLate ? `no result within ${timeoutMs} ms` : failureOf(cause);
  } finally {
    clearTimeout(timer);
    letGo();
  }
  const elapsed_ms = milliseconds(watch.elapsed);
  // A function that never waits cannot be interrupted, but it was too late all the same.
  if (error === null && isLate()) [said, error] = [null, `no result within ${timeoutMs ?? 0} ms`];
  if (isFoundTooLate) hits = [];
  return {
    query_id: query.id,
    query: query.query,
    mode: mode ?? "default",
    hits_top_k: hits,
    answer: said,
    elapsed_ms,
    error,
    ...(trace && checkTrace(trace)),
  };
}

/** Adds up how long calls take until they settle. */
class Stopwatch {
  #elapsed = 0;
  #began: number | null = null;

  /** Of a call that has not settled, the time until now counts. */
  get elapsed(): number {
    return this.#elapsed + (this.#began === null ? 0 : performance.now() - this.#began);
  }

  async time<T>(call: () => Promise<T>): Promise<T> {
    this.#began = performance.now();
    try {
      return await call();
    } finally {
      this.#elapsed = this.elapsed;
      this.#began = null;
    }
  }
}

/** Schemas are compiled at their first use, which would be part of the first queries' times. */
export function warmUpChecks(): void {
  checkHits([
    { chunk_id: "x", doc_id: "x", source_spans: [{ kind: "line", start: 1, end: 1 }], features: { x: 1 } },
  ]);
  checkAnswer({ answer: "", grounded: true, citations: [] });
}

/** A message with what lies behind it: that of fetch says nothing but that it failed. */
function failureOf(error: unknown): string {
  const message = messageOf(error);
  const cause: unknown = isError(error) ? error.cause : undefined;
  if (!isError(cause)) return message;
  // Several addresses that all refuse have a code and no message.
  const behind = cause.message === "" && "code" in cause ? String(cause.code) : messageOf(cause);
  return message.includes(behind) ? message : `${message}: ${behind}`;
}

function checkHits(hits: readonly SearchHit[]): SearchHit[] {
  if (!Array.isArray(hits))
    throw new InputError(
      "RUN_SHAPE",
      `retrieve must return a list of hits, such as [${A_HIT}], got ${inWords(hits)}`,
    );
  // A hole in the list is a hit, too.
  return Array.from(hits, (hit: SearchHit, index) => {
    const kept = checkRecord(
      hit,
      searchHitSchema,
      `hit ${index + 1} that retrieve returned`,
      `a hit is ${A_HIT}`,
    );
    return { ...kept, rank: kept.rank ?? index + 1 };
  });
}

function checkAnswer(answer: Answer | null): Answer | null {
  return answer === null
    ? null
    : checkRecord(answer, answerSchema, "the answer that answer returned", `an answer is ${AN_ANSWER}`);
}

/** What a service says of itself must not cost the result: what cannot be kept is left out. */
function checkTrace(trace: SearchTrace): Pick<QueryResult, "request_ids" | "plan" | "channels"> {
  return Object.fromEntries(
    Object.entries(trace).flatMap(([key, value]: [string, unknown]): [string, unknown][] => {
      try {
        if (!queryResultSchema.partial().safeParse({ [key]: value }).success) return [];
        return [[key, parseJson(JSON.stringify(value))]];
      } catch {
        return [];
      }
    }),
  );
}

/**
 * A record of the right shape as it will be read back: an object that the system uses again, or that has
 * getters alone, is another one then. Else an error that becomes the query's.
 */
function checkRecord<T>(record: T, schema: ZodType, what: string, right: string): T {
  const check = (value: unknown): void => {
    const [problem] = shapeProblems(schema, value, { code: "RUN_SHAPE", locate: () => ({ where: "" }) });
    if (problem !== undefined)
      throw new InputError("RUN_SHAPE", `${what}: ${problem.message}; ${right}, got ${inWords(value)}`);
  };
  check(record);
  try {
    JSON.stringify(record);
  } catch (cause) {
    throw new InputError("RUN_SHAPE", `${what} cannot be written as JSON: ${messageOf(cause)}`, {}, cause);
  }
  const kept = copyOf(record, what);
  // Of an object without a class what was checked is what is kept.
  if (!isPlain(record)) check(kept);
  return kept as T;
}

const isPlain = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/**
 * A copy: of objects without a class and of lists part by part, of others as JSON gives them back.
 *
 * @throws InputError `RUN_SHAPE` for a map or a set, of which JSON gives nothing back.
 */
function copyOf(value: unknown, what: string): unknown {
  if (Array.isArray(value)) return value.map((each) => copyOf(each, what));
  // As in a configuration: JSON would make an object of the numbers.
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return [...(value as Uint8Array)];
  if (isPlain(value))
    return Object.fromEntries(
      Object.entries(value as object).map(([key, each]) => [key, copyOf(each, what)]),
    );
  if (isMap(value) || value instanceof Set)
    throw new InputError("RUN_SHAPE", `${what} has a map or a set in it; give an object or a list`);
  return typeof value === "object" && value !== null ? parseJson(JSON.stringify(value)) : value;
}

/** What was returned: of an object its keys only, since their values may be long. */
function inWords(value: unknown): string {
  const hasKeys = typeof value === "object" && value !== null && !Array.isArray(value);
  return hasKeys ? keysInWords(value) : quote(value);
}

/** To the microsecond: further digits of the clock are noise. */
function milliseconds(elapsed: number): number {
  return Math.round(elapsed * 1000) / 1000;
}
