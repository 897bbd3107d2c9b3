import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  auditConclusions,
  auditLabels,
  labelOutliers,
  withoutRaters,
  withoutTexts,
  type AuditedLabel,
  type AuditOptions,
} from "../../src/audit/index.js";
import { labelAuditSchema } from "../../src/records/schema/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";

const PEOPLE = { name: "people", kind: "people", rater: null } as const;
const MODEL = { name: "gpt", kind: "model", rater: "model:gpt" } as const;

function optionsOf(queries: Iterable<string>, more: Partial<AuditOptions> = {}): AuditOptions {
  return {
    auditId: "a",
    dataset: "shop",
    tenant: "default",
    createdAt: "2026-11-22T10:15:00.000Z",
    first: PEOPLE,
    second: MODEL,
    queries: [...new Set(queries)].map((query) => ({ id: query, query })),
    seed: 1,
    resamples: 300,
    ...more,
  };
}

/** One pair a row: query, item, grade of each rater; null where the answer cannot be used. */
type Row = readonly [query: string, item: string, ...grades: (number | null)[]];

function labelsIn(rows: readonly Row[], rater: number): AuditedLabel[] {
  return rows.map(([query, item, ...grades]) => {
    const grade = grades[rater] ?? null;
    return { query, item, grade, outcome: grade === null ? "invalid" : "graded" };
  });
}

function audited(rows: readonly Row[], more?: Partial<AuditOptions>) {
  return auditLabels(
    labelsIn(rows, 0),
    labelsIn(rows, 1),
    optionsOf(
      rows.map(([query]) => query),
      more,
    ),
  );
}

