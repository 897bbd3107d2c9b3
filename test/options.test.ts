import { describe, expect, it } from "vitest";
import { decideBench, runBench } from "../src/bench/index.js";
import { sentenceChunker, windowChunker } from "../src/chunk/index.js";
import {
  compareRuns,
  compareScores,
  compareSeveralRuns,
  compareSystems,
  evaluate,
  evaluatePartial,
  evaluateRunFile,
  mergePartials,
  type EvaluateOptions,
} from "../src/index.js";
import { fuse } from "../src/fusion/index.js";
import {
  parseAggregate,
  parseAnyQrels,
  parseAnyRun,
  parseCorpus,
  parseGolden,
  parseResult,
  parseRun,
} from "../src/formats/index.js";
import { drawSample } from "../src/audit/index.js";
import { InputError } from "../src/foundation/errors/index.js";
import { prepareQrels } from "../src/formats/index.js";
import { parseTrecQrels, tableOfQrels } from "../src/formats/trec/index.js";
import { defineNormalizer, rankByScore } from "../src/fusion/index.js";
import { functionLabeler, overlapLabeler, StopRule, buildLabels } from "../src/label/index.js";
import { cachedEmbedder, hashEmbedder, hybridRetriever, lexicalIndex } from "../src/retrieve/index.js";
import * as stats from "../src/stats/index.js";
import { memoryLabelStore, memoryStore } from "../src/storage/index.js";
import type { EvalRun } from "../src/records/index.js";
import { sqljsStore } from "../src/storage/sqljs/index.js";
import { aRun } from "./support/records.js";

/** What code without types may pass. */
const untyped = <T>(value: unknown): T => value as T;
const lexical = lexicalIndex([{ chunk_id: "a", doc_id: "a", text: "one" }]);
const cache = { get: () => [], set: () => undefined };
const labeler = functionLabeler({ name: "n", version: "1", grade: () => 1 });

describe("an option with a typo", () => {
  it.each<[right: string, call: (options: never) => unknown]>([
    ["confidence", (options) => stats.meanInterval([1, 2, 3], options)],
    ["resamples", (options) => stats.differenceIntervals([[1, 2, 3]], options)],
    ["alternative", (options) => stats.wilcoxonSignedRank([1, 2, 3], options)],
    ["permutations", (options) => stats.randomizationTest([1, 2, 3], options)],
    ["statistic", (options) => stats.maxT([[1, 2, 3]], options)],
    ["alpha", (options) => stats.pairedPower(0.5, 10, options)],
    ["power", (options) => stats.detectableEffect(10, options)],
    ["power", (options) => stats.pairsNeeded(0.5, options)],
    ["deviation", (options) => stats.powerTable(options)],
    ["weights", (options) => stats.cohenKappa([1, 2], [1, 2], options)],
    ["layout", (options) => stats.tukeyHsd([[1, 2]], options)],
    ["dimensions", (options) => hashEmbedder(options)],
    ["saveEvery", (options) => cachedEmbedder(hashEmbedder(), untyped(cache), options)],
    ["analyzer", (options) => lexicalIndex([], options)],
    ["weights", (options) => lexicalIndex([], options)],
    ["normalize", (options) => hybridRetriever({ a: lexical, b: lexical }, options)],
    ["maxCharacters", (options) => sentenceChunker(options)],
    ["overlap", (options) => windowChunker({ words: 10, ...(options as object) })],
    ["minBatches", (options) => new StopRule(options)],
    ["analyzer", (options) => overlapLabeler([], options)],
    ["margin", (options) => decideBench([], options)],
  ])("%s is refused and named", (right, call) => {
    for (const typo of [`${right}s`, `${right.slice(0, 1)}${right}`])
      expect(() => call(untyped({ [typo]: 1 }))).toThrow(
        `there is no option \`${typo}\`; did you mean \`${right}\`?`,
      );
    expect(() => call(untyped({ of_another_function: 1 }))).not.toThrow(/there is no option/);
  });
  it.each<[right: string, call: (options: object) => Promise<unknown>]>([
    ["repeats", async (options) => runBench(untyped({}), [], options)],
    ["wasm", async (options) => sqljsStore(options)],
    [
      "batchSize",
      async (options) => buildLabels({ targets: [], labeler, store: memoryLabelStore(), ...options }),
    ],
  ])("%s is refused and named by what takes time, before it does", async (right, call) => {
    await expect(call({ [`${right}s`]: 1 })).rejects.toThrow(`did you mean \`${right}\`?`);
  });
  it("options that are no object are no options", () => {
    expect(() => stats.wilcoxonSignedRank([1, 2, 3], untyped("greater"))).toThrow(
      "options must be an object, got `greater`; give an object, or leave them out",
    );
    expect(() => hashEmbedder(untyped(null))).toThrow("options must be an object, got `null`");
  });
});

