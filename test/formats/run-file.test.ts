import { describe, expect, it } from "vitest";
import { parseCorpus, parseRun } from "../../src/formats/index.js";

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const results = Array.from({ length: 2000 }, (_, at) => ({ query_id: `q${at}`, hits_top_k: [] }));
const chunks = Array.from({ length: 4000 }, (_, at) => ({ chunk_id: `c${at}`, doc_id: "d" }));
const long = "x".repeat(100_000);

describe("a file on one line that is longer than what its kind is told by", () => {
  it.each<[string, unknown]>([
    ["a run", { run_id: "a", suite: "s", created_at: "2026-05-01", config_snapshot: {}, results }],
    ["its results alone", { results }],
    ["a list of them", results],
    ["a run with a long configuration", { run_id: "a", config_snapshot: { prompt: long }, results }],
    ["one with words of others in it", { config_snapshot: { text: '{"query_id": 1} \\" ' + long }, results }],
  ])("is read as %s", (_what, value) => {
    expect(parseRun(bytes(value), { run_id: "a" }).results).toHaveLength(2000);
  });
  it.each<[string, object]>([
    ["a result", { query_id: "q", hits_top_k: [], answer: { answer: long, grounded: true } }],
    ["a result whose own fields come first", { vector: [long], query_id: "q", hits_top_k: [] }],
    ["a result with a field called results", { query_id: "q", results: [long], hits_top_k: [] }],
  ])("is read as %s, with and without a line after it", (_what, value) => {
    const line = JSON.stringify(value);
    const other = '{"query_id": "r", "hits_top_k": []}';
    for (const [text, count] of [
      [line, 1],
      [`${line}\n`, 1],
      [`${line}\n${other}`, 2],
    ] as const)
      expect(parseRun(new TextEncoder().encode(text), { run_id: "a" }).results).toHaveLength(count);
  });
  it("is read as a corpus", () => {
    expect(parseCorpus(bytes({ chunks })).chunks).toHaveLength(4000);
    expect(parseCorpus(bytes({ chunk_id: "c", doc_id: "d", text: long })).chunks).toHaveLength(1);
  });
});

describe("the time of a run", () => {
  it.each([
    ["2026-11-27T04:52:06-05:00", "2026-11-27T09:52:06.000Z"],
    ["2026-11-27T18:52:06.123456+09:00", "2026-11-27T09:52:06.123Z"],
    ["2026-11-27T09:52:06Z", "2026-11-27T09:52:06Z"],
    ["2026-13-45T99:00:00+01:00", "2026-13-45T99:00:00+01:00"],
    ["yesterday", "yesterday"],
  ])("is in UTC, so that runs can be put in order: %s", (created_at, expected) =>
    expect(parseRun(JSON.stringify({ created_at, results: [] }), { run_id: "r" }).created_at).toBe(expected),
  );
});
