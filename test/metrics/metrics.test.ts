import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  averagePrecision,
  averagePrecisionScore,
  defineMetric,
  err,
  judgeRanking,
  metricCatalog,
  ndcg,
  parseMetric,
  precision,
  recall,
  reciprocalRank,
  setF,
  success,
  withDefaults,
} from "../../src/metrics/index.js";
import { judgePairs } from "../../src/metrics/internal.js";

/** Hits at ranks 2 and 4 stand for items of grade 1 and 3; a third item, of grade 2, was not found. */
const judged = judgeRanking([2, 4], [1, 3], [1, 3, 2], 4);

describe("metrics by hand", () => {
  it("ERR@5 over all orders of very many tied hits of one grade is ERR@5 of any order", () => {
    const grades = new Float64Array(400_000).fill(1);
    const tied = {
      first: new Int32Array(grades.length).fill(1),
      last: new Int32Array(grades.length).fill(grades.length),
    };
    const [metric, many] = [
      err({ cutoff: 5 }),
      judgeRanking(
        Int32Array.from(grades.keys(), (index) => index + 1),
        grades,
        grades,
        grades.length,
        { tied },
      ),
    ];
    expect(metric.expected?.(many)).toBeCloseTo(metric.score(many), 12);
  });
  it("a hit at rank 3,000,000,000 is no hit at the top", () => {
    const far = judgeRanking([3e9], [1], [1], 3e9);
    expect(
      [reciprocalRank(), averagePrecision(), recall({ cutoff: 10 })].map(({ score }) => score(far)),
    ).toEqual([1 / 3e9, 1 / 3e9, 0]);
    expect(ndcg().score(far)).toBeCloseTo(1 / Math.log2(3e9 + 1), 12);
  });
  it("from level 0 on every judged hit counts, also one of grade 0", () => {
    const both = judgeRanking([1, 2], [0, 1], [1, 0], 2);
    expect(averagePrecisionScore(both, Infinity, 0)).toBe(1);
    expect(averagePrecisionScore(both, Infinity, 1)).toBe(1 / 2);
  });
  it("Success@1 = 0, Success@2 = 1", () =>
    expect([1, 2].map((cutoff) => success({ cutoff }).score(judged))).toEqual([0, 1]));
  it("RR = 1/2, RR@1 = 0, RR(rel=2) = 1/4", () => {
    expect(
      [reciprocalRank(), reciprocalRank({ cutoff: 1 }), reciprocalRank({ parameters: { rel: 2 } })].map(
        (metric) => metric.score(judged),
      ),
    ).toEqual([0.5, 0, 0.25]);
  });
  it("P@4 = 2/4, P@10 = 2/10", () =>
    expect([4, 10].map((cutoff) => precision({ cutoff }).score(judged))).toEqual([0.5, 0.2]));
  it("R@4 = 2/3, R(rel=2)@4 = 1/2", () => {
    expect(recall({ cutoff: 4 }).score(judged)).toBe(2 / 3);
    expect(recall({ cutoff: 4, parameters: { rel: 2 } }).score(judged)).toBe(0.5);
  });
  it("AP = (1/2 + 2/4) / 3", () => expect(averagePrecision().score(judged)).toBe(1 / 3));
  it("nDCG = (1/log2 3 + 3/log2 5) / (3/log2 2 + 2/log2 3 + 1/log2 4)", () => {
    const dcg = 1 / Math.log2(3) + 3 / Math.log2(5);
    expect(ndcg().score(judged)).toBeCloseTo(dcg / (3 + 2 / Math.log2(3) + 0.5), 15);
  });
  it("nDCG(dcg='exp-log2')@2 has gains 2^grade - 1 and an ideal cut at 2", () => {
    const metric = ndcg({ cutoff: 2, parameters: { dcg: "exp-log2" } });
    expect(metric.score(judged)).toBeCloseTo(1 / Math.log2(3) / (7 + 3 / Math.log2(3)), 15);
  });
  it(
    "a large chunk around two expected ones earns both in recall, one rank in precision, and nDCG " +
      "stays below 1",
    () => {
      const both = judgePairs([1, 1], [0, 1], [1, 1], 1);
      expect(recall({ cutoff: 1 }).score(both)).toBe(1);
      expect(precision({ cutoff: 1 }).score(both)).toBe(1);
      expect(averagePrecision().score(both)).toBe(1);
      expect(ndcg().score(both)).toBeLessThan(1);
    },
  );
  it("the parts of a split chunk count each in precision, once in recall, AP and nDCG", () => {
    const parts = judgePairs([1, 2], [0, 0], [1], 2);
    expect(
      [precision({ cutoff: 2 }), recall({ cutoff: 2 }), averagePrecision(), ndcg(), setF()].map((metric) =>
        metric.score(parts),
      ),
    ).toEqual([1, 1, 1, 1, 1]);
  });
});

