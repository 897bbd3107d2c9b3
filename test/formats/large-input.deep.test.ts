import { describe, expect, it } from "vitest";
import { parseGolden, parseItems, parseRun } from "../../src/formats/index.js";
import { failure } from "../support/failure.js";

describe("a run", () => {
  it("a file with mistakes in every hit is told quickly", () => {
    const line = JSON.stringify({
      query_id: "q",
      hits_top_k: Array.from({ length: 200_000 }, () => ({ chunk_id: "c" })),
    });
    expect(failure(() => parseRun(line, { run_id: "r" }, "r.jsonl")).message).toContain(
      "and 199980 more problems",
    );
  });
});

describe("a corpus", () => {
  it("with a mistake in more lines than a call takes arguments is told like any other", () => {
    expect(failure(() => parseItems('{"id":1,}\n'.repeat(200_000), "c.jsonl")).message).toMatch(
      /^c\.jsonl:1:9: expected a key in double quotes[^]*and 199997 more problems$/,
    );
  });
});

describe("YAML", () => {
  it("with very many keys in one mapping is read, and a key that is duplicated among them is found", () => {
    const keys = Array.from({ length: 60_000 }, (_, index) => `    k${index}: 1\n`).join("");
    expect(() => parseGolden(`- id: a\n  query: b\n  meta:\n${keys}    k7: 1\n`, "g.yaml")).toThrow(
      "g.yaml:60004:5: is not valid YAML: map keys must be unique",
    );
  });
  it("with very many keys that are not known names the place of each", () => {
    const keys = Array.from({ length: 60_000 }, (_, index) => `  k${index}: 1\n`).join("");
    expect(failure(() => parseGolden(`- id: a\n  query: b\n${keys}`, "g.yaml")).message).toContain(
      "g.yaml:22:3: unknown key `k19`; free-form data goes under `meta`\nand 59980 more problems",
    );
  });
});
