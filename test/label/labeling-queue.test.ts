import { describe, expect, it } from "vitest";
import {
  labelingQueue,
  ownAgreement,
  type Assessment,
  type AssessmentOutcome,
  type LabelingQueueOptions,
  type PairToLabel,
  type Rater,
} from "../../src/label/index.js";

const ADA: Rater = { kind: "human", name: "Ada" };
const BEN: Rater = { kind: "human", name: "Ben" };
const MODEL: Rater = { kind: "model", name: "judge", model: "m", prompt: "p", prompt_version: "1" };

/** Pairs of so many queries with so many items each. */
const pairsOf = (queries: number, items: number): PairToLabel[] =>
  Array.from({ length: queries }, (_, query) =>
    Array.from({ length: items }, (_, item) => ({ query: `query ${query}`, item: `item ${query}-${item}` })),
  ).flat();

let second = 0;
function said(
  { query, item }: PairToLabel,
  grade: number | null,
  rater: Rater = ADA,
  more: { outcome?: AssessmentOutcome; is_repeat?: boolean; at?: string } = {},
): Assessment {
  second++;
  return {
    tenant: "default",
    query,
    item,
    outcome: grade === null ? "cannot_tell" : "graded",
    grade,
    rater,
    vote: 1,
    at: new Date(second * 1000).toISOString(),
    ...more,
  };
}
const takenBack = (pair: PairToLabel, rater: Rater = ADA): Assessment =>
  said(pair, null, rater, { outcome: "withdrawn" });

const keyOf = ({ query, item }: PairToLabel): string => `${query} / ${item}`;
/** The queue as texts, a repeated pair with a mark. */
const queue = (
  pairs: readonly PairToLabel[],
  assessments: readonly Assessment[] = [],
  rater: Rater = ADA,
  options: LabelingQueueOptions = { repeats: 0, overlap: 0 },
): string[] =>
  labelingQueue(pairs, assessments, rater, options).pairs.map(
    (pair) => `${keyOf(pair)}${pair.isRepeat ? " again" : ""}`,
  );

describe("the order of the pairs", () => {
  const pairs = pairsOf(12, 6);

  it("is the same whenever the same rater comes with the same seed", () => {
    expect(queue(pairs)).toEqual(queue(pairs));
  });

  it("does not follow from the order in which the pairs are given", () => {
    expect(queue([...pairs].reverse())).toEqual(queue(pairs));
  });

  it("is another one for another rater", () => {
    expect(queue(pairs, [], BEN)).not.toEqual(queue(pairs));
  });

  it("begins with other queries for other raters: 12 queries for 60 raters, none for more than 15", () => {
    const firsts = Array.from({ length: 60 }, (_, at) => {
      const [first = ""] = queue(pairs, [], { kind: "human", name: `rater ${at}` });
      return first.split(" / ")[0] ?? "";
    });
    const count = (query: string): number => firsts.filter((first) => first === query).length;
    expect(new Set(firsts).size).toBeGreaterThan(8);
    expect(Math.max(...firsts.map(count))).toBeLessThanOrEqual(15);
  });

  it("is another one for another seed", () => {
    expect(queue(pairs, [], ADA, { seed: 2, repeats: 0 })).not.toEqual(queue(pairs));
  });

  it("has the items of a query together", () => {
    const queries = queue(pairs).map((key) => key.split(" / ")[0]);
    const changes = queries.filter((query, at) => at === 0 || query !== queries[at - 1]);
    expect(changes.length).toBe(12);
  });

  it("is not the order of the items' ids", () => {
    const one = queue(pairsOf(1, 12));
    expect(one).not.toEqual([...one].sort());
    expect(one).not.toEqual([...one].sort().reverse());
  });

  it("takes a pair from the list, and leaves the others where they were", () => {
    const before = queue(pairs);
    const gone = pairs[7] as PairToLabel;
    expect(queue(pairs, [said(gone, 2)])).toEqual(before.filter((key) => key !== keyOf(gone)));
  });
});