describe("hits that stand for one item, for several, or for one below 0", () => {
  const pairs = fc
    .record({
      grades: fc.array(fc.constantFrom(-1, 0, 1, 2), { minLength: 1, maxLength: 4 }),
      hits: fc.array(fc.array(fc.nat(3), { maxLength: 3 }), { maxLength: 6 }),
    })
    .map(({ grades, hits }) => {
      const all = hits.flatMap((items, at) =>
        [...new Set(items)].filter((item) => item < grades.length).map((item) => [at + 1, item] as const),
      );
      const [ranks, items] = [all.map(([rank]) => rank), all.map(([, item]) => item)];
      return judgePairs(ranks, items, grades, hits.length);
    });
  const factories = metricCatalog.filter(
    ({ definition }) => definition.range[1] === 1 && definition.needs === undefined,
  );
  it.each(factories.map((factory) => [factory.definition.name, factory] as const))(
    "%s stays within its range",
    (_, factory) => {
      const { cutoff, range } = factory.definition;
      const metric = factory(
        { required: { cutoff: 3 }, optional: {}, none: {}, "recall level": { cutoff: 0.5 } }[cutoff],
      );
      fc.assert(
        fc.property(pairs, (judged) => {
          const score = metric.score(judged);
          expect(score).toBeGreaterThanOrEqual(range[0] ?? -Infinity);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
        }),
      );
    },
  );
  it("F is of precision over hits and recall over items: 2 of 3 hits, 1 of 2 items", () => {
    const judged = judgePairs([1, 2], [0, 0], [1, 1], 3);
    expect(parseMetric("F@3").score(judged)).toBeCloseTo((2 * (2 / 3) * (1 / 2)) / (2 / 3 + 1 / 2), 15);
  });
});

describe.each(metricCatalog.map((factory) => [factory.definition.name, factory] as const))(
  "%s",
  (_, factory) => {
    const { definition } = factory;
    const metric = factory(
      { required: { cutoff: 10 }, optional: {}, none: {}, "recall level": { cutoff: 0.5 } }[
        definition.cutoff
      ],
    );

    it("is parsed from what it prints, and from its aliases", () => {
      expect(parseMetric(metric.name).name).toBe(metric.name);
      for (const alias of definition.aliases ?? [])
        expect(parseMetric(metric.name.replace(definition.name, alias)).name).toBe(metric.name);
    });
    it("is a number where nothing is judged and nothing returned, 0 where more is better", () => {
      const documents = [[[0, 1]], [[1, 2]]] as const;
      for (const pool of [[], [2, 1]]) {
        const subtopics = { documents: documents.slice(0, pool.length), ranks: [], found: [] };
        const score = metric.score({ ...judgeRanking([], [], pool, 0), subtopics });
        expect(score).toSatisfy(Number.isFinite);
        if (definition.higherIsBetter)
          expect(score).toBe(definition.name === "NumQ" ? 1 : definition.name === "NumRel" ? pool.length : 0);
      }
    });
    it("has a card without gaps", () => {
      for (const text of [
        definition.question,
        definition.formula,
        definition.edges,
        definition.agreesWith,
        definition.paper,
      ])
        expect(text.length).toBeGreaterThan(5);
    });
  },
);