describe("two sets of labels of the same pairs", () => {
  const rows: Row[] = [
    ["red shoe", "a", 3, 3],
    ["red shoe", "b", 0, 2],
    ["red shoe", "c", 1, 1],
    ["hat", "a", 0, 0],
    ["hat", "d", 2, null],
    ["hat", "e", 0, 1],
    ["__proto__", "constructor", 2, 3],
  ];

  it("are counted, by pairs with a grade of both", () => {
    const audit = audited(rows);
    expect(labelAuditSchema.parse(audit)).toEqual(audit);
    expect(audit.counts).toEqual({ first: 7, second: 7, both: 6, queries: 3, stale: 0 });
    expect(audit.answers.second).toEqual({ graded: 6, cannot_tell: 0, invalid: 1, refused: 0 });
    expect(audit.agreement).toMatchObject({
      exact: 3 / 6,
      bias: { value: (2 + 1 + 1) / 6 },
      mean_absolute_error: 4 / 6,
      confusion: [
        [1, 1, 1, 0],
        [0, 1, 0, 0],
        [0, 0, 0, 1],
        [0, 0, 0, 1],
      ],
    });
    expect(audit.by_grade[0]).toMatchObject({
      first: 3,
      second: 1,
      both: 1,
      recall: 1 / 3,
      precision: 1,
      bias: 1,
    });
    expect(audit.by_query.map(({ query_id }) => query_id)).toEqual(["__proto__", "red shoe", "hat"]);
    expect(audit.false_relevant).toMatchObject({ pairs: 3, lifted: 1 });
    expect(audit.disagreements.map(({ query_id, item }) => `${query_id} ${item}`)).toEqual([
      "red shoe b",
      "__proto__ constructor",
      "hat e",
    ]);
  });

  it("have nothing to say where nothing is in common", () => {
    const audit = auditLabels(labelsIn(rows.slice(0, 3), 0), labelsIn(rows.slice(3), 1), optionsOf([]));
    expect(labelAuditSchema.parse(audit)).toEqual(audit);
    expect(audit.counts.both).toBe(0);
    expect(audit.agreement).toMatchObject({
      kappa: { value: null, low: null, high: null },
      alpha_ordinal: null,
      exact: null,
    });
    expect([audit.by_query, audit.disagreements, audit.findings, audit.ceiling]).toEqual([[], [], [], null]);
  });

  it("take the later of two labels of a pair", () => {
    const said = labelsIn(rows, 0);
    const again = [...said, { query: "hat", item: "a", grade: 3, outcome: "graded" as const }];
    const audit = auditLabels(again, said, optionsOf(rows.map(([query]) => query)));
    expect(audit.disagreements).toMatchObject([{ query_id: "hat", item: "a", first: 3, second: 0 }]);
  });

  it("have the same intervals in whatever order labels come", () => {
    const many = Array.from({ length: 60 }, (_, at): Row => [`q${at % 12}`, `i${at}`, at % 4, (at * 7) % 3]);
    const queries = many.map(([query]) => query);
    const second = labelsIn(many, 1);
    expect(auditLabels(labelsIn(many.toReversed(), 0), second, optionsOf(queries)).agreement).toEqual(
      auditLabels(labelsIn(many, 0), second, optionsOf(queries)).agreement,
    );
  });

  it("have intervals as wide as few queries make them", () => {
    const pairs = (query: string, lifted: number): Row[] =>
      Array.from({ length: 20 }, (_, at): Row => [query, `i${at}`, at % 2, at < lifted ? 2 : at % 2]);
    const { agreement, false_relevant } = audited([...pairs("a", 0), ...pairs("b", 4)]);
    // Biases of 0 and 0.3: half their distance is the standard error, and t of one degree is 12.7062.
    expect(agreement.bias.value).toBeCloseTo(0.15, 12);
    expect(agreement.bias.low).toBeCloseTo(0.15 - 12.7062 * 0.15, 4);
    expect(agreement.bias.high).toBeCloseTo(0.15 + 12.7062 * 0.15, 4);
    expect(false_relevant).toMatchObject({ pairs: 20, lifted: 2, low: 0, high: 1 });
    expect(audited(pairs("a", 0)).agreement.kappa).toEqual({ value: 1, low: null, high: null });
  });

  it("have no interval where all rests on one query, or all queries say the same", () => {
    const rated = (query: string, pairs: readonly [number, number][]): Row[] =>
      pairs.map(([a, b], at): Row => [query, `i${at}`, a, b]);
    const inverted = rated(
      "a",
      Array.from({ length: 20 }, (_, at): [number, number] => [at % 4, 3 - (at % 4)]),
    );
    const nothing = ["b", "c"].flatMap((query) => rated(query, [[0, 0]]));
    const audit = audited([...inverted, ...nothing]);
    expect(audit.agreement.quadratic_kappa).toMatchObject({ low: null, high: null });
    expect(audit.findings).toEqual([]);
    const alike = ["a", "b"].flatMap((query) =>
      rated(query, [
        [0, 1],
        [1, 2],
        [2, 3],
        [0, 1],
      ]),
    );
    expect(audited(alike).agreement.bias).toEqual({ value: 1, low: null, high: null });
  });

  it("have a ceiling that follows who shares most pairs", () => {
    const graded = (rater: string, count: number, grade: (at: number) => number) =>
      Array.from({ length: count }, (_, at) => ({ rater, query: "hat", item: `i${at}`, grade: grade(at) }));
    const people = [
      ...graded("ann", 200, (at) => at % 4),
      ...graded("ben", 200, (at) => (at % 50 === 0 ? 1 : at % 4)),
      ...graded("cy", 2, (at) => 3 - at * 3),
    ];
    expect(audited(rows, { people }).ceiling?.quadratic_kappa).toBeGreaterThan(0.95);
  });

  it("refuse grades outside the scale", () => {
    const wrong = [{ query: "hat", item: "a", grade: 10, outcome: "graded" as const }];
    expect(() => auditLabels(wrong, [], optionsOf(["hat"]))).toThrow(
      "an answer outside the scale is `invalid`",
    );
    expect(() => audited(rows, { confidence: 1 })).toThrow("confidence");
  });

  it("show both reasons, votes that lie apart, and how well people agree", () => {
    const [first, second] = [labelsIn(rows, 0), labelsIn(rows, 1)];
    const audit = auditLabels(
      first.map((label) => ({ ...label, reason: "as I see it" })),
      second.map((label, at) => ({ ...label, reason: "<b>top</b>", votes: 3, spread: at === 1 ? 2 : 0 })),
      optionsOf(
        rows.map(([query]) => query),
        {
          titleOf: (item) => `the ${item}`,
          people: [
            ...["anna", "bo"].flatMap((rater) =>
              rows.map(([query, item, grade]) => ({ rater, query, item, grade: grade as number })),
            ),
            { rater: "cy", query: "elsewhere", item: "a", grade: 1 },
          ],
        },
      ),
    );
    expect(audit.disagreements[0]).toMatchObject({
      title: "the b",
      first_reason: "as I see it",
      second_reason: "<b>top</b>",
    });
    expect(audit.by_spread).toEqual([
      { spread: 0, pairs: 5, same: 3, mean_absolute_error: 2 / 5 },
      { spread: 2, pairs: 1, same: 0, mean_absolute_error: 2 },
    ]);
    expect(audit.ceiling).toEqual({ raters: 2, pairs: 7, quadratic_kappa: 1, alpha_ordinal: 1 });
  });

  it("leave the house without texts and names", () => {
    const audit = auditLabels(
      labelsIn(rows, 0).map((label) => ({ ...label, reason: "secret" })),
      labelsIn(rows, 1),
      optionsOf(["red shoe"], {
        queries: [{ id: "q1", query: "red shoe" }],
        titleOf: () => "Secret",
        outliers: [
          {
            kind: "same_title",
            query_id: "q1",
            query: "red shoe",
            items: [],
            title: "Secret",
            systems: [],
          },
        ],
      }),
    );
    expect(JSON.stringify(audit)).toMatch(/secret/i);
    expect(JSON.stringify(withoutTexts(audit))).not.toMatch(/secret|red shoe/i);
    expect(JSON.stringify(withoutRaters(audit))).not.toMatch(/gpt/);
  });
});

