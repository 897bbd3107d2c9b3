import { resolveSettings } from "../../src/compare/comparison-settings.js";
import { describe, expect, it } from "vitest";
import { compareScores, type CompareScoresOptions, type ScoreTable } from "../../src/compare/index.js";
import {
  cohenDz,
  corrections,
  detectableEffect,
  pairedTests,
  pairedTTest,
  tInterval,
  randomizationTest,
} from "../../src/stats/index.js";
import { standardDeviation } from "../../src/stats/internal.js";
import { scoreComparisonSchema } from "../../src/records/schema/index.js";
import type { Conventions, MetricDifference, RunComparison, Verdict } from "../../src/records/index.js";
import { pattern } from "../support/pattern.js";
import { CONVENTIONS } from "../support/conventions.js";

type Card = ScoreTable["metrics"][number]["card"];

const SHARE: Card = { higher_is_better: true, range: [0, 1] };
const RANK: Card = { higher_is_better: false, range: [1, null] };
const TEN = 10;

/** The names of a catalogue as messages list them. */
const names = (catalog: object): string =>
  Object.keys(catalog)
    .map((name) => `\`${name}\``)
    .join(", ");

/** A run with one score for each query and metric, queries q00, q01, … unless named. */
function table(
  run: string,
  columns: Readonly<Record<string, readonly number[]>>,
  {
    ids,
    cards = {},
    ...more
  }: Partial<ScoreTable> & {
    readonly ids?: readonly string[];
    readonly cards?: Readonly<Record<string, Card>>;
  } = {},
): ScoreTable {
  const names = Object.keys(columns);
  const length = Math.max(0, ...Object.values(columns).map((column) => column.length));
  const queryIds = ids ?? Array.from({ length }, (_, i) => `q${String(i).padStart(2, "0")}`);
  return {
    run,
    metrics: names.map((name) => ({
      name,
      card: Object.hasOwn(cards, name) ? (cards[name] as Card) : SHARE,
    })),
    queryIds,
    columns: names.map((name) => queryIds.map((_, row) => columns[name]?.[row] as number)),
    ...more,
  };
}
const all = (score: number, count = TEN): number[] => new Array<number>(count).fill(score);
/** The baseline's scores plus these differences. */
const plus = (differences: readonly number[], base = 0.5): number[] =>
  differences.map((difference) => base + difference);

const compared = (tables: readonly ScoreTable[], options?: CompareScoresOptions): RunComparison =>
  compareScores(tables, options).comparisons[0] as RunComparison;
const verdict = (tables: readonly ScoreTable[], options?: CompareScoresOptions): Verdict =>
  compared(tables, options).verdict;
const first = (tables: readonly ScoreTable[], options?: CompareScoresOptions): MetricDifference =>
  compared(tables, options).metrics[0] as MetricDifference;
const base = table("a", { m: all(0.5) });

describe("what a comparison keeps", () => {
  const gains = [1 / 3, 2 / 7, -1 / 9, 0.1234567, 0, 1 / 11, 1 / 13];
  const tables = [table("a", { m: all(1 / 7, gains.length) }), table("b", { m: plus(gains, 1 / 7) })];
  const options = { test: "t" as const, resamples: 2000, power: 0.8, seed: 3 };

  it("means and their difference at 4 decimals, everything else as it was computed", () => {
    const differences = Float64Array.from(gains, (gain) => Math.round(gain * 1e12) / 1e12);
    const found = first(tables, options);
    expect(found).toMatchObject({ mean_a: 0.1429, mean_b: 0.257, difference: 0.1141 });
    expect(found.p).toBe(pairedTTest(differences).p);
    expect(found.p_adjusted).toBe(found.p);
    expect(found.effect_size).toBe(cohenDz(differences));
    expect(found.t_interval).toEqual(tInterval(differences, 0.95));
    expect(found.detectable).toBe(
      detectableEffect(gains.length, { alpha: 0.05, power: 0.8 }) * standardDeviation(differences),
    );
    const { low, high } = found.interval ?? { low: NaN, high: NaN };
    expect([low, high].every((end) => Number.isFinite(end) && end !== Number(end.toFixed(4)))).toBe(true);
  });
  it("the scores of queries as they were given, in the result and in its JSON", () => {
    const { per_query } = JSON.parse(JSON.stringify(compareScores(tables, options))) as ReturnType<
      typeof compareScores
    >;
    expect(per_query.map(({ scores }) => scores)).toEqual(gains.map((gain) => [[1 / 7], [1 / 7 + gain]]));
  });
});