describe("names and parameters", () => {
  it.each([
    "nDCG(dcg='exp-log2')@10",
    "P(rel=2)@5",
    "RR",
    "AP@100",
    "Success(rel=0.5)@1",
    "nDCG(gains={1:3,2:9},judged_only=True)",
    "IPrec@0.1",
    "IPrecAvg(levels=[0.25,0.5])",
    "SetP(relative=True)",
    "RBP(p=0.5,gain='graded',max=3)@10",
    "alpha_nDCG(alpha=0.2)@10",
  ])("%s is printed as it is parsed", (name) => expect(parseMetric(name).name).toBe(name));
  it("defaults are not printed, spaces and double quotes are read", () =>
    expect(parseMetric(' nDCG( dcg = "log2" )@10 ').name).toBe("nDCG@10"));
  it.each([
    ["ndgc@10", "unknown metric `ndgc@10`; did you mean `nDCG@10`?"],
    ["Zorp", "unknown metric `Zorp`; known are "],
    ["R", "R needs a cutoff, as in `R@10`"],
    ["IPrec", "IPrec needs a recall level, as in `IPrec@0.1`"],
    ["IPrec@1.5", "the recall level of IPrec must be a number from 0 to 1, got `1.5`"],
    ["P@2.5", "the cutoff of P must be a whole number from 1, got `2.5`"],
    ["SetR@5", "SetR has no cutoff; write `SetR`"],
    [
      "nDCG(gains={1})",
      "`nDCG(gains={1})`: gains must be a number, a word in quotes, True, False, a list `[1,2]` or " +
        "gains `{1:3}`, got `{1}`",
    ],
    ["nDCG(gains=[1,2])", "gains of nDCG must be gains from 0 by grade, as in `{1:3,2:9}`, got `[1,2]`"],
    ["nDCG(gains={1:-5})", "gains of nDCG must be gains from 0 by grade, as in `{1:3,2:9}`, got"],
    ["INST(T=0.1)", "T of INST must be a number from 0.5 to 1000, got `0.1`"],
    [
      "IPrecAvg(levels=[0.2,2])",
      "levels of IPrecAvg must be a list of numbers from 0 to 1, as in `[0.2,0.8]`, got `[0.2,2]`",
    ],
    ["ndcg_cut", "`ndcg_cut` stands for 9 metrics; name one, as in `ndcg_cut_10`"],
    ["P.5,10", "`P.5,10` stands for 2 metrics; give them one by one"],
    ["AP(judged_only=1)", "judged_only of AP must be `True` or `False`, got `1`"],
    ["P(rel=2,rel=3)@5", "`P(rel=2,rel=3)@5` gives `rel` twice"],
    ["nDCG(gains={1:3,01:9})", "gains of nDCG must be gains from 0 by grade, as in"],
    ["SDCG@1000000000000", "the cutoff of SDCG must be at most 10000000, got 1000000000000"],
    ["P@0", "the cutoff of P must be a whole number from 1, got `0`"],
    ["P(foo=1)@5", "P has no parameter `foo`; it has `rel`, `relative`, `judged_only`"],
    [
      "P(rel=x)@5",
      "`P(rel=x)@5`: rel must be a number, a word in quotes, True, False, a list `[1,2]` or gains " +
        "`{1:3}`, got `x`",
    ],
    ["P(rel=0)@5", "rel of P must be a number from 5e-324 to 1.7976931348623157e+308, got `0`"],
    ["nDCG(dcg='ln')", "dcg of nDCG must be one of `log2`, `exp-log2`, got `ln`"],
    ["nDCG(__proto__=1)", "nDCG has no parameter `__proto__`; it has `dcg`, `gains`, `judged_only`"],
    ["toString", "unknown metric `toString`"],
  ])("%s: %s", (name, message) => expect(() => parseMetric(name)).toThrow(message));
  it("has its default where a parameter is undefined", () => {
    expect(ndcg({ parameters: { dcg: undefined } }).name).toBe("nDCG");
    expect(() => ndcg({ parameters: { cdg: undefined } as object })).toThrow("nDCG has no parameter `cdg`");
    const strict = withDefaults(precision, { rel: 2 });
    expect(strict({ cutoff: 5, parameters: { rel: undefined } }).name).toBe("P(rel=2)@5");
  });
  it.each([
    ["P", "SetP"],
    ["map", "AP"],
    ["ndcg", "nDCG"],
    ["ndcg_cut_10", "nDCG@10"],
    ["ndcg_cut.10", "nDCG@10"],
    ["P_5", "P@5"],
    ["recall.100", "R@100"],
    ["iprec_at_recall_0.10", "IPrec@0.1"],
    ["Rprec_mult_0.20", "Rprec(mult=0.2)"],
    ["relative_P_5", "P(relative=True)@5"],
    ["set_F.2.5", "SetF(beta=2.5,weight='beta')"],
    ["11pt_avg.0.25,0.5", "IPrecAvg(levels=[0.25,0.5])"],
    ["utility.2,-1,0,0", "Utility(worth=[2,-1,0])"],
    ["ndcg.1=3,2=9", "nDCG(gains={1:3,2:9})"],
    ["recip_rank", "RR"],
    ["bpref", "Bpref"],
    ["unj_10", "Unjudged@10"],
    ["Hit@3", "Success@3"],
    ["MAP@5", "AP@5"],
  ])("%s is read as %s", (name, printed) => expect(parseMetric(name).name).toBe(printed));
  it("judged_only leaves unjudged hits out first: of hits 2 and 4 of 4, RR = 1", () =>
    expect(parseMetric("RR(judged_only=True)").score(judged)).toBe(1));
  it("a metric of one's own is defined, parsed and scored like a built-in one", () => {
    const found = defineMetric({
      ...recall.definition,
      name: "Found",
      aliases: [],
      cutoff: "none" as const,
      parameters: {},
      fraction:
        () =>
        ({ finds }) => ({ numerator: finds.ranks.length, denominator: 1 }),
    });
    expect(parseMetric("Found", [...metricCatalog, found]).score(judged)).toBe(2);
    expect(() => parseMetric("Found@3", [found])).toThrow("Found has no cutoff; write `Found`");
  });
  it("one that is in the catalogue twice is one", () =>
    expect(parseMetric("nDCG@5", [...metricCatalog, ndcg]).name).toBe("nDCG@5"));
  it("takes options that are not given as undefined", () =>
    expect(ndcg({ cutoff: 5, k: undefined } as object).name).toBe("nDCG@5"));
  it.each(["nDCG@5", "NDCG@5"])(
    "one with the name of another, %s, is refused instead of taking its place",
    (name) => {
      const mine = defineMetric({
        ...precision.definition,
        name: name.replace("@5", ""),
        aliases: [],
        fraction: () => () => ({ numerator: 0, denominator: 1 }),
      });
      expect(() => parseMetric(name, [...metricCatalog, mine])).toThrow(
        `two metrics of the catalogue are called \`${name.replace("@5", "")}\`; rename one`,
      );
    },
  );
  it.each([
    [10, "`10`"],
    [null, "`null`"],
    [{ k: 10 }, '`{"k":10}`'],
  ])("made with %j, which has no cutoff to read, it is no metric", (options, shown) => {
    for (const factory of [ndcg, withDefaults(ndcg, {})])
      expect(() => factory(options as object)).toThrow(
        `nDCG is made with \`{ cutoff, parameters }\` or nothing, got ${shown}`,
      );
  });
  it("a name that could not be parsed back is refused", () => {
    expect(() =>
      defineMetric({
        ...recall.definition,
        name: "my metric",
        fraction: () => () => ({ numerator: 0, denominator: 1 }),
      }),
    ).toThrow(
      "metric name must be a letter followed by letters, digits or _, as its parameters, " +
        "got `my metric`",
    );
  });

  it("one that scores nothing is refused where it is defined", () => {
    const { question, formula, edges, agreesWith, paper, range } = precision.definition;
    const card = { question, formula, edges, agreesWith, paper, range, higherIsBetter: true } as const;
    expect(() => defineMetric({ ...card, name: "mine", cutoff: "none", parameters: {} })).toThrow(
      "metric `mine` needs `score`, `fraction` or `linear`",
    );
  });

  it("a card of code without types is refused where it lacks its name or its direction", () => {
    const define = (card: object) => () =>
      defineMetric({ ...recall.definition, score: () => () => 0, ...card } as never);
    expect(define({ name: undefined })).toThrow("metric name must be a letter followed by");
    for (const higherIsBetter of [undefined, "no"])
      expect(define({ name: "mine", higherIsBetter })).toThrow(
        "metric `mine`: higherIsBetter must be true or false",
      );
  });
});
