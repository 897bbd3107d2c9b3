import {
  expectShape,
  optional,
  isA,
  listOf,
  nullish,
  ownValue,
  recordOf,
  text,
  type Shape,
} from "../foundation/checks/index.js";
import { quote } from "../foundation/errors/index.js";

/*
 * What the pure functions must know of records that come from code without types. It is less than the
 * schemas check, which read files: only what a computation would stumble over or misread.
 */

export const yesOrNo = isA("true or false", (value) => typeof value === "boolean");
const number = nullish(isA("a number", (value) => typeof value === "number"));

/** The numbers of each kind of span; further fields may be anything. */
export const spanNumbers: Readonly<Record<string, readonly string[]>> = {
  line: ["start", "end"],
  code: ["line_start", "line_end"],
  byte: ["start", "end"],
  page: ["page", "char_start", "char_end"],
  time: ["start_ms", "end_ms"],
  region: ["x", "y", "w", "h", "page"],
};
const aRecord = recordOf({}, "give an object with its place");

/** A span or a citation: numbers as texts would be compared as texts. */
export const place: Shape = (value) => {
  const problem = aRecord(value);
  if (problem !== undefined) return problem;
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name of ownValue(spanNumbers, fields["kind"] as string) ?? []) {
    const problem = number(fields[name]);
    if (problem !== undefined) return [`.${name}`, problem[1]];
  }
  return undefined;
};

const hit = recordOf(
  { chunk_id: text, doc_id: text, source_spans: nullish(listOf(place)), citation: nullish(place) },
  "give an object with `chunk_id` and `doc_id`",
);
const answer = recordOf(
  {
    answer: text,
    grounded: nullish(yesOrNo),
    citations: nullish(listOf(recordOf({ citation: place }, "give an object with `citation`"))),
  },
  "give an object with `answer`, its text",
);
const result = recordOf(
  {
    query_id: text,
    elapsed_ms: nullish(
      isA("a number of milliseconds from 0", (value) => Number.isFinite(value) && (value as number) >= 0),
    ),
    error: nullish(text),
    answer: nullish(answer),
    hits_top_k: listOf(hit),
  },
  "give an object with `query_id` and `hits_top_k`",
);
const run = recordOf(
  {
    run_id: optional(text),
    created_at: nullish(text),
    config_snapshot: recordOf({}, "write `{}` when there is nothing to remember"),
    results: listOf(result),
  },
  "give an object with `run_id` and `results`",
);

/** Refuses a run whose results or hits cannot be walked through. @throws InputError `RUN_SHAPE` */
export function checkRunRecord(value: unknown): void {
  const { run_id } = (value ?? {}) as { readonly run_id?: unknown };
  expectShape(value, run, "RUN_SHAPE", "a run", `run ${quote(run_id)}: `);
}