describe("the verdict on two runs", () => {
  it("better: ten of ten queries gain 0.1; of 1,024 sign flips 2 are as far out, p = 2 / 1,024", () => {
    const { verdict: found, metrics } = compared([base, table("b", { m: all(0.6) })]);
    expect(found).toMatchObject({
      kind: "better",
      headline: "m rose by 0.1000 (p = 0.0020, few queries: 10).",
      reasons: ["By m, of 10 queries 10 improved, 0 got worse, 0 stayed equal."],
      primary: "m",
      queries_needed: null,
      latency: null,
    });
    expect(metrics).toMatchObject([
      {
        metric: "m",
        pairs: 10,
        mean_a: 0.5,
        mean_b: 0.6,
        difference: 0.1,
        interval: null,
        bca_interval: { low: 0.1, high: 0.1 },
        p: 2 / 1024,
        p_adjusted: 2 / 1024,
        is_exact: true,
        effect_size: null,
        improved: 10,
        equal: 0,
        worse: 0,
        queries_needed: null,
      },
    ]);
  });
  it("worse: ten of ten queries lose 0.1", () => {
    expect(verdict([base, table("b", { m: all(0.4) })])).toMatchObject({
      kind: "worse",
      headline: "m fell by 0.1000 (p = 0.0020, few queries: 10).",
    });
  });
  it(
    "equivalent: 0.005 on every query is real, p = 2 / 1,024, and within 0.01 of a metric from 0 " + "to 1",
    () => {
      expect(verdict([base, table("b", { m: all(0.505) })])).toMatchObject({
        kind: "equivalent",
        headline:
          "m is the same for all that matters: +0.0050 (p = 0.0020, few queries). " +
          "10 queries can miss what changes in 26 % of all.",
      });
      expect(verdict([base, table("b", { m: all(0.505) })], { margin: 0.004 }).kind).toBe("better");
      expect(verdict([base, table("b", { m: all(0.5) })]).headline).toBe(
        "Every one of the 10 queries has the same m in both runs. " +
          "10 queries can miss what changes in 26 % of all.",
      );
    },
  );
  it(
    "equivalent: the margin is a share of the range, 0.01 of 0 to 10 being 0.1; without a range " +
      "only the same is equivalent",
    () => {
      const by = (card: Card): Verdict["kind"] =>
        verdict([
          table("a", { m: all(5) }, { cards: { m: card } }),
          table("b", { m: all(5.08) }, { cards: { m: card } }),
        ]).kind;
      expect([
        by({ higher_is_better: true, range: [0, 10] }),
        by({ higher_is_better: true, range: [0, null] }),
        by({ higher_is_better: true, range: [0, 1] }),
      ]).toEqual(["equivalent", "better", "better"]);
    },
  );
  it("equivalent without a range: only where nothing moves", () => {
    const cards: Record<string, Card> = { m: { higher_is_better: true, range: [0, null] } };
    const of = (b: readonly number[]): Verdict["kind"] =>
      verdict([table("a", { m: all(0.5) }, { cards }), table("b", { m: b }, { cards })]).kind;
    // A mean difference of 0.00001 is 0 when it is stored: that every query rose by it says who is better.
    expect([of(all(0.5)), of(all(0.50001)), of(plus([...all(0.00001, 5), ...all(0, 5)]))]).toEqual([
      "equivalent",
      "better",
      "inconclusive",
    ]);
  });
  it("queries are counted by the scores that are stored, to 12 decimals", () => {
    expect(
      first([
        table("a", { m: all(0.50004, 6) }),
        table("b", { m: [...all(0.50004 + 1e-14, 3), ...all(0.50005, 2), 0.50003] }),
      ]),
    ).toMatchObject({ improved: 2, equal: 3, worse: 1 });
  });
  it(
    "no difference needs fewer queries than can be told from chance: 2^-5 is below 0.05 on both " +
      "sides with 6; Student's t may do with less",
    () => {
      const tables = [base, table("b", { m: plus([0.3, 0.31, 0.3, 0.31, 0.3, 0.31, 0.3, 0.31, 0.3, 0.31]) })];
      expect(first(tables).queries_needed).toBe(6);
      expect(first(tables, { alpha: 0.01 }).queries_needed).toBe(8);
      expect(first(tables, { test: "t" }).queries_needed).toBeLessThan(6);
    },
  );
  // Flips of 0.4, 0.2, 0.2, 0.1, 0.1 reach 0.4 either way in 20 of 32: where 0.4 keeps its sign, the rest
  // must come to 0 or more, 10 of 16. The deviation of the six is 0.2160, d_z = 0.0667 / 0.2160 = 0.3086;
  // (1.960 + 0.842)^2 / 0.3086^2 = 82.4 queries, and two more for Student's t.
  it("says of lopsided differences that they are, not that 0 lies near the end of the interval", () => {
    const lopsided = [0.34, ...all(-0.06, 19)];
    const tables = [table("a", { m: all(0.5, 20) }), table("b", { m: plus(lopsided) })];
    expect(verdict(tables).headline).toBe(
      "m fell by 0.0400 (interval -0.0819 to +0.0400, p = 0.0318, 20 queries). The interval holds 0, and " +
        "not near its end: most queries move a little one way and a few far the other way, where the test " +
        "finds too much; look at the queries.",
    );
  });
  it("finds too much in lopsided differences as often as the docs say", () => {
    const chances = [10, 20, 50].map((queries) => {
      let [sum, chance] = [0, 0.85 ** queries];
      for (let gains = 0; gains * 0.34 < (queries - gains) * 0.06 - 1e-9; gains++) {
        if (randomizationTest([...all(0.34, gains), ...all(-0.06, queries - gains)]).p < 0.05) sum += chance;
        chance *= ((queries - gains) / (gains + 1)) * (0.15 / 0.85);
      }
      return sum;
    });
    expect(chances.map((chance) => Math.round(100 * chance))).toEqual([20, 18, 5]);
  });
  it(
    "inconclusive: 0.4 + 0.2 - 0.2 + 0.1 - 0.1 + 0 over six queries, p = 20 / 32; 85 queries would " +
      "be needed",
    () => {
      const tables = [
        table("a", { m: all(0.5, 6) }),
        table("b", { m: plus([0.4, 0.2, -0.2, 0.1, -0.1, 0]) }),
      ];
      expect(first(tables)).toMatchObject({
        difference: 0.0667,
        p: 0.625,
        is_exact: true,
        effect_size: expect.closeTo(0.3086, 4) as number,
        improved: 3,
        equal: 1,
        worse: 2,
        queries_needed: 85,
      });
      const { kind, queries_needed, headline } = verdict(tables);
      expect({ kind, queries_needed }).toEqual({ kind: "inconclusive", queries_needed: 85 });
      expect(headline).toMatch(
        pattern(
          pattern(
            /^m rose by 0\.0667, which can be chance \(interval /,
            /.*, p = 0\.6250, few queries\)\. A difference of /,
          ),
          /this size would need about 85 queries; there are 6\.$/,
        ),
      );
    },
  );
  it("lower is better: the first relevant rank falls from 4 to 3", () => {
    const by = (rank: number): [Verdict["kind"], string, number, number] => {
      const {
        verdict: { kind, headline },
        metrics,
      } = compared([
        table("a", { r: all(4) }, { cards: { r: RANK } }),
        table("b", { r: all(rank) }, { cards: { r: RANK } }),
      ]);
      return [kind, headline.slice(0, 17), metrics[0]?.improved ?? NaN, metrics[0]?.worse ?? NaN];
    };
    expect(by(3)).toEqual(["better", "r fell by 1.0000 ", 10, 0]);
    expect(by(5)).toEqual(["worse", "r rose by 1.0000 ", 0, 10]);
  });
  it("a difference within the tolerance is equal", () => {
    expect(
      first([base, table("b", { m: plus([0.01, -0.01, 0.02, -0.02, 0, 0, 0, 0, 0, 0]) })], {
        tolerance: 0.01,
      }),
    ).toMatchObject({ improved: 1, equal: 8, worse: 1 });
  });
  it("differences tie as decimals do: 0.9 - 0.8 is 0.3 - 0.2", () => {
    // Ranks of 0.1, 0.1 and 0.1 are 2, 2, 2: of 8 flips 2 are as far out as all on one side. Doubles would
    // rank them 1, 2, 3.
    expect(
      first([table("a", { m: [0.8, 0.2, 0.6, 0.5, 0.5] }), table("b", { m: [0.9, 0.3, 0.7, 0.5, 0.5] })], {
        test: "wilcoxon",
      }),
    ).toMatchObject({ p: 0.25, improved: 3, equal: 2, effect_size: expect.closeTo(1.0954, 4) as number });
  });
  // 12 of 15 signs: 2 (1 + 15 + 105 + 455) / 32,768 = 0.0352. 12 times 0.01 and -3 times 0.04 come to
  // nothing.
  it("a test of signs that finds something where the mean stands still decides nothing", () => {
    const tables = [
      table("a", { m: all(0.5, 15) }),
      table("b", { m: plus([...all(0.01, 12), ...all(-0.04, 3)]) }),
    ];
    expect(first(tables, { test: "sign" })).toMatchObject({
      difference: 0,
      p: expect.closeTo(0.03515625, 15) as number,
      p_adjusted: expect.closeTo(0.03515625, 15) as number,
    });
    expect(verdict(tables, { test: "sign", margin: 0 }).kind).toBe("inconclusive");
  });
  it("what did not move on average is not said to be chance", () => {
    const tables = [
      table("a", { m: all(0.5, 20) }),
      table("b", { m: plus([...all(0.2, 10), ...all(-0.2, 10)]) }),
    ];
    expect(verdict(tables, { margin: 0 }).headline).toMatch(
      /^m did not move on average, which can hide a difference \(interval /,
    );
  });
  // 12 of 15 signs as above, p = 0.0352; (12 x 0.01 - 3 x 0.2) / 15 = -0.032. Ranks: 12 times 6.5 = 78 above,
  // 13 + 14 + 15 = 42 below.
  it("a test of signs or ranks that points the other way than the mean decides nothing, and says so", () => {
    const tables = [
      table("a", { m: all(0.5, 15) }),
      table("b", { m: plus([...all(0.01, 12), ...all(-0.2, 3)]) }),
    ];
    const { verdict: found, metrics } = compared(tables, { test: "sign" });
    expect(metrics).toMatchObject([
      { difference: -0.032, p: expect.closeTo(0.03515625, 15) as number, is_opposed: true },
    ]);
    expect(found).toMatchObject({ kind: "inconclusive", queries_needed: null });
    expect(found.headline).toMatch(
      pattern(
        /^m fell by 0\.0320 on average, but the sign test points the other way \(interval .*, p = /,
        /0\.0352, few queries\): the mean follows a few large differences, the test the many small ones\.$/,
      ),
    );
    expect(first(tables, { test: "wilcoxon" })).toMatchObject({ is_opposed: true });
    expect(first(tables)).not.toHaveProperty("is_opposed");
    // As a guard it can be no proof of a loss, and as another metric none of anything.
    const guarded = tables.map((each, i) =>
      table(each.run, {
        p: all(0.5 + i / 10, 15),
        m: i === 0 ? all(0.5, 15) : plus([...all(0.01, 12), ...all(-0.2, 3)]),
      }),
    );
    expect(verdict(guarded, { test: "sign", guards: ["m"] })).toMatchObject({
      kind: "better",
      guards: [{ is_held: true }],
    });
    expect(verdict(guarded, { test: "sign" }).reasons).toHaveLength(1);
  });
  it("a difference that is 0 at four decimals and sure matters only without a margin", () => {
    // 0.29996 and 0.3000267 are both 0.3 when stored.
    const tables = [
      table("a", { m: all(0.29996, 60) }),
      table("b", { m: Array.from({ length: 60 }, (_, i) => 0.29996 + (i % 3 === 0 ? 0 : 0.0001)) }),
    ];
    expect(first(tables)).toMatchObject({ mean_a: 0.3, mean_b: 0.3, difference: 0 });
    expect(verdict(tables).kind).toBe("equivalent");
    const [a, b] = tables as [ScoreTable, ScoreTable];
    const strict = { margin: 0, guards: ["m"] };
    expect(verdict([a, b], strict)).toMatchObject({
      kind: "better",
      headline: expect.stringMatching(
        /^m rose by less than 0\.0001 \(interval .*, p < 0\.0001, 60 queries\)\.$/,
      ) as string,
      guards: [{ is_held: true }],
    });
    expect(verdict([b, a], strict)).toMatchObject({
      kind: "worse",
      guards: [
        {
          is_held: false,
          why: expect.stringMatching(/^The guard m is broken: it fell by less than 0\.0001/) as string,
        },
      ],
    });
    // 300 of 360 queries fall, while the mean rises by less than 0.0001.
    const signs = [...all(-0.000004, 300), ...all(0.00022, 60)];
    const opposed = [table("a", { m: all(0.3, 360) }), table("b", { m: plus(signs, 0.3) })];
    expect(first(opposed, { test: "sign" })).toMatchObject({ difference: 0, is_opposed: true });
    expect(verdict(opposed, { test: "sign", margin: 0 }).kind).toBe("inconclusive");
    // All by the same: there is no interval, and the queries say where it went.
    const [low, high] = [table("a", { m: all(0.3) }), table("b", { m: all(0.30001) })];
    expect(verdict([low, high], { margin: 0 }).kind).toBe("better");
    expect(verdict([high, low], { margin: 0 }).kind).toBe("worse");
  });
});

describe("runs that are not comparable", () => {
  const conventions: Conventions = { ...CONVENTIONS, profile: "trec" };
  it.each<[string, readonly ScoreTable[], string]>([
    [
      "four queries",
      [table("a", { m: all(0.5, 4) }), table("b", { m: all(0.6, 4) })],
      "Only 4 queries have m in both runs; at least 5 are needed.",
    ],
    [
      "one query",
      [table("a", { m: [0.5] }), table("b", { m: [0.6] })],
      "Only 1 query has m in both runs; at least 5 are needed.",
    ],
    [
      "no query",
      [table("a", { m: [] }), table("b", { m: [] })],
      "No query has m in both runs; at least 5 are needed.",
    ],
    [
      "ten queries, six of them without a score in one run",
      [base, table("b", { m: [...all(0.6, 4), ...all(NaN, 6)] })],
      "Only 4 queries have m in both runs; at least 5 are needed.",
    ],
    [
      "four queries in common",
      [
        base,
        table(
          "b",
          { m: all(0.6) },
          { ids: Array.from({ length: TEN }, (_, i) => `q${String(i + 6).padStart(2, "0")}`) },
        ),
      ],
      "a and b have only 4 queries in common; at least 5 are needed.",
    ],
    [
      "none in common",
      [base, table("b", { m: all(0.6, 1) }, { ids: ["z"] })],
      "a and b have no query in common; at least 5 are needed.",
    ],
    [
      "another range or direction",
      [base, table("b", { m: all(0.6) }, { cards: { m: RANK } })],
      "m has another direction or range in b.",
    ],
    [
      "another convention",
      [
        { ...base, conventions },
        table("b", { m: all(0.6) }, { conventions: { ...conventions, ties: "input", depth: 100 } }),
      ],
      "The convention ties is trec for a and input for b. The convention depth is null for a and 100 for b.",
    ],
    [
      "another golden set",
      [{ ...base, golden: "v1" }, table("b", { m: all(0.6) }, { golden: "v2" })],
      "The runs were held against different golden sets.",
    ],
    [
      "no metric in common",
      [base, table("b", { n: all(0.6) })],
      "a has m, b has n. There is no metric in common.",
    ],
  ])("%s", (_, tables, why) => {
    expect(verdict(tables)).toMatchObject({
      kind: "not_comparable",
      headline: why,
      reasons: [],
      queries_needed: null,
    });
  });
  it("five queries are enough, as are conventions or golden sets that only one run tells", () => {
    // Of 32 flips 2: p = 0.0625, above 0.05.
    expect(verdict([table("a", { m: all(0.5, 5) }), table("b", { m: all(0.6, 5) })]).kind).toBe(
      "inconclusive",
    );
    expect(verdict([{ ...base, conventions, golden: "v1" }, table("b", { m: all(0.6) })]).kind).toBe(
      "better",
    );
  });
  it("further metrics of one run take nothing from those that both have", () => {
    expect(
      compared([table("a", { m: all(0.5), x: all(1) }), table("b", { y: all(1), m: all(0.6) })]),
    ).toMatchObject({ verdict: { kind: "better" }, metrics: [{ metric: "m" }] });
  });
});

describe("letters of several runs", () => {
  const spread = Array.from({ length: 40 }, (_, at) => 0.3 + (at % 5) / 100);
  const lifted = spread.map((score, at) => score + 0.4 + (at % 3) / 100);
  const lettersOf = (tables: readonly ScoreTable[], metric: string, options: CompareScoresOptions = {}) =>
    compareScores(tables, options).leaderboard?.map(
      ({ scores }) => scores.find((score) => score.metric === metric)?.groups,
    );

  it("are of the runs that have the metric, when one has it not", () => {
    const tables = [
      table("a", { m: spread, x: spread }),
      table("b", { m: spread, x: lifted }),
      table("c", { m: spread, x: spread.map(() => NaN) }),
    ];
    expect(lettersOf(tables, "x")).toEqual([["b"], ["a"], []]);
  });
  it.each(["wilcoxon", "sign"] as const)(
    "do not part runs for a %s test that is opposed to the mean",
    (test) => {
      const up = spread.map((score, at) => (at < 36 ? score + 0.02 : 0));
      const tables = [table("a", { m: spread }), table("b", { m: up }), table("c", { m: lifted })];
      const { all_pairs } = compareScores(tables, { test });
      expect(all_pairs?.map(({ is_opposed }) => is_opposed)).toEqual([true, undefined, undefined]);
      expect(all_pairs?.[0]?.p_adjusted).toBeLessThan(0.01);
      expect(lettersOf(tables, "m", { test })).toEqual([["b"], ["b"], ["a"]]);
    },
  );
});

describe("guards and latency", () => {
  const CHANCE = expect.stringMatching(
    /^The guard g is not broken: it fell by 0.0300 .*, which can be chance\.$/,
  ) as string;
  const a = table("a", { m: all(0.5), g: all(0.5), h: all(0.5) });
  const b = (g: number): ScoreTable => table("b", { m: all(0.6), g: all(g), h: all(0.5) });
  it("a guard that falls for certain turns a gain into worse", () => {
    // Chosen beforehand, it does not pay for the metric h: 2 / 1,024.
    expect(verdict([a, b(0.4)], { guards: ["g"] })).toMatchObject({
      kind: "worse",
      headline:
        "The guard g is broken: it fell by 0.1000 (p = 0.0020, few queries). m " +
        "rose by 0.1000 (p = 0.0020, few queries: 10).",
      guards: [{ metric: "g", allowed_loss: 0, difference: -0.1, p_adjusted: 0.001953125, is_held: false }],
    });
  });
  it("a guard holds where it rises, and where it loses what is allowed, included", () => {
    expect(verdict([a, b(0.6)], { guards: ["g"] })).toMatchObject({
      kind: "better",
      guards: [
        {
          is_held: true,
          why: "The guard g holds: it rose by 0.1000 (p = 0.0020, few queries).",
        },
      ],
    });
    expect(verdict([a, b(0.4)], { guards: [{ metric: "g", allowedLoss: 0.1 }] })).toMatchObject({
      kind: "better",
      guards: [{ is_held: true }],
    });
    expect(verdict([a, b(0.4)], { guards: [{ metric: "g", allowedLoss: 0.0999 }] })).toMatchObject({
      kind: "worse",
      guards: [{ is_held: false, why: expect.stringMatching(/, more than the 0\.0999 allowed\.$/) }],
    });
  });
  it("guards are a family of their own, whatever else is looked at", () => {
    const lost = table("b", { m: all(0.6), g: all(0.4), h: all(0.5) });
    const two = { guards: ["g", "h"] };
    expect(verdict([a, lost], two).guards.map(({ p_adjusted }) => p_adjusted)).toEqual([2 * 2 ** -9, 1]);
    const wide = (each: ScoreTable): ScoreTable => ({
      ...each,
      metrics: Array.from({ length: 40 }, (_, at) => ({
        ...(each.metrics[Math.min(at, 2)] as ScoreTable["metrics"][number]),
        ...(at > 2 && { name: `h${at}` }),
      })),
      columns: Array.from({ length: 40 }, (_, at) => each.columns[Math.min(at, 2)] as readonly number[]),
    });
    expect(verdict([wide(a), wide(lost)], two).guards).toEqual(verdict([a, lost], two).guards);
  });
  it("a guard holds where its loss can be chance: 0.1 on three of ten queries, p = 2 / 8", () => {
    expect(
      verdict([a, table("b", { m: all(0.6), g: [...all(0.4, 3), ...all(0.5, 7)], h: all(0.5) })], {
        guards: ["g"],
      }),
    ).toMatchObject({
      kind: "better",
      guards: [{ difference: -0.03, p_adjusted: 0.25, is_held: true, why: CHANCE }],
    });
  });
  it("a guard whose loss could not be tested is not shown to hold: no t test where all lose alike", () => {
    expect(
      verdict([a, table("b", { m: plus([...all(0.1, 9), 0.2]), g: all(0.4), h: all(0.5) })], {
        guards: ["g"],
        test: "t",
      }),
    ).toMatchObject({
      kind: "worse",
      guards: [
        {
          p_adjusted: null,
          is_held: false,
          why: "The guard g is not shown to hold: it fell by 0.1000, which could not be tested.",
        },
      ],
    });
    expect(
      verdict([a, table("b", { m: plus([...all(0.1, 9), 0.2]), g: all(0.5), h: all(0.5) })], {
        guards: ["g"],
        test: "t",
      }),
    ).toMatchObject({ kind: "better", guards: [{ p_adjusted: 1, is_held: true }] });
  });
  it("a guard that was not measured holds nothing", () => {
    expect(verdict([a, b(NaN)], { guards: ["g"] })).toMatchObject({
      kind: "worse",
      guards: [
        {
          metric: "g",
          difference: null,
          p_adjusted: null,
          is_held: false,
          why: "The guard g was not measured in both runs.",
        },
      ],
    });
  });
  it("nor does one that one of the runs lacks", () => {
    expect(verdict([a, table("b", { m: all(0.6) })], { guards: ["g"] })).toMatchObject({
      kind: "worse",
      guards: [{ is_held: false, why: "The guard g was not measured in both runs." }],
    });
    expect(verdict([base, b(0.6)], { guards: ["g"] })).toMatchObject({
      kind: "worse",
      guards: [{ is_held: false }],
    });
  });
  it("a guard of which less is better is broken by a rise", () => {
    const tables = [3, 4].map((rank, i) =>
      table(i === 0 ? "a" : "b", { m: all(0.5 + i / 10), r: all(rank) }, { cards: { r: RANK } }),
    );
    expect(verdict(tables, { guards: ["r"] })).toMatchObject({
      kind: "worse",
      guards: [{ difference: 1, is_held: false }],
    });
  });
  it("a metric that is no guard and falls for certain is told, and decides nothing", () => {
    expect(verdict([a, b(0.4)])).toMatchObject({
      kind: "better",
      reasons: [
        "By m, of 10 queries 10 improved, 0 got worse, 0 stayed equal.",
        "Significantly worse, too: g fell by 0.1000.",
      ],
    });
  });
  const timed = (run: string, score: number, p95: number): ScoreTable =>
    table(run, { m: all(score) }, { latency: { mean: 50, p50: 40, p95, max: 400 } });
  it.each<[string, readonly ScoreTable[], Verdict["kind"], boolean, string]>([
    [
      "held, the limit included",
      [timed("a", 0.5, 90), timed("b", 0.6, 100)],
      "better",
      true,
      "95 % of the queries took 100 ms at most, within 100 ms.",
    ],
    [
      "broken",
      [timed("a", 0.5, 90), timed("b", 0.6, 100.5)],
      "worse",
      false,
      "95 % of the queries took up to 100.5 ms, above the limit of 100 ms.",
    ],
    [
      "not measured",
      [timed("a", 0.5, 90), table("b", { m: all(0.6) })],
      "worse",
      false,
      "No time was measured, and a limit was set.",
    ],
  ])("a limit of 100 ms is %s", (_, tables, kind, is_held, why) => {
    expect(verdict(tables, { maxP95Ms: 100 })).toMatchObject({
      kind,
      latency: { p95_a: 90, p95_b: tables[1]?.latency?.p95 ?? null, limit: 100, is_held, why },
    });
  });
});

describe("slices", () => {
  const known = new Map(
    Array.from({ length: 20 }, (_, i) => [
      `q${String(i).padStart(2, "0")}`,
      { query: `question ${i}`, labels: { lang: i < 12 ? "en" : "ko" } },
    ]),
  );
  const tables = [
    table("a", { m: all(0.5, 20) }),
    table("b", { m: plus([...all(0.2, 12), ...all(-0.1, 8)]) }),
  ];
  it("a loss that the mean hides: twelve English queries gain 0.2, eight Korean ones lose 0.1", () => {
    const { verdict: found, slices } = compared(tables, { known });
    // (12 x 0.2 - 8 x 0.1) / 20. Of a family of two slices: 2 / 256 x 1, 2 / 4,096 x 2.
    expect(found).toMatchObject({
      kind: "better",
      headline: expect.stringMatching(
        pattern(
          /^m rose by 0\.0800 \(.*\)\. Hidden by the mean: lang = ko fell by 0\.1000 in m \(p = /,
          /0\.0078, 8 queries\)\.$/,
        ),
      ),
    });
    expect(
      slices.map(({ by, value, metrics: [metric] }) => [
        by,
        value,
        metric?.pairs,
        metric?.difference,
        metric?.p,
        metric?.p_adjusted,
      ]),
    ).toEqual([
      ["lang", "ko", 8, -0.1, 0.0078125, 0.0078125],
      ["lang", "en", 12, 0.2, 2 / 4096, 4 / 4096],
    ]);
  });
  it("are not by what another sentence says of each query, unless it is asked for", () => {
    const needs = new Map(
      [...known].map(([id, { labels }], at) => [id, { labels: { ...labels, need: `need ${at}` } }]),
    );
    const by = (slices?: string[]): string[] => [
      ...new Set(
        compared(tables, { known: needs, ...(slices && { slices }) }).slices.map((slice) => slice.by),
      ),
    ];
    expect(by()).toEqual(["lang"]);
    expect(by(["need"])).toEqual(["need"]);
  });
  it("say what each query is, and only the labels that were asked for are sliced by", () => {
    expect(compareScores(tables, { known }).per_query[12]).toEqual({
      query_id: "q12",
      query: "question 12",
      labels: { lang: "ko" },
      scores: [[0.5], [0.4]],
      rankings: null,
      overlap: null,
      expected: null,
    });
    expect(compared(tables, { known, slices: [] }).slices).toEqual([]);
    expect(() => compareScores(tables, { known, slices: ["language"] })).toThrow(
      "no query has a label `language` to slice by; there are `lang`",
    );
  });
  it("stand worst first whatever the direction of the metric, those without a difference last", () => {
    const labelled = new Map(
      [...known.keys()].map((id, i) => [
        id,
        { labels: { part: ["up", "nothing", "down", "none"][Math.floor(i / 5)] as string } },
      ]),
    );
    const scores = [...all(0.6, 5), ...all(NaN, 5), ...all(0.4, 5), ...all(NaN, 5)];
    const order = (higher_is_better: boolean): (string | undefined)[] => {
      const cards: Record<string, Card> = { m: { higher_is_better, range: [0, 1] } };
      return compared([table("a", { m: all(0.5, 20) }, { cards }), table("b", { m: scores }, { cards })], {
        known: labelled,
      }).slices.map(({ value }) => value);
    };
    expect([order(true), order(false)]).toEqual([
      ["down", "up", "none", "nothing"],
      ["up", "down", "none", "nothing"],
    ]);
  });
  it("a label that only some queries have is one, too; one that is the same for all is none", () => {
    const some = new Map(
      [...known.keys()].map((id, i) => [
        id,
        { labels: { all: "same", ...(i < 12 ? {} : { vip: "true" }) } as Record<string, string> },
      ]),
    );
    expect(
      compared(tables, { known: some }).slices.map(({ by, value, metrics: [metric] }) => [
        by,
        value,
        metric?.pairs,
        metric?.difference,
      ]),
    ).toEqual([["vip", "true", 8, -0.1]]);
  });
  it("of fewer than five queries have no test and no interval", () => {
    const few = new Map(
      [...known].map(([id, { labels }], i) => [id, { labels: { lang: i < 4 ? "de" : labels.lang } }]),
    );
    expect(
      compared(tables, { known: few }).slices.find(({ value }) => value === "de")?.metrics,
    ).toMatchObject([{ pairs: 4, difference: 0.2, interval: null, p: null, p_adjusted: null, improved: 4 }]);
  });
});

describe("several runs", () => {
  // All ten queries gain: 2 / 1,024. Six of them: 2 / 64. Five: 2 / 32.
  const gains = (count: number): number[] => plus([...all(0.1, count), ...all(0, TEN - count)]);
  const runs = [base, table("b", { m: gains(10) }), table("c", { m: gains(6) }), table("d", { m: gains(5) })];
  it("the primary metric of all runs is one family: 2 / 1,024 x 3, 2 / 64 x 2, and 2 / 32 x 1", () => {
    const { comparisons } = compareScores(runs);
    expect(
      comparisons.map(({ run, verdict: { kind }, metrics: [metric] }) => [
        run,
        kind,
        metric?.p,
        metric?.p_adjusted,
      ]),
    ).toEqual([
      ["b", "better", 2 / 1024, 6 / 1024],
      ["c", "inconclusive", 0.03125, 0.0625],
      ["d", "inconclusive", 0.0625, 0.0625],
    ]);
    // By itself c would be better.
    expect(verdict([base, runs[2] as ScoreTable]).kind).toBe("better");
    expect(
      compareScores(runs, { correction: "none" }).comparisons.map(({ verdict: { kind } }) => kind),
    ).toEqual(["better", "better", "inconclusive"]);
  });
  it("what only a further run was scored on is no pair of two others", () => {
    const ids = ["q1", "q2", "q3", "q4"];
    const two = [table("a", { m: all(0.2, 4) }, { ids }), table("b", { m: [0.2, 0.2, 0.2, 0.3] }, { ids })];
    const wider = table("c", { m: all(0.2, 10) }, { ids: [...ids, "q5", "q6", "q7", "q8", "q9", "r"] });
    const [alone, beside] = [compared(two), compared([...two, wider])];
    expect(beside.metrics).toEqual(alone.metrics);
    expect(beside.verdict).toEqual(alone.verdict);
    expect(alone.verdict.kind).toBe("not_comparable");
    // A query that one of the two has is a pair: the other counts as 0.
    const [, with_c] = compareScores([...two, wider]).comparisons;
    expect(with_c?.metrics[0]).toMatchObject({ pairs: 10, mean_a: 0.08 });
  });
  it("every run is tested against every other: b gains 0.1 over c on four queries, 2 / 16", () => {
    const pairs = compareScores(runs).all_pairs ?? [];
    expect(pairs.map(({ run_a, run_b, difference, p }) => [run_a, run_b, difference, p])).toEqual([
      ["a", "b", 0.1, 2 / 1024],
      ["a", "c", 0.06, 0.03125],
      ["a", "d", 0.05, 0.0625],
      ["b", "c", -0.04, 0.125],
      ["b", "d", -0.05, 0.0625],
      ["c", "d", -0.01, 1],
    ]);
    // Holm: 2 / 1,024 x 6, 2 / 64 x 5, 2 / 32 x 4, which 2 / 32 x 3 and 2 / 16 x 2 do not exceed, and 1.
    expect(pairs.map(({ p_adjusted }) => p_adjusted)).toEqual([12 / 1024, 0.15625, 0.25, 0.25, 0.25, 1]);
    for (const { p_tukey, p_randomized_tukey } of pairs)
      for (const p of [p_tukey, p_randomized_tukey]) expect(p !== null && p > 0 && p <= 1).toBe(true);
    expect(compareScores(runs.slice(0, 2)).all_pairs).toBeNull();
  });
});

describe("what runs lack", () => {
  it("a metric that a third run lacks is taken from nobody else", () => {
    const tables = [
      table("a", { m: all(0.5), n: all(0.5), x: all(0) }),
      table("b", { n: all(0.6), m: all(0.6) }),
      table("c", { n: all(0.4) }),
    ];
    const { metrics, comparisons, settings, all_pairs, per_query } = compareScores(tables);
    // What decides unless it is named is the first that all have.
    expect([metrics, settings.primary]).toEqual([["m", "n"], "n"]);
    expect(
      comparisons.map(({ metrics: found, verdict: { kind } }) => [
        kind,
        ...found.map(({ difference, pairs }) => [difference, pairs]),
      ]),
    ).toEqual([
      ["better", [0.1, 10], [0.1, 10]],
      ["worse", [null, 0], [-0.1, 10]],
    ]);
    expect(per_query[0]?.scores).toEqual([
      [0.5, 0.5],
      [0.6, 0.6],
      [null, 0.4],
    ]);
    expect(all_pairs).toHaveLength(3);
    const named = compareScores(tables, { primary: "m", guards: ["n"] });
    expect(named.comparisons.map(({ verdict: { kind } }) => kind)).toEqual(["better", "not_comparable"]);
    expect(named.comparisons[1]?.verdict.headline).toBe(
      "No query has m in both runs; at least 5 are needed.",
    );
    expect(named.all_pairs?.map(({ run_a, run_b, difference }) => [run_a, run_b, difference])).toEqual([
      ["a", "b", 0.1],
    ]);
  });
  it("a query that one run was not scored on counts as 0 there, and is told", () => {
    const comparison = compareScores([base, table("b", { m: all(0.5, 8) })]);
    // (8 x 0 - 2 x 0.5) / 10; the run's own mean is over its own queries.
    expect(comparison.comparisons[0]?.metrics).toMatchObject([
      { pairs: 10, mean_b: 0.4, difference: -0.1, equal: 8, worse: 2 },
    ]);
    expect(comparison.runs.map(({ run, means, queries }) => [run, means["m"], queries])).toEqual([
      ["a", 0.5, 10],
      ["b", 0.5, 8],
    ]);
    expect(comparison.warnings).toEqual([
      {
        code: "RUN_LACKS_QUERIES",
        message: "b was not scored on 2 queries of the other runs, which count as the worst score",
        count: 2,
        query_ids: ["q08", "q09"],
      },
    ]);
    expect(comparison.per_query[9]?.scores).toEqual([[0.5], [0]]);
  });
  it("counts as the worst there is, or that any run has where the range has no end", () => {
    const of = (range: Card["range"], higher_is_better = false): MetricDifference => {
      const cards = { r: { higher_is_better, range } };
      return first([table("a", { r: all(0.5) }, { cards }), table("b", { r: all(0.5, 8) }, { cards })]);
    };
    // (8 x 0.5 + 2 x 1) / 10.
    expect(of([0, 1])).toMatchObject({ pairs: 10, mean_b: 0.6, worse: 2 });
    expect(of([-1, 1], true)).toMatchObject({ pairs: 10, mean_b: 0.2, worse: 2 });
    const cards = { r: { higher_is_better: true, range: [null, null] as Card["range"] } };
    const logits = [-1, -2, -3, -4, -5, -6];
    // The last two count as -6: (-1 - 2 - 3 - 4 - 6 - 6) / 6.
    expect(
      first([table("a", { r: logits }, { cards }), table("b", { r: logits.slice(0, 4) }, { cards })]),
    ).toMatchObject({ pairs: 6, mean_a: -3.5, mean_b: -3.6667, worse: 1 });
    const falling = { r: { ...cards.r, higher_is_better: false } };
    expect(
      first([
        table("a", { r: logits }, { cards: falling }),
        table("b", { r: logits.slice(2) }, { cards: falling }),
      ]),
    ).toMatchObject({ pairs: 6 });
  });
  it("a range that is none is refused", () => {
    for (const range of [[0, Infinity], [1, 0], [NaN, 1], [0, 0], [0], null]) {
      const cards = { r: { higher_is_better: true, range: range as never } };
      expect(() =>
        first([table("a", { r: all(0) }, { cards }), table("b", { r: all(0) }, { cards })]),
      ).toThrow(
        "the card of `r` must be { higher_is_better, range: [low, high] }, with null where there is no bound",
      );
    }
  });
  it("an interval holds the difference of scores that are beyond their range", () => {
    const cards = { r: { higher_is_better: true, range: [0, 1] as Card["range"] } };
    const percent = [100, 100, 90, 80, 70, 99];
    const { difference, interval } = first([
      table("a", { r: all(0, 6) }, { cards }),
      table("b", { r: percent }, { cards }),
    ]);
    expect(interval?.low).toBeLessThan(difference as number);
    expect(interval?.high).toBeGreaterThan(difference as number);
  });
  it("a query without a score of a metric in one run is left out of that metric alone", () => {
    const tables = [
      table("a", { m: [NaN, ...all(0.5, 9)], n: all(0.5) }),
      table("b", { m: [0.9, NaN, ...all(0.6, 8)], n: all(0.6) }),
    ];
    const {
      comparisons: [found],
      per_query,
      runs,
    } = compareScores(tables);
    // Eight pairs: 2 / 256.
    expect(found?.metrics).toMatchObject([
      { metric: "m", pairs: 8, mean_a: 0.5, mean_b: 0.6, p: 0.0078125 },
      { metric: "n", pairs: 10, p: 2 / 1024 },
    ]);
    expect(per_query.slice(0, 2).map(({ scores }) => scores)).toEqual([
      [
        [null, 0.5],
        [0.9, 0.6],
      ],
      [
        [0.5, 0.5],
        [null, 0.6],
      ],
    ]);
    expect(runs[1]?.means["m"]).toBe(0.6333);
  });
});

describe("a metric that can hardly tell runs apart", () => {
  const saturated = (b: readonly number[], card = SHARE, a = all(1, b.length)): string[] =>
    compareScores([
      table("a", { R: a }, { cards: { R: card } }),
      table("b", { R: b }, { cards: { R: card } }),
    ])
      .warnings.filter(({ code }) => code === "PRIMARY_SATURATED")
      .map(({ message }) => message);

  it("is warned about from nine queries of ten on", () => {
    expect(saturated([0, ...all(1, 9)])[0]).toMatch(
      /^R is 1 for 9 of 10 queries in every run, so it can hardly/,
    );
    expect(saturated([0, 0, ...all(1, 8)])).toEqual([]);
    expect(saturated(all(1, 9))).toEqual([]);
  });
  it("counts the best of the metric's direction, in all runs, over the queries that have a score", () => {
    expect(saturated(all(1), RANK)).toHaveLength(1);
    expect(saturated(all(0))).toEqual([]);
    expect(saturated([...all(1), ...all(NaN)], SHARE, [...all(1), ...all(NaN)])).toHaveLength(1);
    expect(saturated(all(1), { higher_is_better: true, range: [0, null] })).toEqual([]);
  });
});

describe("a metric that runs have for different queries", () => {
  const some = (value: number, of: number): number[] => [...all(value, of), ...all(NaN, 20 - of)];
  const compared = (...runs: readonly (readonly number[])[]): ReturnType<typeof compareScores> =>
    compareScores(
      runs.map((cited, at) => table(`r${at}`, { R: all(0.5, 20), cited })),
      { guards: ["cited"] },
    );
  const uneven = (...runs: readonly (readonly number[])[]): string[] =>
    compared(...runs)
      .warnings.filter(({ code }) => code === "UNEVEN_SCORES")
      .map(({ message, count }) => `${message} (${count ?? ""})`);

  it("is warned about where these are more than a tenth, with the counts of each run", () => {
    expect(uneven(some(1, 20), some(1, 1))).toEqual([
      "cited has a score for 20 queries in r0, 1 query in r1: a mean says nothing of the others (19)",
    ]);
    expect(uneven(some(1, 20), some(1, 19))).toEqual([]);
    expect(uneven(some(1, 20), some(1, 17), some(1, 20))[0]).toMatch(/17 queries in r1, 20 queries in r2: /);
    // A run that only retrieves has none, as the table shows.
    expect(uneven(some(1, 20), some(1, 0))).toEqual([]);
  });
  it("has a guard say over how many it looked", () => {
    expect(compared(some(1, 20), some(1, 1)).comparisons[0]?.verdict.guards[0]?.why).toMatch(
      /^The guard cited holds: it did not move over 1 query \(/,
    );
  });
  it("is no guard that holds where good scores were lost, and may lose what is allowed", () => {
    const half = [...all(1), ...all(0.5)];
    const lost = [...all(NaN), ...all(0.5)];
    const mixed = Array.from({ length: 20 }, (_, row) => [0.9, 0.4, 0.5, 0.6][row % 4] as number);
    const held = (b: readonly number[], a = half, allowedLoss = 0) =>
      compareScores([table("a", { R: all(0.5, 20), cited: a }), table("b", { R: all(0.5, 20), cited: b })], {
        guards: [{ metric: "cited", allowedLoss }],
      }).comparisons[0]?.verdict;
    expect(held(lost)).toMatchObject({
      kind: "worse",
      guards: [
        {
          is_held: false,
          why:
            "The guard cited is not shown to hold: it did not move over 10 queries, but many queries have " +
            "no score in this run; over those that each run has it went from 0.7500 to 0.5000, and what is " +
            "lost was better (p < 0.0001).",
        },
      ],
    });
    expect(held(lost, half, 0.25)?.guards[0]?.is_held).toBe(true);
    // Scores that are won, or of which the worse were lost.
    const others: [b: number[], a: number[]][] = [
      [half.map((each) => 1.5 - each), [...all(0.5), ...all(NaN)]],
      [[...all(1), ...all(NaN)], half],
      [[0.5, ...all(NaN, 1), ...half.slice(2)], half],
      // Of what is lost nobody can say that it was better.
      [[...all(NaN, 3), ...mixed.slice(3)], mixed],
    ];
    for (const [b, a] of others) expect(held(b, a)?.guards[0]).toMatchObject({ is_held: true });
    const decided = compareScores([table("a", { cited: half }), table("b", { cited: lost })]);
    expect(decided.comparisons[0]?.verdict.headline).toBe(
      "Every one of the 10 queries has the same cited in both runs. 10 queries can miss what changes in " +
        "26 % of all. Of cited many queries have no score in this run; over those that each run has it " +
        "went from 0.7500 to 0.5000.",
    );
  });
  it("leaves out queries that a run has no score at all for", () => {
    const few = compareScores([
      table("a", { R: all(0.5, 20), cited: all(1, 20) }),
      table("b", { R: all(0.5, 12), cited: all(1, 12) }),
    ]);
    expect(few.warnings.map(({ code }) => code)).toEqual(["RUN_LACKS_QUERIES"]);
  });
});

describe("hostile names", () => {
  const ids = ["__proto__", "constructor", "toString", "10", "9", "hasOwnProperty", "🙂", "\uffff"];
  it("of queries and runs are names like any other; queries are ordered by code point", () => {
    const known = new Map(
      ids.map((id, i) => [id, { labels: { constructor: i % 2 === 0 ? "__proto__" : "toString" } }]),
    );
    const comparison = compareScores(
      [
        table("__proto__", { constructor: all(0.5, 8), valueOf: all(0.5, 8) }, { ids }),
        table("constructor", { constructor: all(0.6, 8), valueOf: all(0.4, 8) }, { ids }),
      ],
      { known, guards: ["valueOf"] },
    );
    expect(comparison.per_query.map(({ query_id }) => query_id)).toEqual([
      "10",
      "9",
      "__proto__",
      "constructor",
      "hasOwnProperty",
      "toString",
      "\uffff",
      "🙂",
    ]);
    // 2 / 256.
    expect(comparison.comparisons).toMatchObject([
      {
        run: "constructor",
        verdict: { kind: "worse", primary: "constructor", guards: [{ metric: "valueOf", is_held: false }] },
        metrics: [{ p: 0.0078125 }, {}],
        slices: [
          { by: "constructor", value: "__proto__" },
          { by: "constructor", value: "toString" },
        ],
      },
    ]);
    const text = JSON.stringify(comparison);
    expect(JSON.stringify(scoreComparisonSchema.parse(JSON.parse(text)))).toBe(text);
  });
  it("of labels: `__proto__` and `constructor` slice like any other", () => {
    const many = Array.from({ length: 12 }, (_, i) => `q${i}`);
    const known = new Map(
      many.map((id, i) => [
        id,
        {
          labels: JSON.parse(
            `{"__proto__": "${i < 6 ? "constructor" : "__proto__"}", "constructor": "${i < 6 ? "x" : "y"}"}`,
          ) as Record<string, string>,
        },
      ]),
    );
    const { slices } = compared(
      [table("a", { m: all(0.5, 12) }, { ids: many }), table("b", { m: all(0.6, 12) }, { ids: many })],
      { known },
    );
    expect(slices.map(({ by, value, metrics }) => [by, value, metrics[0]?.pairs])).toEqual([
      ["__proto__", "__proto__", 6],
      ["__proto__", "constructor", 6],
      ["constructor", "x", 6],
      ["constructor", "y", 6],
    ]);
  });
});

describe("settings", () => {
  const tables = [base, table("b", { m: all(0.6) })];
  it("are recorded with their defaults", () => {
    expect(compareScores(tables).settings).toEqual({
      test: "randomization",
      seed: 1,
      permutations: 100_000,
      resamples: 10_000,
      confidence: 0.95,
      alpha: 0.05,
      correction: "holm",
      power: 0.8,
      tolerance: 0,
      margin: 0.01,
      primary: "m",
      guards: [],
      max_p95_ms: null,
      max_failed_share: 0.2,
    });
  });
  it.each([
    [50_000, 100_000, 10_000],
    [100_000, 50_000, 5_000],
    [1_000_000_000, 1_000, 1_000],
    [0, 100_000, 10_000],
  ])("with %d queries draw %d flips and %d resamples", (queries, permutations, resamples) => {
    expect(resolveSettings({}, [], queries)).toMatchObject({ permutations, resamples });
    const chosen = { permutations: 70_000, resamples: 7_000 };
    expect(resolveSettings(chosen, [], queries)).toMatchObject(chosen);
  });
  it("nothing is detectable with fewer queries than the test needs, or where nothing differs", () => {
    const found = (differences: readonly number[]) =>
      first([table("a", { m: differences.map(() => 0.5) }), table("b", { m: plus(differences) })], {})
        .detectable;
    expect(found([0.1, 0.2, 0.1, 0.2, 0.1])).toBeNull();
    expect(found([0.1, 0.2, 0.1, 0.2, 0.1, 0.2])).toBeGreaterThan(0);
    expect(found([0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])).toBeNull();
  });
  it("a power that chance reaches needs no effect, and ends", () => {
    expect(
      first([table("a", { m: all(0.5, 6) }), table("b", { m: plus([0.4, 0.2, -0.2, 0.1, -0.1, 0]) })], {
        alpha: 0.5,
        power: 0.4,
      }),
    ).toMatchObject({ detectable: 0 });
  });
  it.each<[CompareScoresOptions, string]>([
    [{ test: "wilcox" as "wilcoxon" }, `test must be one of ${names(pairedTests)}, got \`wilcox\``],
    [{ correction: "fdr" as "none" }, `correction must be one of ${names(corrections)}, got \`fdr\``],
    [{ seed: 1.5 }, "seed must be a whole number from -2147483648 to 4294967295, got `1.5`"],
    [{ permutations: 0 }, "permutations must be a whole number from 100 to 100000000, got `0`"],
    [{ resamples: NaN }, "resamples must be a whole number from 100 to 100000000, got `NaN`"],
    [{ confidence: 95 }, "confidence must be a number above 0 and below 1, got `95`"],
    [{ alpha: 0 }, "alpha must be a number above 0 and below 1, got `0`"],
    [{ power: 1 }, "power must be a number above 0 and below 1, got `1`"],
    [{ tolerance: -1 }, "tolerance must be a number from 0, got `-1`"],
    [
      { margin: Infinity },
      "margin must be a share of the metric's range, from 0 and below 1, got `Infinity`",
    ],
    [{ maxP95Ms: 0 }, "maxP95Ms must be a number above 0, got `0`"],
    [{ primary: "M" }, "`M` was not computed; there is `m`; did you mean `m`?"],
    [{ guards: ["recall"] }, "`recall` was not computed; there is `m`"],
    [{ guards: [{ metric: "m", allowedLoss: NaN }] }, "and below its range, 1, got `NaN`"],
    [{ guards: [{ metric: "m", allowedLoss: -0.1 }] }, "allowedLoss of m must be a number from 0"],
    [{ guards: [{ metric: "m", allowedLoss: 2 }] }, "and below its range, 1, got `2`"],
  ])("%o is refused", (options, message) => expect(() => compareScores(tables, options)).toThrow(message));
  it.each<[string, ScoreTable, string]>([
    [
      "a query twice",
      table("b", { m: all(0.6, 2) }, { ids: ["q", "q"] }),
      "the scores of `b`: query `q` is duplicated",
    ],
    [
      "a metric twice",
      { ...base, run: "b", metrics: [...base.metrics, ...base.metrics], columns: [all(0.6), all(0.6)] },
      "the scores of `b`: metric `m` is duplicated",
    ],
    [
      "an infinite score",
      table("b", { m: [0.5, -Infinity] }),
      "the scores of `b`: query `q01` has the score -Infinity; use NaN where there is none",
    ],
    [
      "a score that JSON made null",
      { ...base, run: "b", columns: [[null as never, ...all(0.5).slice(1)]] },
      "the scores of `b`: query `q00` has the score null; use NaN where there is none",
    ],
    [
      "a card of other names",
      {
        ...base,
        run: "b",
        metrics: [{ name: "m", card: { higherIsBetter: false, range: [0, 1] } as never }],
      },
      "the scores of `b`: the card of `m` must be { higher_is_better, range: [low, high] }",
    ],
    ["too few scores", { ...base, run: "b", columns: [[1]] }, "give a list of score tables"],
  ])("a table with %s is refused", (_, wrong, message) =>
    expect(() => compareScores([base, wrong])).toThrow(message),
  );
  it("a run alone, and two runs of one name, are refused", () => {
    expect(() => compareScores([base])).toThrow("a comparison needs two runs or more, got 1");
    expect(() => compareScores([base, base])).toThrow("two runs are called `a`; give each a name of its own");
  });
});

describe("the interval and the test", () => {
  it("±2^-13, a half at 12 decimals, tie as ±0.25 do, whichever run is the baseline", () => {
    for (const size of [2 ** -13, 0.25]) {
      const [a, b] = [table("a", { m: [...all(0, 5), size] }), table("b", { m: [...all(size, 5), 0] })];
      const [there, back] = [first([a, b], { test: "wilcoxon" }), first([b, a], { test: "wilcoxon" })];
      // All ranks are 3.5: of 64 patterns of signs 2 * (1 + 6) have at most one of either sign.
      expect([there.p, back.p]).toEqual([14 / 64, 14 / 64]);
      expect(back.effect_size).toBe(-(there.effect_size as number));
    }
  });
  const headlineOf = (differences: readonly number[], options?: CompareScoresOptions): string =>
    verdict([table("a", { m: all(0.5, differences.length) }), table("b", { m: plus(differences) })], options)
      .headline;

  it("are of one mean: the interval is the wider of two, both in the result, within what can be", () => {
    const differences = [0.5, ...all(0, 5), -0.1, 0.2, 0.1, 0.05];
    const found = first([table("a", { m: all(0.5) }), table("b", { m: plus(differences) })]);
    const { interval, bca_interval, t_interval } = found;
    expect(interval).toEqual({
      low: Math.min(bca_interval?.low ?? NaN, t_interval?.low ?? NaN),
      high: Math.max(bca_interval?.high ?? NaN, t_interval?.high ?? NaN),
    });
    expect(compareScores([base, { ...base, run: "b" }]).schema_version).toBe(2);
    const extremes = [1, 1, 1, 1, 0, -1].map((score) => (score + 1) / 2);
    const { interval: clipped, t_interval: unclipped } = first([
      table("a", { m: extremes.map((score) => 1 - score) }),
      table("b", { m: extremes }),
    ]);
    expect(unclipped?.high).toBeGreaterThan(1);
    expect(clipped?.high).toBe(1);
  });
  it(
    "there is none where all queries differ by the same, and a small difference is equivalent " +
      "all the same",
    () => {
      const pair = [base, table("b", { m: all(0.505) })];
      expect(first(pair).interval).toBeNull();
      expect(verdict(pair).kind).toBe("equivalent");
    },
  );
  it("say why where they disagree: few queries differ", () => {
    expect(headlineOf([0.4, 0.4, 0.4, 0.4, 0.4, ...all(0, 20)])).toMatch(
      pattern(
        /p = 0\.0625\)\..* The interval does not hold 0, but the test decides: /,
        /with 5 queries that differ no test of signs can find anything at 0\.05\.$/,
      ),
    );
  });
  it("say why where they disagree: p is adjusted for the runs", () => {
    const lucky = plus([0.4, 0.4, 0.4, 0.4, 0.4, 0.4, ...all(0, 20)]);
    const tables = [
      table("a", { m: all(0.5, 26) }),
      table("b", { m: lucky }),
      table("c", { m: plus([...all(0, 25), 0.1]) }),
    ];
    expect(verdict(tables).headline).toMatch(
      pattern(
        /but the test decides: p is adjusted from 0\.0313 for the /,
        /number of runs, and the interval is of this run alone\.$/,
      ),
    );
  });
  it("say why where they disagree: the interval is wider than alpha asks for", () => {
    expect(
      headlineOf([...all(0.01, 12), ...all(-0.005, 8), 0.05], { confidence: 0.9999, margin: 0 }),
    ).toMatch(/The interval holds 0 because it is one of 99\.99 %, wider than the test at 0\.05 asks for\.$/);
    expect(headlineOf(all(0.1).map((gain, at) => gain + at / 100))).not.toContain("The interval");
  });
  it("few queries are said to be few, from 20 on they are not", () => {
    const varied = (count: number): number[] => Array.from({ length: count }, (_, at) => 0.1 + at / 200);
    expect(headlineOf(varied(19))).toMatch(/, p < 0\.0001, few queries: 19\)\.$/);
    expect(headlineOf(varied(20))).toMatch(/, p < 0\.0001, 20 queries\)\.$/);
  });
});