describe("what is left", () => {
  const pairs = pairsOf(4, 5);
  const [pair] = pairs as [PairToLabel];

  it("is everything while nothing is said", () => {
    expect(queue(pairs).sort()).toEqual(pairs.map(keyOf).sort());
  });

  it("is nothing of no pairs", () => {
    expect(labelingQueue([], [], ADA)).toEqual({ pairs: [], left: 0, done: 0, said: [] });
  });

  it("is without what the rater has graded", () => {
    expect(queue(pairs, [said(pair, 0)])).not.toContain(keyOf(pair));
  });

  it("is without what the rater cannot tell", () => {
    expect(queue(pairs, [said(pair, null)])).not.toContain(keyOf(pair));
  });

  it("is without what another person has graded, where nobody shares", () => {
    expect(queue(pairs, [said(pair, 1, BEN)])).not.toContain(keyOf(pair));
  });

  it("has what another person has graded, where all share everything", () => {
    expect(queue(pairs, [said(pair, 1, BEN)], ADA, { repeats: 0, overlap: 1 })).toContain(keyOf(pair));
  });

  it("is without what an adjudicator has decided", () => {
    expect(queue(pairs, [said(pair, 1, { kind: "adjudicator", name: "Cleo" })])).not.toContain(keyOf(pair));
  });

  it("has what a model alone has graded", () => {
    expect(queue(pairs, [said(pair, 3, MODEL)])).toContain(keyOf(pair));
  });

  it("has what was said with an answer that could not be used", () => {
    expect(queue(pairs, [said(pair, null, MODEL, { outcome: "invalid" })])).toContain(keyOf(pair));
  });

  it("is without pairs that a person of the same name as a model has graded", () => {
    const person: Rater = { kind: "human", name: "judge" };
    expect(queue(pairs, [said(pair, 3, MODEL)], person)).toContain(keyOf(pair));
  });

  it("shares about the share that is asked for: 100 of 1000, give or take 30", () => {
    const many = pairsOf(100, 10);
    const left = queue(
      many,
      many.map((each) => said(each, 1, BEN)),
      ADA,
      { repeats: 0, overlap: 0.1 },
    );
    expect(Math.abs(left.length - 100)).toBeLessThan(30);
  });

  it("shares the same pairs with every rater", () => {
    const many = pairsOf(20, 10);
    const graded = many.map((each) => said(each, 1, BEN));
    const options = { repeats: 0, overlap: 0.2 };
    expect(queue(many, graded, { kind: "human", name: "Cleo" }, options).sort()).toEqual(
      queue(many, graded, ADA, options).sort(),
    );
  });
});

describe("a judgment that is taken back", () => {
  const pairs = pairsOf(4, 5);
  const [pair, second] = pairs as [PairToLabel, PairToLabel];

  it("brings its pair back to the place that it had", () => {
    expect(queue(pairs, [said(pair, 2), takenBack(pair)])).toEqual(queue(pairs));
  });

  it("is not among what the rater says", () => {
    const { done, said: own } = labelingQueue(pairs, [said(pair, 2), said(second, 1), takenBack(pair)], ADA);
    expect([done, own.map(({ item }) => item)]).toEqual([1, [second.item]]);
  });

  it("leaves what another person says of the pair", () => {
    const assessments = [said(pair, 2), said(pair, 1, BEN), takenBack(pair)];
    expect(queue(pairs, assessments)).not.toContain(keyOf(pair));
  });

  it("of another person brings the pair back to those who have not judged it", () => {
    expect(queue(pairs, [said(pair, 1, BEN), takenBack(pair, BEN)])).toContain(keyOf(pair));
  });
});

describe("what a rater said", () => {
  it("stands in the order in which it was said, whatever the order of the store", () => {
    const pairs = pairsOf(3, 3);
    const graded = pairs.map((pair, at) => said(pair, at % 4));
    const { said: own } = labelingQueue(pairs, [...graded].reverse(), ADA);
    expect(own.map(({ item }) => item)).toEqual(graded.map(({ item }) => item));
  });

  it("is the last of two grades", () => {
    const [pair] = pairsOf(1, 1) as [PairToLabel];
    const { done, said: own } = labelingQueue([pair], [said(pair, 0), said(pair, 3)], ADA);
    expect([done, own.map(({ grade }) => grade)]).toEqual([1, [3]]);
  });
});

describe("pairs that come again", () => {
  const all = { repeats: 1, overlap: 0 };
  const again = (keys: readonly string[]): string[] => keys.filter((key) => key.endsWith(" again"));
  const graded = (count: number): Assessment[] => pairsOf(1, count).map((pair) => said(pair, 1));

  it("do not while 20 others have not come in between", () => {
    expect(again(queue([], graded(20), ADA, all))).toEqual([]);
  });

  it("do when 20 others have: the first of 21", () => {
    expect(again(queue([], graded(21), ADA, all))).toEqual(["query 0 / item 0-0 again"]);
  });

  it("do once each", () => {
    const before = graded(21);
    const repeat = said(before[0] as Assessment, 2, ADA, { is_repeat: true });
    expect(
      again(queue([], [...before, repeat], ADA, all)).filter((key) => key.includes("item 0-0 ")),
    ).toEqual([]);
  });

  it("do again when the repeat was taken back", () => {
    const before = graded(21);
    const repeat = said(before[0] as Assessment, 2, ADA, { is_repeat: true });
    expect(again(queue([], [...before, repeat, takenBack(repeat)], ADA, all))).toEqual([
      "query 0 / item 0-0 again",
    ]);
  });

  it("do for one rater though another has repeated them", () => {
    const before = graded(21);
    const repeat = said(before[0] as Assessment, 2, BEN, { is_repeat: true });
    expect(again(queue([], [...before, repeat], ADA, all))).toEqual(["query 0 / item 0-0 again"]);
  });

  it("do not for what the rater could not tell", () => {
    const before = [said({ query: "q", item: "unclear" }, null), ...graded(20)];
    expect(again(queue([], before, ADA, all))).toEqual([]);
  });

  it("do not for what the rater has taken back", () => {
    const before = graded(25);
    const gone = before[0] as Assessment;
    expect(queue([], [...before, takenBack(gone)], ADA, all)).not.toContain("query 0 / item 0-0 again");
  });

  it("stand after every 20 new ones, and the rest at the end", () => {
    const before = graded(23);
    const fresh = pairsOf(3, 20).slice(20);
    const keys = queue(fresh, before, ADA, all);
    expect(keys.flatMap((key, at) => (key.endsWith(" again") ? [at] : []))).toEqual([20, 41, 42]);
  });

  it("are about the share that is asked for: 50 of 1000, give or take 25", () => {
    expect(Math.abs(again(queue([], graded(1020), ADA, { repeats: 0.05 })).length - 50)).toBeLessThan(25);
  });

  it("are none where none are asked for", () => {
    expect(queue([], graded(100), ADA, { repeats: 0 })).toEqual([]);
  });
});

