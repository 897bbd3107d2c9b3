import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  labelCoverage,
  labelJudgments,
  labelsOf,
  normalizeQuery,
  raterId,
  type LabelPolicy,
} from "../../src/label/index.js";
import { canonicalJson } from "../../src/foundation/text/index.js";
import type { Assessment, Rater } from "../../src/records/index.js";
import { LAW_RUNS, shuffled } from "../support/arbitraries.js";
import { failure } from "../support/failure.js";

const MODEL: Rater = { kind: "model", name: "judge", model: "m", prompt: "p", prompt_version: "1" };
const OTHER: Rater = { ...MODEL, prompt_version: "2" };
const ANNA: Rater = { kind: "human", name: "anna" };
const BEN: Rater = { kind: "human", name: "ben" };
const CHIEF: Rater = { kind: "adjudicator", name: "chief" };
const LABELER: LabelPolicy = { labeler: raterId(MODEL) };

let second = 0;
function said(rater: Rater, grade: number | null, more: Partial<Assessment> = {}): Assessment {
  second++;
  return {
    tenant: "default",
    query: "q",
    item: "i",
    outcome: grade === null ? "cannot_tell" : "graded",
    grade,
    rater,
    vote: 1,
    at: new Date(second * 1000).toISOString(),
    ...more,
  };
}
const undo = (rater: Rater, more: Partial<Assessment> = {}): Assessment =>
  said(rater, null, { outcome: "withdrawn", ...more });

/** The grade of the only pair, and who decided. */
function label(assessments: readonly Assessment[], policy: LabelPolicy = LABELER): unknown {
  const labels = labelsOf(assessments, policy);
  expect(labels.length).toBeLessThan(2);
  return labels[0] === undefined ? null : [labels[0].grade, labels[0].by];
}

describe("the label of a pair", () => {
  it("is what an adjudicator says, before people, before the labeler", () => {
    const model = said(MODEL, 3);
    const people = [said(ANNA, 1), said(BEN, 2)];
    expect(label([model])).toEqual([3, "labeler"]);
    expect(label([model, people[0] as Assessment])).toEqual([1, "people"]);
    expect(label([model, ...people])).toEqual([1, "people"]);
    expect(label([model, ...people, said(CHIEF, 0)])).toEqual([0, "adjudicator"]);
    expect(label([model, ...people, said(CHIEF, 0)], { ...LABELER, people: false })).toEqual([3, "labeler"]);
  });
  it("is the latest of one person, and the lower median of an even number of people", () => {
    expect(label([said(ANNA, 3), said(ANNA, 1)])).toEqual([1, "people"]);
    expect(label([said(ANNA, 3), said(BEN, 0), said({ kind: "human", name: "carl" }, 2)])).toEqual([
      2,
      "people",
    ]);
    expect(label([said(ANNA, 3), said(ANNA, 1, { at: new Date(0).toISOString() })])).toEqual([3, "people"]);
  });
  it("is the median of the chosen labeler's votes, and never mixes raters", () => {
    const votes = [said(MODEL, 0), said(MODEL, 3, { vote: 2 }), said(MODEL, 1, { vote: 3 })];
    expect(label(votes)).toEqual([1, "labeler"]);
    expect(label([...votes, said(OTHER, 3)])).toEqual([1, "labeler"]);
    expect(label([said(OTHER, 3)])).toBeNull();
    expect(label([said(OTHER, 3)], {})).toBeNull();
    expect(labelsOf(votes, LABELER)[0]).toMatchObject({ votes: 3, spread: 3, raters: [raterId(MODEL)] });
  });
  it("is not made of what is no grade", () => {
    expect(label([said(ANNA, 2), said(ANNA, null)])).toBeNull();
    expect(label([said(ANNA, null), said(MODEL, 2)])).toEqual([2, "labeler"]);
    expect(label([said(MODEL, null, { outcome: "invalid" }), said(MODEL, 1, { vote: 2 })])).toEqual([
      1,
      "labeler",
    ]);
  });
  it("goes back where a rater takes something back, vote by vote", () => {
    const before = [said(ANNA, 3), said(ANNA, 1)];
    expect(label([...before, undo(ANNA)])).toEqual([3, "people"]);
    expect(label([...before, undo(ANNA), undo(ANNA)])).toBeNull();
    expect(label([...before, undo(ANNA), undo(ANNA), undo(ANNA), said(ANNA, 2)])).toEqual([2, "people"]);
    expect(label([...before, undo(BEN)])).toEqual([1, "people"]);
    expect(label([said(MODEL, 0), said(MODEL, 3, { vote: 2 }), undo(MODEL)])).toEqual([3, "labeler"]);
  });
  it("is stale where the item has changed since, and can be left out", () => {
    const [old, now] = ["a".repeat(64), "b".repeat(64)];
    const currentHash = (): string => now;
    const list = [said(ANNA, 3, { item_hash: old }), said(MODEL, 1, { item_hash: now })];
    expect(labelsOf(list, { ...LABELER, currentHash })[0]).toMatchObject({ grade: 3, isStale: true });
    expect(labelsOf(list, { ...LABELER, currentHash, stale: "ignore" })[0]).toMatchObject({
      grade: 1,
      isStale: false,
    });
    expect(labelsOf(list, { ...LABELER, currentHash: () => undefined })[0]).toMatchObject({ isStale: false });
    expect(labelsOf([said(ANNA, 2)], { currentHash })[0]).toMatchObject({ isStale: false });
  });
  it("does not depend on the order of the list", () => {
    const rater = fc.constantFrom(MODEL, OTHER, ANNA, BEN, CHIEF);
    const one = fc.record({
      rater,
      grade: fc.option(fc.integer({ min: 0, max: 3 })),
      vote: fc.integer({ min: 1, max: 2 }),
      item: fc.constantFrom("i", "j"),
      isUndo: fc.boolean(),
    });
    const list = fc
      .array(one, { maxLength: 12 })
      .map((all) =>
        all.map(({ rater: who, grade, isUndo, ...more }, at) => {
          const place = { ...more, at: new Date(at * 1000).toISOString() };
          return isUndo ? undo(who, place) : said(who, grade, place);
        }),
      )
      .chain((all) => fc.tuple(fc.constant(all), shuffled(all)));
    fc.assert(
      fc.property(list, ([inOrder, inAnother]) => {
        expect(labelsOf(inAnother, LABELER)).toEqual(labelsOf(inOrder, LABELER));
      }),
      LAW_RUNS,
    );
  });
});

