import fc from "fast-check";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { evaluate, evaluateRunFile, profileNames, type EvaluateOptions } from "../../src/index.js";
import { prepareQrels } from "../../src/formats/index.js";
import { parseTrecQrels, tableOfQrels } from "../../src/formats/trec/index.js";
import { ndcg } from "../../src/metrics/index.js";

const scores = (
  run: Parameters<typeof evaluate>[0],
  judged: Record<string, number>,
  metrics: string[],
  options: EvaluateOptions = {},
): (number | undefined)[] => {
  const evaluation = evaluate(run, new Map([["q", new Map(Object.entries(judged))]]), metrics, options);
  return evaluation.aggregates.map(({ value }) => value);
};
const run = (hits: Record<string, number>): Map<string, Map<string, number>> =>
  new Map([["q", new Map(Object.entries(hits))]]);

describe("the order of a scored run", () => {
  it(
    "is by score, then by id descending by UTF-8 bytes: code units would put the emoji before " + "U+FFFD",
    () => {
      expect(scores(run({ "\ufffd": 1, "🙂": 1 }), { "🙂": 1 }, ["RR"])).toEqual([1]);
      expect(scores(run({ a: 1, b: 1, c: 2 }), { b: 1 }, ["RR"])).toEqual([1 / 2]);
    },
  );
  it("stand in an object of lists as they do in a map", () => {
    const [lists, judged] = [{ q: ["b", "a"] } as const, { q: { a: 1 } }];
    expect(evaluate(lists, judged, ["RR"]).score("q", "RR")).toBe(0.5);
    expect(evaluate(new Map(Object.entries(lists)), judged, ["RR"]).score("q", "RR")).toBe(0.5);
  });
  it("-0 and 0 tie", () => expect(scores(run({ a: 0, b: -0 }), { b: 1 }, ["RR"])).toEqual([1]));
  it("ties: input keeps the order of the input, expected is the mean over both orders", () => {
    expect(scores(run({ a: 1, b: 1 }), { a: 1 }, ["RR"], { ties: "input" })).toEqual([1]);
    expect(scores(run({ a: 1, b: 1 }), { a: 1 }, ["RR"], { ties: "expected" })).toEqual([0.75]);
  });
  it("single precision makes ties of what double precision tells apart", () => {
    expect(scores(run({ a: 1.00000001, b: 1 }), { a: 1 }, ["RR"])).toEqual([1]);
    expect(scores(run({ a: 1.00000001, b: 1 }), { a: 1 }, ["RR"], { precision: "single" })).toEqual([0.5]);
  });
  it("a huge group of ties with one judged hit is placed by counting, and with many by sorting", () => {
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [`d${String(i).padStart(4, "0")}`, 1]),
    );
    const judged = (count: number): Record<string, number> =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${String(i).padStart(4, "0")}`, 1]));
    expect(scores(run(many), judged(1), ["RR"])).toEqual([1 / 5000]);
    expect(scores(run(many), judged(100), ["RR"])).toEqual([1 / 4901]);
  });
});

describe("ids that are no text", () => {
  it("are refused, also as holes in a list, and as keys of a run", () => {
    const bad = (run: unknown) => () => scores(run as never, { a: 1 }, ["RR"]);
    expect(bad(new Map([["q", ["a", , "b"]]]))).toThrow("query `q`: an id must be a string");
    expect(bad(new Map([[1, ["a"]]]))).toThrow(
      "the id of a query must be a string, got `1`; write `String(id)`",
    );
  });
});

describe("conventions", () => {
  const hits = new Map([["q", ["a", "x", "a", "b"]]]);
  const judged = { a: 1, b: 1 };

  it("duplicates: the first counts and the copy keeps its rank; or it is an error; or each counts", () => {
    expect(scores(hits, judged, ["P@4", "R@4", "AP"])).toEqual([0.5, 1, (1 + 2 / 4) / 2]);
    expect(scores(hits, judged, ["P@4", "R@4"], { duplicates: "count" })).toEqual([0.75, 1.5]);
    expect(() => scores(hits, judged, ["AP"], { duplicates: "error" })).toThrow(
      "query `q`: item `a` is duplicated",
    );
  });
  it("of a copy with another score the better place counts, wherever it stands in the input", () => {
    const list = [
      { query_id: "q", doc_id: "x", score: 2 },
      { query_id: "q", doc_id: "a", score: 1 },
      { query_id: "q", doc_id: "a", score: 3 },
    ];
    expect(scores(list, { a: 1 }, ["RR", "P@3"])).toEqual([1, 1 / 3]);
    expect(evaluate(list, new Map([["q", new Map([["a", 1]])]]), ["RR"]).counts.duplicates).toBe(1);
  });
  it("unjudged: remove condenses the list, a negative grade is unjudged", () => {
    expect(
      scores(new Map([["q", ["x", "n", "a"]]]), { a: 1, n: -1 }, ["RR", "NumRet"], { unjudged: "remove" }),
    ).toEqual([1, 1]);
    expect(scores(new Map([["q", ["x", "n", "a"]]]), { a: 1, n: -1 }, ["RR", "Judged@3"])).toEqual([
      1 / 3,
      1 / 3,
    ]);
  });
  it("noRelevant: a query without anything relevant scores 0 and counts, is left out, or scores 1", () => {
    const qrels = new Map([
      ["q", new Map([["a", 1]])],
      ["none", new Map([["a", 0]])],
    ]);
    const both = new Map([
      ["q", ["a"]],
      ["none", ["a"]],
    ]);
    const mean = (noRelevant: "zero" | "skip" | "one"): number =>
      evaluate(both, qrels, ["AP"], { noRelevant }).mean("AP");
    expect([mean("zero"), mean("skip"), mean("one")]).toEqual([0.5, 1, 1]);
    expect(evaluate(both, qrels, ["AP"], { noRelevant: "skip" }).counts).toMatchObject({
      queries: 1,
      no_relevant: 1,
    });
  });
  it(
    "queries: a judged query without results scores 0, or is left out; one that nobody judged is " +
      "ignored",
    () => {
      const qrels = new Map([
        ["q", new Map([["a", 1]])],
        ["missing", new Map([["a", 1]])],
      ]);
      const answered = new Map([
        ["q", ["a"]],
        ["stranger", ["a"]],
      ]);
      expect(evaluate(answered, qrels, ["RR"]).mean("RR")).toBe(0.5);
      const { counts, missingQueries } = evaluate(answered, qrels, ["RR"], { queries: "intersection" });
      expect(counts).toMatchObject({ queries: 1, missing_queries: 1, unjudged_queries: 1 });
      expect(missingQueries).toEqual(["missing"]);
    },
  );
  it("grades: fractions are kept, or cut as C does", () => {
    expect(scores(new Map([["q", ["a"]]]), { a: 1.5, b: 3 }, ["DCG"])).toEqual([1.5]);
    expect(scores(new Map([["q", ["a"]]]), { a: 1.5, b: -0.5 }, ["DCG", "Bpref"], { grades: "cut" })).toEqual(
      [1, 1],
    );
  });
  it("identicalIds: drop leaves out the hit with the id of its query, as BEIR does", () => {
    expect(
      scores(new Map([["q", ["q", "a"]]]), { a: 1, q: 1 }, ["RR", "NumRet"], { identicalIds: "drop" }),
    ).toEqual([1, 1]);
  });
  it("depth looks at the top only, and leaves the ideal as it is", () =>
    expect(scores(new Map([["q", ["x", "a"]]]), { a: 1 }, ["RR", "NumRet"], { depth: 1 })).toEqual([0, 1]));
  it.each(profileNames)("profile %s is recorded with all it stands for", (profile) => {
    expect(evaluate(new Map(), new Map(), ["AP"], { profile }).conventions).toMatchObject({
      profile,
      ties: expect.any(String) as string,
      means: expect.any(String) as string,
    });
  });
  it.each([
    [
      { profile: "treceval" },
      "profile must be one of `default`, `trec_eval`, `trec_eval-10`, `ir_measures`, `ranx`, " +
        "`beir`, `elasticsearch`, `paperbot`, got `treceval`; did you mean `trec_eval`?",
    ],
    [{ ties: "random" }, "ties must be one of `trec`, `expected`, `input`, got `random`"],
    [{ depth: 0 }, "depth must be a whole number from 1, got `0`"],
  ])("%j is refused", (options, message) =>
    expect(() => evaluate(new Map(), new Map(), ["AP"], options as EvaluateOptions)).toThrow(message),
  );
});

describe("what has no exact form is refused or left out, never guessed", () => {
  const qrels = new Map([
    [
      "q",
      new Map([
        ["a", 2],
        ["b", 1],
        ["z", 0],
      ]),
    ],
  ]);
  const tied = run({ a: 1, b: 1, u: 1 });

  it("copies leave no exact mean over ties, spread or bound", () => {
    const copies = new Map([["q", ["a", "a"]]]);
    for (const options of [{ ties: "expected" as const }, { tieSpread: true }, { bounds: true }])
      expect(() => evaluate(copies, qrels, ["P@2"], options)).toThrow(
        "query `q`: an item is duplicated, so that there is no exact mean or spread over ties " +
          "and no bound",
      );
  });
  it("a depth leaves none over ties", () => {
    for (const options of [{ ties: "expected" as const }, { tieSpread: true }])
      expect(() => evaluate(tied, qrels, ["P@2"], { ...options, depth: 1 })).toThrow(
        "`depth` cuts tied hits apart",
      );
  });
  it(
    "no bounds where unjudged hits are left out, where nothing relevant is skipped or scores 1, " +
      "and for gains of one's own",
    () => {
      for (const options of [
        { unjudged: "remove" as const },
        { noRelevant: "one" as const },
        { noRelevant: "skip" as const },
      ])
        expect(evaluate(tied, qrels, ["P@2"], { ...options, bounds: true }).aggregates[0]?.bounds).toBeNull();
      expect(
        evaluate(tied, qrels, ["DCG(gains={1:9,2:1})", "nDCG(gains={1:9,2:1})", "AP(judged_only=True)"], {
          bounds: true,
          tieSpread: true,
        }).aggregates.map(({ bounds, tieSpread }) => [bounds, tieSpread]),
      ).toEqual([
        [null, null],
        [null, null],
        [null, { low: 1, high: 1 }],
      ]);
    },
  );
  it.each(["Bpref", "infAP", "G", "Accuracy", "Judged@2", "INST"])(
    "no tie spread for %s, whose extremes are not at grades in order",
    (name) => {
      expect(evaluate(tied, qrels, [name], { tieSpread: true }).aggregates[0]?.tieSpread).toBeNull();
    },
  );
  it(
    "a query that scores 1 because nothing is relevant has a spread of 1; shares of judged hits " +
      "stay what they are",
    () => {
      const { aggregates } = evaluate(
        run({ a: 1, b: 1 }),
        new Map([["q", new Map([["a", 0]])]]),
        ["P@1", "Judged@2", "NumRel"],
        { noRelevant: "one", tieSpread: true },
      );
      expect(aggregates.map(({ value }) => value)).toEqual([1, 0.5, 0]);
      expect(aggregates[0]?.tieSpread).toEqual({ low: 1, high: 1 });
    },
  );
  it("gains beyond the largest double end in an error, not in a loop", () => {
    const huge = new Map([["q", new Map([["a", 1500]])]]);
    expect(() =>
      evaluate(new Map([["q", ["a", "u"]]]), huge, ["nDCG(dcg='exp-log2')@10"], { bounds: true }),
    ).toThrow("gave `NaN` for query `q`; a score must be a finite number");
    expect(() =>
      evaluate(new Map([["q", ["u"]]]), huge, ["nDCG(dcg='exp-log2')@10"], { bounds: true }),
    ).toThrow("for query `q`; a score must be between finite numbers");
  });
});

describe("copies", () => {
  it("of judged items are judged: they keep ranks where unjudged hits are removed, and in Judged@k", () => {
    const repeats = new Map([["q", ["n", "a", "a", "x", "a", "b"]]]);
    const judged = { a: 1, b: 1, n: 0 };
    expect(scores(repeats, judged, ["Judged@6", "Unjudged@6"])).toEqual([5 / 6, 1 / 6]);
    // Without x, b stands at rank 5.
    const precisions = (1 / 2 + 2 / 5) / 2;
    expect(scores(repeats, judged, ["AP", "NumRet"], { unjudged: "remove" })).toEqual([precisions, 5]);
    expect(scores(repeats, judged, ["AP(judged_only=True)"])).toEqual([precisions]);
    expect(
      scores(repeats, judged, ["Judged@6", "Judged@3", "Unjudged@6", "AP(judged_only=True)"], {
        unjudged: "remove",
      }),
    ).toEqual([1, 1, 0, precisions]);
    expect(scores(new Map([["q", ["n", "n", "a"]]]), judged, ["RR"], { unjudged: "remove" })).toEqual([
      1 / 3,
    ]);
  });
  it("of equal score stand at ranks of their own", () => {
    const list = ["d", "d", "e"].map((doc_id) => ({ query_id: "q", doc_id, score: 1 }));
    expect(scores(list, { d: 1, e: 1 }, ["P@1", "P@3", "AP"], { duplicates: "count" })).toEqual([1, 1, 1.5]);
    const many = Array.from({ length: 9 }, () => ({ query_id: "q", doc_id: "d", score: 1 }));
    expect(scores(many, { d: 1 }, ["P@1", "P@9"], { duplicates: "count" })).toEqual([1, 1]);
  });
  it("of judged items are judged hits, and what is below the depth is not counted", () => {
    const counts = (ids: readonly string[], depth?: number): unknown =>
      evaluate(
        new Map([["q", ids]]),
        new Map([
          [
            "q",
            new Map([
              ["a", 1],
              ["b", 0],
              ["c", 0],
            ]),
          ],
        ]),
        ["AP"],
        depth === undefined ? {} : { depth },
      ).counts;
    expect(counts(["a", "a", "x"])).toMatchObject({ hits: 3, unjudged_hits: 1, duplicates: 1 });
    expect(counts(["a", "b", "c"], 1)).toMatchObject({ hits: 1, unjudged_hits: 0 });
  });
});

describe("what comes in", () => {
  it.each([NaN, Infinity, -Infinity])("a score of %s is an error that names query and item", (score) => {
    expect(() => scores(run({ a: 1, b: score }), { a: 1 }, ["AP"])).toThrow(
      "query `q`, item `b`: score must be a finite number",
    );
    expect(() => scores([{ query_id: "q", doc_id: "b", score }], { a: 1 }, ["AP"])).toThrow(
      "query `q`, item `b`: score must be a finite number",
    );
  });
  it("a grade that is not finite, and an item judged twice, are errors", () => {
    expect(() => prepareQrels(new Map([["q", new Map([["a", NaN]])]]))).toThrow(
      "query `q`, item `a`: grade must be a finite number, got `NaN`; use 0 for not relevant",
    );
    expect(() =>
      prepareQrels([
        { query_id: "q", doc_id: "a", grade: 1 },
        { query_id: "q", doc_id: "a", grade: 2 },
      ]),
    ).toThrow("query `q`: item `a` is judged twice; keep one of the judgments");
  });
  it("nothing judged among the hits, and no judgments at all, are warned about", () => {
    const run = new Map([["q", ["b", "x"]]]);
    expect(evaluate(run, { q: { zz: 1 } }, ["RR"]).warnings).toEqual([
      {
        code: "NOTHING_JUDGED",
        message: "none of the 2 hits is judged; do the item ids agree, and is the unit right?",
        count: 2,
      },
    ]);
    expect(evaluate(run, [], ["RR"]).warnings).toEqual([
      { code: "NOTHING_RELEVANT", message: "there are no judgments", count: 0 },
    ]);
  });
  it("is asked for a metric by any of its names", () => {
    const evaluation = evaluate(new Map([["q", ["b", "a"]]]), { q: { a: 1 } }, ["MRR", "ndcg_cut_10"]);
    expect(["RR", "MRR", "mrr"].map((name) => evaluation.mean(name))).toEqual([0.5, 0.5, 0.5]);
    expect(evaluation.score("q", "ndcg@10")).toBe(evaluation.mean("nDCG@10"));
    expect(() => evaluation.mean("AP")).toThrow("`AP` was not computed; there are `RR`, `nDCG@10`");
  });
  it("an id that is a judged one but for its Unicode form is warned about", () => {
    const { warnings } = evaluate(
      new Map([["q", ["cafe\u0301", "x"]]]),
      new Map([["q", new Map([["caf\u00e9", 1]])]]),
      ["AP"],
    );
    expect(warnings).toMatchObject([
      { code: "NOTHING_JUDGED", count: 2 },
      { code: "NEAR_IDS", count: 1, query_ids: ["q"] },
    ]);
  });
  it("each query of many is looked through for such ids, and named once", () => {
    const many = Array.from({ length: 10_001 }, (_, at) => [`q${at}`, new Map([["a", 1]])] as const);
    const { warnings } = evaluate(new Map([["q1", ["a "]]]), new Map(many), ["RR"]);
    expect(warnings.map(({ code }) => code)).toContain("NEAR_IDS");
    const judged = new Map([
      [
        "q1",
        new Map([
          ["a", 1],
          ["b", 1],
        ]),
      ],
    ]);
    expect(evaluate(new Map([["q1", ["a ", "b "]]]), judged, ["RR"]).warnings).toMatchObject([
      { code: "NOTHING_JUDGED" },
      { code: "NEAR_IDS", count: 2, query_ids: ["q1"] },
    ]);
  });
  it("copies of a hit with a negative grade count once as judged", () => {
    expect(scores(new Map([["q", ["a", "a"]]]), { a: -1 }, ["Judged@2"])).toEqual([0]);
  });
  it("a level of recall is no cutoff that ties may straddle", () => {
    const found = evaluate(run({ a: 2, b: 2, c: 1 }), new Map([["q", new Map([["a", 1]])]]), ["IPrec@0.1"]);
    expect(found.record().counts.ties_at_cutoff).toBe(0);
  });
  it("a recorded run keeps its ranks, gaps too, and `unit` says which ids are judged", () => {
    const recorded = {
      run_id: "mine",
      suite: "s",
      created_at: "",
      config_snapshot: {},
      results: [{ query_id: "q", hits_top_k: [{ rank: 2, chunk_id: "c", doc_id: "d" }] }],
    };
    expect(scores(recorded, { d: 1 }, ["RR"])).toEqual([0.5]);
    expect(scores(recorded, { c: 1 }, ["RR"], { unit: "chunk" })).toEqual([0.5]);
    expect(evaluate(recorded, new Map(), ["RR"]).run).toBe("mine");
  });
  it("judgments by subtopic are needed by metrics of diversity, and say so", () => {
    expect(() => scores(new Map([["q", ["a"]]]), { a: 1 }, ["alpha_nDCG@10"])).toThrow(
      "metric `alpha_nDCG@10` needs judgments by subtopic",
    );
  });
  it("a grade above the top of the scale is an error", () => {
    expect(() => scores(new Map([["q", ["a"]]]), { a: 5 }, ["ERR@10"])).toThrow(
      "ERR takes grades up to 4, and a judgment has 5; write `ERR(max=5)`, or correct the judgments",
    );
    expect(scores(new Map([["q", ["a"]]]), { a: 5 }, ["ERR(max=5)@10"])).toEqual([31 / 32]);
  });
  it("a record has aggregates at 4 decimals and the scores of queries as they are", () => {
    const evaluation = evaluate(
      new Map([
        ["p", ["x", "y", "a"]],
        ["q", ["x", "a"]],
      ]),
      new Map([
        ["p", new Map([["a", 1]])],
        ["q", new Map([["a", 1]])],
      ]),
      ["RR", "nDCG"],
    );
    expect(evaluation.record({ perQuery: true })).toMatchObject({
      metrics: { RR: 0.4167, nDCG: 0.5655 },
      per_query: [
        { query_id: "p", scores: [1 / 3, 0.5] },
        { query_id: "q", scores: [0.5, 1 / Math.log2(3)] },
      ],
    });
  });
  it(
    "of equally good documents the greedy ideal takes the one with the larger id, as ndeval does, " +
      "in whatever order they are judged",
    () => {
      // Each serves two subtopics: c comes first and leaves 1.5 to the others, so that the run beats it: (2 +
      // 2 / log2 3) / (2 + 1.5 / log2 3).
      const lines = ["1 2 a 1", "1 3 a 1", "1 1 b 1", "1 4 b 1", "1 1 c 1", "1 3 c 1"];
      const score = (order: readonly string[]): number => {
        const judgments = order
          .map((line) => line.split(" "))
          .map(([query_id = "", subtopic = "", doc_id = "", grade = ""]) => ({
            query_id,
            subtopic,
            doc_id,
            grade: Number(grade),
          }));
        return evaluate(new Map([["1", ["a", "b"]]]), judgments, ["alpha_nDCG@2"]).mean("alpha_nDCG@2");
      };
      expect(score(lines)).toBeCloseTo(1.10707, 5);
      expect(score([...lines].reverse())).toBe(score(lines));
    },
  );
  it("of equally good documents the greedy ideal takes the one with the larger id in every step", () => {
    // All five gain 2; after d9, d7 and d5 gain 2 again, of which d7 comes next.
    const serves = { d9: [0, 2], d8: [0, 3], d7: [1, 3], d6: [0, 2], d5: [1, 3] };
    const judgments = Object.entries(serves).flatMap(([doc_id, of]) =>
      of.map((subtopic) => ({ query_id: "q", doc_id, grade: 1, subtopic: String(subtopic) })),
    );
    const found = evaluate(new Map([["q", Object.keys(serves)]]), judgments, ["alpha_nDCG@4"]);
    expect(found.mean("alpha_nDCG@4")).toBeCloseTo(0.983974, 6);
  });
  it("judgments without anything relevant say nothing of subtopics", () => {
    const judgments = [{ query_id: "q", doc_id: "a", grade: 0, subtopic: "1" }];
    const { warnings } = evaluate(new Map([["q", ["a"]]]), judgments, ["alpha_nDCG@4"], {
      noRelevant: "skip",
    });
    expect(warnings.map(({ code }) => code)).toEqual(["NOTHING_RELEVANT"]);
  });
  it("names of subtopics decide nothing, whatever alpha is", () => {
    const serves = fc.array(fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(serves, fc.constantFrom(0.2, 0.5, 0.7, 0.9), (documents, alpha) => {
        const score = (name: (subtopic: number) => number): number[] => {
          const judgments = documents.flatMap((of, at) =>
            of.map((subtopic) => ({
              query_id: "q",
              doc_id: `d${String(at).padStart(2, "0")}`,
              grade: 1,
              subtopic: `s${name(subtopic)}`,
            })),
          );
          const metrics = [`alpha_nDCG(alpha=${alpha})@10`, `nERR_IA(alpha=${alpha})@10`];
          const found = evaluate(new Map([["q", ["d00", "d01", "d03"]]]), judgments, metrics);
          return metrics.map((metric) => found.mean(metric));
        };
        expect(score((subtopic) => 4 - subtopic)).toEqual(score((subtopic) => subtopic));
      }),
    );
  });
  it(
    "a document that is judged without a subtopic serves none; both kinds of judgment of one " +
      "document are refused in either order",
    () => {
      const judgments = [
        { query_id: "q", doc_id: "b", grade: 2 },
        { query_id: "q", doc_id: "a", grade: 1, subtopic: "1" },
      ];
      expect(
        evaluate(new Map([["q", ["b", "a"]]]), judgments, ["alpha_nDCG@5"]).mean("alpha_nDCG@5"),
      ).toBeCloseTo(1 / Math.log2(3), 12);
      const both = [
        { query_id: "q", doc_id: "a", grade: 2 },
        { query_id: "q", doc_id: "a", grade: 1, subtopic: "1" },
      ];
      for (const order of [both, [...both].reverse()])
        expect(() => prepareQrels(order)).toThrow("query `q`: item `a` is judged twice");
      expect(
        evaluate(
          new Map([["q", ["a"]]]),
          [{ query_id: "q", doc_id: "a", grade: 1.5, subtopic: "1" }],
          ["alpha_nDCG@5"],
          { grades: "cut" },
        ).mean("alpha_nDCG@5"),
      ).toBe(1);
    },
  );
  it(
    "Maps of another realm, objects that hold Maps, and Maps that hold objects are read; what is " +
      "no run is refused",
    () => {
      const foreign = runInNewContext("new Map([['q', new Map([['a', 1]])]])") as Map<
        string,
        Map<string, number>
      >;
      const judged = { q: new Map([["a", 1]]) } as unknown as Parameters<typeof evaluate>[1];
      for (const given of [foreign, { q: new Map([["a", 1]]) }, new Map([["q", { a: 1 }]])])
        expect(evaluate(given as unknown as Parameters<typeof evaluate>[0], judged, ["AP"]).mean("AP")).toBe(
          1,
        );
      expect(() => evaluate(null as unknown as Map<string, Map<string, number>>, judged, ["AP"])).toThrow(
        "run: must be a Map or an object, got `null`",
      );
      expect(() =>
        evaluate(new Map([["q", 7]]) as unknown as Map<string, Map<string, number>>, judged, ["AP"]),
      ).toThrow("query `q`: must be a Map or an object, got `7`");
      expect(() => evaluate(new Map([["q", { ids: ["a", "b"], scores: [1] }]]), judged, ["AP"])).toThrow(
        "query `q`: there must be one score for each id, got 1 for 2",
      );
    },
  );
  it("GMAP of one query is its AP where AP is stored, whatever logarithms leave of it", () => {
    // Relevant hits at ranks 8 and 32: (1 / 8 + 2 / 32) / 2 = 3 / 32 = 0.09375, between two stored values.
    const hits = Array.from({ length: 32 }, (_, index) => `d${index + 1}`);
    const qrels = new Map([
      [
        "q",
        new Map([
          ["d8", 1],
          ["d32", 1],
        ]),
      ],
    ]);
    const { metrics } = evaluate(new Map([["q", hits]]), qrels, ["AP", "GMAP"]).record();
    expect(metrics).toEqual({ AP: 0.0938, GMAP: 0.0938 });
  });
  it("nothing at all gives zeros, not NaN", () => {
    expect(
      evaluate(new Map(), new Map(), ["AP", "GMAP", "NumQ"]).aggregates.map(({ value, rounded }) => [
        value,
        rounded,
      ]),
    ).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });
});

describe("what comes out", () => {
  const qrels = new Map([
    ["b", new Map([["x", 1]])],
    ["a", new Map([["x", 1]])],
  ]);
  const evaluation = evaluate(
    new Map([
      ["a", ["x"]],
      ["b", ["y", "x"]],
    ]),
    qrels,
    [ndcg({ cutoff: 10 }), "RR"],
  );

  it("scores by query, in the order of the ids", () => {
    expect(evaluation.queryIds).toEqual(["a", "b"]);
    expect([...evaluation.column("RR")]).toEqual([1, 0.5]);
    expect(evaluation.score("b", "RR")).toBe(0.5);
    expect(evaluation.score("gone", "RR")).toBeUndefined();
    expect(evaluation.mean("nDCG@10")).toBe((1 + 1 / Math.log2(3)) / 2);
  });
  it("a metric that was not computed is an error that names those that were", () =>
    expect(() => evaluation.mean("AP")).toThrow("`AP` was not computed; there are `nDCG@10`, `RR`"));
  it("the record has 4 decimals, of exact means: 79/800 is 0.0988", () => {
    const many = new Map(Array.from({ length: 800 }, (_, i) => [`q${i}`, i < 79 ? ["x"] : ["y"]]));
    const judged = new Map([...many.keys()].map((id) => [id, new Map([["x", 1]])]));
    expect(evaluate(many, judged, ["RR"]).toJSON().metrics).toEqual({ RR: 0.0988 });
  });
  it("onQuery is shown every answered query", () => {
    const seen: string[] = [];
    evaluate(new Map([["a", ["x"]]]), qrels, ["RR"], {
      onQuery: (id, { hits }) => seen.push(`${id} ${hits.ranks[0] ?? ""}`),
    });
    expect(seen).toEqual(["a 1"]);
  });
});

describe("a run as bytes", () => {
  it("grades are cut where the convention says so, whoever made the table", async () => {
    const fractions = tableOfQrels(
      prepareQrels(
        new Map([
          [
            "q",
            new Map([
              ["d", 1.9],
              ["e", 1],
            ]),
          ],
        ]),
      ),
    );
    const source = (): Uint8Array[] => [new TextEncoder().encode("q Q0 e 1 2 t\nq Q0 d 2 1 t\n")];
    expect((await evaluateRunFile(source, fractions, ["nDCG"], { profile: "trec_eval" })).mean("nDCG")).toBe(
      1,
    );
  });

  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const table = tableOfQrels(parseTrecQrels([bytes("1 0 a 1\n2 0 b 1\n")], "qrels"));

  it("is read in one pass when its queries stand together, and twice when they do not", async () => {
    let opened = 0;
    const source = (text: string) => (): Uint8Array[] => {
      opened++;
      return [bytes(text)];
    };
    expect((await evaluateRunFile(source("1 Q0 a 1 1 t\n2 Q0 b 1 1 t\n"), table, ["RR"])).mean("RR")).toBe(1);
    await expect(evaluateRunFile([] as never, table, ["RR"])).rejects.toThrow("chunks must be a function");
    expect(opened).toBe(1);
    expect(
      (await evaluateRunFile(source("1 Q0 x 1 2 t\n2 Q0 b 1 1 t\n1 Q0 a 1 1 t\n"), table, ["RR"])).mean("RR"),
    ).toBe(0.75);
    expect(opened).toBe(3);
  });
  it("warns about ids in another Unicode form, as it does in memory", async () => {
    const judged = prepareQrels(new Map([["1", new Map([["caf\u00e9", 1]])]]));
    const { warnings } = await evaluateRunFile(
      () => [bytes("1 Q0 cafe\u0301 1 1 t\n1 Q0 x 2 0.5 t\n")],
      tableOfQrels(judged),
      ["AP"],
    );
    expect(warnings).toEqual(evaluate(new Map([["1", ["cafe\u0301", "x"]]]), judged, ["AP"]).warnings);
    expect(warnings).toMatchObject([
      { code: "NOTHING_JUDGED" },
      { code: "NEAR_IDS", count: 1, query_ids: ["1"] },
    ]);
  });
  it("a query longer than the buffer is scored", async () => {
    const lines = Array.from(
      { length: 60_000 },
      (_, i) => `1 Q0 doc-number-${i} ${i + 1} ${(60_000 - i) / 7} tag\n`,
    ).join("");
    const chunks = (): Uint8Array[] =>
      Array.from({ length: 20 }, (_, i) =>
        bytes(lines).subarray((i * lines.length) / 20, ((i + 1) * lines.length) / 20),
      );
    const judged = tableOfQrels(prepareQrels(new Map([["1", new Map([["doc-number-59999", 1]])]])));
    expect((await evaluateRunFile(chunks, judged, ["RR"])).mean("RR")).toBe(1 / 60_000);
  });
  it("ids that were made to collide are found all the same, in time", async () => {
    // Two-letter blocks with the same value of 31 * first + second: "Aa" and "BB".
    const blocks = ["Aa", "BB"];
    const ids = Array.from({ length: 4096 }, (_, i) =>
      Array.from({ length: 12 }, (__, bit) => blocks[(i >> bit) & 1]).join(""),
    );
    const judged = tableOfQrels(
      prepareQrels(new Map([["1", new Map(ids.slice(0, 2048).map((id) => [id, 1]))]])),
    );
    const run = bytes(ids.map((id, i) => `1 Q0 ${id} ${i} ${5000 - i} t\n`).join(""));
    expect(
      (await evaluateRunFile(() => [run], judged, ["P@2048", "R@4096"])).aggregates.map(({ value }) => value),
    ).toEqual([1, 1]);
  });
});
