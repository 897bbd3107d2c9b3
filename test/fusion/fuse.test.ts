import { describe, expect, it } from "vitest";
import { InputError } from "../../src/foundation/errors/errors.js";
import {
  bordaNormalizer,
  combAnz,
  combGmnz,
  combMnz,
  combSum,
  condorcetFuse,
  defineFusion,
  defineNormalizer,
  fuse,
  fusionCatalog,
  maxNormalizer,
  minMaxNormalizer,
  normalizerCatalog,
  parseFusion,
  parseNormalizer,
  reciprocalRankFusion,
  rankByScore,
  sumOfRanks,
  weightedCondorcetFuse,
  weightedSum,
  zmuvNormalizer,
  type FusionParameters,
  type ScoredRun,
} from "../../src/fusion/index.js";

/** A run of one query: ids best first, with scores n, n - 1, ..., 1 unless given. */
function run(
  ids: readonly string[],
  scores: readonly number[] = ids.map((_, index) => ids.length - index),
): ScoredRun {
  return new Map([["q", { ids, scores }]]);
}
function scoresOf(fused: ScoredRun, query = "q"): [string, number][] {
  const { ids, scores } = fused.get(query) ?? { ids: [], scores: [] };
  return ids.map((id, index) => [id, scores[index] as number]);
}

describe("fusing by hand", () => {
  const a = run(["x", "y", "z"], [10, 5, 0]);
  const b = run(["y", "w"], [0.9, 0.1]);

  it("rrf is what comes without asking: y = 1/62 + 1/61, x = 1/61, w = 1/62, z = 1/63", () => {
    expect(scoresOf(fuse([a, b]))).toEqual([
      ["y", 1 / 62 + 1 / 61],
      ["x", 1 / 61],
      ["w", 1 / 62],
      ["z", 1 / 63],
    ]);
  });
  it(
    "sum takes min-max without asking: y = 1/2 + 1, x = 1, and w before z only because ties stand " +
      "by id descending: z, w",
    () => {
      expect(scoresOf(fuse([a, b], { method: "sum" }))).toEqual([
        ["y", 1.5],
        ["x", 1],
        ["z", 0],
        ["w", 0],
      ]);
    },
  );
  it("sum of the scores themselves: x = 10, y = 5.9", () => {
    expect(scoresOf(fuse([a, b], { method: combSum(), normalize: "none" }))).toEqual([
      ["x", 10],
      ["y", 5.9],
      ["w", 0.1],
      ["z", 0],
    ]);
  });
  it("wsum(weights=0.25/0.75): y = 0.25 / 2 + 0.75, x = 0.25", () => {
    expect(scoresOf(fuse([a, b], { method: weightedSum({ weights: [0.25, 0.75] }) })).slice(0, 2)).toEqual([
      ["y", 0.875],
      ["x", 0.25],
    ]);
  });
  it(
    "borda gives what is missing the mean of the points left over: x = 4 + 1.5, y = 3 + 4, z = 2 + " +
      "1.5, w = 1 + 3",
    () => {
      expect(scoresOf(fuse([a, b], { method: "bordafuse" }))).toEqual([
        ["y", 7],
        ["x", 5.5],
        ["w", 4],
        ["z", 3.5],
      ]);
    },
  );
  it("distances: the least score is best, and ranks turn round", () => {
    const distances = run(["far", "near"], [9, 1]);
    for (const method of ["sum", "rrf", "bordafuse", "condorcet"])
      expect(fuse([distances], { method, normalize: "min-max-inverted" }).get("q")?.ids).toEqual([
        "near",
        "far",
      ]);
  });
  it("distances that are equal keep their order, by id descending", () => {
    const fused = fuse([run(["far", "c", "b", "a"], [9, 1, 1, 1])], { normalize: "min-max-inverted" });
    expect(scoresOf(fused)).toEqual([
      ["c", 1 / 61],
      ["b", 1 / 62],
      ["a", 1 / 63],
      ["far", 1 / 64],
    ]);
  });
  it("gmnz is anz, sum and mnz for gamma -1, 0 and 1", () => {
    for (const [gamma, method] of [
      [-1, combAnz()],
      [0, combSum()],
      [1, combMnz()],
    ] as const) {
      expect(new Map(scoresOf(fuse([a, b], { method: combGmnz({ gamma }) })))).toEqual(
        new Map(scoresOf(fuse([a, b], { method }))),
      );
    }
  });
});

