import { expect, it } from "vitest";
import { computeAggregate } from "../../src/index.js";
import { aRun } from "../support/records.js";

const golden = [{ id: "q", query: "x", expected_chunk_ids: ["c"] }];
const hit = { chunk_id: "c", doc_id: "d", rank: 1 };
const unread = (result: object, first: object = {}): string[] =>
  computeAggregate(
    aRun({ results: [{ query_id: "q", hits_top_k: [{ ...hit, ...first }], ...result }] }),
    golden,
  )
    .warnings.filter(({ code }) => code === "FIELD_UNREAD")
    .map(({ message }) => message);

it.each([
  [{ anwser: { answer: "a", grounded: true } }, "`anwser`, which is not read; did you mean `answer`?"],
  [{ latency_ms: 5 }, "`latency_ms`, which is not read; did you mean `elapsed_ms`?"],
  [{ elapsedMs: 5 }, "`elapsedMs`, which is not read; did you mean `elapsed_ms`?"],
  [{ eror: "timeout" }, "`eror`, which is not read; did you mean `error`?"],
])("warns of a field of a result that nobody reads: %j", (result, message) => {
  expect(unread(result)).toEqual([`results have the field ${message}`]);
});

it("warns of one of a hit", () => {
  expect(unread({}, { sourceSpans: [{ start: 1 }] })).toEqual([
    "results have the field `sourceSpans`, which is not read; did you mean `source_spans`?",
  ]);
});

it.each([
  [{ citation: [{ chunk_id: "c" }] }, "`citation`, which is not read; did you mean `citations`?"],
  [{ Citations: [{ chunk_id: "c" }] }, "`Citations`, which is not read; did you mean `citations`?"],
  [{ is_grounded: false }, "`is_grounded`, which is not read; did you mean `grounded`?"],
])("warns of one of an answer: %j", (fields, message) => {
  expect(unread({ answer: { answer: "a", ...fields } })).toEqual([`results have the field ${message}`]);
});

it("lets fields be that are there under their own name too, or are like none", () => {
  expect(unread({ latency_ms: 5, elapsed_ms: 4 })).toEqual([]);
  expect(unread({ note: "x", mode: "lexical", cost: 3, query: "x" }, { score: 1, text: "y" })).toEqual([]);
  expect(unread({ mirror: "eu", answered: true, errors: [], latency: { p: 1 } })).toEqual([]);
});
