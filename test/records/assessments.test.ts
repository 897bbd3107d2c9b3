import { expect, it } from "vitest";
import { keepAssessments, standingAssessments, type Assessment } from "../../src/records/index.js";

const MARK = "0123456789abcdef".repeat(2);

const said = (mark: string, second: number, more: Partial<Assessment> = {}): Assessment => ({
  tenant: "t",
  query: "q",
  item: "i",
  outcome: "graded",
  grade: 3,
  rater: { kind: "human", name: "Ada" },
  vote: 1,
  at: `2026-05-01T09:00:0${second}.000Z`,
  mark,
  ...more,
});

it("a mark that two servers stored counts once, so that it is taken back once", () => {
  const all = [
    said(MARK, 1),
    said(MARK, 1),
    said(MARK.replace("0", "1"), 2, { outcome: "withdrawn", grade: null }),
  ];
  expect(standingAssessments(all)).toEqual([]);
  expect(keepAssessments(all.slice(0, 2))).toEqual([said(MARK, 1)]);
  // Of another rater, and without a mark, all count.
  const bare = said("", 1, { mark: undefined });
  const other = said(MARK, 1, { rater: { kind: "human", name: "Ben" } });
  expect(keepAssessments([said(MARK, 1), other])).toHaveLength(2);
  expect(keepAssessments([bare, bare])).toHaveLength(2);
  // A field of that name in what somebody imports is another thing.
  expect(keepAssessments([said("checked", 1), said("checked", 2)])).toHaveLength(2);
});