describe("what is wrong with a judge", () => {
  const truth = Array.from({ length: 200 }, (_, at): Row => [
    `q${at % 10}`,
    `i${at}`,
    [0, 0, 1, 2, 3][at % 5] ?? 0,
  ]);
  const judged = (grade: (truth: number, at: number) => number | null) =>
    audited(
      truth.map(([query, item, own], at): Row => [query, item, own as number, grade(own as number, at)]),
    ).findings.map(({ kind }) => kind);
  it.each([
    ["constant", () => 2],
    ["inverted", (grade: number) => 3 - grade],
    ["chance", (_: number, at: number) => ((at * 2654435761) >>> 13) % 4],
    ["invalid_answers", (grade: number, at: number) => (at % 7 === 0 ? null : grade)],
  ])("is named: %s", (kind, grade) => expect(judged(grade)).toEqual([kind]));
  it("is nothing where it is sound, or where there is too little", () => {
    expect(judged((grade) => grade)).toEqual([]);
    expect(judged((grade, at) => (at % 6 === 0 ? Math.min(3, grade + 1) : grade))).toEqual([]);
    expect(audited(truth.slice(0, 10).map(([q, i, a]): Row => [q, i, a as number, 2])).findings).toEqual([]);
  });
});

describe("labels that are worth a look", () => {
  const titles = new Map([
    ["a", "Red  Shoe"],
    ["b", "red shoe"],
    ["c", "Red shoe "],
    ["d", ""],
    ["e", ""],
  ]);
  const label = (item: string, grade: number) => ({ query: "shoe", item, grade });
  it("are Irrelevants at rank 1, and one title with several labels", () => {
    const found = labelOutliers({
      queries: [
        { id: "q1", query: "shoe" },
        { id: "q2", query: "never labelled" },
      ],
      labels: [label("a", 0), label("b", 3), label("c", 3), label("d", 0), label("e", 3)],
      titleOf: (item) => titles.get(item) ?? null,
      systems: [
        {
          name: "bm25",
          firstOf: new Map([
            ["q1", "a"],
            ["q2", "a"],
          ]),
        },
        { name: "dense", firstOf: new Map([["q1", "a"]]) },
        { name: "good", firstOf: new Map([["q1", "b"]]) },
      ],
    });
    expect(found).toEqual([
      {
        kind: "irrelevant_at_rank_1",
        query_id: "q1",
        query: "shoe",
        items: [{ item: "a", grade: 0 }],
        title: "Red  Shoe",
        systems: ["bm25", "dense"],
      },
      {
        kind: "same_title",
        query_id: "q1",
        query: "shoe",
        items: [
          { item: "b", grade: 3 },
          { item: "c", grade: 3 },
          { item: "a", grade: 0 },
        ],
        title: "Red  Shoe",
        systems: [],
      },
    ]);
  });
});

