import { describe, expect, it } from "vitest";
import { decideBench, runBench } from "../src/bench/index.js";
import { sentenceChunker, windowChunker } from "../src/chunk/index.js";
import { evaluate, evaluatePartial, mergePartials, type EvaluateOptions } from "../src/index.js";
import { fuse } from "../src/fusion/index.js";
import { parseAnyQrels, parseAnyRun, parseCorpus, parseGolden, parseRun } from "../src/formats/index.js";
import { functionLabeler, overlapLabeler, StopRule, buildLabels } from "../src/label/index.js";
import { cachedEmbedder, hashEmbedder, hybridRetriever, lexicalIndex } from "../src/retrieve/index.js";
import * as stats from "../src/stats/index.js";
import { memoryLabelStore } from "../src/storage/index.js";
import { sqljsStore } from "../src/storage/sqljs/index.js";

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
  ])("%s says how to give a buffer, and refuses what is neither text nor bytes", (_, parse) => {
    expect(() => parse(untyped(buffer))).toThrow("file: must be a text, or the bytes of one, got a buffer");
    for (const wrong of [undefined, 5, {}])
      expect(() => parse(untyped(wrong))).toThrow(/^file: must be a text, or the bytes of one, got/);
  });
  it("what takes bytes alone says how to make them of a text", () => {
    expect(() => parseAnyRun(untyped("q 0 d 1 2 r\n"), "file")).toThrow("encode it with `TextEncoder`");
  });
});
