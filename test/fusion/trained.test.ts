import { describe, expect, it } from "vitest";
import {
  fuse,
  isTrainedFusion,
  parseTrainedFusion,
  rankByScore,
  trainedFusionCatalog,
  trainFusion,
  type ScoredRun,
} from "../../src/fusion/index.js";
import { seededRandom, shuffle } from "../../src/foundation/numbers/index.js";
import { failure } from "../support/failure.js";
import { present } from "../support/present.js";

/** A list in its order: the first of n has the score n. */
const list = (...ids: string[]) =>
  rankByScore(
    ids,
    ids.map((_, at) => ids.length - at),
  );
const run = (lists: Record<string, string[]>): ScoredRun =>
  new Map(Object.entries(lists).map(([query, ids]) => [query, list(...ids)]));

/**
 * Two training queries. Run a: relevant at ranks 1 and 4 of 4, and at 2 of 2; run b: at 3 of 4, nowhere of 2.
 */
const TRAINING = {
  a: run({ q1: ["r1", "x", "y", "r2"], q2: ["x", "r3"] }),
  b: run({ q1: ["x", "y", "r1", "z"], q2: ["x", "y"] }),
  qrels: new Map([
    [
      "q1",
      new Map([
        ["r1", 1],
        ["r2", 2],
        ["r4", 1],
        ["x", 0],
      ]),
    ],
    ["q2", new Map([["r3", 1]])],
  ]),
};

/** By id the score with a method that has learned from them, of `a` and `b` in this order. */
function fusedBy(name: string, a: string[], b: string[]): Map<string, number> {
  const method = trainFusion(parseTrainedFusion(name), [TRAINING.a, TRAINING.b], TRAINING.qrels);
  const fused = present(fuse([run({ q: a }), run({ q: b })], { method }).get("q"));
  return new Map(fused.ids.map((id, at) => [id, fused.scores[at] as number]));
}

