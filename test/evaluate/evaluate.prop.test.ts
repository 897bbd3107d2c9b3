import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  evaluate,
  evaluateRunFile,
  profileNames,
  type EvaluateOptions,
  type Evaluation,
} from "../../src/index.js";
import {
  formatQrels,
  formatRun,
  parseTrecQrels,
  parseTrecRun,
  prepareQrels,
  rankByScore,
  type Qrel,
  type ScoredRun,
} from "../../src/formats/index.js";
import { QrelsTableBuilder, tableOfQrels } from "../../src/formats/trec/index.js";
import { metricCatalog, type Metric, type MetricFactory } from "../../src/metrics/index.js";
import { lawRuns, shuffled } from "../support/arbitraries.js";

const QUERIES = ["1", "10", "2", "__proto__", "🙂", "\uffff"];
const ITEMS = ["a", "b", "__proto__", "constructor", "10", "9", "문서", "🙂", "\uffff", "e\u0301"];
const metricsOf = (factory: MetricFactory): Metric[] =>
  ({
    required: [{ cutoff: 1 }, { cutoff: 3 }],
    optional: [{}],
    none: [{}],
    "recall level": [{ cutoff: 0.4 }],
  })[factory.definition.cutoff].map((given) => factory(given));
const isDiversity = ({ definition }: MetricFactory): boolean => definition.needs === "subtopics";
const metrics = metricCatalog.filter((factory) => !isDiversity(factory)).flatMap(metricsOf);
/**
 * With an alpha whose powers are no sums of a few bits, too: the order in which gains are added up shows
 * there.
 */
const diversityMetrics = metricCatalog
  .filter(isDiversity)
  .flatMap((factory) =>
    metricsOf(factory).flatMap((metric) =>
      "alpha" in metric.parameters
        ? [metric, factory({ ...(metric.cutoff && { cutoff: metric.cutoff }), parameters: { alpha: 0.3 } })]
        : [metric],
    ),
  );

const score = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
const hits = fc.uniqueArray(fc.tuple(fc.constantFrom(...ITEMS), score), {
  selector: ([id]) => id,
  maxLength: ITEMS.length,
});
const run = fc.uniqueArray(fc.tuple(fc.constantFrom(...QUERIES), hits), { selector: ([id]) => id });
const grades = fc.uniqueArray(fc.tuple(fc.constantFrom(...ITEMS), fc.integer({ min: -1, max: 4 })), {
  selector: ([id]) => id,
});
const qrels = fc.uniqueArray(fc.tuple(fc.constantFrom(...QUERIES), grades), { selector: ([id]) => id });
const options = fc.record<EvaluateOptions>(
  {
    ties: fc.constantFrom("trec", "input"),
    queries: fc.constantFrom("judged", "intersection"),
    unjudged: fc.constantFrom("irrelevant", "remove"),
    precision: fc.constantFrom("double", "single"),
    noRelevant: fc.constantFrom("zero", "skip", "one"),
    depth: fc.integer({ min: 1, max: 6 }),
  },
  { requiredKeys: [] },
);

type Run = readonly (readonly [string, readonly (readonly [string, number])[]])[];
type Judged = readonly (readonly [string, readonly (readonly [string, number])[]])[];

const mapOf = (pairs: Run): Map<string, Map<string, number>> =>
  new Map(pairs.map(([id, inner]) => [id, new Map(inner)]));
/** Everything that was computed, to the last bit. */
const bits = (evaluation: Evaluation): unknown => ({
  ...evaluation.record({ perQuery: true }),
  run: null,
  warnings: [],
  exact: evaluation.columns.map((column) => [...column]),
  means: evaluation.aggregates.map(({ value }) => value),
});

function law(
  name: string,
  holds: (run: Run, qrels: Judged, options: EvaluateOptions) => void | Promise<void>,
): void {
  it(name, async () =>
    fc.assert(
      fc.asyncProperty(run, qrels, options, async (one, judged, chosen) => holds(one, judged, chosen)),
      lawRuns(0.3),
    ),
  );
}

