import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aggregateOfPartials,
  aggregatePartial,
  computeAggregate,
  mergeAggregatePartials,
} from "../../src/index.js";
import { metricCatalog, recall, type Metric } from "../../src/metrics/index.js";
import type { AggregatePartial } from "../../src/records/index.js";
import { parsePartial } from "../../src/formats/index.js";
import { CHUNKS, evalRun, goldenSet, LAW_RUNS, shuffled } from "../support/arbitraries.js";
import { aRun, hit, query, result } from "../support/records.js";

const CORPUS = { chunks: CHUNKS };
const OTHER = { chunks: CHUNKS.map((chunk) => ({ ...chunk, chunker_version: "v2" })) };
const METRICS: Metric[] = metricCatalog
  .filter(({ definition }) => definition.needs === undefined)
  .map((metric) => {
    const { cutoff } = metric.definition;
    return cutoff === "required"
      ? metric({ cutoff: 5 })
      : cutoff === "recall level"
        ? metric({ cutoff: 0.5 })
        : metric({});
  });

const options = fc.record(
  {
    corpus: fc.constantFrom(CORPUS, OTHER),
    missingQueries: fc.constantFrom("zero" as const, "skip" as const),
    textMatch: fc.constantFrom("caseSensitive" as const, "caseInsensitive" as const),
    matching: fc.constantFrom("exact" as const, "docSpan" as const),
    unit: fc.constantFrom("chunk" as const, "doc" as const),
    metrics: fc.constant(METRICS),
  },
  { requiredKeys: [] },
);
const shards = fc
  .integer({ min: 1, max: 9 })
  .chain((of) => shuffled(Array.from({ length: of }, (_, at) => at + 1)));

/** Merges neighbours, in any grouping. */
function mergeSome(partials: readonly AggregatePartial[], choices: readonly number[]): AggregatePartial[] {
  const left = [...partials];
  for (const choice of choices) {
    if (left.length < 2) break;
    const at = choice % (left.length - 1);
    left.splice(at, 2, mergeAggregatePartials(left.slice(at, at + 2)));
  }
  return left;
}