describe("condorcet by hand", () => {
  it("three runs that agree on nothing but a: a beats all, b, c and d go in a circle and tie", () => {
    const runs = [run(["a", "b", "c", "d"]), run(["a", "c", "d", "b"]), run(["a", "d", "b", "c"])];
    expect(scoresOf(fuse(runs, { method: condorcetFuse() }))).toEqual([
      ["a", 4],
      ["d", 2],
      ["c", 2],
      ["b", 2],
    ]);
  });
  it(
    "an item that a run lacks stands behind all it has; two that it lacks get no vote: a 3, b and " + "c 1.5",
    () => {
      expect(scoresOf(fuse([run(["a"]), run(["b"]), run(["a", "c"])], { method: "condorcet" }))).toEqual([
        ["a", 3],
        ["c", 1.5],
        ["b", 1.5],
      ]);
    },
  );
  it(
    "weights 2, 1, 1: the first run draws with the other two; 3, 1, 1: it decides; 0.1 + 0.2 " +
      "against 0.3 is a draw",
    () => {
      const runs = [run(["a", "b"]), run(["b", "a"]), run(["b", "a"])];
      const fused = (weights: number[]) =>
        scoresOf(fuse(runs, { method: weightedCondorcetFuse({ weights }) }));
      expect(fused([2, 1, 1])).toEqual([
        ["b", 1.5],
        ["a", 1.5],
      ]);
      expect(fused([3, 1, 1])).toEqual([
        ["a", 2],
        ["b", 1],
      ]);
      expect(fused([0.3, 0.1, 0.2])).toEqual([
        ["b", 1.5],
        ["a", 1.5],
      ]);
      expect(fused([1, 1, 1])).toEqual([
        ["b", 2],
        ["a", 1],
      ]);
    },
  );
});

describe("queries and lists", () => {
  const list = (...ids: string[]) =>
    rankByScore(
      ids,
      ids.map((_, index) => -index),
    );

  it(
    "every query of any run, in the order of first appearance; one that a run lacks is fused from " +
      "the others",
    () => {
      const fused = fuse([
        new Map([
          ["q2", list("a")],
          ["q1", list("b")],
        ]),
        new Map([
          ["q3", list("c")],
          ["q2", list("d")],
        ]),
      ]);
      expect([...fused.keys()]).toEqual(["q2", "q1", "q3"]);
      expect(fused.get("q1")?.ids).toEqual(["b"]);
    },
  );
  it("an empty list everywhere stays an empty list; an empty run is no error", () => {
    for (const factory of fusionCatalog) {
      const method = "weights" in factory.definition.parameters ? factory({ weights: [1, 1] }) : factory();
      expect(scoresOf(fuse([run([]), run([])], { method }))).toEqual([]);
      expect(fuse([new Map(), new Map()], { method }).size).toBe(0);
    }
  });
  it("weights stay with their runs where the first run lacks the query", () => {
    const fused = fuse([new Map(), run(["a"], [4])], { method: "wsum(weights=100/0.5)", normalize: "none" });
    expect(scoresOf(fused)).toEqual([["a", 2]]);
  });
  it("ties stand by id descending by UTF-8 bytes", () => {
    expect(fuse([run(["\uffff"]), run(["🙂"]), run(["a"])]).get("q")?.ids).toEqual(["🙂", "\uffff", "a"]);
  });
});