describe("conclusions by two sets of labels", () => {
  const options = { metric: "nDCG@10", seed: 1, resamples: 1000 };
  const system = (name: string, first: readonly number[], second: readonly number[]) => ({
    name,
    first,
    second,
  });
  it("are the orders of systems, and how often the best one changes", () => {
    const found = auditConclusions(
      [
        system("a", [0.5, 0.6, 0.7, 0.6], [0.4, 0.5, 0.6, 0.5]),
        system("b", [0.5, 0.6, 0.7, 0.58], [0.6, 0.6, 0.8, 0.6]),
        system("c", [0.1, 0.2, 0.2, 0.1], [0.1, 0.2, 0.1, 0.1]),
      ],
      options,
    );
    expect(() => auditConclusions([], { ...options, resamples: 1 })).toThrow("a whole number from 100");
    // Means by the first: 0.6, 0.595, 0.15; by the second: 0.5, 0.65, 0.125. One of three pairs is swapped.
    expect(found).toMatchObject({
      queries: 4,
      best_first: "a",
      best_second: "b",
      pairs: 3,
      wrong_signs: 1,
      near: { below: 0.02, pairs: 1, wrong_signs: 1 },
    });
    expect(found?.kendall_tau).toBeCloseTo(1 / 3, 12);
    // tau-ap of (b, a, c) against (a, b, c): 2/2 x (0/1 + 2/2) - 1.
    expect(found?.tau_ap).toBeCloseTo(0, 12);
    // By the first a is the best, and where the last query is not drawn b as well; by the second b.
    expect(found?.best_changes).toBeCloseTo(1 - 0.75 ** 4, 1);
  });
  it("do not depend on the order of systems; equally good ones are all the best", () => {
    const [a, b] = [system("a", [0.5, 0.6], [0.4, 0.4]), system("b", [0.4, 0.5], [0.4, 0.4])];
    for (const systems of [
      [a, b],
      [b, a],
    ])
      expect(auditConclusions(systems, options)).toMatchObject({
        best_first: "a",
        best_second: systems.map(({ name }) => name).join(", "),
        best_changes: 0,
        tau_ap: null,
        wrong_signs: 0,
      });
    const near = [system("a", [0.52], [0.5]), system("b", [0.5], [0.5])];
    expect(auditConclusions(near, options)?.near.pairs).toBe(1);
  });
  it("put systems in no order whose means differ by rounding alone", () => {
    const [x, y] = [
      [20, 7, 5],
      [1, 25, 6],
    ].map((grades) => grades.map((grade) => grade / 30)) as [number[], number[]];
    expect(auditConclusions([system("a", x, y), system("b", y, x)], options)).toMatchObject({
      best_first: "a, b",
      best_second: "a, b",
      kendall_tau: null,
      wrong_signs: 0,
      near: { pairs: 1, wrong_signs: 0 },
    });
  });
  it("turn round where less is better", () => {
    const systems = [system("a", [1, 1], [1, 1]), system("b", [2, 2], [2, 2])];
    expect(auditConclusions(systems, options)).toMatchObject({ best_first: "b", best_changes: 0 });
    expect(auditConclusions(systems, { ...options, higherIsBetter: false })).toMatchObject({
      best_first: "a",
    });
  });
  it("need two systems, queries, and a score for each", () => {
    expect(auditConclusions([system("a", [1], [1])], options)).toBeNull();
    expect(auditConclusions([system("a", [], []), system("b", [], [])], options)).toBeNull();
    expect(() => auditConclusions([system("a", [1], [1]), system("b", [1], [])], options)).toThrow(
      "`b` has 1 and 0",
    );
  });
});