describe("partials of an aggregate", () => {
  it("are one pass when all are merged, in any order and grouping, and after a file", () => {
    fc.assert(
      fc.property(
        evalRun,
        goldenSet,
        options,
        shards,
        fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
        (run, golden, given, indexes, choices) => {
          const partials = indexes.map((index) =>
            aggregatePartial(run, golden, { ...given, shard: { index, of: indexes.length } }),
          );
          const read = mergeSome(partials, choices).map(
            (partial) => parsePartial(JSON.stringify(partial), "p.json") as AggregatePartial,
          );
          expect(JSON.stringify(aggregateOfPartials(read))).toBe(
            JSON.stringify(computeAggregate(run, golden, given)),
          );
          expect(JSON.stringify(mergeAggregatePartials(read))).toBe(
            JSON.stringify(mergeAggregatePartials(partials)),
          );
        },
      ),
      LAW_RUNS,
    );
  });

  const golden = ["a", "b", "c", "d", "e", "f"].map((id) => query(id, { expected_chunk_ids: [`${id}#0`] }));
  const run = aRun({ results: golden.map(({ id }) => result(id, [hit(`${id}#1`, 1)])) });
  const split = (more = {}, of = 2) =>
    Array.from({ length: of }, (_, at) =>
      aggregatePartial(run, golden, { ...more, shard: { index: at + 1, of } }),
    );

  it("name no query twice and none that is not theirs", () => {
    const [first, second] = split() as [AggregatePartial, AggregatePartial];
    expect([...first.query_ids, ...second.query_ids].sort()).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(first.query_ids.length).toBeGreaterThan(0);
    expect(second.query_ids.length).toBeGreaterThan(0);
  });

  it("say of nothing found what one pass says, by the first query whatever their order", () => {
    const whole = computeAggregate(run, golden.toReversed());
    expect(whole.warnings[0]?.message).toContain("any of 6 queries; do the ids agree? `a` expects `a#0`");
    expect(aggregateOfPartials(split()).warnings).toEqual(whole.warnings);
  });

  it("count hits without spans, which matching by place cannot count, as one pass does", () => {
    const span = { kind: "line" as const, start: 1, end: 9 };
    const placed = golden.map((expecting) => ({
      ...expecting,
      expected_spans: [{ doc_id: expecting.id, span }],
    }));
    const shard = (index: number) =>
      aggregatePartial(run, placed, { matching: "docSpan", shard: { index, of: 2 } });
    const whole = computeAggregate(run, placed, { matching: "docSpan" });
    expect(whole.warnings).toContainEqual(expect.objectContaining({ code: "HITS_WITHOUT_SPANS", count: 6 }));
    expect(aggregateOfPartials([shard(1), shard(2)]).warnings).toEqual(whole.warnings);
    expect(computeAggregate(run, placed).warnings.map(({ code }) => code)).not.toContain(
      "HITS_WITHOUT_SPANS",
    );
  });

  it("take more scores than a call takes arguments", () => {
    const many = Array.from({ length: 150_000 }, (_, at) => query(`q${at}`, { expected_chunk_ids: ["c"] }));
    const mine = { ...recall({ cutoff: 3 }), name: "mine" };
    const whole = aggregatePartial(aRun({ results: [] }), many, {
      metrics: [mine],
      shard: { index: 1, of: 1 },
    });
    expect(aggregateOfPartials([whole], { metrics: [mine] }).metrics).toEqual({ mine: 0 });
  });

  it("have the metrics of one's own from the merge", () => {
    const mine = { ...recall({ cutoff: 3 }), name: "mine" };
    const partials = split({ metrics: [mine] });
    expect(aggregateOfPartials(partials, { metrics: [mine] })).toEqual(
      computeAggregate(run, golden, { metrics: [mine] }),
    );
    expect(() => aggregateOfPartials(partials)).toThrow("mine");
  });

  it("are refused where they do not belong together, are missing or were edited", () => {
    const [first, second] = split() as [AggregatePartial, AggregatePartial];
    const merge =
      (...partials: AggregatePartial[]) =>
      () =>
        mergeAggregatePartials(partials);
    expect(merge()).toThrow("there are no partials");
    expect(() => mergeAggregatePartials(first as never)).toThrow("partials are a list, got");
    for (const stranger of [{}, null, { ...first, kind: "evaluation_partial" }])
      expect(() => mergeAggregatePartials([stranger as never])).toThrow(
        "partials to merge must be of kind `aggregate_partial`, got",
      );
    expect(merge(first, first)).toThrow("shard 1 is there twice");
    expect(merge(first, { ...second, query_ids: first.query_ids })).toThrow(
      "is in two partials, which overlap",
    );
    expect(merge(first, ...split({}, 3).slice(2))).toThrow("the number of shards differs");
    expect(merge(first, { ...second, run: "other" })).toThrow("the run differs");
    expect(merge(first, ...split({ missingQueries: "skip" }).slice(1))).toThrow(
      "matching or scoring differs",
    );
    expect(merge(first, ...split({ metrics: METRICS }).slice(1))).toThrow("metrics differ");
    const other = aggregatePartial(run, golden.slice(1), { shard: { index: 2, of: 2 } });
    expect(merge(first, other)).toThrow("golden queries differ");
    const another = aggregatePartial({ ...run, results: run.results.slice(1) }, golden, {
      shard: { index: 2, of: 2 },
    });
    expect(merge(first, another)).toThrow("the run differs in what it returned");
    const others = run.results.map((each) => result(each.query_id, [hit("another", 1)]));
    const renamed = aggregatePartial({ ...run, results: others }, golden, { shard: { index: 2, of: 2 } });
    expect(merge(first, renamed)).toThrow("the run differs in what it returned");
    const [withCorpus] = split({ corpus: CORPUS });
    expect(merge(withCorpus as AggregatePartial, second)).toThrow("the corpus differs");
    expect(merge(withCorpus as AggregatePartial, ...split({ corpus: OTHER }).slice(1))).toThrow(
      "the corpus differs",
    );
    const reordered = split({ corpus: { chunks: CHUNKS.toReversed() } }).slice(1);
    expect(merge(withCorpus as AggregatePartial, ...reordered)).not.toThrow();
    expect(merge({ ...first, fractions: [] })).toThrow("was it edited?");
    expect(() => aggregateOfPartials([second])).toThrow("1 of 2 shards is missing: 1; make them with");
    const incomplete = aggregateOfPartials([second], { isIncomplete: true });
    expect(incomplete.warnings.at(-1)?.code).toBe("SHARDS_MISSING");
    expect(() => aggregatePartial(run, golden, { shard: { index: 3, of: 2 } })).toThrow("a shard is one of");
  });
});