describe("normalizers at the edges", () => {
  it.each(normalizerCatalog.filter(({ name }) => !["none", "rank", "borda"].includes(name)))(
    "$name: equal zeros, and a single zero, are 0",
    ({ normalize }) => {
      expect(Array.from(normalize([0, 0, 0], 3).scores, Math.abs)).toEqual([0, 0, 0]);
      expect(Array.from(normalize([0], 3).scores, Math.abs)).toEqual([0]);
    },
  );
  it("min-max: equal scores are 0", () =>
    expect(Array.from(minMaxNormalizer.normalize([7, 7], 2).scores)).toEqual([0, 0]));
  it("zmuv: equal scores are 0, also ten of 0.1, whose mean by adding up is below 0.1", () => {
    expect(Array.from({ length: 10 }, () => 0.1).reduce((sum, score) => sum + score) / 10).toBeLessThan(0.1);
    for (const score of [0.1, 1e17 / 3, 123456789.123])
      expect(
        Array.from(
          zmuvNormalizer.normalize(
            Array.from({ length: 10 }, () => score),
            10,
          ).scores,
        ),
      ).toEqual(Array.from({ length: 10 }, () => 0));
  });
  it("zmuv: the mean of scores near 1e12 loses no digit", () => {
    const [, middle] = zmuvNormalizer.normalize([1e12 + 0.3, 1e12 + 0.2, 1e12 + 0.1], 3).scores;
    expect(Math.abs(middle as number)).toBeLessThan(1e-3);
  });
  it("max: the best score -2 is divided by 1e-9", () =>
    expect(maxNormalizer.normalize([-2], 1).scores[0]).toBe(-2 / 1e-9));
  it("borda: 2 of 4 items, 1 and 3/4; the others share 2/4 and 1/4", () => {
    expect(bordaNormalizer.normalize([9, 8], 4)).toEqual({
      scores: Float64Array.of(1, 0.75),
      lacking: 0.375,
    });
  });
});