describe("evaluate, over the whole catalogue", () => {
  law("same input, same bits; nothing that was given is changed", (one, judged, chosen) => {
    const [given, prepared] = [mapOf(one), prepareQrels(mapOf(judged))];
    expect(bits(evaluate(given, prepared, metrics, chosen))).toEqual(
      bits(evaluate(mapOf(one), mapOf(judged), metrics, chosen)),
    );
    expect(given).toEqual(mapOf(one));
  });
  law("the order of queries in the input changes no bit", (one, judged, chosen) => {
    expect(bits(evaluate(mapOf([...one].reverse()), mapOf([...judged].reverse()), metrics, chosen))).toEqual(
      bits(evaluate(mapOf(one), mapOf(judged), metrics, chosen)),
    );
  });
  law("the order of hits and of judgments changes no bit", (one, judged, chosen) => {
    const turned = one.map(([id, inner]) => [id, [...inner].reverse()] as const);
    const turnedQrels = judged.map(([id, inner]) => [id, [...inner].reverse()] as const);
    const byId = { ...chosen, ties: "trec" as const };
    expect(bits(evaluate(mapOf(turned), mapOf(turnedQrels), metrics, byId))).toEqual(
      bits(evaluate(mapOf(one), mapOf(judged), metrics, byId)),
    );
  });
  law("renaming ids changes nothing where nothing ties", (one, judged, chosen) => {
    const untied = one.map(
      ([id, inner]) => [id, inner.map(([item], index) => [item, -index] as const)] as const,
    );
    const renamed = <T extends Run>(pairs: T): Run =>
      pairs.map(
        ([id, inner]) =>
          [
            id,
            inner.map(([item, value]) => [`new ${ITEMS.length - ITEMS.indexOf(item)}`, value] as const),
          ] as const,
      );
    expect(bits(evaluate(mapOf(renamed(untied)), mapOf(renamed(judged)), metrics, chosen))).toEqual(
      bits(evaluate(mapOf(untied), mapOf(judged), metrics, chosen)),
    );
  });
  law("Maps, columns, lists and objects are the same run", (one, judged, chosen) => {
    const expected = bits(evaluate(mapOf(one), mapOf(judged), metrics, chosen));
    const columns = new Map(
      one.map(([id, inner]) => [
        id,
        { ids: inner.map(([item]) => item), scores: inner.map(([, value]) => value) },
      ]),
    );
    expect(bits(evaluate(columns, mapOf(judged), metrics, chosen))).toEqual(expected);
    const answered = one.filter(([, inner]) => inner.length > 0);
    const list = answered.flatMap(([query_id, inner]) =>
      inner.map(([doc_id, value]) => ({ query_id, doc_id, score: value })),
    );
    expect(bits(evaluate(list, mapOf(judged), metrics, chosen))).toEqual(
      bits(evaluate(mapOf(answered), mapOf(judged), metrics, chosen)),
    );
    const objects = Object.fromEntries(one.map(([id, inner]) => [id, Object.fromEntries(inner)]));
    const byId = { ...chosen, ties: "trec" as const };
    expect(bits(evaluate(objects, mapOf(judged), metrics, byId))).toEqual(
      bits(evaluate(mapOf(one), mapOf(judged), metrics, byId)),
    );
  });
  law("a file of bytes is the same run, however it is cut", async (one, judged, chosen) => {
    const answered = one.filter(([, inner]) => inner.length > 0);
    const scored: ScoredRun = new Map(
      answered.map(([id, inner]) => [
        id,
        rankByScore(
          inner.map(([item]) => item),
          inner.map(([, value]) => value),
        ),
      ]),
    );
    const text = new TextEncoder().encode(formatRun(scored, "trec"));
    const cut = 1 + (text.length % 7);
    const chunks = (): Uint8Array[] =>
      Array.from({ length: Math.ceil(text.length / cut) }, (_, i) => text.slice(i * cut, (i + 1) * cut));
    const byId = { ...chosen, ties: "trec" as const };
    const fromBytes = await evaluateRunFile(chunks, tableOfQrels(prepareQrels(mapOf(judged))), metrics, byId);
    expect(bits(fromBytes)).toEqual(bits(evaluate(mapOf(answered), mapOf(judged), metrics, byId)));
  });
});

const SUBTOPICS = ["1", "2", "9", "10", "water"];
const runLines = fc.uniqueArray(
  fc.record({ query_id: fc.constantFrom(...QUERIES), doc_id: fc.constantFrom(...ITEMS), score }),
  { selector: ({ query_id, doc_id }) => `${query_id} ${doc_id}` },
);
const judgmentLines = fc.uniqueArray(
  fc.record<Qrel>({
    query_id: fc.constantFrom(...QUERIES.slice(0, 3)),
    subtopic: fc.constantFrom(...SUBTOPICS),
    doc_id: fc.constantFrom(...ITEMS),
    grade: fc.integer({ min: -1, max: 2 }),
  }),
  {
    selector: ({ query_id, subtopic, doc_id }) => `${query_id} ${subtopic} ${doc_id}`,
    maxLength: 60,
    size: "max",
  },
);

describe("the order of lines changes no bit of any value, over the whole catalogue", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const runText = (hits: readonly { query_id: string; doc_id: string; score: number }[]): Uint8Array =>
    bytes(
      hits.map(({ query_id, doc_id, score: value }) => `${query_id} Q0 ${doc_id} 1 ${value} tag\n`).join(""),
    );

  it("in judgments by subtopic and in runs", () =>
    fc.assert(
      fc.property(
        runLines.chain((hits) => fc.tuple(fc.constant(hits), shuffled(hits))),
        judgmentLines.chain((judgments) => fc.tuple(fc.constant(judgments), shuffled(judgments))),
        ([hits, otherHits], [judgments, otherJudgments]) => {
          const scored = (run: typeof hits, judged: typeof judgments): unknown =>
            bits(
              evaluate(
                parseTrecRun([runText(run)], "run").run,
                parseTrecQrels([bytes(formatQrels(judged, "trec"))], "qrels", true),
                [...metrics, ...diversityMetrics],
              ),
            );
          expect(scored(otherHits, otherJudgments)).toEqual(scored(hits, judgments));
        },
      ),
      lawRuns(0.3),
    ));
  it("in files that are scored as they pass, under every profile", async () =>
    fc.assert(
      fc.asyncProperty(
        runLines
          .filter(({ length }) => length > 0)
          .chain((hits) => fc.tuple(fc.constant(hits), shuffled(hits))),
        fc
          .uniqueArray(
            judgmentLines.map(([line]) => line).filter((line) => line !== undefined),
            { selector: ({ query_id, doc_id }) => `${query_id} ${doc_id}`, minLength: 1 },
          )
          .chain((judgments) => fc.tuple(fc.constant(judgments), shuffled(judgments))),
        fc.constantFrom(...profileNames),
        async ([hits, otherHits], [judgments, otherJudgments], profile) => {
          const scored = async (run: typeof hits, judged: typeof judgments): Promise<unknown> => {
            const builder = new QrelsTableBuilder("qrels");
            builder.write(bytes(formatQrels(judged, "trec")));
            return bits(
              await evaluateRunFile(() => [runText(run)], builder.end(), metrics, { profile, ties: "trec" }),
            );
          };
          expect(await scored(otherHits, otherJudgments)).toEqual(await scored(hits, judgments));
        },
      ),
      lawRuns(0.3),
    ));
});
