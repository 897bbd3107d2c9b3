import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/evaluate/index.js";
import { fuse } from "../../src/fusion/index.js";
import { tuneFusion, type TuneFusionOptions } from "../../src/fusion-tuning/index.js";
import type { FusionTuning } from "../../src/records/index.js";
import { fusionTuningSchema } from "../../src/records/schema/index.js";
import { renderTuningHtml, renderTuningMd, renderTuningText } from "../../src/report/index.js";
import { ownMetric } from "../support/own-metric.js";
import { present } from "../support/present.js";
import { madeSearch, type Searched } from "./searches.js";

const tuned = ({ a, b, qrels }: Searched, options: TuneFusionOptions = {}): FusionTuning =>
  tuneFusion([a, b], qrels, "nDCG@10", options).report;

describe("a search for a weight", () => {
  it("finds that the better run should count for more, and that it holds", () => {
    const search = madeSearch(11, 60, "better");
    const report = tuned(search, { current: { method: "wsum(weights=1/0)" } });
    expect(fusionTuningSchema.parse(report)).toEqual(report);
    expect(report.verdict.kind).toBe("better");
    expect(report.chosen.point).toBeGreaterThan(0.5);
    expect(present(report.held_out).gain).toBeGreaterThan(0);
    expect(report.search_test.p).toBeLessThan(0.01);
  });

  it("says that nothing follows from a model's labels that people have not checked", () => {
    const { verdict } = tuned(madeSearch(11, 60, "better"), {
      current: { method: "wsum(weights=1/0)" },
      areLabelsAudited: false,
    });
    expect(verdict.kind).toBe("not_better");
    expect(verdict.sentence).toMatch(/^Labels not audited, .* By the labels as they are: better than the /);
  });

  it("says of its settings what fusing and scoring says", () => {
    const search = madeSearch(12, 30, "better");
    const report = tuned(search);
    for (const { method, normalize, mean } of [report.current, report.chosen]) {
      const fused = fuse([search.a, search.b], { method, normalize });
      expect(evaluate(fused, search.qrels, ["nDCG@10"]).mean("nDCG@10")).toBeCloseTo(mean, 4);
    }
  });

  it("refuses a metric that gives no score, with the query", () => {
    const { a, b, qrels } = madeSearch(11, 6, "better");
    const nowhere = ownMetric({ score: () => () => NaN });
    expect(() => tuneFusion([a, b], qrels, nowhere)).toThrow("metric `Own` gave `NaN` for query");
  });

  it("does not find noise better than what is there", () => {
    const report = tuned(madeSearch(13, 40, "noise"));
    expect(report.verdict.kind).not.toBe("better");
    expect(report.verdict.sentence).toMatch(/^Not |^Worse /);
    expect(present(report.choice).maximum).toBeGreaterThan(report.current.mean);
  });

  it("holds out each query by itself: its score is what the others choose", () => {
    const search = madeSearch(14, 8, "equal");
    const report = tuned(search);
    for (const { query_id, held_out } of report.per_query) {
      const others = new Map([...search.qrels].filter(([id]) => id !== query_id));
      const { method, normalize } = tuned({ ...search, qrels: others }).chosen;
      const fused = fuse([search.a, search.b], { method, normalize });
      expect(evaluate(fused, search.qrels, ["nDCG@10"]).score(query_id, "nDCG@10")).toBeCloseTo(
        present(held_out),
        12,
      );
    }
  });

  it("never parts a group of queries", () => {
    const search = madeSearch(15, 12, "equal");
    const groups = new Map([...search.qrels.keys()].map((id, at) => [id, `g${at % 3}`]));
    const report = tuned(search, { groups });
    expect(report.held_out?.parts).toBe(3);
    const one = tuned(search, { groups: new Map([...search.qrels.keys()].map((id) => [id, "all"])) });
    expect(one.held_out).toBeNull();
    expect(one.verdict.kind).toBe("not_better");
  });

  it("is the same whatever the order of the judgments, and again with the same seed", () => {
    const search = madeSearch(16, 20, "equal");
    const validation = { kind: "folds", folds: 4, repeats: 3, seed: 7 } as const;
    const report = tuned(search, { validation });
    const turned = new Map([...search.qrels].reverse());
    expect(tuned({ ...search, qrels: turned }, { validation })).toEqual(report);
    expect(tuned(search, { validation: { ...validation, seed: 8 } }).held_out).not.toEqual(report.held_out);
  });

  it("searches methods and normalizers as one, and names what it chose", () => {
    const report = tuned(madeSearch(17, 15, "better"), {
      search: [
        { method: "wsum" },
        { method: "wsum", normalize: "zmuv" },
        { method: "rrf" },
        { method: "rrf(k=60)" },
        { method: "gmnz" },
        { method: "w_condorcet" },
        { method: "max" },
      ],
    });
    expect(report.searched.map(({ method, axis }) => [method, axis])).toEqual([
      ["wsum", "weight of B"],
      ["wsum", "weight of B"],
      ["rrf", "k"],
      ["rrf", "nothing to tune"],
      ["gmnz", "gamma"],
      ["w_condorcet", "weight of B"],
      ["max", "nothing to tune"],
    ]);
    const highest = Math.max(...report.searched.map(({ maximum }) => maximum));
    expect(present(report.choice).maximum).toBe(highest);
    expect(report.held_out?.chosen.reduce((sum, { times }) => sum + times, 0)).toBe(15);
  });

  it("finds weights for three runs that are no worse than any of a lattice", () => {
    const { a, b, qrels } = madeSearch(18, 12, "better");
    const { a: c } = madeSearch(19, 12, "equal");
    const { report } = tuneFusion([a, b, c], qrels, "nDCG@10");
    expect(report.choice).toBeNull();
    expect(report.curve).toBeNull();
    for (let first = 0; first <= 5; first++)
      for (let second = 0; first + second <= 5; second++) {
        const weights = [first / 5, second / 5, (5 - first - second) / 5].join("/");
        const fused = fuse([a, b, c], { method: `wsum(weights=${weights})` });
        expect(evaluate(fused, qrels, ["nDCG@10"]).mean("nDCG@10")).toBeLessThan(report.chosen.mean + 5e-4);
      }
  });

  it("lists the unjudged items that some weight brings into view", () => {
    const { a, b, qrels } = madeSearch(20, 5, "equal");
    const known = new Map([...qrels].map(([id, grades]) => [id, new Map([...grades].slice(0, 20))]));
    const { report, unjudged } = tuneFusion([a, b], known, "nDCG@10");
    for (const weight of [0, 0.123, 0.5, 0.77, 1]) {
      const fused = fuse([a, b], { method: `wsum(weights=${1 - weight}/${weight})` });
      for (const [id, { ids }] of fused)
        for (const item of ids.slice(0, 10))
          if (known.get(id)?.has(item) !== true) expect(unjudged.get(id)).toContain(item);
    }
    expect(report.unjudged.items).toBe([...unjudged.values()].flat().length);
  });

  it("says that equal gains are gains, and equal losses losses", () => {
    const ids = ["x", "y"];
    const run = (scores: number[]) =>
      new Map(Array.from({ length: 20 }, (_, query) => [`q${query}`, { ids, scores }] as const));
    const judged = new Map(Array.from({ length: 20 }, (_, query) => [`q${query}`, new Map([["y", 1]])]));
    const b = run([1, 2]);
    const ordered = new Map([...b].map(([id]) => [id, { ids: ["y", "x"], scores: [2, 1] }]));
    const { report } = tuneFusion([run([2, 1]), ordered], judged, "P@1", {
      current: { method: "wsum(weights=1/0)" },
    });
    expect([report.held_out?.gain, report.held_out?.interval, report.verdict.kind]).toEqual([
      1,
      null,
      "better",
    ]);
  });

  it("takes a group of queries for one: copies prove nothing", () => {
    const copies = 10;
    let better = 0;
    for (let seed = 0; seed < 12; seed++) {
      const { a, b, qrels } = madeSearch(500 + seed, 12, "noise");
      const copied = <T>(of: ReadonlyMap<string, T>): Map<string, T> =>
        new Map(
          [...of].flatMap(([id, value]) => Array.from({ length: copies }, (_, at) => [`${id}.${at}`, value])),
        );
      const groups = new Map([...copied(qrels).keys()].map((id) => [id, id.split(".")[0] ?? ""]));
      // The standard error of the rule is that of queries, whatever their groups.
      const shared = { choice: "plateau", current: { method: "wsum(weights=1/0)" } } as const;
      const options = { ...shared, groups };
      const { report } = tuneFusion([copied(a), copied(b)], copied(qrels), "nDCG@10", options);
      const alone = tuneFusion([a, b], qrels, "nDCG@10", shared).report;
      expect([report.groups, report.held_out?.parts]).toEqual([12, 12]);
      expect(report.held_out?.gain).toBeCloseTo(alone.held_out?.gain ?? NaN, 4);
      expect(report.search_test.p).toBeCloseTo(alone.search_test.p, 9);
      if (report.verdict.kind === "better") better++;
    }
    expect(better).toBeLessThanOrEqual(2);
  });

  it("follows scores whose differences are beyond doubles", () => {
    const huge = 1.7e308;
    const ranking = (ids: string[], scores: number[]) => new Map([["q", { ids, scores }]]);
    const judged = new Map([["q", new Map([["c", 1]])]]);
    const { report } = tuneFusion(
      [ranking(["a", "c"], [huge, -huge]), ranking(["c", "a"], [huge, -huge])],
      judged,
      "P@1",
      { search: [{ method: "wsum", normalize: "none" }] },
    );
    expect(report.choice?.plateau).toEqual([{ from: 0.5, to: 1 }]);
  });

  it("speaks of k where k is tuned", () => {
    const report = tuned(madeSearch(23, 10, "equal"), { search: [{ method: "rrf" }] });
    expect(report.axis).toEqual({ name: "k", from: 0, to: 200 });
    expect(report.chosen.method).toBe(`rrf(k=${report.chosen.point ?? ""})`);
    expect(report.current.method).toBe("rrf(k=60)");
    const [first] = report.held_out?.chosen ?? [];
    expect(Number.isInteger(first?.point?.median)).toBe(true);
    expect(renderTuningText(report)).toMatch(/k +nDCG@10\n0 .*\n20 /);
  });

  it("goes on where queries are unanswered, and warns", () => {
    const { a, b, qrels } = madeSearch(21, 6, "equal");
    const some = (run: typeof a): typeof a => new Map([...run].filter(([id]) => id !== "q0"));
    const { report } = tuneFusion([some(a), some(b)], qrels, "nDCG@10");
    expect(report.warnings.map(({ code }) => code)).toEqual(["MISSING_QUERIES"]);
    const none = tuneFusion([new Map(), new Map()], qrels, "nDCG@10").report;
    expect(none.warnings.map(({ code }) => code)).toEqual(["RUN_OUTSIDE_GOLDEN_SET"]);
    expect(none.verdict.kind).toBe("not_better");
    expect(none.search_test.p).toBe(1);
  });

  it("warns of a run that answers no judged query, by name", () => {
    const { a, b, qrels } = madeSearch(21, 6, "equal");
    const renamed: typeof a = new Map([...b].map(([id, ranking]) => [`x${id}`, ranking]));
    for (const other of [new Map(), renamed, new Map([["q0", { ids: [], scores: [] }]])]) {
      const { warnings } = tuneFusion([a, other], qrels, "nDCG@10", { names: ["bm25", "dense"] }).report;
      expect(warnings.map(({ code }) => code)).toEqual(["RUN_OUTSIDE_GOLDEN_SET"]);
      expect(warnings[0]?.message).toMatch(/^dense: answers no judged query/);
    }
  });

  it.each([
    ["one run", () => tuneFusion([new Map()], new Map(), "nDCG@10"), /two runs or more/],
    ["no judgments", () => tuneFusion([new Map(), new Map()], new Map(), "nDCG@10"), /no query is judged/],
    ["nothing to search", () => tuned(madeSearch(1, 2, "equal"), { search: [] }), /nothing to search/],
    [
      "weights for another number of runs",
      () => tuned(madeSearch(1, 2, "equal"), { current: { method: "wsum(weights=1/1/1)" } }),
      /is for 3 runs, got 2/,
    ],
    ...["wsum(weights=0.7/0.3/9)", "w_condorcet(weights=1)"].map(
      (method): [string, () => unknown, RegExp] => [
        `a search of ${method} for two runs`,
        () => tuned(madeSearch(1, 2, "equal"), { search: [{ method }] }),
        /is for [13] runs?, got `2`; give one weight for each run/,
      ],
    ),
    [
      "a method that does not exist",
      () => tuned(madeSearch(1, 2, "equal"), { search: [{ method: "wsun" }] }),
      /unknown fusion method .*wsum/,
    ],
    [
      "a query in no fold",
      () =>
        tuned(madeSearch(1, 2, "equal"), { validation: { kind: "given", folds: new Map([["q0", "x"]]) } }),
      /is in no fold/,
    ],
    [
      "names for another number of runs",
      () => tuned(madeSearch(1, 2, "equal"), { names: ["a"] }),
      /one name for each of 2 runs/,
    ],
    [
      "folds that tear a group",
      () =>
        tuned(madeSearch(1, 2, "equal"), {
          groups: new Map(["q0", "q1"].map((id) => [id, "g"])),
          validation: { kind: "given", folds: new Map(["q0", "q1"].map((id) => [id, id])) },
        }),
      /group .g. are in several folds/,
    ],
    ["a confidence of 1", () => tuned(madeSearch(1, 2, "equal"), { confidence: 1 }), /confidence/],
    [
      "a rule that does not exist",
      () => tuned(madeSearch(1, 2, "equal"), { choice: "foo" as "plateau" }),
      /one of one_standard_error/,
    ],
    [
      "one fold",
      () => tuned(madeSearch(1, 2, "equal"), { validation: { kind: "folds", folds: 1 } }),
      /from 2/,
    ],
  ])("refuses %s", (_, search, message) => {
    expect(search).toThrow(message);
  });

  it("refuses a metric that is no mean, or better the lower", () => {
    const { a, b, qrels } = madeSearch(1, 2, "equal");
    expect(() => tuneFusion([a, b], qrels, "GMAP")).toThrow(/no mean over queries/);
    expect(() => tuneFusion([a, b], qrels, "nDCG@x")).toThrow();
  });
});