describe("names", () => {
  it.each([
    "min",
    "rrf",
    "rrf(k=10)",
    "gmnz(gamma=-0.5)",
    "logn_isr(sigma=0.5)",
    "rbc(phi=0.95)",
    "wsum(weights=0.7/0.3)",
    "w_condorcet(weights=1e-7/-2/3)",
  ])("%s is printed as it is parsed", (name) => {
    expect(parseFusion(name).name).toBe(name);
  });
  it("defaults are not printed; spaces and aliases are read", () => {
    expect(parseFusion(" RRF( k = 60 ) ").name).toBe("rrf");
    expect(parseFusion("CombMNZ").name).toBe("mnz");
    expect(parseNormalizer("z-score")).toBe(zmuvNormalizer);
  });
  it("every method and normalizer is parsed from its name and its aliases, and none has two meanings", () => {
    for (const catalog of [fusionCatalog, normalizerCatalog]) {
      const names = catalog.flatMap(({ definition }) => [definition.name, ...(definition.aliases ?? [])]);
      expect(new Set(names).size).toBe(names.length);
    }
    for (const factory of fusionCatalog) {
      const weights = "weights" in factory.definition.parameters ? "(weights=1/2)" : "";
      for (const name of [factory.definition.name, ...(factory.definition.aliases ?? [])])
        expect(parseFusion(name + weights).name).toBe(factory.definition.name + weights);
    }
    for (const normalizer of normalizerCatalog) expect(parseNormalizer(normalizer.name)).toBe(normalizer);
  });
  it("every card is without gaps, and its normalizer is one", () => {
    for (const { definition } of [...fusionCatalog, ...normalizerCatalog]) {
      for (const text of [definition.question, definition.edges, definition.agreesWith, definition.paper])
        expect(text.length, definition.name).toBeGreaterThan(10);
      expect(definition.formula).not.toBe("");
    }
    for (const { definition } of fusionCatalog) {
      expect(parseNormalizer(definition.normalizer).name).toBe(definition.normalizer);
      expect(definition.normalizer).toBe(definition.reads === "ranks" ? "none" : "min-max");
      for (const card of Object.values(definition.parameters))
        if (!("perRun" in card))
          expect(card.default >= card.minimum && card.default <= card.maximum).toBe(true);
    }
  });
  it.each([
    ["rff", "unknown fusion method `rff`; did you mean `rrf`"],
    ["combmnz", "unknown fusion method `combmnz`; did you mean `mnz`"],
    ["Zorpzorp", "unknown fusion method `Zorpzorp`; known are `"],
    ["toString", "unknown fusion method `toString`"],
    ["__proto__", "unknown fusion method `__proto__`"],
    ["rrf(k=x)", "`rrf(k=x)`: k must be a number, got `x`"],
    ["rrf(k=)", "`rrf(k=)`: parameters are written `name=value`, got `k=`"],
    ["rrf(k=-1)", "k of rrf must be a number from 0 to 9007199254740991, got `-1`"],
    ["rrf(k=1/2)", "`rrf(k=1/2)`: k must be a number, got `1/2`"],
    ["rrf(k=10,k=20)", "`rrf(k=10,k=20)` gives `k` twice"],
    ["rrf(weights=1/2)", "rrf has no parameter `weights`; it has `k`"],
    ["rrf(foo=1)", "rrf has no parameter `foo`; it has `k`"],
    ["min(__proto__=1)", "min has no parameter `__proto__`; it has none"],
    ["rbc(phi=1.1)", "phi of rbc must be a number from 0 to 1, got `1.1`"],
    ["wsum", "wsum needs weights, one number for each run, as in `wsum(weights=0.7/0.3)`"],
    ["wsum(weights=1//2)", "`wsum(weights=1//2)`: weights must be a number, got ``"],
    ["wsum(weights=1/1e999)", "weights[1] of wsum must be a finite number, got `Infinity`"],
  ])("%s: %s", (name, message) => expect(() => parseFusion(name)).toThrow(message));
  it("normalizers, too: `minmax` is `min-max`", () => {
    expect(() => parseNormalizer("minmax")).toThrow("unknown normalizer `minmax`; did you mean `min-max`");
    expect(() => fuse([run(["a"])], { normalize: "" })).toThrow("unknown normalizer ``; known are `");
  });
});

