import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareScores, type CompareScoresOptions, type ScoreTable } from "../../src/compare/index.js";
import {
  correctionNameSchema,
  pairedTestNameSchema,
  scoreComparisonSchema,
} from "../../src/records/schema/index.js";
import type { MetricDifference, RunComparison, ScoreComparison } from "../../src/records/index.js";
import { lawRuns, shuffled } from "../support/arbitraries.js";

const IDS = [
  "__proto__",
  "constructor",
  "toString",
  "10",
  "9",
  "🙂",
  "\uffff",
  "문서",
  ...Array.from({ length: 22 }, (_, i) => `query-${i}`),
];
const METRICS: ScoreTable["metrics"] = [
  { name: "nDCG@10", card: { higher_is_better: true, range: [0, 1] } },
  { name: "constructor", card: { higher_is_better: false, range: [0, null] } },
  { name: "GMAP", card: { higher_is_better: true, range: [null, null] } },
];
/** Few resamples: the laws are not about the last digit of an interval. */
const FAST = { permutations: 200, resamples: 200 };
/** Stored numbers have 4 decimals. */
const UNIT = 1e-4;
const FEWEST_PAIRS = 5;

/**
 * Metrics and queries of which each run has some; scores in tenths, so that many tie, some of them absent.
 */
function runs(
  least: number,
  most: number,
  metrics = fc.subarray([...METRICS], { minLength: 1 }),
): fc.Arbitrary<ScoreTable[]> {
  const score = fc.oneof(
    { weight: 15, arbitrary: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10) },
    { weight: 1, arbitrary: fc.constant(NaN) },
  );
  const run = (name: string, columns: ScoreTable["metrics"]): fc.Arbitrary<ScoreTable> =>
    fc.oneof(fc.constant([...IDS]), fc.shuffledSubarray(IDS)).chain((queryIds) =>
      fc
        .array(score, {
          minLength: queryIds.length * columns.length,
          maxLength: queryIds.length * columns.length,
        })
        .map((scores) => ({
          run: name,
          metrics: columns,
          queryIds,
          columns: columns.map((_, at) =>
            queryIds.map((_id, row) => scores[row * columns.length + at] as number),
          ),
        })),
    );
  const names = ["a", "__proto__", "constructor", "🙂"];
  return fc
    .tuple(metrics, fc.integer({ min: least, max: most }))
    .chain(([columns, count]) => fc.tuple(...names.slice(0, count).map((name) => run(name, columns))));
}
const two = runs(2, 2) as fc.Arbitrary<[ScoreTable, ScoreTable]>;
const settings = fc.record({
  test: fc.constantFrom(...pairedTestNameSchema.options),
  correction: fc.constantFrom(...correctionNameSchema.options),
  seed: fc.nat(100),
  margin: fc.constantFrom(0, 0.01, 0.1),
  tolerance: fc.constantFrom(0, 0.1),
  alpha: fc.constantFrom(0.01, 0.05, 0.3),
  power: fc.constantFrom(0.1, 0.8),
  confidence: fc.constantFrom(0.5, 0.95, 0.999999999),
});
const known = fc
  .array(
    fc.record(
      { lang: fc.constantFrom("en", "ko", "__proto__"), constructor: fc.constantFrom("x", "y") },
      { requiredKeys: [] },
    ),
    { minLength: IDS.length, maxLength: IDS.length },
  )
  .map(
    (labels) =>
      new Map(
        IDS.map((id, i) => [id, { query: `text of ${id}`, labels: labels[i] as Record<string, string> }]),
      ),
  );

/** Shares of the usual number of cases. A comparison takes milliseconds, most of them for its power. */
const TWO = 0.08;
/** Of three runs and more every two are compared, and Tukey's test is an integral over an integral. */
const SEVERAL = 0.02;

function check<T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void, share = TWO): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      law(value);
    }),
    lawRuns(share),
  );
}
const only = ({ comparisons }: ScoreComparison): RunComparison => comparisons[0] as RunComparison;
const negated = (value: number | null): number | null => (value === null ? null : 0 - value);

