import { describe, expect, it } from "vitest";
import { InputError } from "../../src/foundation/errors/errors.js";
import { parseBenchFixture } from "../../src/formats/index.js";
import { aCase, aFixture, aPaper } from "../support/bench-fixtures.js";

const file = (fixture: unknown): string => JSON.stringify(fixture);

describe("a benchmark fixture", () => {
  it("is read with what it does not know, from text and from bytes", () => {
    const fixture = {
      ...aFixture(),
      license: "MIT",
      papers: [aPaper({ year: 2024, venue: null, doi: "x" })],
      cases: [aCase({ note: "y" })],
    };
    expect(parseBenchFixture(file(fixture))).toEqual(fixture);
    expect(parseBenchFixture(new TextEncoder().encode(`\ufeff${file(fixture)}`))).toEqual(fixture);
    expect(parseBenchFixture(file({ papers: [], cases: [] }))).toEqual({ papers: [], cases: [] });
  });
  it.each([
    ["{oops", "FIXTURE_SYNTAX", "f.json:1:2: expected a key in double quotes, got `oops`"],
    ['{"papers": [], "papers": []}', "FIXTURE_SYNTAX", "f.json:1:16: key `papers` is duplicated"],
    ["[]", "FIXTURE_SHAPE", "f.json:1:1: the record must be a mapping of fields, got `[]`"],
    [
      '{"papers": [{"paper_id": 1.5, "title": null, "abstract": "a", "structured_card": {"method": ' +
        '3, "constructor": ["x"]}}],\n"cases": [{"case_id": "", "query": "q", "query_type": "exact", ' +
        '"top_k": 0,\n"judgments": [{"paper_id": "", "chunk_ref": 1, "relevance": 4}, {"paper_id": 1, ' +
        '"chunk_ref": "x", "relevance": 0.5}]}]}',
      "FIXTURE_SHAPE",
      [
        "f.json:1:26: papers[0].paper_id must be a text or a whole number, got `1.5`",
        "f.json:1:40: papers[0].title must be a string, got `null`",
        "f.json:1:93: papers[0].structured_card.method must be a text or a list of texts, got `3`",
        'f.json:2:23: cases[0].case_id must not be empty, got `""`',
        "f.json:2:73: cases[0].top_k must be a whole number from 1, got `0`",
        'f.json:3:28: cases[0].judgments[0].paper_id must not be empty, got `""`',
        "f.json:3:45: cases[0].judgments[0].chunk_ref must be a string, got `1`",
        "f.json:3:61: cases[0].judgments[0].relevance must be a whole number from 0 to 3, got `4`",
        "f.json:3:112: cases[0].judgments[1].relevance must be a whole number from 0 to 3, got `0.5`",
      ].join("\n"),
    ],
  ])("says what is wrong with %j, and where", (text, code, message) => {
    expect(() => parseBenchFixture(text, "f.json")).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) as string }) as InputError,
    );
  });
});