describe("what is refused", () => {
  const message = (act: () => unknown): string => {
    try {
      act();
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      expect((error as InputError).code).toBe("ARGUMENT");
      return (error as InputError).message;
    }
    return "nothing was thrown";
  };
  it.each<[string, () => unknown, string]>([
    ["no runs", () => fuse([]), "there are no runs to fuse; give at least one"],
    [
      "weights of another number of runs",
      () => fuse([run(["a"])], { method: "wsum(weights=1/2)" }),
      "wsum(weights=1/2) is for 2 runs, got `1`; give one weight for each run",
    ],
    [
      "a weight that is not finite",
      () => weightedSum({ weights: [1, NaN] }),
      "weights[1] of wsum must be a finite number, got `NaN`",
    ],
    [
      "weights that are no list",
      // @ts-expect-error -- told by the compiler, too
      () => weightedSum({ weights: 1 }),
      "wsum needs weights, one number for each run, as in `wsum(weights=0.7/0.3)`, got `1`",
    ],
    [
      "no weights at all",
      () => weightedSum({ weights: [] }),
      "wsum needs weights, one number for each run, as in `wsum(weights=0.7/0.3)`, got `[]`",
    ],
    [
      "a list for a number",
      // @ts-expect-error -- told by the compiler, too
      () => reciprocalRankFusion({ k: [1] }),
      "k of rrf must be a number from 0 to 9007199254740991, got `[1]`",
    ],
    [
      "a number for the parameters",
      // @ts-expect-error -- told by the compiler, too
      () => reciprocalRankFusion(10),
      "rrf is made with an object of its parameters, or nothing, got `10`",
    ],
    [
      "a parameter of a method without any",
      // @ts-expect-error -- told by the compiler, too
      () => combSum({ whatever: 1 }),
      "sum has no parameter `whatever`; it has none",
    ],
    [
      "null for the parameters",
      // @ts-expect-error -- told by the compiler, too
      () => reciprocalRankFusion(null),
      "rrf is made with an object of its parameters, or nothing, got `null`",
    ],
    [
      "a misspelt parameter",
      // @ts-expect-error -- told by the compiler, too
      () => reciprocalRankFusion({ kk: 10 }),
      "rrf has no parameter `kk`; it has `k`",
    ],
    [
      "a method that was not made",
      // @ts-expect-error -- told by the compiler, too
      () => fuse([new Map()], { method: combSum }),
      "fuse: method must be a name, or a method that was made, as `combSum()` makes it",
    ],
    [
      "a parameter that is not a number",
      () => reciprocalRankFusion({ k: NaN }),
      "k of rrf must be a number from 0 to 9007199254740991, got `NaN`",
    ],
    [
      "a score that is not finite",
      () => fuse([run(["a"]), run(["b", "c"], [1, -Infinity])]),
      "runs[1], query `q`, id `c`: score must be a finite number, got `-Infinity`; fix the run or " +
        "leave the hit out",
    ],
    [
      "an id that is duplicated",
      () => fuse([run(["a", "b", "a"])]),
      "runs[0], query `q`, id `a`: each id must stand once in a list, got it again at rank 3; keep the first",
    ],
    [
      "an id that is duplicated in the second run",
      () => fuse([run(["b", "a"]), run(["a", "a"])]),
      "runs[1], query `q`, id `a`: each id must stand once in a list, got it again at rank 2; keep the first",
    ],
    [
      "more ids than scores",
      () => fuse([run(["a", "b"], [1])]),
      "runs[0], query `q`: there must be one score for each id, got `1` for 2; make rankings with " +
        "rankByScore",
    ],
    [
      "a fused score beyond all numbers",
      () => fuse([run(["a"], [1e308]), run(["a"], [1e308])], { method: "sum", normalize: "none" }),
      "query `q`, id `a`: the score fused by sum must be a finite number, got `Infinity`; use " +
        "smaller scores, weights or parameters",
    ],
    [
      "a range beyond all numbers",
      () => fuse([run(["a", "b"], [1e308, -1e308])], { method: "sum" }),
      "runs[0], query `q`, id `a`: the score normalized by min-max must be a finite number, got " +
        "`NaN` of `1e+308`; use another normalizer or smaller scores",
    ],
    [
      "a sum beyond all numbers, by which everything would be divided to 0",
      () => fuse([run(["a", "b", "c"], [1e308, 1e308, 0])], { method: "sum", normalize: "sum" }),
      "runs[0], query `q`, id `a`: the score normalized by sum must be a finite number, got `NaN` " +
        "of `1e+308`; use another normalizer or smaller scores",
    ],
    [
      "a method name that could not be parsed back",
      () =>
        defineFusion({ ...combSum.definition, name: "my sum", score: ({ size }) => new Float64Array(size) }),
      "fusion method name must be a letter followed by letters, digits or _, as its parameters, got `my sum`",
    ],
    [
      "a parameter that could not be parsed back",
      () => defineFusion({ ...combSum.definition, parameters: { "a b": { default: 1 } } } as never),
      "fusion method name must be a letter followed by letters, digits or _, as its parameters, got `a b`",
    ],
    [
      "two lists for the runs of two lengths",
      () => {
        const perRun = { perRun: true, meaning: "m" } as const;
        const score = (): Float64Array => new Float64Array(1);
        defineFusion({ ...combSum.definition, parameters: { v: perRun, w: perRun }, score })({
          v: [1, 2, 3],
          w: [1, 2],
        });
      },
      "sum: lists for the runs must be equally long",
    ],
    [
      "a method that gives nothing",
      () => {
        const method = defineFusion({ ...combSum.definition, name: "mine", score: () => undefined as never });
        fuse([run(["a"])], { method: method() });
      },
      "query `q`: mine must give one score for each item, got `undefined`",
    ],
    [
      "a run by numbers",
      () => fuse([run(["a"]), new Map([[1, { ids: ["a"], scores: [1] }]]) as never]),
      "runs[1]: the id of a query must be a string, got `1`; write `String(id)`",
    ],
    [
      "a method of code without types that lacks what fusing needs",
      () => defineFusion({ name: "mine", parameters: {}, score: () => new Float64Array(1) } as never),
      "fusion method `mine` must say what it reads (scores or ranks), the name of its normalizer (or " +
        "none), its parameters ({}) and how it scores",
    ],
    [
      "a normalizer name that could not be parsed back",
      () =>
        defineNormalizer({
          ...minMaxNormalizer.definition,
          name: "a(b)",
          normalize: minMaxNormalizer.normalize,
        }),
      "normalizer name must be a letter followed by letters, digits, - or _, got `a(b)`",
    ],
    [
      "a normalizer that forgets hits",
      () =>
        fuse([run(["a"])], {
          normalize: defineNormalizer({
            ...minMaxNormalizer.definition,
            name: "none2",
            normalize: () => ({ scores: new Float64Array(0) }),
          }),
        }),
      "runs[0], query `q`: normalizer none2 must give one score for each hit, got `0` for 1",
    ],
    [
      "a normalizer whose other items have no number",
      () =>
        fuse([run(["a"])], {
          normalize: defineNormalizer({
            ...minMaxNormalizer.definition,
            name: "half",
            normalize: () => ({ scores: Float64Array.of(1), lacking: NaN }),
          }),
        }),
      "runs[0], query `q`: normalizer half must give items that the run lacks a finite score, got `NaN`",
    ],
  ])("%s", (_, act, expected) => expect(message(act)).toBe(expected));
});