describe("how far a rater agrees with the own grades", () => {
  const twice = (count: number, second: (grade: number) => number): Assessment[] =>
    pairsOf(1, count).flatMap((pair, at) => [
      said(pair, at % 4),
      said(pair, second(at % 4), ADA, { is_repeat: true }),
    ]);

  it("is not told of fewer than 30 pairs", () => {
    expect(
      ownAgreement(
        twice(29, (grade) => grade),
        ADA,
      ),
    ).toEqual({ kappa: null, pairs: 29 });
  });

  it("is 1 for the same grades", () => {
    expect(
      ownAgreement(
        twice(30, (grade) => grade),
        ADA,
      ),
    ).toEqual({ kappa: 1, pairs: 30 });
  });

  it("is below 0 for the opposite grades", () => {
    expect(
      ownAgreement(
        twice(40, (grade) => 3 - grade),
        ADA,
      ).kappa,
    ).toBe(-1);
  });

  it("is of what was said first and last, whatever the order of the store", () => {
    const assessments = twice(40, (grade) => Math.min(3, grade + 1));
    expect(ownAgreement([...assessments].reverse(), ADA)).toEqual(ownAgreement(assessments, ADA));
  });

  it("has nothing of other raters in it", () => {
    expect(
      ownAgreement(
        twice(40, (grade) => grade),
        BEN,
      ),
    ).toEqual({ kappa: null, pairs: 0 });
  });

  it("does not count a grade that was corrected, and not asked for again", () => {
    const corrected = pairsOf(1, 40).flatMap((pair) => [said(pair, 1), said(pair, 2)]);
    expect(ownAgreement(corrected, ADA).pairs).toBe(0);
  });

  it("does not count a grade that was taken back", () => {
    const assessments = twice(30, (grade) => grade);
    const [, repeat] = assessments as [Assessment, Assessment];
    expect(ownAgreement([...assessments, takenBack(repeat)], ADA).pairs).toBe(29);
  });

  it("does not count a repeat that could not be told", () => {
    const assessments = twice(29, (grade) => grade);
    const pair = { query: "query 1", item: "unclear" };
    const unclear = [said(pair, 1), said(pair, null, ADA, { is_repeat: true })];
    expect(ownAgreement([...assessments, ...unclear], ADA).pairs).toBe(29);
  });
});

describe("ids that are no plain words", () => {
  it.each([
    "__proto__",
    "constructor",
    "toString",
    "",
    "a\nb",
    "\n",
    "\u0000",
    "🙂",
    "\ud800",
    "__proto__\n",
  ])("an item %j is asked for, graded, and gone", (item) => {
    const pair = { query: "q", item };
    const other = { query: "q", item: "other" };
    expect(queue([pair, other]).sort()).toEqual([keyOf(pair), keyOf(other)].sort());
    expect(queue([pair, other], [said(pair, 1)])).toEqual([keyOf(other)]);
  });

  it.each(["__proto__", "constructor", "hasOwnProperty"])("a query %s is one like others", (query) => {
    const pairs = [
      { query, item: "a" },
      { query: "q", item: "a" },
    ];
    expect(queue(pairs, [said(pairs[1] as PairToLabel, 1)])).toEqual([`${query} / a`]);
  });

  it("two items of which one has a line feed are two", () => {
    const pairs = ["a", "a\n", "\na", "a\nb"].map((item) => ({ query: "q", item }));
    expect(new Set(queue(pairs)).size).toBe(4);
    expect(queue(pairs, [said(pairs[0] as PairToLabel, 1)]).length).toBe(3);
  });

  it("a rater of a name with a line feed is no other rater", () => {
    const pairs = pairsOf(2, 3);
    const odd: Rater = { kind: "human", name: "Ada\nBen" };
    const { done } = labelingQueue(pairs, [said(pairs[0] as PairToLabel, 1, odd)], ADA);
    expect(done).toBe(0);
  });
});
