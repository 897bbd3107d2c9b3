import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fuse,
  fusionCatalog,
  normalizerCatalog,
  rankByScore,
  type FusionFactory,
  type FusionMethod,
  type ScoredRanking,
  type ScoredRun,
} from "../../src/fusion/index.js";
import { lawRuns, shuffled } from "../support/arbitraries.js";

/** Most of these laws are tried for each of the methods. */
const RUNS = lawRuns(0.4);

const QUERIES = ["q1", "__proto__", "10", "запрос"];
/**
 * Hostile ids: names of object properties, numbers, halves of surrogate pairs, look-alikes, nothing at all.
 */
const IDS = [
  "__proto__",
  "constructor",
  "toString",
  "10",
  "2",
  "",
  " ",
  "\u00e9",
  "e\u0301",
  "\ud83d",
  "🙂",
  "\uffff",
  "a",
  "A",
  "hasOwnProperty",
];

/** Scores of which none are equal, whole numbers, so that sums are exact. */
function distinctScores(count: number): fc.Arbitrary<number[]> {
  return fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: count, maxLength: count });
}
/** Scores of which many are equal. */
function anyScores(count: number): fc.Arbitrary<number[]> {
  return fc.array(fc.constantFrom(-2.5, -1, -0, 0, 0.1, 1, 3, 1e6), { minLength: count, maxLength: count });
}

type Scores = (count: number) => fc.Arbitrary<number[]>;

function ranking(scores: Scores, minLength = 0): fc.Arbitrary<ScoredRanking> {
  return fc
    .shuffledSubarray(IDS, { minLength })
    .chain((ids) => scores(ids.length).map((values) => frozen(rankByScore(ids, values))));
}
function run(scores: Scores, queries = fc.shuffledSubarray(QUERIES)): fc.Arbitrary<ScoredRun> {
  return queries
    .chain((ids) => fc.tuple(...ids.map((id) => ranking(scores).map((one) => [id, one] as const))))
    .map((entries) => new Map(entries));
}
/** One to four runs. */
function someRuns(scores: Scores): fc.Arbitrary<readonly ScoredRun[]> {
  return fc.array(run(scores), { minLength: 1, maxLength: 4 }).map((runs) => Object.freeze(runs));
}

/** A ranking that nobody can change: typed arrays cannot be frozen, so the scores become a list. */
function frozen({ ids, scores }: ScoredRanking): ScoredRanking {
  return Object.freeze({ ids: Object.freeze([...ids]), scores: Object.freeze(Array.from(scores)) });
}

/** None of them is a sum of few powers of two, so that sums round. */
const WEIGHTS = [0.1, 0.7, 0.3, 0.2];
const isWeighted = ({ definition }: FusionFactory): boolean =>
  Object.values(definition.parameters).some((card) => "perRun" in card);
function settled(factory: FusionFactory, runs: number): FusionMethod {
  return factory(isWeighted(factory) ? { weights: WEIGHTS.slice(0, runs) } : {});
}

function plain(fused: ScoredRun): Map<string, [string, number][]> {
  return new Map(
    [...fused].map(([query, { ids, scores }]) => [
      query,
      ids.map((id, index): [string, number] => [id, scores[index] as number]),
    ]),
  );
}
const byId = (entries: readonly [string, number][]): Map<string, number> => new Map(entries);
const byQuery = (fused: ScoredRun): [string, [string, number][]][] =>
  [...plain(fused)].sort(([a], [b]) => (a < b ? -1 : 1));

/** The method that gives all hits of a single run 0, because ln 1 = 0. */
const FORGETS_ONE_RUN = "log_isr";
/** The normalizer for distances, after which the order of a run is another one. */
const TURNS_ROUND = "min-max-inverted";