describe("options of comparisons at the wrong level", () => {
  const runs = ["a", "b"].map((run_id) => aRun({ run_id })) as [EvalRun, EvalRun];
  const compare = (options: object) => () => compareRuns(...runs, [], options);

  it.each(["alpha", "primary", "guards", "maxP95Ms", "slices", "seed"])("%s is told its place", (name) => {
    const value = name === "guards" || name === "slices" ? [] : name === "primary" ? "AP" : 1;
    const message = `\`${name}\` is one of \`statistics\`: write \`{ statistics: { ${name}: … } }\``;
    expect(compare({ [name]: value })).toThrow(message);
    expect(() => compareSeveralRuns(runs, [], untyped({ [name]: value, statistics: {} }))).toThrow(message);
    expect(compare({ [name]: undefined })).not.toThrow();
    expect(compare({ permutations: 100, [name]: value, statistics: { permutations: 100 } })).toThrow(message);
    // One object for several functions may have it at both.
    expect(compare({ [name]: value, statistics: { [name]: undefined } })).not.toThrow();
  });
  it("what is none of the statistics is refused there", () => {
    expect(compare({ statistics: { slowest: 300 } })).toThrow(
      "there is no option `slowest` in `statistics`, which has test, seed, permutations, ",
    );
    expect(compare({ statistics: false, alpha: 0.1 })).not.toThrow();
  });
  it("`statistics` is refused where its options stand by themselves", () => {
    const tables = ["a", "b"].map((run) => ({ run, metrics: [], queryIds: [], columns: [] }));
    const message = "`statistics` is an option of comparisons with a golden set";
    expect(() => compareScores(tables, untyped({ statistics: { alpha: 0.1 } }))).toThrow(message);
    const systems = ["a", "b"].map((name) => ({ name, run: { q: { x: 1 } } }));
    expect(() => compareSystems(systems, { q: { x: 1 } }, ["AP"], untyped({ statistics: {} }))).toThrow(
      message,
    );
  });
});

it.each([
  [{ powr: 0.95 }, "there is no option `powr`; did you mean `power`?"],
  [{ alph: 0.2 }, "there is no option `alph`; did you mean `alpha`?"],
  [{ poweer: 0.2 }, "there is no option `poweer`; did you mean `power`?"],
])("a short name with a letter too many or too few is a slip: %j", (options, message) => {
  expect(() => stats.pairsNeeded(0.2, untyped(options))).toThrow(message);
});

describe("an option that is undefined", () => {
  const run = new Map([["q", ["b", "a"]]]);
  const qrels = new Map([["q", new Map([["a", 1]])]]);
  it("is as one that is left out, whoever passes his own options on", () => {
    const options: EvaluateOptions = {
      ...{ profile: undefined, depth: undefined, ties: undefined, means: undefined, unit: undefined },
      ...{ bounds: undefined, tieSpread: undefined, onQuery: undefined, shard: undefined, runId: undefined },
    };
    expect(evaluate(run, qrels, ["RR"], options).toJSON()).toEqual(evaluate(run, qrels, ["RR"]).toJSON());
    expect(fuse([new Map([["q", { ids: ["a"], scores: [1] }]])], { method: undefined })).toEqual(
      fuse([new Map([["q", { ids: ["a"], scores: [1] }]])]),
    );
    const partial = evaluatePartial(run, qrels, ["RR"], { shard: { index: 1, of: 1 } });
    expect(mergePartials([partial], { metrics: undefined })).toEqual(mergePartials([partial]));
  });
});

