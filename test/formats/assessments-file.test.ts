import { expect, it } from "vitest";
import { assessmentLines, formatAssessments, parseAssessments } from "../../src/formats/index.js";

const line = (more: object): string =>
  JSON.stringify({
    ...{ tenant: "default", query: "q", item: "i", outcome: "graded", grade: 1 },
    ...{ rater: { kind: "human", name: "Ada" }, vote: 1, at: "2026-05-01T09:00:00.000Z", ...more },
  });

it("has no grade where a table has no cell for it, but for what was graded", () => {
  const bare = (outcome: string): string => {
    const { grade, ...rest } = JSON.parse(line({ outcome })) as { grade: unknown };
    expect(grade).toBe(1);
    return JSON.stringify(rest);
  };
  // Nor have all tables times in milliseconds.
  expect(parseAssessments(line({ at: "2026-05-01T09:00:00.000123Z" }))[0]?.at).toBe(
    "2026-05-01T09:00:00.000Z",
  );
  expect(parseAssessments(bare("cannot_tell"))).toMatchObject([{ outcome: "cannot_tell", grade: null }]);
  expect(() => parseAssessments(bare("graded"), "labels.jsonl")).toThrow(
    "labels.jsonl:1:1: grade is missing",
  );
});

it("is nothing of another tool", () => {
  expect(() => parseAssessments("q1 0 d1 2\n", "qrels.txt")).toThrow(
    "qrels.txt: is neither a sheet of `label sheet`, with the columns `pair` and `grade`, nor JSONL of ",
  );
});

it.each([
  ["a day that is in no calendar", { at: "2026-02-31T09:00:00.000Z" }, "at must be a time in UTC"],
  ["an hour too late", { at: "2026-05-01T25:00:00.000Z" }, "at must be a time in UTC"],
  ["a time without milliseconds", { at: "2026-05-01T09:00:00Z" }, "at must be a time in UTC"],
  ["tokens below 0", { tokens: { input: -1, output: 0 } }, "tokens.input must be a number from 0"],
  ["a price below 0", { price: { amount: -0.1, currency: "EUR" } }, "price.amount must be a number from 0"],
])("%s is refused, with its line", (_, more, message) => {
  expect(parseAssessments(line({}), "labels.jsonl")).toHaveLength(1);
  expect(() => parseAssessments(`${line({})}\n${line(more)}\n`, "labels.jsonl")).toThrow(
    new RegExp(`labels\\.jsonl:2:\\d+: ${message}`),
  );
});

it("that are no UTF-8 are told as such", () => {
  const utf16 = Uint8Array.of(0xff, 0xfe, 0x7b, 0);
  expect(() => parseAssessments(utf16, "l.jsonl")).toThrow("l.jsonl: is UTF-16, not UTF-8");
  const latin1 = Uint8Array.of(0xe9, 0x7b, 0x7d, 0x0a);
  expect(() => parseAssessments(latin1, "l.jsonl")).toThrow(
    expect.objectContaining({
      code: "FILE_ENCODING",
      message: expect.stringContaining("l.jsonl:1") as string,
    }),
  );
});

it("are written line by line as they are written at once", () => {
  const one = { tenant: "t", query: "q", item: "i", outcome: "cannot_tell", grade: null, vote: 1 } as const;
  const said = ["b", "a"].map((name) => ({
    ...one,
    item: name,
    rater: { kind: "human" as const, name },
    at: "2026-05-01T09:00:00.000Z",
  }));
  expect([...assessmentLines(said)].join("")).toBe(formatAssessments(said));
  expect(parseAssessments(formatAssessments(said)).map(({ item }) => item)).toEqual(["a", "b"]);
});