describe("a rater", () => {
  it(
    "is another one with another model, prompt, version or parameter, and the same whatever " +
      "model answered",
    () => {
      const ids = [
        MODEL,
        OTHER,
        { ...MODEL, model: "n" },
        { ...MODEL, prompt: "r" },
        { ...MODEL, parameters: { t: 1 } },
      ].map(raterId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(raterId({ ...MODEL, answered_model: "m-2026" })).toBe(raterId(MODEL));
      expect(raterId({ ...MODEL, parameters: { a: 1, b: 2 } })).toBe(
        raterId({ ...MODEL, parameters: { b: 2, a: 1 } }),
      );
    },
  );
  it("has parameters as canonical JSON: sorted keys, nothing undefined, `__proto__` like any other", () => {
    expect(canonicalJson({ b: [1, undefined, { d: null, c: undefined }], a: "ä" })).toBe(
      '{"a":"ä","b":[1,null,{"d":null}]}',
    );
    expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
    expect(canonicalJson(JSON.parse('{"__proto__":1,"A":2}'))).toBe('{"A":2,"__proto__":1}');
  });
});

describe("the text of a query", () => {
  it.each([
    ["  red \t\n shoe ", "red shoe"],
    ["Red Shoe", "Red Shoe"],
    ["cafe\u0301", "caf\u00e9"],
    ["a\u00a0\u3000b", "a b"],
  ])("%j is %j", (text, query) => {
    expect(normalizeQuery(text)).toBe(query);
    expect(normalizeQuery(normalizeQuery(text))).toBe(query);
  });
  it("is neither blank nor longer than 8 kB", () => {
    expect(failure(() => normalizeQuery(" \n"))).toMatchObject({ code: "ARGUMENT" });
    expect(normalizeQuery("é".repeat(4096))).toHaveLength(4096);
    expect(failure(() => normalizeQuery("é".repeat(4097))).message).toContain(
      "a query of 8194 bytes, which begins",
    );
  });
});

describe("labels as judgments", () => {
  const labels = labelsOf([
    said(ANNA, 2, { query: "red shoe" }),
    said(ANNA, 0, { query: "red shoe", item: "j" }),
  ]);
  it("go to every id whose query has the text", () => {
    const queries = [
      { id: "q1", query: " red  shoe" },
      { id: "q2", query: "red shoe" },
      { id: "q3", query: "Red shoe" },
    ];
    expect(labelJudgments(labels, queries)).toEqual(
      ["q1", "q2"].flatMap((query_id) => [
        { query_id, doc_id: "i", grade: 2 },
        { query_id, doc_id: "j", grade: 0 },
      ]),
    );
  });
  it("tell how much of a ranking they cover", () => {
    expect(
      labelCoverage(labels, [
        { query: "red shoe", items: ["i", "x", "i"] },
        { query: "hat", items: ["i"] },
      ]),
    ).toEqual({
      pairs: 3,
      labelled: 1,
      stale: 0,
    });
  });
});