describe("bytes in another wrapping", () => {
  const buffer = new TextEncoder().encode("q 0 d 1\n").buffer;
  it("a store of a database says how to give its bytes, and does not begin an empty one", async () => {
    for (const bytes of [new Uint8Array(8), buffer])
      await expect(sqljsStore(untyped(bytes))).rejects.toThrow("give the bytes as `{ bytes }`");
  });
  it.each<[string, (source: never) => unknown]>([
    ["parseAnyQrels", (source) => parseAnyQrels(source, "file")],
    ["parseAnyRun", (source) => parseAnyRun(source, "file")],
    ["parseCorpus", (source) => parseCorpus(source, "file")],
    ["parseGolden", (source) => parseGolden(source, "file")],
    ["parseRun", (source) => parseRun(source, { run_id: "r" }, "file")],
    ["parseResult", (source) => parseResult(source, "file")],
    ["parseAggregate", (source) => parseAggregate(source, "file")],
  ])("%s says how to give a buffer, and refuses what is neither text nor bytes", (_, parse) => {
    expect(() => parse(untyped(buffer))).toThrow("file: must be a text, or the bytes of one, got a buffer");
    for (const wrong of [undefined, 5, {}])
      expect(() => parse(untyped(wrong))).toThrow(/^file: must be a text, or the bytes of one, got/);
  });
  it("what takes bytes alone says how to make them of a text", () => {
    expect(() => parseAnyRun(untyped("q 0 d 1 2 r\n"), "file")).toThrow("encode it with `TextEncoder`");
  });
});

describe("what is of another kind is refused where it would be a number all the same", () => {
  const set = new Set([0.1, 0.2, 0.3]);
  const twoRanks = [
    ["a", "b"],
    ["b", "a"],
  ] as const;
  it.each<[string, () => unknown]>([
    ["a Set of differences", () => stats.meanInterval(untyped(set))],
    ["a flat list of differences", () => stats.meanIntervals(untyped([0.1, 0.2, 0.5]))],
    ["a difference that is null", () => stats.meanInterval(untyped([0.1, null, 0.5]))],
    ["a Set beside intervals", () => stats.differenceIntervals(untyped([set]))],
    ["a ranking that is a Set", () => stats.tauAp(untyped(new Set(twoRanks[0])), twoRanks[1])],
    ["a ranking that is a Map", () => stats.rankBiasedOverlap(untyped(new Map()), twoRanks[1])],
    ["a p value that is null", () => stats.adjustPValues(untyped([null, 0.02]), "holm")],
    ["another layout", () => stats.tukeyHsd([[1, 2]], { layout: untyped("two way") })],
    ["another statistic", () => stats.maxT([[1, 2, 3]], { statistic: untyped("median") })],
    ["another way with zeros", () => stats.wilcoxonSignedRank([1, 2], { zeros: untyped("Pratt") })],
    ["another method", () => stats.wilcoxonSignedRank([1, 2], { method: untyped("normal") })],
    ["other weights", () => stats.cohenKappa([0, 1], [0, 1], { weights: untyped("constructor") })],
    ["another merge", () => stats.mergeLabels([1, 2], untyped("constructor"))],
    ["a deviation below 0", () => stats.powerTable({ deviation: -0.2 })],
    ["NaN of Student's t", () => stats.studentTwoSided(NaN, 9)],
    ["a text of Student's t", () => stats.studentTwoSided(1, untyped("5"))],
    ["NaN of a normal distribution", () => stats.normalQuantile(NaN)],
    ["NaN of F", () => stats.fAbove(NaN, 1, 1)],
    ["no degrees of freedom", () => stats.studentizedRangeAbove(3, 3, 0)],
    ["degrees that are null", () => stats.studentizedRangeAbove(3, 3, untyped(null))],
    ["ids that are numbers", () => rankByScore(untyped([1, 2]), [2, 1])],
    ["a run that is a promise", () => evaluate(untyped(Promise.resolve(new Map())), [], ["RR"])],
    ["judgments that are a promise", () => evaluate(new Map(), untyped(Promise.resolve([])), ["RR"])],
    ["a run that comes piece by piece", () => evaluate(untyped(pieces()), [], ["RR"])],
    [
      "a ranking that comes piece by piece",
      () => evaluate(untyped({ q: pieces() }), { q: { a: 1 } }, ["RR"]),
    ],
    ["judgments that come piece by piece", () => evaluate(new Map(), untyped(pieces()), ["RR"])],
    ["warnings that are no list", () => evaluate(new Map(), {}, ["RR"], { warnings: untyped("none") })],
    ["a date in place of a ranking", () => evaluate(untyped({ q: new Date() }), { q: { a: 1 } }, ["RR"])],
    ["a sample without further scores", () => stats.correctedMean(untyped({ human: [0, 1], model: [0, 1] }))],
    ["bytes in place of chunks", () => parseTrecQrels(untyped(new Uint8Array(8)), "file")],
    ["entries in place of items", () => overlapLabeler(untyped(new Map([["a", { id: "a", fields: {} }]])))],
    [
      "a query twice in a frame",
      () => drawSample(untyped([...twins, ...twins]), untyped({ size: 2, seed: 1, dataset: "d" })),
    ],
  ])("%s", (_, call) => expect(call).toThrow(InputError));
  const twins = ["a", "b", "c"].map((id) => ({ id, query: id }));
  async function* pieces(): AsyncGenerator<string> {
    yield "a";
  }
  it("by a store, for scores that are none", async () => {
    for (const store of [memoryStore(), await sqljsStore()]) {
      await store.saveRun(aRun({ run_id: "r" }));
      await expect(store.writeAggregate("r", untyped(undefined))).rejects.toBeInstanceOf(InputError);
    }
  });
  it("by a file that is read twice and has nothing the second time", async () => {
    const bytes = new TextEncoder().encode("1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n1 Q0 b 2 1 t\n");
    const table = tableOfQrels(prepareQrels([{ query_id: "1", doc_id: "a", grade: 1 }]));
    const once = [bytes][Symbol.iterator]();
    await expect(evaluateRunFile(() => once, table, ["RR"])).rejects.toThrow(
      "it is read twice, and the second time there was less of it; open it anew at each call",
    );
    expect((await evaluateRunFile(() => [bytes], table, ["RR"])).mean("RR")).toBe(1);
  });
});

