import { describe, expect, it } from "vitest";
import { agreement, countJudgedPairs, kappaWords } from "../../src/server/label-words.js";

const counts = { people: 0, model: 0, pairs: 0, kappa: null };

describe("the count of judged pairs says whose they are", () => {
  it.each([
    [{}, "Nothing is labelled yet."],
    [{ model: 1 }, "1 pair of a query and an item is judged: all by the model alone."],
    [{ people: 2 }, "2 pairs of a query and an item are judged: all by people."],
    [
      { people: 563, pairs: 563 },
      "563 pairs of a query and an item are judged: all by people (the model graded 563 of these, too; " +
        "people's grades count).",
    ],
    [
      { people: 600, pairs: 560, model: 18_600 },
      "19,200 pairs of a query and an item are judged: 600 by people (the model graded 560 of these, too; " +
        "people's grades count), 18,600 by the model alone.",
    ],
  ])("%o", (given, sentence) => expect(countJudgedPairs({ ...counts, ...given })).toBe(sentence));
});

describe("agreement", () => {
  it("is said with the pairs that it is of, and with the number that it rests on", () =>
    expect(agreement({ people: 600, model: 0, pairs: 600, kappa: 0.2077 })).toEqual([
      "On the 600 pairs that both graded the model agrees with people only fairly: quadratic weighted " +
        "kappa 0.208 (1 is agreement, 0 is chance).",
    ]));

  it("is unknown without pairs of both, and no question without labels", () => {
    expect(agreement({ ...counts, people: 3 })).toEqual([
      "Too few pairs have a grade of people and one of the model to say how far they agree.",
    ]);
    expect(agreement(counts)).toEqual([]);
  });

  it.each([
    [-0.3, "Not at all"],
    [0.2, "Not at all"],
    [0.21, "Not far"],
    [0.41, "In part"],
    [0.61, "Far"],
    [1, "Very far"],
  ])("of kappa %f carries: %s", (kappa, far) => expect(kappaWords(kappa).far).toBe(far));
});