describe("comparisons of any scores", () => {
  it.each([
    [2, 2, TWO],
    [3, 4, SEVERAL],
  ])(
    "of %d to %d runs never throw, are stored as the schema has it, and come back as the same " +
      "bytes; the same settings give the same bytes",
    (least, most, share) => {
      const guards = fc.subarray([0, 1, 2]);
      check(
        fc.tuple(
          runs(least, most),
          settings,
          known,
          guards,
          fc.option(fc.double({ min: 0.1, max: 500, noNaN: true }), { nil: undefined }),
        ),
        ([tables, options, queries, guarded, maxP95Ms]) => {
          const names = (tables[0] as ScoreTable).metrics.map(({ name }) => name);
          const all: CompareScoresOptions = {
            ...FAST,
            ...options,
            known: queries,
            maxP95Ms,
            guards: guarded.flatMap((place) => names[place] ?? []),
          };
          const comparison = compareScores(tables, all);
          const text = JSON.stringify(comparison);
          expect(JSON.stringify(scoreComparisonSchema.parse(JSON.parse(text)))).toBe(text);
          expect(scoreComparisonSchema.parse(comparison)).toEqual(comparison);
          expect(JSON.stringify(compareScores(tables, all))).toBe(text);
          expect(text).not.toMatch(/NaN|Infinity|undefined/);
        },
        share,
      );
    },
  );
  it("do not depend on the order of the queries", () => {
    check(
      fc
        .tuple(two, settings, known)
        .chain(([tables, ...rest]) =>
          fc.tuple(
            fc.constant(tables),
            shuffled([...tables[1].queryIds.keys()]),
            ...rest.map((each) => fc.constant(each)),
          ),
        ),
      ([[a, b], order, options, queries]) => {
        const moved = {
          ...b,
          queryIds: order.map((row) => b.queryIds[row] as string),
          columns: b.columns.map((column) => order.map((row) => column[row] as number)),
        };
        const all = {
          ...FAST,
          ...(options as CompareScoresOptions),
          known: queries as CompareScoresOptions["known"],
        };
        expect(JSON.stringify(compareScores([a, moved], all))).toBe(
          JSON.stringify(compareScores([a, b], all)),
        );
      },
    );
  });
  it.each([
    [2, TWO],
    [3, SEVERAL],
  ])("of %d runs count every pair once, and tell a difference of the means they show", (count, share) => {
    check(
      fc.tuple(runs(count, count), settings),
      ([tables, options]) => {
        for (const { metrics } of compareScores(tables, { ...FAST, ...options }).comparisons) {
          for (const {
            pairs,
            improved,
            equal,
            worse,
            difference,
            mean_a,
            mean_b,
            p,
            p_adjusted,
            interval,
          } of metrics) {
            expect(improved + equal + worse).toBe(pairs);
            expect(difference === null).toBe(pairs === 0);
            if (pairs < 2) expect(interval).toBeNull();
            if (difference !== null)
              expect(Math.abs(difference - ((mean_b as number) - (mean_a as number)))).toBeLessThan(1e-9);
            if (p !== null) {
              expect(p).toBeGreaterThan(0);
              // Both are rounded to 6 digits.
              expect(p_adjusted as number).toBeGreaterThanOrEqual(p * (1 - 1e-5));
            }
          }
        }
      },
      share,
    );
  });
});

