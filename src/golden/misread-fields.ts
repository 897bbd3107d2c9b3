import { isSlip } from "../foundation/ids/index.js";
import { quote } from "../foundation/errors/index.js";
import { type EvalRun, firstIds, type GivenWarning } from "../records/index.js";

/** Optional fields of a result, its answer and hits, with names under which they are written by mistake. */
const OF_RESULT = {
  answer: [],
  elapsed_ms: [
    "elapsedMs",
    "latency_ms",
    "latencyMs",
    "latency",
    "duration_ms",
    "durationMs",
    "took_ms",
    "elapsed",
  ],
  error: ["eror", "err"],
};
const OF_ANSWER = { grounded: ["is_grounded"], citations: [] };
const OF_HIT = { source_spans: ["sourceSpans", "spans"] };
/** Hits of one run are alike: of many results the first ones tell. */
const RESULTS_READ = 100;

/**
 * What a run says under a name that is not read: unknown fields are kept, so that a typo would only be seen
 * by what is missing.
 */
export function misreadFields({ results }: EvalRun): GivenWarning[] {
  const found = new Map<string, { readonly right: string; readonly queries: string[] }>();
  const look = (record: object, fields: Readonly<Record<string, readonly string[]>>, query: string): void => {
    for (const name of Object.keys(record)) {
      const values = record as Readonly<Record<string, unknown>>;
      const right = rightNameOf(name, fields);
      if (right === undefined || values[right] != null || isNothing(values[name], right)) continue;
      const known = found.get(name);
      if (known === undefined) found.set(name, { right, queries: [query] });
      else if (known.queries.at(-1) !== query) known.queries.push(query);
    }
  };
  for (const result of results.slice(0, RESULTS_READ)) {
    look(result, OF_RESULT, result.query_id);
    if (result.answer != null) look(result.answer, OF_ANSWER, result.query_id);
    for (const hit of result.hits_top_k.slice(0, 1)) look(hit, OF_HIT, result.query_id);
  }
  return [...found].map(([name, { right, queries }]) => ({
    code: "FIELD_UNREAD" as const,
    message: `results have the field ${quote(name)}, which is not read; did you mean ${quote(right)}?`,
    query_ids: firstIds(queries),
  }));
}

/** Whether a value could not have been meant: nothing, an empty list, or a time that is no number. */
function isNothing(value: unknown, right: string): boolean {
  if (right === "elapsed_ms") return typeof value !== "number";
  return value == null || (Array.isArray(value) && value.length === 0);
}

function rightNameOf(name: string, fields: Readonly<Record<string, readonly string[]>>): string | undefined {
  if (Object.hasOwn(fields, name)) return undefined;
  const [right] = Object.entries(fields).find(([, others]) => others.includes(name)) ?? [];
  return right ?? Object.keys(fields).find((field) => isSlip(name, field));
}
