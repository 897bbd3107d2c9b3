import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  evaluate,
  evaluatePartial,
  evaluateRunFile,
  evaluateRunFilePartial,
  evaluationOfPartials,
  mergePartials,
  profileNames,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationPartial,
} from "../../src/index.js";
import { qrelsOfTable, QrelsTableBuilder } from "../../src/formats/trec/index.js";
import { resolveMetrics } from "../../src/evaluate/index.js";
import { metricCatalog } from "../../src/metrics/index.js";
import type { Qrel } from "../../src/records/index.js";
import { lawRuns, shuffled } from "../support/arbitraries.js";

/** Every metric of the catalogue, those of diversity apart. */
const named = (needs: "subtopics" | undefined): string[] =>
  metricCatalog
    .filter(({ definition }) => definition.needs === needs)
    .map(({ definition: { name, cutoff } }) =>
      cutoff === "required" ? `${name}@5` : cutoff === "recall level" ? `${name}@0.5` : name,
    );
const METRICS = named(undefined);
const DIVERSITY = named("subtopics");

const query = fc.constantFrom(...Array.from({ length: 12 }, (_, at) => `q${at}`), "질의", "__proto__", "q🙂");
const item = fc.constantFrom("a", "b", "c", "d", "é", "e\u0301", "toString");
const judgments = fc.uniqueArray(
  fc.record({ query, item, grade: fc.integer({ min: -1, max: 3 }), subtopic: fc.constantFrom("1", "2") }),
  { selector: (one) => `${one.query} ${one.item} ${one.subtopic}`, minLength: 1, maxLength: 50 },
);
const hits = fc.uniqueArray(
  fc.record({ query, item, score: fc.constantFrom(3, 2, 1, 0.1, 0.30000000000000004) }),
  { selector: (one) => `${one.query} ${one.item}`, maxLength: 60 },
);
const conventions: fc.Arbitrary<EvaluateOptions> = fc.record(
  {
    profile: fc.constantFrom(...profileNames.filter((name) => !name.startsWith("trec_eval"))),
    queries: fc.constantFrom("judged", "intersection"),
    noRelevant: fc.constantFrom("zero", "skip", "one"),
    ties: fc.constantFrom("trec", "input"),
    means: fc.constantFrom("exact", "in order"),
    tieSpread: fc.boolean(),
    bounds: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Partials in any order, merged in any grouping. */
const grouping = fc.array(fc.nat(), { minLength: 8, maxLength: 8 });
function grouped(partials: readonly EvaluationPartial[], choices: readonly number[]): EvaluationPartial[] {
  const left = [...partials];
  for (const choice of choices) {
    if (left.length < 2) break;
    const at = choice % (left.length - 1);
    left.splice(at, 2, mergePartials([left[at] as EvaluationPartial, left[at + 1] as EvaluationPartial]));
  }
  return left;
}

const bytes = (evaluation: Evaluation): string =>
  JSON.stringify([
    evaluation.record({ perQuery: true }),
    evaluation.aggregates.map(({ value, rounded, tieSpread, bounds }) => [value, rounded, tieSpread, bounds]),
    evaluation.missingQueries,
    evaluation.answered,
    evaluation.firstUnjudgedQuery,
  ]);

const qrelsFrom = (
  judged: readonly { query: string; item: string; grade: number; subtopic: string }[],
  hasSubtopics: boolean,
): Qrel[] => {
  const first = new Set<string>();
  return judged.flatMap(({ query: query_id, item: doc_id, grade, subtopic }) => {
    const key = `${query_id} ${doc_id}`;
    if (!hasSubtopics && first.has(key)) return [];
    first.add(key);
    return [{ query_id, doc_id, grade, ...(hasSubtopics && { subtopic }) }];
  });
};

describe("partials of all shards, merged in any order and grouping, are one pass", () => {
  it("in memory, for every metric, under every convention, subtopics included", () => {
    fc.assert(
      fc.property(
        judgments,
        hits,
        conventions,
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }).chain((of) => shuffled(Array.from({ length: of }, (_, at) => at + 1))),
        grouping,
        (judged, run, options, hasSubtopics, shards, choices) => {
          const qrels = qrelsFrom(judged, hasSubtopics);
          const scored = run.map(({ query: query_id, item: doc_id, score }) => ({ query_id, doc_id, score }));
          const metrics = hasSubtopics ? DIVERSITY : METRICS;
          const whole = evaluate(scored, qrels, metrics, options);
          const partials = shards.map((index) =>
            evaluatePartial(scored, qrels, metrics, { ...options, shard: { index, of: shards.length } }),
          );
          const read = JSON.parse(JSON.stringify(grouped(partials, choices))) as EvaluationPartial[];
          expect(bytes(evaluationOfPartials(read))).toBe(bytes(whole));
          expect(JSON.stringify(mergePartials(read))).toBe(JSON.stringify(mergePartials(partials)));
        },
      ),
      lawRuns(0.3),
    );
  });

  it("refuse one that says something else than it has", () => {
    const queries = ["q1", "q2", "q3", "q4", "q5", "q6"];
    const qrels = new Map(queries.map((id) => [id, new Map([["a", 1]])]));
    const run = new Map(queries.map((id) => [id, ["a"]]));
    const [first, second] = [1, 2].map((index) =>
      evaluatePartial(run, qrels, ["AP"], { shard: { index, of: 2 } }),
    ) as [EvaluationPartial, EvaluationPartial];
    const merge = (changed: Partial<EvaluationPartial>) => () =>
      mergePartials([first, { ...second, ...changed }]);
    const ids = second.query_ids;
    expect(merge({})).not.toThrow();
    const fewer = { query_ids: ids.slice(1), scores: second.scores.map((column) => column.slice(1)) };
    expect(merge(fewer)).toThrow(`counts ${ids.length} queries and names ${ids.length - 1}; was it edited?`);
    const twice = [ids[0], ...ids.slice(0, -1)] as string[];
    expect(merge({ query_ids: twice })).toThrow("twice; was it edited?");
    const moved = [first.query_ids[0], ...ids.slice(1)] as string[];
    expect(merge({ query_ids: moved })).toThrow("is in two partials, which overlap");
    expect(merge({ missing_queries: [first.query_ids[0] as string] })).toThrow("is in two partials");
  });

  it("of a file in TREC's format, whose digest of judgments is that of records", async () => {
    await fc.assert(
      fc.asyncProperty(
        judgments,
        hits.filter(({ length }) => length > 0),
        fc.constantFrom(...profileNames),
        fc.integer({ min: 1, max: 5 }),
        async (judged, run, profile, of) => {
          const builder = new QrelsTableBuilder("qrels");
          for (const { query_id, doc_id, grade } of qrelsFrom(judged, false))
            builder.add(query_id, doc_id, grade);
          const table = builder.end();
          const text = run
            .map(({ query: id, item: doc, score }) => `${id} Q0 ${doc} 1 ${score} tag\n`)
            .join("");
          const chunks = (): Uint8Array[] => [new TextEncoder().encode(text)];
          const whole = await evaluateRunFile(chunks, table, METRICS, { profile });
          const partials: EvaluationPartial[] = [];
          for (let index = 1; index <= of; index++)
            partials.push(
              await evaluateRunFilePartial(chunks, table, METRICS, { profile, shard: { index, of } }),
            );
          expect(bytes(evaluationOfPartials(partials.reverse()))).toBe(bytes(whole));
          const { judgments: inMemory } = evaluatePartial(new Map(), qrelsOfTable(table), METRICS);
          expect(partials[0]?.judgments).toEqual({ ...inMemory, highest: partials[0]?.judgments.highest });
        },
      ),
      lawRuns(0.3),
    );
  });

  it("for metrics of one's own, which are handed to the merge", () => {
    const [own] = resolveMetrics(["P@3"], evaluate([], [], []).conventions);
    const metric = { ...(own as NonNullable<typeof own>), name: "mine" };
    const run = [{ query_id: "q", doc_id: "a", score: 1 }];
    const qrels = [{ query_id: "q", doc_id: "a", grade: 1 }];
    const partial = evaluatePartial(run, qrels, [metric]);
    expect(evaluationOfPartials([partial], { metrics: [metric] }).mean("mine")).toBe(1 / 3);
    expect(() => evaluationOfPartials([partial])).toThrow(/mine/);
  });
});