describe("what a caller does with a result, or a normalizer with its list, changes nothing else", () => {
  it("a column that is sorted", () => {
    const qrels = new Map(["q", "r"].map((id) => [id, new Map([["a", 1]])]));
    const evaluation = evaluate(
      new Map([
        ["q", ["b", "a"]],
        ["r", ["a"]],
      ]),
      qrels,
      ["RR"],
    );
    evaluation.column("RR").sort().reverse();
    expect([...evaluation.column("RR")]).toEqual([0.5, 1]);
  });
  it("a normalizer that fills the same list each time", () => {
    const buffer = new Float64Array(2);
    const doubled = defineNormalizer({
      name: "doubled",
      formula: "2 x",
      normalize: (scores: ArrayLike<number>) => {
        for (let i = 0; i < 2; i++) buffer[i] = 2 * (scores[i] as number);
        return { scores: buffer };
      },
    } as never);
    const runs = [
      [3, 1],
      [2, 1],
    ].map((scores) => new Map([["q", rankByScore(["a", "b"], scores)]]));
    expect(Array.from(fuse(runs, { method: "sum", normalize: doubled }).get("q")?.scores ?? [])).toEqual([
      10, 4,
    ]);
  });
});

it("Student's t and F of endless degrees of freedom are the normal distribution's", () => {
  expect(stats.studentTwoSided(1.96, Infinity)).toBeCloseTo(0.0499957902964408, 14);
  expect(stats.studentQuantile(0.975, Infinity)).toBeCloseTo(1.95996398454005, 12);
  expect(stats.studentQuantile(0.975, 1e15)).toBeCloseTo(1.95996398454005, 12);
  // scipy.stats.chi2.sf(6, 3)
  expect(stats.fAbove(2, 3, Infinity)).toBeCloseTo(0.11161022509471268, 12);
});