const folder = oracle("label-agreement");
describe.skipIf(folder === null)(folder === null ? WITHOUT_ORACLES : "real judges", () => {
  const read = (name: string): string => readFileSync(join(folder as string, name), "utf8");
  interface Expected {
    readonly n: number;
    readonly accuracy: number;
    readonly confusion: { readonly counts: readonly (readonly number[])[] };
    readonly cohen_kappa_unweighted: number;
    readonly cohen_kappa_quadratic: number;
    readonly krippendorff_alpha_nominal: number;
    readonly krippendorff_alpha_ordinal: number;
    readonly krippendorff_alpha_interval: number;
    readonly mean_absolute_error: number;
    readonly mean_bias_second_minus_first: number;
    readonly per_label: Readonly<Record<string, { readonly precision: number; readonly recall: number }>>;
  }
  const expected = JSON.parse(folder === null ? '{"versus_human":{}}' : read("llm-judges/expected.json")) as {
    readonly versus_human: Readonly<Record<string, Expected>>;
    readonly "per_query_of_h2oloo-zeroshot1": Readonly<
      Record<
        string,
        { readonly n: number; readonly accuracy: number; readonly cohen_kappa_quadratic: number }
      >
    >;
  };
  const [head = "", ...lines] = folder === null ? [] : read("llm-judges/labels.tsv").trimEnd().split("\n");
  const columns = head.split("\t");
  const rowsOf = (judge: string): Row[] =>
    lines.map((line) => {
      const cells = line.split("\t");
      const grade = (name: string): number | null => {
        const value = Number(cells[columns.indexOf(name)]);
        return value > 3 ? null : value;
      };
      return [cells[0] ?? "", cells[1] ?? "", grade("human"), grade(judge)];
    });

  it.each(Object.entries(expected.versus_human))("agree as scikit-learn says: %s", (judge, figures) => {
    const audit = audited(rowsOf(judge));
    // One judge has a 10, which is no grade: there the figures of the oracle are over another scale.
    if (audit.answers.second.invalid > 0) return expect(audit.counts.both).toBe(figures.n - 1);
    const { agreement } = audit;
    expect(audit.counts).toMatchObject({ both: figures.n, queries: 25 });
    expect(agreement.confusion).toEqual(figures.confusion.counts);
    const close = (value: number | null, other: number): void => expect(value).toBeCloseTo(other, 9);
    close(agreement.exact, figures.accuracy);
    close(agreement.kappa.value, figures.cohen_kappa_unweighted);
    close(agreement.quadratic_kappa.value, figures.cohen_kappa_quadratic);
    close(agreement.alpha_nominal, figures.krippendorff_alpha_nominal);
    close(agreement.alpha_ordinal, figures.krippendorff_alpha_ordinal);
    close(agreement.alpha_interval, figures.krippendorff_alpha_interval);
    close(agreement.mean_absolute_error, figures.mean_absolute_error);
    close(agreement.bias.value, figures.mean_bias_second_minus_first);
    for (const { grade, precision, recall } of audit.by_grade) {
      close(precision ?? 0, figures.per_label[grade]?.precision ?? 0);
      close(recall ?? 0, figures.per_label[grade]?.recall ?? 0);
    }
    const { low, high, value } = agreement.quadratic_kappa;
    expect(low).toBeLessThan(value as number);
    expect(high).toBeGreaterThan(value as number);
    // No real judge of these is without any worth.
    expect(audit.findings).toEqual([]);
  });

  it("agree query by query as scikit-learn says", () => {
    const { by_query } = audited(rowsOf("h2oloo-zeroshot1"));
    const figures = Object.entries(expected["per_query_of_h2oloo-zeroshot1"]);
    expect(by_query).toHaveLength(figures.length);
    for (const [id, { n, accuracy, cohen_kappa_quadratic }] of figures) {
      const found = by_query.find(({ query_id }) => query_id === id);
      expect(found?.pairs).toBe(n);
      expect((found?.same ?? 0) / n).toBeCloseTo(accuracy, 9);
      expect(found?.quadratic_kappa).toBeCloseTo(cohen_kappa_quadratic, 9);
    }
  });

  it("have a ceiling: three persons as krippendorff and scikit-learn say", () => {
    const figures = JSON.parse(read("chorus-raters/expected.json")) as {
      readonly three_raters: { readonly items: number; readonly krippendorff_alpha_ordinal: number };
      readonly rater_pairs: Readonly<Record<string, { readonly cohen_kappa_quadratic: number }>>;
      readonly leaderboard: Readonly<
        Record<string, Readonly<Record<string, { readonly "nDCG@10": number }>>>
      >;
      readonly leaderboard_correlation: {
        readonly "nDCG@10": Readonly<Record<string, { readonly kendall_tau_b: { readonly tau: number } }>>;
      };
    };
    const raters = ["rater1", "rater2", "rater3"];
    const pairs = readFileSync(join(oracle("chorus-electronics") as string, "raters.tsv"), "utf8");
    const people = pairs
      .trimEnd()
      .split("\n")
      .slice(1)
      .flatMap((line) => {
        const [query = "", item = "", ...grades] = line.split("\t");
        return raters.map((rater, at) => ({ rater, query, item, grade: Number(grades[at]) }));
      });
    const { ceiling } = auditLabels(
      [],
      [],
      optionsOf(
        people.map(({ query }) => query),
        { people },
      ),
    );
    expect(ceiling).toMatchObject({ raters: 3, pairs: figures.three_raters.items });
    expect(ceiling?.alpha_ordinal).toBeCloseTo(figures.three_raters.krippendorff_alpha_ordinal, 9);
    const kappas = Object.values(figures.rater_pairs).map((pair) => pair.cohen_kappa_quadratic);
    expect(ceiling?.quadratic_kappa).toBeCloseTo(kappas.reduce((sum, value) => sum + value, 0) / 3, 9);
    // The order of four runs by each person's labels, against that by the final ones.
    const final = figures.leaderboard["final"];
    for (const rater of final === undefined ? [] : raters) {
      const systems = Object.keys(final ?? {}).map((name) => ({
        name,
        first: [final?.[name]?.["nDCG@10"] ?? 0],
        second: [figures.leaderboard[rater]?.[name]?.["nDCG@10"] ?? 0],
      }));
      const found = auditConclusions(systems, { metric: "nDCG@10", seed: 1 });
      expect(found?.kendall_tau).toBeCloseTo(
        figures.leaderboard_correlation["nDCG@10"][rater]?.kendall_tau_b.tau ?? 0,
        9,
      );
    }
  });
});