describe("a method and a normalizer of one's own", () => {
  const halving = defineFusion({
    ...reciprocalRankFusion.definition,
    name: "halving",
    aliases: [],
    parameters: {},
    score: (pool) => sumOfRanks(pool, (rank) => 2 ** -rank),
  });
  const ones = defineNormalizer({
    ...minMaxNormalizer.definition,
    name: "ones",
    aliases: [],
    normalize: (scores) => ({ scores: new Float64Array(scores.length).fill(1) }),
  });

  it("are parsed and used like built-in ones: a = 1/2 + 1/4", () => {
    expect(
      scoresOf(
        fuse([run(["a"]), run(["b", "a"])], { method: parseFusion("halving", [...fusionCatalog, halving]) }),
      ),
    ).toEqual([
      ["a", 0.75],
      ["b", 0.5],
    ]);
    expect(
      scoresOf(
        fuse([run(["b"]), run(["a", "b"])], { method: "sum", normalize: parseNormalizer("ones", [ones]) }),
      ),
    ).toEqual([
      ["b", 2],
      ["a", 1],
    ]);
  });
  it(
    "scores that a normalizer makes equal keep the order that the run had, for methods that read " + "ranks",
    () => {
      expect(fuse([run(["a", "b", "c"])], { normalize: ones }).get("q")?.ids).toEqual(["a", "b", "c"]);
    },
  );
  it("settled parameters are what was given, or the defaults", () => {
    const given: FusionParameters = { weights: [1, 2] };
    expect(weightedSum(given)).toMatchObject({
      name: "wsum(weights=1/2)",
      parameters: { weights: [1, 2] },
      runs: 2,
    });
    expect(reciprocalRankFusion()).toMatchObject({ name: "rrf", parameters: { k: 60 }, runs: undefined });
  });
});