describe("an alpha that sign flips cannot reach", () => {
  const better = (count: number) => [
    table("a", { m: all(0.2, count) }),
    table("b", { m: Array.from({ length: count }, (_, at) => 0.3 + at / 1000) }),
  ];
  it("is refused where they are drawn, with how many it takes", () => {
    const message = (alpha: number, more: CompareScoresOptions = {}) => {
      try {
        compared(better(30), { alpha, permutations: 1000, ...more });
        return "";
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message(0.0005)).toBe(
      "alpha 0.0005 is out of reach of 1,000 sign flips, of which no p value is below 1 / 1,001; " +
        "ask for at least 2,000 `permutations`, or for another test",
    );
    expect(message(1e-9)).toMatch(/; ask for another test$/);
    expect([message(0.001), message(0.0005, { permutations: 2000 }), message(1e-6, { test: "t" })]).toEqual([
      "",
      "",
      "",
    ]);
  });
  it("is reached where all of them are counted", () => {
    expect(compared(better(20), { alpha: 0.0005, permutations: 1000 }).verdict.kind).toBe("better");
    expect(compared(better(20), { alpha: 5e-6 }).verdict.kind).toBe("better");
  });
});

it("a guard that sign flips cannot reach is refused, also where the primary metric is counted", () => {
  const run = (name: string, p: number, g: number) =>
    table(name, { p: Array.from({ length: 30 }, (_, at) => (at < 10 ? p : 0.5)), g: all(g, 30) });
  const tables = [run("a", 0.4, 0.9), run("b", 0.6, 0.1)];
  const options = { alpha: 0.0099, permutations: 100, guards: ["g"], correction: "none" as const };
  expect(() => compared(tables, options)).toThrow("alpha 0.0099 is out of reach of 100 sign flips");
  expect(compared(tables, { ...options, permutations: 1000 }).verdict.kind).toBe("worse");
});
