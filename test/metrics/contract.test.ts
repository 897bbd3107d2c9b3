import { describe, expect, it } from "vitest";
import { defineMetric, ndcg, rankBiasedPrecision, type Metric } from "../../src/metrics/index.js";
import { relevanceLevel } from "../../src/metrics/relevance.js";
import { metricContract } from "../../src/testing/index.js";

/** The tests of the contract that a metric does not pass. */
async function failing(metric: Metric): Promise<string[]> {
  const tests: [string, () => Promise<void> | void][] = [];
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (name: string, body: () => Promise<void> | void) => void tests.push([name, body]),
    expect,
  };
  metricContract(metric, runner);
  const failed: string[] = [];
  for (const [name, body] of tests)
    await Promise.resolve()
      .then(body)
      .catch(() => {
        failed.push(name);
      });
  return failed;
}

const card = {
  name: "Mine",
  question: "Is anything found?",
  formula: "1 or 0",
  edges: "Nothing: 0.",
  agreesWith: "nothing",
  paper: "made up for this test",
  cutoff: "none",
  parameters: {},
  range: [0, 1],
  higherIsBetter: true,
  score: () => (judged) => (judged.hits.grades.length > 0 ? 1 : 0),
} as const satisfies Parameters<typeof defineMetric>[0];

const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, each) => sum + each, 0) / values.length;

const STEADY = "scores a ranking the same each time, and leaves it as it was";

describe("the contract of metrics finds", () => {
  it("nothing in a metric that is right", async () => expect(await failing(ndcg())).toEqual([]));

  it.each<[what: string, score: Metric["score"]]>([
    ["chance", (judged) => (judged.pool.length > 0 ? 1 - Math.random() * 1e-13 : 0)],
    ["what is sorted in place", ({ pool }) => Number(((pool as Float64Array).sort()[0] ?? 0) > 0)],
    ["what is put to nothing", ({ hits }) => (hits.grades as Float64Array).fill(0).length * 0],
  ])("%s", async (_, score) => {
    expect(await failing(defineMetric({ ...card, score: () => score })())).toContain(STEADY);
  });

  it("a score that is always the same", async () => {
    const SAME = "not all rankings score the same";
    const never = { ...card, score: () => () => 0 };
    expect(await failing(defineMetric(never)())).toEqual([SAME]);
    expect(await failing(defineMetric({ ...never, exempt: { [SAME]: "so it is" } })())).toEqual([]);
  });

  it("a fraction or a sum that is not the score, which means are made of", async () => {
    const WAYS = "scores a ranking the same in each of its ways";
    const half = defineMetric({ ...card, fraction: () => () => ({ numerator: 1, denominator: 2 }) });
    expect(await failing(half())).toContain(WAYS);
    const linear = { over: "hits", gain: () => 1, discount: () => 1, norm: () => 3 } as const;
    expect(await failing(defineMetric({ ...card, linear: () => linear })())).toContain(WAYS);
  });

  it("bounds that grades of unjudged hits lead out of", async () => {
    const BOUNDS = "stays within its bounds, whatever grades unjudged hits in view get";
    const precisionOfRelevant = defineMetric({
      ...card,
      bounds: "rising",
      score: () => (judged) => average(Array.from(judged.hits.ranks, (rank, at) => (at + 1) / rank)),
    });
    expect(await failing(precisionOfRelevant())).toContain(BOUNDS);
    const onlyTheSecond = defineMetric({
      ...card,
      bounds: "counted",
      parameters: { rel: relevanceLevel },
      score: () => (judged) => Number(judged.hits.ranks[0] === 2),
    });
    expect(await failing(onlyTheSecond())).toContain(BOUNDS);
  });

  it("a mean over orders of tied hits that is none", async () => {
    const TIES = "scores tied hits by the mean over their orders, where that is asked for";
    expect(await failing(defineMetric({ ...card, expected: "score" })())).not.toContain(TIES);
    expect(await failing(defineMetric({ ...card, expected: () => () => 0.5 })())).toContain(TIES);
  });

  it("a depth that the metric looks beyond", async () => {
    const deep = defineMetric({ ...card, depth: 1 });
    expect(await failing(deep())).toContain("what is below the cutoff does not matter");
  });

  it("a metric that counts its calls", async () => {
    let calls = 0;
    const counting = defineMetric({ ...card, score: () => () => (++calls % 7 === 0 ? 0.5 : 1) });
    expect(await failing(counting())).toContain(STEADY);
  });

  it.each<[what: string, wrong: object]>([
    ["a cutoff that there is not", { cutoff: "optionl" }],
    ["bounds that there are not", { bounds: "nonsense" }],
    ["no edges", { edges: "" }],
    ["a word that no name can hold", { parameters: { w: { default: "a,b", oneOf: ["a,b"], meaning: "m" } } }],
  ])("%s", async (_, wrong) => {
    const metric = defineMetric({ ...card, ...wrong } as never);
    expect(await failing(metric())).toEqual(["has a sound card"]);
  });
});