describe("the report of a search", () => {
  const report = tuned(madeSearch(22, 10, "noise"), { names: ["<b>a|b</b>", "__proto__"] });

  it("says where the choice lies, which a step or fewer digits may have moved from the middle", () => {
    const lies = (point: number, variants = 7): string =>
      renderTuningText({
        ...report,
        chosen: { ...report.chosen, point },
        choice: { ...present(report.choice), interval: { from: 0.2, to: 0.6 } },
        search_test: { ...report.search_test, variants },
      }).replace(/\s+/g, " ");
    expect(lies(0.4)).toContain("the choice is the middle of 0.2 to 0.6,");
    expect(lies(0.49)).toContain("the choice is 0.49, near the middle of 0.2 to 0.6,");
    const narrow = {
      ...report,
      chosen: { ...report.chosen, method: "wsum(weights=0.00002/0.99998)", point: 0.99998 },
    };
    const said = renderTuningText({
      ...narrow,
      choice: { ...present(report.choice), interval: { from: 0.99997, to: 0.99999 } },
    }).replace(/\s+/g, " ");
    expect(said).toContain("wsum(weights=0.00002/0.99998)");
    expect(said).toContain("the middle of 0.99997 to 0.99999,");
    expect(lies(0.4)).toContain("the same for all 7 settings that differ;");
    expect(lies(0.4, 1)).toContain("the same for the one setting that differs;");
  });
  it.each([
    ["text", renderTuningText],
    ["Markdown", renderTuningMd],
    ["HTML", renderTuningHtml],
  ])("as %s says first what it found", (_, render) => {
    const page = render(report);
    expect(page.indexOf("current setting")).toBeGreaterThan(0);
    expect(page.indexOf("current setting")).toBeLessThan(page.indexOf("All queries together"));
    if (render !== renderTuningText) expect(page).not.toContain("<b>a|b</b>");
  });

  it("draws every step", () => {
    const [, points = ""] = /<polygon class="line" points="([^"]*)"/.exec(renderTuningHtml(report)) ?? [];
    expect(points.split(" ").length).toBe(4 * (report.curve?.length ?? 0));
    expect(points).toMatch(/^[\d., -]+$/);
  });

  it("says why the chosen setting need not be the highest one, and where the whole axis is near it", () => {
    const choice = present(report.choice);
    const captionOf = (tuning: FusionTuning): string =>
      /<figcaption[^>]*>(.*?)<\/figcaption>/.exec(renderTuningHtml(tuning))?.[1] ?? "";
    expect(captionOf(report)).toContain(
      choice.rule === "plateau" ? "the chosen one is its middle" : "its middle, not the peak",
    );
    const all = { ...choice, rule: "one_standard_error", interval: { from: 0, to: 1 } } as const;
    const caption = captionOf({ ...report, choice: all });
    expect(caption).toContain(
      `within one standard error of the highest mean, ${choice.maximum.toFixed(4)}, here the whole axis`,
    );
    expect(renderTuningHtml({ ...report, choice: all })).not.toContain("in the interval that is chosen from");
    expect(captionOf({ ...report, choice: { ...all, rule: "plateau" } })).toContain("widest interval with");
  });

  it("refuses what is no search", () => {
    expect(() => renderTuningText({} as FusionTuning)).toThrow(/tuneFusion/);
  });
});