describe("laws of the verdict", () => {
  it(
    "a run against itself: equivalent, p = 1, nothing moved; with fewer than five scores not " + "comparable",
    () => {
      check(fc.tuple(two, settings), ([[a], options]) => {
        const { verdict, metrics } = only(
          compareScores([a, { ...a, run: "again" }], { ...FAST, ...options }),
        );
        const [primary] = metrics as [MetricDifference];
        expect(verdict.kind).toBe(primary.pairs < FEWEST_PAIRS ? "not_comparable" : "equivalent");
        for (const metric of metrics) {
          expect(metric).toMatchObject({
            difference: metric.pairs === 0 ? null : 0,
            equal: metric.pairs,
            improved: 0,
            worse: 0,
            queries_needed: null,
          });
          if (metric.pairs > 1)
            expect(metric).toMatchObject({
              p: 1,
              p_adjusted: 1,
              interval: null,
              bca_interval: { low: 0, high: 0 },
              t_interval: { low: 0, high: 0 },
            });
        }
      });
    },
  );
  it("swapping the runs negates differences and turns better into worse", () => {
    const MIRROR = {
      better: "worse",
      worse: "better",
      equivalent: "equivalent",
      inconclusive: "inconclusive",
      not_comparable: "not_comparable",
    } as const;
    check(fc.tuple(two, settings), ([[a, b], options]) => {
      const all = { ...FAST, ...options };
      const [there, back] = [only(compareScores([a, b], all)), only(compareScores([b, a], all))];
      there.metrics.forEach((metric, i) => {
        const other = back.metrics[i] as MetricDifference;
        expect(other).toEqual({
          ...metric,
          mean_a: metric.mean_b,
          mean_b: metric.mean_a,
          difference: negated(metric.difference),
          effect_size: negated(metric.effect_size),
          improved: metric.worse,
          worse: metric.improved,
          // Resamples are the same; what is drawn between two of them is rounded before it is mirrored.
          interval: other.interval,
          bca_interval: other.bca_interval,
          t_interval: other.t_interval,
        });
        for (const kind of ["interval", "bca_interval", "t_interval"] as const) {
          expect(other[kind] === null).toBe(metric[kind] === null);
          if (metric[kind] == null || other[kind] == null) continue;
          expect(Math.abs(other[kind].low + metric[kind].high)).toBeLessThan(1.01 * UNIT);
          expect(Math.abs(other[kind].high + metric[kind].low)).toBeLessThan(1.01 * UNIT);
        }
      });
      const [{ interval }] = there.metrics as [MetricDifference];
      // An end on the margin can be rounded to either side of it.
      const isOnMargin =
        interval !== null &&
        [interval.low, interval.high].some((end) => Math.abs(Math.abs(end) - options.margin) < 2 * UNIT);
      if (!isOnMargin) expect(back.verdict.kind).toBe(MIRROR[there.verdict.kind]);
    });
  });
  it.each([
    [2, TWO],
    [3, SEVERAL],
  ])("of %d runs: further metrics change nothing of the primary one, whatever its place", (count, share) => {
    check(
      fc.tuple(runs(count, count, fc.constant([...METRICS])), settings, shuffled([0, 1, 2])),
      ([tables, options, order]) => {
        const [primary] = METRICS as [ScoreTable["metrics"][number]];
        const kept = (table: ScoreTable, columns: readonly number[]): ScoreTable => ({
          ...table,
          metrics: columns.map((column) => METRICS[column] as ScoreTable["metrics"][number]),
          columns: columns.map((column) => table.columns[column] as ArrayLike<number>),
        });
        const primaries = (columns: readonly number[]): unknown =>
          compareScores(
            tables.map((table) => kept(table, columns)),
            { ...FAST, ...options, primary: primary.name },
          ).comparisons.map(({ metrics, verdict: { kind } }) => [
            kind,
            metrics.find(({ metric }) => metric === primary.name),
          ]);
        expect(primaries(order)).toEqual(primaries([0]));
      },
      share,
    );
  });
  it("further runs change of a run's own numbers the adjusted p alone, which Holm never lowers", () => {
    check(
      runs(3, 3).map((tables) =>
        tables.map((table) => ({
          ...table,
          queryIds: [...IDS],
          columns: table.columns.map((column) => IDS.map((_, row) => column[row] ?? 0)),
        })),
      ),
      ([a, b, c]) => {
        const [together, alone] = [
          only(compareScores([a, b, c] as ScoreTable[], FAST)),
          only(compareScores([a, b] as ScoreTable[], FAST)),
        ];
        together.metrics.forEach((metric, i) => {
          const { p_adjusted, ...rest } = alone.metrics[i] as MetricDifference;
          expect(metric).toMatchObject(rest);
          if (p_adjusted !== null)
            expect(metric.p_adjusted as number).toBeGreaterThanOrEqual(p_adjusted * (1 - 1e-5));
        });
      },
      SEVERAL,
    );
  });
  it("a verdict follows from the numbers that are shown", () => {
    check(fc.tuple(two, settings), ([[a, b], options]) => {
      const {
        verdict,
        metrics: [primary],
      } = only(compareScores([a, b], { ...FAST, ...options }));
      const { pairs, p_adjusted, is_opposed, improved, worse, difference, metric, mean_a, mean_b } =
        primary as MetricDifference;
      // Queries that all differ by the same have no interval.
      const interval =
        primary?.interval ?? (difference === null ? null : { low: difference, high: difference });
      const card = METRICS.find(({ name }) => name === metric)?.card;
      const margin = card?.range[1] === 1 ? options.margin : 0;
      const isWithin = interval !== null && interval.low >= -margin && interval.high <= margin;
      // A test of ranks that points where the mean does not tells of no difference of the mean.
      const isSmall = p_adjusted !== null && p_adjusted < options.alpha && is_opposed !== true;
      const isReal = isSmall && difference !== 0;
      const isUp = (difference as number) > 0 === (card?.higher_is_better === true);
      const worst = card?.higher_is_better === true ? card.range[0] : (card?.range[1] ?? null);
      // Nothing was found by either, or hardly a query is shared: then there is nothing to compare.
      const isNothing = worst !== null && mean_a === worst && mean_b === worst && improved + worse === 0;
      const shared = a.queryIds.filter((id) => b.queryIds.includes(id)).length;
      const kind =
        isWithin && (margin > 0 || !isSmall)
          ? "equivalent"
          : !isReal
            ? "inconclusive"
            : isUp
              ? "better"
              : "worse";
      if (pairs < FEWEST_PAIRS || isNothing || shared < FEWEST_PAIRS)
        expect(verdict.kind).toBe("not_comparable");
      else expect(verdict.kind).toBe(kind);
    });
  });
});