describe("the parameters of a metric", () => {
  it("may be left to nobody: a metric itself may be called cutoff", () => {
    expect(defineMetric({ ...card, name: "cutoff" })().name).toBe("cutoff");
  });
  it.each(["cutoff", "a b", "a=b", "rel,x", "1st", "", "é"])("may not be called %j", (name) => {
    const parameters = { [name]: { default: 0, meaning: "m" } };
    expect(() => defineMetric({ ...card, parameters } as never)).toThrow(
      /must be a letter .* as its parameters, got/,
    );
  });
  it.each<[what: string, of: object, wanted: string]>([
    ["out of its range", { default: 30, maximum: 10, meaning: "m" }, "a number to 10, got `30`"],
    ["none of its words", { default: "a", oneOf: ["b"], meaning: "m" }, "one of `b`, got `a`"],
    ["a word without any", { default: "a", meaning: "m" }, "one of the words of `oneOf`, got `a`"],
  ])("may not have a default that is %s", (_, of, wanted) => {
    expect(() => defineMetric({ ...card, parameters: { p: of } } as never)).toThrow(
      `the default of p of metric \`${card.name}\` must be ${wanted}`,
    );
  });
  const mine = defineMetric({
    ...card,
    parameters: {
      top: { default: 4, minimum: 1, meaning: "m" },
      way: { default: "up", oneOf: ["up", "down"], meaning: "m" },
    },
  });
  it("may be any list or gains, whatever the default", () => {
    const listed = defineMetric({
      ...card,
      parameters: {
        list: { default: [1, 2], meaning: "m" },
        gains: {
          default: [
            [0, 0],
            [1, 1],
          ],
          meaning: "m",
        },
        none: { default: [], meaning: "m" },
      },
    });
    const parameters = {
      list: [3],
      gains: [
        [0, 0],
        [1, 3],
      ],
      none: [[1, 2]],
    } as const;
    expect(listed({ parameters }).name).toBe("Mine(list=[3],gains={0:0,1:3},none={1:2})");
  });
  it("are typed by what it was defined with, and checked", () => {
    expect(mine({ parameters: { top: 3, way: "down", judged_only: true } }).name).toBe(
      "Mine(top=3,way='down',judged_only=True)",
    );
    // @ts-expect-error -- no such parameter
    expect(() => mine({ parameters: { tpo: 3 } })).toThrow("Mine has no parameter `tpo`");
    // @ts-expect-error -- no number
    expect(() => mine({ parameters: { top: "3" } })).toThrow("top of Mine must be a number from 1");
    // @ts-expect-error -- none of the words
    expect(() => mine({ parameters: { way: "left" } })).toThrow("way of Mine must be one of `up`, `down`");
    // @ts-expect-error -- no such parameter
    expect(() => ndcg({ parameters: { xx: 1 } })).toThrow("nDCG has no parameter `xx`");
    // @ts-expect-error -- no number
    expect(() => rankBiasedPrecision({ parameters: { p: "0.5" } })).toThrow("p of RBP must be a number");
    expect(ndcg({ parameters: { gains: [[1, 3]], dcg: "exp-log2" } }).name).toContain("nDCG(");
  });
});