describe("trained fusion methods", () => {
  it("mapfuse: MAP / rank", () => {
    // a: AP of q1 (1/1 + 2/4) / 3 = 1/2, of q2 (1/2) / 1 = 1/2, MAP 1/2; b: (1/3) / 3 = 1/9 and 0, MAP 1/18.
    const scores = fusedBy("mapfuse", ["m", "n"], ["n", "o"]);
    expect(scores.get("m")).toBeCloseTo(1 / 2, 12);
    expect(scores.get("n")).toBeCloseTo(1 / 4 + 1 / 18, 12);
    expect(scores.get("o")).toBeCloseTo(1 / 36, 12);
  });

  it("probfuse: the share of relevant items in a segment, over its number", () => {
    // Two segments. a: q1 has 1 of 2 in both, q2 0 of 1 and 1 of 1: P = 1/4, 3/4. b: q1 0 of 2 and 1 of 2: P
    // = 0, 1/4.
    const scores = fusedBy("probfuse(segments=2)", ["m", "n"], ["n", "o"]);
    expect(scores.get("m")).toBeCloseTo(1 / 4, 12);
    expect(scores.get("n")).toBeCloseTo(3 / 8 + 0, 12);
    expect(scores.get("o")).toBeCloseTo(1 / 8, 12);
  });

  it("posfuse: the share of training queries with a relevant item at that rank", () => {
    // a: rank 1 of 2 lists 1/2, rank 2 of 2 lists 1/2, ranks 3 and 4 of 1 list 0 and 1; b: 0, 0, 1, 0.
    const scores = fusedBy("posfuse", ["m", "n", "o", "p"], ["p", "m", "o"]);
    expect(scores.get("m")).toBeCloseTo(1 / 2, 12);
    expect(scores.get("n")).toBeCloseTo(1 / 2, 12);
    expect(scores.get("o")).toBeCloseTo(0 + 1, 12);
    expect(scores.get("p")).toBeCloseTo(1, 12);
  });

  it("slidefuse: the mean of a window of them", () => {
    // a, window 1: rank 1 (1/2 + 1/2) / 2, rank 2 (1/2 + 1/2 + 0) / 3, rank 4 (0 + 1) / 2.
    const scores = fusedBy("slidefuse(window=1)", ["m", "n", "o", "p"], []);
    expect(scores.get("m")).toBeCloseTo(1 / 2, 12);
    expect(scores.get("n")).toBeCloseTo(1 / 3, 12);
    expect(scores.get("p")).toBeCloseTo(1 / 2, 12);
    expect(fusedBy("slidefuse(window=0)", ["m", "n"], ["n"])).toEqual(fusedBy("posfuse", ["m", "n"], ["n"]));
  });

  it("segfuse: the share of a growing segment, times 1 + the normalized score", () => {
    // All of it is in the first segment of 5. a: q1 2 of 4, q2 1 of 2, P = 1/2; b: 1 of 4 and 0, P = 1/8.
    const scores = fusedBy("segfuse", ["m", "n", "o"], ["n", "o"]);
    expect(scores.get("m")).toBeCloseTo((1 / 2) * 2, 12);
    expect(scores.get("n")).toBeCloseTo((1 / 2) * 1.5 + (1 / 8) * 2, 12);
    expect(scores.get("o")).toBeCloseTo((1 / 2) * 1 + (1 / 8) * 1, 12);
  });

  it("segfuse: segments end at ranks 5, 20, 55", () => {
    const ids = Array.from({ length: 60 }, (_, at) => `d${at + 1}`);
    const qrels = new Map([
      [
        "q",
        new Map([
          ["d5", 1],
          ["d6", 1],
          ["d20", 1],
          ["d21", 1],
          ["d56", 1],
        ]),
      ],
    ]);
    const method = trainFusion(parseTrainedFusion("segfuse"), [run({ q: ids })], qrels);
    const fused = present(fuse([run({ q: ids })], { method }).get("q"));
    const share = (rank: number): number => {
      const at = fused.ids.indexOf(`d${rank}`);
      return (fused.scores[at] as number) / (1 + (60 - rank) / 59);
    };
    expect([5, 6, 20, 21, 55, 56].map(share)).toEqual(
      [1 / 5, 2 / 15, 2 / 15, 1 / 35, 1 / 35, 1 / 5].map((each) => expect.closeTo(each, 12) as number),
    );
  });

  it("bayesfuse: the odds of an interval, and the least for what a run lacks", () => {
    // Counts with one more each, 10 intervals. a: first interval 3 + 1 relevant of 4 + 11, 3 + 1 others of 3
    // + 10;
    // elsewhere 1 of 15 and 1 of 13. b: first interval 1 + 1 of 15, 5 + 1 of 5 + 10; elsewhere 1 of 15 and of
    // 15.
    const a = Math.log(4 / 15 / (4 / 13));
    const b = Math.log(2 / 15 / (6 / 15));
    const scores = fusedBy("bayesfuse", ["m", "n"], ["n"]);
    expect(scores.get("m")).toBeCloseTo(a + Math.min(b, Math.log(1)), 12);
    expect(scores.get("n")).toBeCloseTo(a + b, 12);
  });

  it("bayesfuse: a place deeper than any in training is worth the least, not the most", () => {
    const shallow = new Map(
      Array.from({ length: 50 }, (_, at) => [
        `t${at}`,
        rankByScore(["a", "b", "c", "d", "e"], [5, 4, 3, 2, 1]),
      ]),
    );
    const qrels = new Map(
      [...shallow.keys()].map((id, at) => [id, new Map([[at % 10 === 0 ? "e" : "a", 1]])]),
    );
    const method = trainFusion(parseTrainedFusion("bayesfuse"), [shallow], qrels);
    const ids = Array.from({ length: 7 }, (_, at) => `r${at + 1}`);
    const deep = new Map([
      [
        "q",
        rankByScore(
          ids,
          ids.map((_, at) => -at),
        ),
      ],
    ]);
    const fused = present(fuse([deep], { method }).get("q"));
    expect(fused.scores[fused.ids.indexOf("r7")]).toBeLessThanOrEqual(
      fused.scores[fused.ids.indexOf("r1")] as number,
    );
  });

  it.each(trainedFusionCatalog.map((factory) => [factory.definition.name, factory] as const))(
    "%s: prefers the run that was right, in any order of queries, and prints what it parses",
    (name, factory) => {
      expect(isTrainedFusion(name)).toBe(true);
      expect(parseTrainedFusion(factory().name).name).toBe(name);
      const queries = Array.from({ length: 6 }, (_, at) => `q${at}`);
      const good = run(Object.fromEntries(queries.map((q) => [q, [`r${q}`, "x", "y", "z"]])));
      const bad = run(Object.fromEntries(queries.map((q) => [q, ["x", "y", "z", "v"]])));
      const judged = queries.map((q): [string, Map<string, number>] => [q, new Map([[`r${q}`, 1]])]);
      const learned = [judged, [...judged].reverse()].map((each) =>
        trainFusion(factory(), [good, bad], new Map(each)),
      );
      for (const method of learned) {
        const fused = fuse([run({ q: ["a", "b", "c", "d"] }), run({ q: ["b", "c", "d", "a"] })], { method });
        const { ids, scores } = present(fused.get("q"));
        // Equal where all of both lists is in one interval or window.
        expect(scores[ids.indexOf("a")]).toBeGreaterThanOrEqual(scores[ids.indexOf("b")] as number);
        expect(method.runs).toBe(2);
      }
      const [first, second] = learned.map((method) => fuse([good, bad], { method }));
      expect(first).toEqual(second);
    },
  );

  it("gives the same order, whatever the order of the judgments and of the runs", () => {
    const random = seededRandom(7);
    const ids = Array.from({ length: 12 }, (_, at) => `d${at}`);
    const runs = Array.from({ length: 3 }, () =>
      run(
        Object.fromEntries(
          Array.from({ length: 7 }, (_, q) => [`q${q}`, shuffle([...ids], random).slice(0, 9)]),
        ),
      ),
    );
    const judged = Array.from({ length: 7 }, (_, q): [string, Map<string, number>] => [
      `q${q}`,
      new Map(
        shuffle([...ids], random)
          .slice(0, 4)
          .map((id) => [id, 1]),
      ),
    ]);
    for (const { definition } of trainedFusionCatalog) {
      const orders = [
        { of: runs, by: judged },
        { of: runs, by: [...judged].reverse() },
        { of: [...runs].reverse(), by: judged },
      ].map(({ of, by }) => {
        const method = trainFusion(parseTrainedFusion(definition.name), of, new Map(by));
        return [...fuse(of, { method })].map(([query, ranking]) => [query, ranking.ids]);
      });
      expect(orders[1], definition.name).toEqual(orders[0]);
      expect(orders[2], definition.name).toEqual(orders[0]);
    }
  });

  it("gives nothing for items that a run lacks, whatever the normalizer gives them", () => {
    const runs = [run({ q: ["a", "b"] }), run({ q: ["c"] })];
    const method = trainFusion(parseTrainedFusion("segfuse"), runs, new Map([["q", new Map([["a", 1]])]]));
    const fused = present(fuse(runs, { method, normalize: "borda" }).get("q"));
    // The first run: 1 of 2 items is relevant, and b has the score 2/3; the second taught nothing.
    expect(new Map(fused.ids.map((id, at) => [id, fused.scores[at]]))).toEqual(
      new Map([
        ["a", (1 / 2) * 2],
        ["b", (1 / 2) * (1 + (1 - 1 / 3))],
        ["c", 0],
      ]),
    );
  });

  it("learns from lists best first, whether their scores rise or fall", () => {
    const qrels = new Map([["q", new Map([["near", 1]])]]);
    const distances: ScoredRun = new Map([["q", { ids: ["near", "mid", "far"], scores: [0.1, 1, 5] }]]);
    for (const name of ["posfuse", "probfuse", "mapfuse"]) {
      const method = trainFusion(parseTrainedFusion(name), [distances], qrels);
      const fused = fuse([distances], { method, normalize: "min-max-inverted" });
      expect(fused.get("q")?.ids[0]).toBe("near");
    }
  });

  it("refuses what is no run, no ranking or no method", () => {
    const method = parseTrainedFusion("mapfuse");
    const train = (of: unknown, ...runs: unknown[]) =>
      failure(() => trainFusion(of as typeof method, runs as ScoredRun[], TRAINING.qrels)).message;
    const ranking = (given: unknown) => new Map([["q1", given]]);
    expect(train(method, { q1: ["a"] })).toMatch(/^runs to fuse must be a list of Maps by query/);
    expect(train(method, ranking(new Map([["a", 1]])))).toMatch(/must be `\{ ids, scores \}`, best first/);
    expect(train(method, ranking({ ids: ["a"], scores: [NaN] }))).toMatch(/must be a finite number/);
    expect(train(method, TRAINING.a, ranking({ ids: ["a"], scores: [1, 2] }))).toMatch(
      /^runs\[1\], query `q1`: there must be one score for each id/,
    );
    expect(train("mapfuse", TRAINING.a)).toMatch(/is made by its function or by parseTrainedFusion/);
  });

  it("refuses what nothing can be learned from, and other runs than it has learned of", () => {
    expect(failure(() => trainFusion(parseTrainedFusion("mapfuse"), [], TRAINING.qrels)).message).toMatch(
      /no runs/,
    );
    expect(
      failure(() => trainFusion(parseTrainedFusion("mapfuse"), [TRAINING.a], new Map())).message,
    ).toMatch(/no judged query/);
    const method = trainFusion(parseTrainedFusion("mapfuse"), [TRAINING.a], TRAINING.qrels);
    expect(failure(() => fuse([TRAINING.a, TRAINING.b], { method })).message).toMatch(
      /is for 1 run, got `2`/,
    );
    expect(failure(() => parseTrainedFusion("mapfus")).message).toMatch(/did you mean `mapfuse`/);
  });
});

it("learns where a run answers none of a query's hits", () => {
  const qrels = new Map([
    ["q1", new Map([["a", 1]])],
    ["q2", new Map([["b", 1]])],
  ]);
  const method = trainFusion(parseTrainedFusion("probfuse"), [run({ q1: ["a"] })], qrels);
  expect(present(fuse([run({ q1: ["a"] })], { method }).get("q1")).ids).toEqual(["a"]);
});