describe.each(fusionCatalog.map((factory) => [factory.definition.name, factory] as const))(
  "%s",
  (name, factory) => {
    const anyNormalizer = fc.constantFrom(...normalizerCatalog);

    it(
      "gives finite scores in the order of rankByScore to exactly the ids of all runs, whatever " +
        "the scores",
      () => {
        fc.assert(
          fc.property(someRuns(anyScores), anyNormalizer, (runs, normalize) => {
            const fused = fuse(runs, { method: settled(factory, runs.length), normalize });
            expect([...fused.keys()]).toEqual([...new Set(runs.flatMap((one) => [...one.keys()]))]);
            for (const [query, { ids, scores }] of fused) {
              expect(new Set(ids)).toEqual(new Set(runs.flatMap((one) => one.get(query)?.ids ?? [])));
              expect(ids.length).toBe(new Set(ids).size);
              expect(Array.from(scores).every(Number.isFinite)).toBe(true);
              expect(rankByScore(ids, scores)).toEqual({ ids, scores });
            }
          }),
          RUNS,
        );
      },
    );
    it("gives the same bits again, whatever the order of the queries", () => {
      fc.assert(
        fc.property(
          someRuns(anyScores).chain((runs) =>
            fc.tuple(
              fc.constant(runs),
              fc.tuple(
                ...runs.map((one) => shuffled([...one]).map((entries): ScoredRun => new Map(entries))),
              ),
            ),
          ),
          anyNormalizer,
          ([runs, others], normalize) => {
            const method = settled(factory, runs.length);
            expect(byQuery(fuse(others, { method, normalize }))).toEqual(
              byQuery(fuse(runs, { method, normalize })),
            );
          },
        ),
        RUNS,
      );
    });
    it("a permutation of the runs, and of their weights, changes no bit", () => {
      fc.assert(
        fc.property(
          someRuns(anyScores).chain((runs) =>
            fc.tuple(fc.constant(runs), shuffled(runs.map((_, index) => index))),
          ),
          anyNormalizer,
          ([runs, order], normalize) => {
            const moved = factory(
              isWeighted(factory) ? { weights: order.map((index) => WEIGHTS[index] as number) } : {},
            );
            const a = plain(fuse(runs, { method: settled(factory, runs.length), normalize }));
            const b = plain(
              fuse(
                order.map((index) => runs[index] as ScoredRun),
                { method: moved, normalize },
              ),
            );
            expect(b).toEqual(a);
          },
        ),
        RUNS,
      );
    });
    it("a run without hits for a query is as good as one without the query", () => {
      fc.assert(
        fc.property(someRuns(anyScores), anyNormalizer, (runs, normalize) => {
          const method = settled(factory, runs.length);
          const without = runs.map(
            (one): ScoredRun => new Map([...one].filter(([, { ids }]) => ids.length > 0)),
          );
          const filled = [...plain(fuse(runs, { method, normalize }))].filter(
            ([, entries]) => entries.length > 0,
          );
          expect(new Map(filled)).toEqual(plain(fuse(without, { method, normalize })));
        }),
        RUNS,
      );
    });
    it(
      name === FORGETS_ONE_RUN
        ? "one run gets 0 throughout"
        : "one run keeps its order, with every normalizer but that for distances",
      () => {
        fc.assert(
          fc.property(
            run(distinctScores),
            fc.constantFrom(...normalizerCatalog.filter((one) => one.name !== TURNS_ROUND)),
            (one, normalize) => {
              for (const [query, { ids, scores }] of fuse([one], {
                method: settled(factory, 1),
                normalize,
              })) {
                if (name === FORGETS_ONE_RUN)
                  expect(Array.from(scores).every((score) => score === 0)).toBe(true);
                else expect(ids).toEqual(one.get(query)?.ids);
              }
            },
          ),
          RUNS,
        );
      },
    );
    it("new ids for old ones change no score, where no scores of a run are equal", () => {
      fc.assert(
        fc.property(someRuns(distinctScores), anyNormalizer, shuffled(IDS), (runs, normalize, others) => {
          const renamed = new Map(IDS.map((id, index) => [id, `new ${others[index]}`] as const));
          const newId = (id: string): string => renamed.get(id) ?? "";
          const method = settled(factory, runs.length);
          const a = plain(fuse(runs, { method, normalize }));
          const b = plain(
            fuse(
              runs.map(
                (one): ScoredRun =>
                  new Map(
                    [...one].map(([query, { ids, scores }]) => [query, { ids: ids.map(newId), scores }]),
                  ),
              ),
              { method, normalize },
            ),
          );
          for (const [query, entries] of a)
            expect(byId(b.get(query) ?? [])).toEqual(byId(entries.map(([id, score]) => [newId(id), score])));
        }),
        RUNS,
      );
    });
    it("an item that all runs have first gets the highest score", () => {
      fc.assert(
        fc.property(fc.array(ranking(distinctScores), { minLength: 2, maxLength: 4 }), (lists) => {
          const best = "the best";
          // Above all scores, so that every normalizer and every method finds it first in each list.
          const runs = lists.map(
            (list): ScoredRun =>
              new Map([["q", { ids: [best, ...list.ids], scores: [100, ...Array.from(list.scores)] }]]),
          );
          const fused = fuse(runs, { method: settled(factory, runs.length), normalize: "rank" }).get("q");
          const score = byId((fused?.ids ?? []).map((id, index) => [id, fused?.scores[index] as number]));
          expect(score.get(best)).toBe(fused?.scores[0]);
        }),
        RUNS,
      );
    });
  },
);

describe.each(normalizerCatalog.map((normalizer) => [normalizer.name, normalizer] as const))(
  "normalizer %s",
  (name, { normalize }) => {
    it("gives one finite score for each hit, and does not change its input", () => {
      fc.assert(
        fc.property(ranking(anyScores, 1), ({ scores }) => {
          const before = Float64Array.from(scores);
          const given = before.slice();
          const result = normalize(given, given.length + 3);
          expect(result.scores.length).toBe(given.length);
          expect(result.scores.every(Number.isFinite)).toBe(true);
          expect(result.scores).not.toBe(given);
          expect(given).toEqual(before);
        }),
        RUNS,
      );
    });
    it(name === TURNS_ROUND ? "turns the order round" : "keeps the order", () => {
      fc.assert(
        fc.property(ranking(distinctScores, 1), ({ scores }) => {
          const result = Array.from(normalize(scores, scores.length + 3).scores);
          const sorted = [...result].sort((a, b) => (name === TURNS_ROUND ? a - b : b - a));
          expect(result).toEqual(sorted);
          expect(new Set(result).size).toBe(result.length);
        }),
        RUNS,
      );
    });
  },
);
