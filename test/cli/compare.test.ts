import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DOMParser } from "@xmldom/xmldom";
import { beforeAll, describe, expect, it } from "vitest";
import { gateRuleKinds, parseGateRule } from "../../src/gate/index.js";
import { compareReportSchema, scoreComparisonSchema } from "../../src/records/schema/index.js";
import type {
  CompareReport,
  MetricDifference,
  RunComparison,
  ScoreComparison,
} from "../../src/records/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";
import { present } from "../support/present.js";
import { AGAINST_GOLDEN, AGAINST_QRELS, files, QUERIES, RANKS, trecRun, Workplace } from "./spawned.js";
import { pattern } from "../support/pattern.js";

let place: Workplace;
beforeAll(() => {
  place = new Workplace();
  place.write(files());
});

/** What is said of the run that finds no relevant item. */
const NOTHING_FOUND =
  "warning: bad: nothing that is expected is among the hits of any of 12 queries; do the ids " +
  "agree? `q1` expects " +
  "`r-q1`, and its first hit is `x1-q1` (q1, q10, q11, q12, q2, …)\n";
const NOTHING_JUDGED =
  "warning: bad: none of the 60 hits is judged; do the item ids agree, and is the unit right?\n";

async function comparison(...args: string[]): Promise<ScoreComparison> {
  return warnedComparison("", ...args);
}

async function warnedComparison(warnings: string, ...args: string[]): Promise<ScoreComparison> {
  const { status, stdout, stderr } = await place.run(["compare", ...args, "--json"]);
  // Metrics that are 1 everywhere are chosen here on purpose.
  const told = stderr.replace(/^warning: .* so it can hardly tell them apart.*\n/gm, "");
  expect({ status, stderr: told }).toEqual({ status: 0, stderr: warnings });
  return JSON.parse(stdout) as ScoreComparison;
}

function firstOf({ comparisons }: ScoreComparison): RunComparison {
  return present(comparisons[0]);
}

function differenceIn(result: ScoreComparison, metric: string): MetricDifference {
  return present(firstOf(result).metrics.find((each) => each.metric === metric));
}

describe.concurrent("runs against judgments", () => {
  it(
    "6 queries from 1/2 to 1 and 6 from 1/2 to 1/3: +1/6, and 662 of the 4096 sign flips differ as " + "much",
    async () => {
      const { status, stdout } = await place.run(["compare", "base.run", "mixed.run", ...AGAINST_QRELS]);
      expect(status).toBe(0);
      expect(stdout).toMatch(/^mixed against base\nINCONCLUSIVE {2}RR rose by 0\.1667, which can be chance/);
      expect(stdout).toMatch(/\nRR +0\.5000 +0\.6667 +\+0\.1667 +.* 0\.1616 +6 +0 +6\n/);
      const result = await comparison("base.run", "mixed.run", ...AGAINST_QRELS);
      // T = X/2 + Y/6 over the sums of 6 signs each is at least 2 in 64 + 6 * 42 + 15 = 331 ways, and as low
      // in as many.
      expect(differenceIn(result, "RR")).toMatchObject({
        pairs: 12,
        mean_a: 0.5,
        mean_b: 0.6667,
        difference: 0.1667,
        p: 662 / 4096,
        is_exact: true,
        improved: 6,
        worse: 6,
      });
      expect(scoreComparisonSchema.parse(result)).toEqual(result);
      expect(result.per_query.map(({ query_id }) => query_id)).toEqual([...QUERIES].sort());
    },
  );
  it("a golden set with recorded runs has the same means, p values and scores as TREC's files", async () => {
    const metrics = ["-m", "RR,nDCG@10,AP,P@5"];
    const trec = await comparison("base.run", "mixed.run", "--qrels", "qrels.txt", ...metrics);
    const report = JSON.parse(
      (await place.run(["compare", "base.jsonl", "mixed.jsonl", ...metrics, "--unit", "doc", "--json"]))
        .stdout,
    ) as CompareReport;
    expect(compareReportSchema.parse(report)).toEqual(report);
    const golden = present(report.statistics);
    const crossed = await comparison("base.jsonl", "mixed.jsonl", "--qrels", "golden.yaml", ...metrics);
    for (const metric of trec.metrics) {
      const { mean_a, mean_b, p, interval, improved, worse } = differenceIn(trec, metric);
      for (const other of [golden, crossed])
        expect(differenceIn(other, metric)).toMatchObject({ mean_a, mean_b, p, interval, improved, worse });
    }
    expect(report.aggregate_b.metrics).toEqual(trec.runs[1]?.means);
    expect(crossed.per_query.map(({ query_id, scores }) => [query_id, scores])).toEqual(
      trec.per_query.map(({ query_id, scores }) => [query_id, scores]),
    );
    // Rank 2: 1/log2(3).
    expect(trec.runs[0]?.means).toEqual({ RR: 0.5, "nDCG@10": 0.6309, AP: 0.5, "P@5": 0.2 });
    expect(firstOf(golden).verdict).toMatchObject({ kind: "inconclusive", primary: "RR" });
    expect(firstOf(crossed).slices.map(({ by, value }) => `${by} ${value}`)).toEqual(["lang en", "lang ko"]);
  });
  it("takes the rules of a gate packed, too", async () => {
    place.write({
      "packed/rules.txt.gz": gzipSync("RR >= 0.9\n"),
      "packed/rules.yaml.gz": gzipSync("gates:\n  - RR >= 0.9\n"),
    });
    for (const rules of ["packed/rules.txt.gz", "packed/rules.yaml.gz"]) {
      const args = ["compare", "base.run", "mixed.run", ...AGAINST_QRELS, "--gate", rules];
      expect(await place.run(args)).toMatchObject({
        status: 3,
        stderr: expect.stringContaining("RR >= 0.9"),
      });
    }
  });
  it("several runs are each held against the first, and all against each other", async () => {
    for (const [extension, flags, warnings] of [
      ["run", AGAINST_QRELS, NOTHING_JUDGED],
      ["jsonl", AGAINST_GOLDEN, NOTHING_FOUND],
    ] as const) {
      const result = await warnedComparison(
        warnings,
        ...["base", "good", "mixed", "bad"].map((name) => `${name}.${extension}`),
        ...flags,
      );
      expect(result.runs.map(({ run, means }) => [run, means["RR"]])).toEqual([
        ["base", 0.5],
        ["good", 1],
        ["mixed", 0.6667],
        ["bad", 0],
      ]);
      expect(result.comparisons.map(({ run, verdict }) => [run, verdict.kind])).toEqual([
        ["good", "better"],
        ["mixed", "inconclusive"],
        ["bad", "worse"],
      ]);
      expect(present(result.all_pairs).map(({ run_a, run_b }) => `${run_a} ${run_b}`)).toHaveLength(6);
      // 2/4096 for all 12 in one direction, the smallest of 3 by Holm.
      expect(differenceIn(result, "RR").p_adjusted).toBeCloseTo((3 * 2) / 4096, 6);
    }
  });
  it("several runs begin with a table of them, the best first, as text and in Markdown", async () => {
    const { stdout } = await place.run([
      "compare",
      "base.run",
      "bad.run",
      "mixed.run",
      "good.run",
      ...AGAINST_QRELS,
      "--md",
      "ranked.md",
    ]);
    expect(stdout).toMatch(
      pattern(
        /^run +RR +95 % interval +group +difference +p, adjusted +verdict\n/,
        /good +1\.0000 +— +a +\+0\.5000 +0\.0015 +better\n/,
        /mixed +0\.6667 +0\.\d+ to 0\.\d+ +ab +\+0\.1667 +0\.1616 +inconclusive\n/,
        /base +0\.5000 +— +b +baseline\n/,
        /bad +0\.0000 +— +c +-0\.5000 +0\.0015 +worse\n/,
        /runs of one group are not shown to differ\n\nbad against base\nWORSE/,
      ),
    );
    expect(place.read("ranked.md")).toMatch(
      pattern(
        /^# Eval compare: base → bad, mixed, good\n\n\| run \| RR \|.*\n.*\n\| good \|.*\n/,
        /\| mixed \|.*\n\| base \|.*\n\| bad \|/,
      ),
    );
    expect((await place.run(["compare", "base.run", "good.run", ...AGAINST_QRELS])).stdout).toMatch(
      /^good against base\nBETTER/,
    );
  });
  it("what got worse is listed, and what got better", async () => {
    const { stdout } = await place.run([
      "compare",
      "base.run",
      "mixed.run",
      ...AGAINST_QRELS,
      "--md",
      "moved.md",
    ]);
    for (const line of ["worse   q1  RR 0.5000→0.3333", "better  q10  RR 0.5000→1.0000"])
      expect(stdout).toContain(`\n${line}\n`);
    // 6 of each, of which 5 are shown.
    expect(stdout.match(/^ +and 1 more$/gm)).toHaveLength(2);
    const report = place.read("moved.md");
    expect(report).toContain("## Queries that got worse (6)");
    expect(report).toContain("## Queries that got better (6)");
    expect(report).toContain("| q12 | RR 0.5000→1.0000 |");
  });
  it("a query id is on its line, whatever breaks it has", async () => {
    const forged = "evil\n\u001b[2JBETTER  RR rose by 1.0000";
    const queries = [forged, "2", "3", "4", "5"];
    const run = (...ids: string[]): string =>
      JSON.stringify(
        Object.fromEntries(
          queries.map((query) => [query, Object.fromEntries(ids.map((id, at) => [id, 9 - at]))]),
        ),
      );
    place.write({ "a.json": run("x", "y"), "b.json": run("y", "x"), "one.json": run("x") });
    const { stdout } = await place.run("compare a.json b.json --qrels one.json -m RR".split(" "));
    expect(stdout).toContain("\nworse   evil [2JBETTER RR rose by 1.0000  RR 1.0000→0.5000\n");
  });
  it("with a golden set the movement by rank is told apart from the verdict", async () => {
    const { stdout } = await place.run([
      "compare",
      "base.jsonl",
      "good.jsonl",
      ...AGAINST_GOLDEN,
      "--md",
      "by-rank.md",
    ]);
    expect(stdout).toMatch(
      pattern(
        /\nBETTER {2}RR rose by 0\.5000 .*\n/,
        / {2}By RR, of 12 queries 12 improved, 0 got worse, 0 stayed equal\.\n/,
      ),
    );
    for (const text of [stdout, place.read("by-rank.md")])
      expect(text).toMatch(/^ *By rank: of 12 queries 12 improved/m);
  });
  it.each([
    ["without a golden set there", "no-golden.yaml"],
    ["with one", "golden.yaml"],
  ])("a TREC run without --qrels is an error that names the flag, %s", async (_, golden) => {
    expect(await place.run(["compare", "base.run", "good.run", "-g", golden])).toMatchObject({
      status: 2,
      stdout: "",
      stderr:
        "error: base.run: is a run of ids and scores; `rankproof evaluate QRELS base.run` scores it, and " +
        "`rankproof compare --qrels QRELS` compares such runs\n",
    });
    expect(await place.run(["compare", "base.jsonl", "good.run", "-g", golden])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("good.run: is a run of ids and scores"),
    });
    place.write({ [`${golden}.run.gz`]: gzipSync(trecRun("base", RANKS.base)) });
    expect(await place.run(["compare", "base.jsonl", `${golden}.run.gz`, "-g", golden])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(`${golden}.run.gz: is a run of ids and scores`),
    });
  });
  it("a name of the golden set's own metrics is that one, and decides where it comes first", async () => {
    const args = ["compare", "base.jsonl", "good.jsonl", ...AGAINST_GOLDEN, "--json", "-m"];
    for (const [names, primary] of [
      ["MRR@10", "MRR@10"],
      ["mrr,nDCG@10", "MRR@10"],
      ["nDCG@10,MRR@10", "nDCG@10"],
    ] as const) {
      const { statistics } = JSON.parse((await place.run([...args, names])).stdout) as CompareReport;
      expect(statistics?.settings.primary).toBe(primary);
      expect(statistics?.metrics).not.toContain("RR@10");
    }
  });
  it(
    "two files of one name are called by their paths; a run against itself is equivalent; of " +
      "three, two cannot be one",
    async () => {
      for (const name of ["one", "two"]) mkdirSync(place.path(name), { recursive: true });
      place.write({ "one/x.run": trecRun("x", RANKS.base), "two/x.run": trecRun("x", RANKS.good) });
      expect(
        (await comparison("one/x.run", "two/x.run", ...AGAINST_QRELS)).runs.map(({ run }) => run),
      ).toEqual(["one/x.run", "two/x.run"]);
      for (const name of ["one", "two"]) {
        mkdirSync(place.path(`${name}/run`), { recursive: true });
        place.write({ [`${name}/run/x.jsonl`]: place.read("base.jsonl") });
      }
      expect(
        (await place.run(["compare", "one/run/x.jsonl", "two/run/x.jsonl", ...AGAINST_GOLDEN])).stdout,
      ).toMatch(/one\/run\/x\.jsonl[^]*two\/run\/x\.jsonl/);
      const same = await comparison("base.run", "base.run", ...AGAINST_QRELS);
      expect(firstOf(same).verdict.kind).toBe("equivalent");
      expect(new Set(same.runs.map(({ run }) => run)).size).toBe(2);
      expect(await place.run(["compare", "base.jsonl", "base.jsonl", ...AGAINST_GOLDEN])).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(
          "EQUIVALENT  Every one of the 12 queries has the same RR in both runs.",
        ),
      });
      expect(
        await place.run(["compare", "base.run", "base.run", "good.run", ...AGAINST_QRELS]),
      ).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining("two runs are called `base.run`"),
      });
    },
  );
});

describe.concurrent("how it is tested", () => {
  it("the same seed prints the same bytes, another one draws other sign flips", async () => {
    const many = Array.from({ length: 40 }, (_, index) => `m${index}`);
    place.write({
      "many.qrels": many.map((query) => `${query} 0 r-${query} 1\n`).join(""),
      "many-a.run": trecRun("a", (index) => 1 + (index % 3), many),
      "many-b.run": trecRun("b", (index) => 1 + ((index * 7) % 5), many),
    });
    const printed = async (seed: string): Promise<string> =>
      (
        await place.run([
          "compare",
          "many-a.run",
          "many-b.run",
          "--qrels",
          "many.qrels",
          "-m",
          "RR",
          "--json",
          "--permutations",
          "2000",
          "--resamples",
          "500",
          "--seed",
          seed,
        ])
      ).stdout;
    const [first, again, other] = [await printed("7"), await printed("7"), await printed("8")];
    expect(again).toBe(first);
    const [p, otherP] = [first, other].map((text) => differenceIn(JSON.parse(text) as ScoreComparison, "RR"));
    expect(p).toMatchObject({ is_exact: false, mean_a: otherP?.mean_a });
    expect(otherP?.p).not.toBe(p?.p);
    expect(otherP?.p).toBeCloseTo(present(p?.p), 1);
  });
  it.each([
    // t = (1/6) / (sqrt(12/99) / sqrt(12)) = sqrt(11) / 2 with 11 degrees of freedom.
    ["t", 0.12549],
    // Ranks 9.5 and 3.5: 9.5 X + 3.5 Y is at least 36 in the same 331 ways.
    ["wilcoxon", 662 / 4096],
    // 6 against 6.
    ["sign", 1],
  ])("--test %s", async (test, p) => {
    const result = await comparison("base.run", "mixed.run", ...AGAINST_QRELS, "--test", test);
    expect(result.settings.test).toBe(test);
    expect(differenceIn(result, "RR").p).toBeCloseTo(p, 4);
  });
  it("--correction: what is no primary metric is one family, the primary metric by itself", async () => {
    const of = async (correction: string): Promise<readonly MetricDifference[]> =>
      firstOf(
        await comparison(
          "base.run",
          "mixed.run",
          "--qrels",
          "qrels.txt",
          "-m",
          "RR,P@1,P@3",
          "--correction",
          correction,
        ),
      ).metrics;
    // P@1 rises in 6 of 6 that differ: 2/64. P@3 does not move.
    expect((await of("none")).map(({ p_adjusted }) => p_adjusted)).toEqual([662 / 4096, 0.03125, 1]);
    expect((await of("bonferroni")).map(({ p_adjusted }) => p_adjusted)).toEqual([662 / 4096, 0.0625, 1]);
  });
  it("every other flag stands in the settings", async () => {
    const { settings } = await comparison(
      "base.run",
      "good.run",
      "--qrels",
      "qrels.txt",
      "-m",
      "RR,P@1",
      ...(
        "--primary P@1 --guard RR=0.25 --guard P@1 --margin 0.05 --tolerance 0.1 --alpha 0.01 " +
        "--confidence 0.9 --resamples 300 --permutations 1000 --seed -3 --correction hommel " +
        "--max-p95 20"
      ).split(" "),
    );
    expect(settings).toMatchObject({
      primary: "P@1",
      guards: [
        { metric: "RR", allowed_loss: 0.25 },
        { metric: "P@1", allowed_loss: 0 },
      ],
      margin: 0.05,
      tolerance: 0.1,
      alpha: 0.01,
      confidence: 0.9,
      resamples: 300,
      permutations: 1000,
      seed: -3,
      correction: "hommel",
      max_p95_ms: 20,
    });
  });
  it("what they change: a guard that breaks, a margin that swallows, times that are too long", async () => {
    const kind = async (...args: string[]): Promise<string> =>
      firstOf(await comparison(...args)).verdict.kind;
    const metrics = ["--qrels", "qrels.txt", "-m", "R@5,RR"];
    // good to base: R@5 stays 1, RR falls from 1 to 1/2.
    expect(await kind("good.run", "base.run", ...metrics)).toBe("equivalent");
    expect(await kind("good.run", "base.run", ...metrics, "--guard", "RR")).toBe("worse");
    expect(await kind("good.run", "base.run", ...metrics, "--guard", "RR=0.5")).toBe("equivalent");
    expect(await kind("good.run", "base.run", ...metrics, "--guard", "RBP(p=0.8)")).toBe("worse");
    const refused = await place.run(["compare", "good.run", "base.run", ...metrics, "--guard", "RR=much"]);
    expect(refused.stderr).toContain("--guard must be a number");
    expect(await kind("base.run", "good.run", ...AGAINST_QRELS, "--margin", "0.5")).toBe("equivalent");
    const timed = async (limit: string): Promise<RunComparison["verdict"]> =>
      firstOf(
        present(
          (
            JSON.parse(
              (
                await place.run([
                  "compare",
                  "base.jsonl",
                  "good.jsonl",
                  ...AGAINST_GOLDEN,
                  "--json",
                  "--max-p95",
                  limit,
                ])
              ).stdout,
            ) as CompareReport
          ).statistics,
        ),
      ).verdict;
    expect(await timed("12")).toMatchObject({ kind: "better", latency: { p95_b: 12, is_held: true } });
    expect(await timed("11.5")).toMatchObject({ kind: "worse", latency: { limit: 11.5, is_held: false } });
  });
  it("a broken guard comes first where the primary metric is not worse, and last where it is", async () => {
    const told = async (...args: string[]): Promise<RunComparison["verdict"]> =>
      firstOf(await comparison(...args, "--qrels", "qrels.txt")).verdict;
    expect(await told("good.run", "base.run", "-m", "R@5,RR", "--guard", "RR")).toMatchObject({
      kind: "worse",
      headline: expect.stringMatching(
        pattern(
          /^The guard RR is broken: it fell by 0\.5000 \(.*\)\. Every one of the 12 queries has the /,
          /same R@5 in both runs\. 12 queries can miss what changes in 22 % of all\.$/,
        ),
      ),
      reasons: [expect.stringMatching(/^By R@5, of 12 queries /), expect.stringContaining("unjudged hits")],
    });
    const worse = await told("good.run", "base.run", "-m", "RR,P@1", "--guard", "P@1");
    expect(worse).toMatchObject({ kind: "worse", headline: expect.stringMatching(/^RR fell by 0\.5000 /) });
    expect(worse.reasons.slice(0, 2)).toEqual([
      "By RR, of 12 queries 0 improved, 12 got worse, 0 stayed equal.",
      expect.stringMatching(/^The guard P@1 is broken: it fell by 1\.0000 /),
    ]);
  });
  it("other metrics that move for certain are named, in both directions", async () => {
    const reasons = async (a: string, b: string): Promise<readonly string[]> =>
      firstOf(await comparison(a, b, "--qrels", "qrels.txt", "-m", "RR,R@5,P@1,R@1")).verdict.reasons;
    expect(await reasons("base.run", "good.run")).toContain(
      "Significantly better, too: P@1 rose by 1.0000, R@1 rose by 1.0000.",
    );
    expect(await reasons("good.run", "base.run")).toContain(
      "Significantly worse, too: P@1 fell by 1.0000, R@1 fell by 1.0000.",
    );
  });
  it("--primary and --guard name metrics that -m did not, by any of their names", async () => {
    const named = async (...args: string[]): Promise<unknown> => {
      const { settings, metrics } = await comparison("base.run", "good.run", "--qrels", "qrels.txt", ...args);
      return [metrics, settings.primary, settings.guards.map(({ metric }) => metric)];
    };
    expect(await named("-m", "RR", "--primary", "MRR")).toEqual([["RR"], "RR", []]);
    expect(await named("-m", "RR", "--primary", "R@5", "--guard", "MRR", "--guard", "MAP=0.1")).toEqual([
      ["RR", "R@5", "AP"],
      "R@5",
      ["RR", "AP"],
    ]);
    // What a profile makes of a name is one metric, not two.
    const profiled = "nDCG(dcg='exp-log2')@10";
    expect(
      await named("-m", "nDCG@10", "--profile", "elasticsearch", "--primary", "nDCG@10", "--guard", "RR"),
    ).toEqual([[profiled, "RR"], profiled, ["RR"]]);
    const golden = present(
      (
        JSON.parse(
          (
            await place.run([
              "compare",
              "base.jsonl",
              "good.jsonl",
              "--unit",
              "doc",
              "--primary",
              "ndcg@10",
              "--guard",
              "doc recall@3",
              "--guard",
              "MRR",
              "--json",
            ])
          ).stdout,
        ) as CompareReport
      ).statistics,
    );
    expect(golden.settings).toMatchObject({
      primary: "nDCG@10",
      guards: [{ metric: "doc recall@3" }, { metric: "RR" }],
    });
    expect(firstOf(golden).verdict.guards.map(({ is_held }) => is_held)).toEqual([true, true]);
  });
  it("--queries brings words and labels, --slice chooses among them", async () => {
    place.write({
      "labels.yaml": QUERIES.map(
        (query, index) =>
          `- {id: ${query}, query: asked ${query}, lang: ${index < 6 ? "en" : "ko"}, query_type: ` +
          `${index % 2 === 0 ? "how" : "what"}}\n`,
      ).join(""),
      "beir.jsonl": QUERIES.map((query) => `${JSON.stringify({ _id: query, text: `beir ${query}` })}\n`).join(
        "",
      ),
    });
    const sliced = await comparison(
      "base.run",
      "mixed.run",
      ...AGAINST_QRELS,
      "--queries",
      "labels.yaml",
      "--slice",
      "query_type",
    );
    // Queries 1, 3, 5, … have an even index, where the relevant item falls from 2 to 3.
    expect(
      firstOf(sliced).slices.map(({ by, value, metrics }) => [
        by,
        value,
        metrics[0]?.pairs,
        metrics[0]?.difference,
      ]),
    ).toEqual([
      ["query_type", "how", 6, -0.1667],
      ["query_type", "what", 6, 0.5],
    ]);
    expect(sliced.per_query[0]).toMatchObject({
      query_id: "q1",
      query: "asked q1",
      labels: { lang: "en", query_type: "how" },
    });
    expect(
      (await comparison("base.run", "mixed.run", ...AGAINST_QRELS, "--queries", "beir.jsonl")).per_query[0],
    ).toMatchObject({ query: "beir q1", labels: {} });
    expect(
      firstOf(await comparison("base.run", "mixed.run", ...AGAINST_QRELS, "-g", "golden.yaml")).slices.map(
        ({ by }) => by,
      ),
    ).toEqual(["lang", "lang"]);
    expect(
      await place.run([
        "compare",
        "base.run",
        "mixed.run",
        ...AGAINST_QRELS,
        "--queries",
        "labels.yaml",
        "--slice",
        "lng",
      ]),
    ).toMatchObject({
      status: 2,
      stdout: "",
      stderr: "error: no query has a label `lng` to slice by; there are `lang`, `query_type`\n",
    });
  });
  it("--channel: what a channel found and the run lost is lost by fusion", async () => {
    const result = await warnedComparison(
      NOTHING_JUDGED,
      "base.run",
      "bad.run",
      "--qrels",
      "qrels.txt",
      "-m",
      "P@1",
      "--channel",
      "bad:lexical=good.run",
      "--channel",
      "bad:embedding=bad.run",
    );
    expect(result.per_query[0]?.expected?.[0]).toMatchObject({
      id: "r-q1",
      runs: [
        { rank: 2, channels: {}, fate: "cut_off" },
        { rank: null, channels: { lexical: 1, embedding: null }, fate: "lost_by_fusion" },
      ],
    });
  });
  it.each([
    [["--test", "f"], "Allowed choices are randomization, t, wilcoxon, sign"],
    [
      ["--correction", "tukey"],
      "Allowed choices are holm, bonferroni, hochberg, hommel, benjamini-hochberg, benjamini-yekutieli, none",
    ],
    [["--seed", "1.5"], "--seed must be a whole number from -2147483648 to 4294967295, got `1.5`"],
    [["--seed", "one"], "--seed must be a whole number from -2147483648 to 4294967295, got `one`"],
    [["--permutations", "1e12"], "permutations must be a whole number from 100 to 100000000"],
    [["--permutations", "99"], "permutations must be a whole number from 100 to 100000000, got `99`"],
    [["--resamples", "99"], "resamples must be a whole number from 100 to 100000000, got `99`"],
    [["--margin", "1"], "--margin must be a number from 0 and below 1, got `1`"],
    [["--confidence", "95"], "--confidence must be a number above 0 and below 1, got `95`"],
    [["--primary", "MMR"], "error: --primary: unknown metric `MMR`; did you mean `RR`"],
    [["--guard", "nDGC@10=0.01"], "error: --guard: unknown metric `nDGC@10`; did you mean `nDCG@10`"],
    [["--guard", "P@0"], "error: --guard: the cutoff of P must be a whole number from 1"],
    [["--primary", "what is best"], "error: `what is best` was not computed; there is `RR`"],
    [
      ["--fail-under", "RR>=0.5"],
      "error: --fail-under must be METRIC=VALUE, as in nDCG@10=0.45, got `RR>=0.5`",
    ],
    [["--gate", "RR => 3"], "error: --gate: cannot be read as a rule, got `RR => 3`"],
    [
      ["--channel", "run2:lexical=good.run"],
      "--channel must be RUN:NAME=FILE with one of the runs `base`, `good`, got `run2:lexical=good.run`",
    ],
    [["--queries", "nowhere.yaml"], "nowhere.yaml: no such file; check the path"],
    [["--runs-dir", "runs"], "--runs-dir does nothing with --qrels; leave it out"],
    [["--fail-under", "RR=0.6=1"], "--fail-under must be METRIC=VALUE, as in nDCG@10=0.45, got `RR=0.6=1`"],
    [["--fail-under", "RR=high"], "--fail-under must be METRIC=VALUE, as in nDCG@10=0.45, got `RR=high`"],
    [["--gate", "."], ".: cannot be read"],
    [["--gate", "gone.txt"], "gone.txt: no such file; --gate takes a file of rules, or a rule"],
  ])("%s is exit code 2, and says what is possible", async (flags, message) => {
    const { status, stdout, stderr } = await place.run([
      "compare",
      "base.run",
      "good.run",
      ...AGAINST_QRELS,
      ...flags,
    ]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
  it(
    "what is for judgments only, or for two runs only, is refused elsewhere instead of being " + "ignored",
    async () => {
      expect(
        await place.run(["compare", "base.jsonl", "good.jsonl", ...AGAINST_GOLDEN, "-p", "trec_eval"]),
      ).toMatchObject({ status: 2, stderr: "error: --profile does nothing without --qrels; leave it out\n" });
      expect(await place.run(["compare", "base.jsonl", "good.jsonl", "--unit", "doc"])).toMatchObject({
        status: 2,
        stderr: "error: --unit does nothing without further metrics (-m), whose unit it is; leave it out\n",
      });
      expect(
        await place.run([
          "compare",
          "base.jsonl",
          "good.jsonl",
          "mixed.jsonl",
          ...AGAINST_GOLDEN,
          "--runs-dir",
          "runs",
        ]),
      ).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("--runs-dir does nothing with more than two runs"),
      });
    },
  );
  it("judgments and runs exchanged are noticed", async () => {
    expect(await place.run(["compare", "base.run", "qrels.txt", "--qrels", "good.run"])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("good.run:1:14: a line of qrels has 4 fields, got 6"),
    });
  });
});

describe.concurrent("gates", () => {
  // By kind: a rule, a run that keeps it and one that breaks it.
  const rules: readonly (readonly [kind: string, rule: string, keeps: string, breaks: string])[] = [
    ["bound", "RR >= 0.7", "good", "mixed"],
    ["not worse by", "RR not worse by 0.1", "good", "bad"],
    ["loss", "at most 0.1 loss of RR", "good", "bad"],
    ["significant loss", "no significant loss of RR", "good", "bad"],
    ["within", "RR within 0.4 of the baseline", "mixed", "good"],
    ["count", "at most 11 regressions", "good", "bad"],
    // 6 of 12 fall.
    ["worse share", "at most 49% worse queries of RR", "good", "mixed"],
    ["verdict", "verdict is better or equivalent", "good", "mixed"],
    // 6 of 6 fall in each language: 2/64.
    ["slices", "no slice worse", "good", "bad"],
    ["unjudged", "unjudged cannot overturn", "good", "mixed"],
  ];
  const flags = [...AGAINST_QRELS, "--queries", "golden.yaml", "--correction", "none"];

  it("there is a rule of every kind here", async () => {
    // That labels are audited is tried where labels are (batch.test.ts).
    const kinds = gateRuleKinds.map(({ kind }) => kind).filter((kind) => kind !== "audited");
    expect(rules.map(([kind]) => kind)).toEqual(kinds);
    expect(rules.map(([, rule]) => parseGateRule(rule).kind)).toEqual(rules.map(([kind]) => kind));
  });
  it("rules that hold end with 0, from a file and one by one", async () => {
    const kept = rules.filter(([, , keeps]) => keeps === "good").map(([, rule]) => rule);
    place.write({
      "rules.txt": `# all kinds but one\n${kept.map((rule) => `${rule}   # why\n`).join("\n")}`,
    });
    const { status, stderr } = await place.run([
      "compare",
      "base.run",
      "good.run",
      ...flags,
      "--gate",
      "rules.txt",
      "--fail-under",
      "RR=1",
    ]);
    expect(stderr).toContain("The gate passed: all 10 checks hold.");
    for (const rule of kept) expect(stderr).toContain(`pass  ${rule} (good): `);
    expect(status).toBe(0);
    for (const [, rule, keeps] of rules.filter(([, , keeps]) => keeps !== "good"))
      expect(
        await place.run(["compare", "base.run", `${keeps}.run`, ...flags, "--gate", rule]),
      ).toMatchObject({ status: 0, stderr: expect.stringContaining(`pass  ${rule} (${keeps}): `) });
  });
  it.each(["good", "mixed", "bad"])(
    "each rule that %s breaks is said to fail, and ends with 3",
    async (breaking) => {
      const broken = rules.filter(([, , , breaks]) => breaks === breaking).map(([, rule]) => rule);
      const { status, stdout, stderr } = await place.run([
        "compare",
        "base.run",
        `${breaking}.run`,
        ...flags,
        "--gate",
        "RR >= 0",
        ...broken.flatMap((rule) => ["--gate", rule]),
      ]);
      for (const rule of broken) expect(stderr).toContain(`FAIL  ${rule} (${breaking}): `);
      expect(stderr).toContain(`pass  RR >= 0 (${breaking}): `);
      expect(stderr).toMatch(
        new RegExp(
          `^The gate failed: ${broken.length} of ${broken.length + 1} checks do(?:es)? not ` +
            "hold\\.\\n[^]*\\nerror: the gate failed\\n$",
          "m",
        ),
      );
      expect(stdout).toContain(`${breaking} against base`);
      expect(status).toBe(3);
    },
  );
  it("each run but the baseline is held against each rule", async () => {
    const { status, stderr } = await place.run([
      "compare",
      "base.run",
      "good.run",
      "bad.run",
      ...AGAINST_QRELS,
      "--gate",
      "RR >= 0.5",
    ]);
    expect(stderr).toContain("pass  RR >= 0.5 (good)");
    expect(stderr).toContain("FAIL  RR >= 0.5 (bad)");
    expect(status).toBe(3);
  });
  it("absence is not a pass: null metrics, unknown ones, times and slices that nobody has", async () => {
    const golden = await place.run([
      "compare",
      "base.jsonl",
      "good.jsonl",
      ...AGAINST_GOLDEN,
      "--gate",
      "mrr >= 0",
      "--gate",
      "nDGC@10 >= 0",
      "--gate",
      "no loss of hit@5",
      "--gate",
      "unjudged cannot overturn",
    ]);
    expect(golden.stderr).toContain("FAIL  mrr >= 0 (good): `mrr` was not measured");
    expect(golden.stderr).toContain("FAIL  nDGC@10 >= 0 (good): `nDGC@10` is not in the result; ");
    expect(golden.stderr).toContain("FAIL  no loss of hit@5 (good): `hit@5` was not measured in both runs");
    expect(golden.stderr).toContain("FAIL  unjudged cannot overturn (good): ");
    expect(golden.status).toBe(3);
    const trec = await place.run([
      "compare",
      "base.run",
      "good.run",
      ...AGAINST_QRELS,
      "--gate",
      "latency_ms.p95 <= 200",
      "--gate",
      "no slice worse",
      "--gate",
      "no significant loss of AP",
    ]);
    for (const why of [
      "`latency_ms.p95` was not measured",
      "the comparison has no slices",
      "`AP` is not in the result",
    ])
      expect(trec.stderr).toContain(why);
    expect(trec.status).toBe(3);
  });
  it("rules that cannot be read are exit code 2 with the line of each, before any run is read", async () => {
    place.write({
      "none.txt": "# later\n\n",
      "bad.txt": "RR >= 0.1\nRR => 3\n\nbe better\n",
      "bad.yaml": "gates:\n  - RR >= 0.1\n  - 7\n",
    });
    expect(await place.run(["compare", "gone", "gone", "--gate", "none.txt"])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(
        "none.txt: has no rules, and a gate without rules would pass everything",
      ),
    });
    const { status, stderr } = await place.run(["compare", "gone", "gone", "--gate", "bad.txt"]);
    expect(stderr).toContain("error: bad.txt:2: cannot be read as a rule, got `RR => 3`");
    expect(stderr).toContain("error: bad.txt:4: cannot be read as a rule, got `be better`");
    expect(status).toBe(2);
    expect(await place.run(["compare", "gone", "gone", "--gate", "bad.yaml"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("bad.yaml:3:5: gates[1] must be a rule, got `7`"),
    });
  });
  it("a gate of one rule that fails says so once", async () => {
    const { stderr } = await place.run([
      "compare",
      "base.run",
      "bad.run",
      ...AGAINST_QRELS,
      "--gate",
      "no significant loss of RR",
    ]);
    // 2 / 4,096.
    expect(stderr.split("\n").slice(1)).toEqual([
      "The gate failed: its one check does not hold.",
      "FAIL  no significant loss of RR (bad): RR differs by -0.5000, p = 0.0005: a loss that is " +
        "significant at 0.05",
      "error: the gate failed",
      "",
    ]);
  });
  it(
    "runs that are not comparable end with 4 where there is a gate, also one whose floors hold; " +
      "without a gate with 0",
    async () => {
      place.write({
        "one.qrels": "q1 0 r-q1 1\n",
        "one.yaml": "- {id: q1, query: one, expected_doc_ids: [r-q1]}\n",
      });
      const against = ["compare", "base.run", "good.run", "--qrels", "one.qrels", "-m", "RR"];
      expect(await place.run([...against, "--gate", "verdict is better"])).toMatchObject({
        status: 4,
        stderr: expect.stringContaining("FAIL  verdict is better (good): the verdict is not_comparable"),
      });
      expect(await place.run([...against, "--fail-under", "RR=1"])).toMatchObject({
        status: 4,
        stderr: expect.stringContaining(
          "error: the checks of the gate hold, but the runs are not comparable",
        ),
      });
      expect(await place.run(against)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(
          "NOT COMPARABLE  Only 1 query has RR in both runs; at least 5 are needed.",
        ),
      });
      expect(
        (
          await place.run([
            "compare",
            "base.jsonl",
            "good.jsonl",
            "-g",
            "one.yaml",
            ...AGAINST_GOLDEN,
            "--gate",
            "no loss of RR",
          ])
        ).status,
      ).toBe(4);
    },
  );
  it(
    "two runs that are at the worst score on every query say nothing: not comparable, and 4 with a " + "gate",
    async () => {
      // P@1 is 0 everywhere in both.
      const against = ["compare", "base.run", "bad.run", "--qrels", "qrels.txt", "-m", "P@1"];
      expect(await place.run(against)).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(
          /\nNOT COMPARABLE {2}Both runs have the worst P@1 there is on every query, which says nothing/,
        ),
      });
      expect((await place.run([...against, "--gate", "P@1 >= 0"])).status).toBe(4);
      expect((await place.run([...against, "--guard", "RR", "--gate", "P@1 >= 0"])).status).toBe(4);
    },
  );
  it("a metric that is no mean of the queries cannot be compared, and says so", async () => {
    expect(
      await place.run([
        "compare",
        "base.run",
        "good.run",
        "--qrels",
        "qrels.txt",
        "-m",
        "NumRet",
        "--gate",
        "verdict is not worse",
      ]),
    ).toMatchObject({
      status: 2,
      stdout: "",
      stderr:
        "error: `NumRet` is no mean over queries, so that no difference can be tested; name a " +
        "metric such as `nDCG@10`\n",
    });
    expect(
      await place.run([
        "compare",
        "base.run",
        "good.run",
        "--qrels",
        "qrels.txt",
        "-m",
        "NumRet,RR",
        "--primary",
        "NumRet",
      ]),
    ).toMatchObject({ status: 2, stdout: "" });
  });
  it("--fail-under and --gate hold for aggregate and evaluate in every format, over every run", async () => {
    const end = async (...args: string[]): Promise<(string | number | null)[]> => {
      const { status, stderr } = await place.run(args);
      return [status, /error: .*/.exec(stderr)?.[0] ?? ""];
    };
    const failed = [3, "error: the gate failed"];
    expect(
      await end(
        "aggregate",
        "base.jsonl",
        ...AGAINST_GOLDEN,
        "--fail-under",
        "RR=0.5",
        "--gate",
        "doc recall@3 >= 1",
      ),
    ).toEqual([0, ""]);
    expect(await end("aggregate", "base.jsonl", ...AGAINST_GOLDEN, "--fail-under", "RR=0.5001")).toEqual(
      failed,
    );
    expect(
      await end("evaluate", "qrels.txt", "base.run", "good.run", "-m", "RR", "--fail-under", "RR=.5"),
    ).toEqual([0, ""]);
    expect(
      await end("evaluate", "qrels.txt", "base.run", "good.run", "-m", "RR", "--fail-under", "RR=0.6"),
    ).toEqual(failed);
    expect(
      await end("evaluate", "qrels.txt", "base.run", "-m", "RR", "--format", "tsv", "--gate", "AP >= 0"),
    ).toEqual(failed);
    expect(
      await end(
        "evaluate",
        "qrels.txt",
        "base.run",
        "--format",
        "trec_eval",
        "--fail-under",
        "recip_rank=0.5",
        "--fail-under",
        "map=0.5",
      ),
    ).toEqual([0, ""]);
    expect(
      await end(
        "evaluate",
        "qrels.txt",
        "base.run",
        "--format",
        "trec_eval",
        "--fail-under",
        "recip_rank=0.6",
      ),
    ).toEqual(failed);
  });
});

describe.concurrent("outputs", () => {
  const written = ["report.md", "report.html", "report.xml", "report.csv"] as const;
  const flagsOf = (folder: string): string[] =>
    ["--md", "--html", "--junit", "--csv"].flatMap((flag, index) => [
      flag,
      `${folder}/${written[index] ?? ""}`,
    ]);
  const junit = (
    name: string,
  ): {
    attributes: (tag: string, attribute: string) => (string | null)[];
    count: (tag: string) => number;
  } => {
    const document = new DOMParser().parseFromString(place.read(name), "text/xml");
    const all = (tag: string): Element[] => [
      ...(document.getElementsByTagName(tag) as unknown as Iterable<Element>),
    ];
    return {
      attributes: (tag, attribute) => all(tag).map((element) => element.getAttribute(attribute)),
      count: (tag) => all(tag).length,
    };
  };

  it("each file is written, and is what it says; --json alone is on stdout", async () => {
    const { status, stdout, stderr } = await place.run([
      "compare",
      "base.run",
      "mixed.run",
      "bad.run",
      ...AGAINST_QRELS,
      ...flagsOf("out"),
      "--json",
      "--gate",
      "RR >= 0.5",
    ]);
    expect(status).toBe(3);
    expect(stderr).toContain(written.map((name) => `wrote out/${name}\n`).join(""));
    expect(scoreComparisonSchema.parse(JSON.parse(stdout))).toEqual(JSON.parse(stdout));
    expect(place.read("out/report.md")).toMatch(
      pattern(
        /^## Gate\n\n\*\*The gate failed: 1 of 2 checks does not hold\.\*\*\n(?:\n?\|.*\n)+\n/,
        /# Eval compare: base → mixed, bad\n/,
      ),
    );
    const html = place.read("out/report.html");
    expect(html).toMatch(/^<!doctype html>\n<html/);
    expect(html.trimEnd()).toMatch(/<\/html>$/);
    expect(html).toContain("The gate failed: 1 of 2 checks does not hold.");
    expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    const xml = junit("out/report.xml");
    expect(xml.attributes("testsuite", "name")).toEqual(["gates", "verdict"]);
    expect(xml.attributes("testcase", "name")).toEqual([
      "RR >= 0.5 (mixed)",
      "RR >= 0.5 (bad)",
      "mixed against base",
      "bad against base",
    ]);
    // The gate decides; verdicts that are no success are skipped.
    expect([xml.attributes("testsuites", "failures"), xml.count("failure"), xml.count("skipped")]).toEqual([
      ["1"],
      1,
      2,
    ]);
    const [head, ...rows] = place.read("out/report.csv").trimEnd().split(/\r?\n/);
    expect(head).toBe("query_id,query,base: RR,mixed: RR,bad: RR");
    expect(rows).toHaveLength(12);
    expect(rows).toContain(`q1,,0.5,${1 / 3},0`);
    expect(rows).toContain("q2,,0.5,1,0");
  });
  it("so they are of two runs with a golden set, with the queries' words; --runs-dir, too", async () => {
    const { status, stderr } = await place.run([
      "compare",
      "base.jsonl",
      "bad.jsonl",
      ...AGAINST_GOLDEN,
      ...flagsOf("golden"),
      "--runs-dir",
      "runs",
    ]);
    expect(status).toBe(0);
    expect(stderr).toContain("wrote runs/bad/report.md\n");
    expect(place.read("golden/report.md")).toBe(place.read("runs/bad/report.md"));
    expect(junit("golden/report.xml").count("failure")).toBe(1);
    expect(place.read("golden/report.csv").trimEnd().split(/\r?\n/)).toHaveLength(13);
    expect(place.read("golden/report.csv")).toContain("q1,words of q1,");
    expect(place.read("golden/report.html")).toContain("words of q12");
    expect(
      (
        await place.run([
          "compare",
          "base.jsonl",
          "bad.jsonl",
          ...AGAINST_GOLDEN,
          "--md",
          "gated.md",
          "--runs-dir",
          "gated",
          "--gate",
          "RR >= 0",
        ])
      ).status,
    ).toBe(0);
    expect(place.read("gated/bad/report.md")).toMatch(
      /^## Gate\n\n\*\*The gate passed: its one check holds\.\*\*\n/,
    );
    expect(place.read("gated/bad/report.md")).toBe(place.read("gated.md"));
  });
  it(
    "a path that cannot be written is exit code 5, says so, and takes nothing from the others, the " +
      "table and the gate",
    async () => {
      mkdirSync(place.path("is-folder"), { recursive: true });
      place.write({ "is-file": "x" });
      const { status, stdout, stderr } = await place.run([
        "compare",
        "base.run",
        "bad.run",
        ...AGAINST_QRELS,
        "--md",
        "kept/a.md",
        "--html",
        "is-folder",
        "--junit",
        "is-file/a.xml",
        "--csv",
        "kept/a.csv",
        "--gate",
        "RR >= 1",
      ]);
      expect(status).toBe(5);
      expect(stdout).toContain("bad against base\nWORSE");
      expect(stderr).toContain("FAIL  RR >= 1 (bad)");
      expect(stderr).toContain("error: is-folder: cannot be written: it is a folder");
      expect(stderr).toContain(
        "error: is-file/a.xml: cannot be written: a part of the path is a file, not a folder",
      );
      expect(readdirSync(place.path("kept")).sort()).toEqual(["a.csv", "a.md"]);
      expect(readdirSync(place.path("is-folder"))).toEqual([]);
      expect(place.read("is-file")).toBe("x");
      const golden = await place.run([
        "compare",
        "base.jsonl",
        "good.jsonl",
        ...AGAINST_GOLDEN,
        "--runs-dir",
        "is-file",
        "--md",
        "kept/b.md",
      ]);
      expect(golden).toMatchObject({
        status: 5,
        stdout: expect.stringContaining("BETTER  RR rose by 0.5000"),
        stderr: expect.stringContaining("error: is-file/good/report.md: cannot be written"),
      });
      expect(place.read("kept/b.md")).toMatch(/^# Eval compare: base → good\n/);
    },
  );
  it("on GitHub: a query that got worse is shown at its line of the golden set", async () => {
    const golden = [
      "- id: q0",
      "  query: zero",
      "- id: q1",
      "  query: one",
      "  expected_chunk_ids: [c]",
      "",
    ].join("\n");
    const run = (hits: string): string => `{"query_id":"q1","hits_top_k":[${hits}]}\n`;
    place.write({
      "eval/golden.yaml": golden,
      "before.jsonl": run('{"chunk_id":"c","doc_id":"d"}'),
      "after.jsonl": run(""),
    });
    const compare = ["compare", "before.jsonl", "after.jsonl", "-g", "eval/golden.yaml"];
    const env = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: place.path("") };
    expect((await place.run(compare, { env })).stderr).toMatch(
      /^::warning title=query q1 got worse,file=eval\/golden\.yaml,line=3::/m,
    );
    const elsewhere = { ...env, GITHUB_WORKSPACE: place.path("eval/deeper") };
    expect((await place.run(compare, { env: elsewhere })).stderr).toMatch(
      /^::warning title=query q1 got worse::/m,
    );
  });
  it(
    "on GitHub: annotations go to stderr, stdout stays pure JSON, and the step summary is appended " + "to",
    async () => {
      place.write({ "summary.md": "what was there\n" });
      const given = { env: { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: place.path("summary.md") } };
      const { status, stdout, stderr } = await place.run(
        ["compare", "base.run", "bad.run", ...AGAINST_QRELS, "--json", "--gate", "no loss of RR"],
        given,
      );
      expect(status).toBe(3);
      expect(scoreComparisonSchema.safeParse(JSON.parse(stdout)).success).toBe(true);
      expect(stderr).toMatch(/^::notice title=rankproof::The gate failed: its one check does not hold\./m);
      expect(stderr).toMatch(/^::error title=no loss of RR \(bad\)::RR differs by -0\.5000, a loss$/m);
      // Of 12 queries that got worse, and a verdict: no more than 10 warnings.
      expect(stderr.match(/^::warning /gm)).toHaveLength(10);
      const once = place.read("summary.md");
      expect(once).toMatch(/^what was there\n## Gate\n/);
      expect(once).toContain("# Eval compare: base → bad");
      await place.run(["compare", "base.run", "bad.run", ...AGAINST_QRELS, "--gate", "no loss of RR"], {
        env: { GITHUB_STEP_SUMMARY: place.path("summary.md") },
      });
      expect(place.read("summary.md")).toBe(once + once.slice("what was there\n".length));
    },
  );
  it("without GitHub's variables nothing is said to it; an unwritable summary is a warning", async () => {
    expect(
      (
        await place.run(["compare", "base.run", "bad.run", ...AGAINST_QRELS], {
          env: { GITHUB_ACTIONS: "false" },
        })
      ).stderr,
    ).toBe(NOTHING_JUDGED);
    const { status, stdout, stderr } = await place.run(
      ["compare", "base.run", "good.run", ...AGAINST_QRELS, "--gate", "RR >= 1"],
      { env: { GITHUB_STEP_SUMMARY: "/" } },
    );
    expect(stdout).toContain("BETTER");
    expect(stderr).toContain("The gate passed");
    expect(stderr).toContain("warning: /: the step summary cannot be written");
    expect(status).toBe(0);
  });
  it("hostile ids and words do no harm in any form, and come out of JSON as they went in", async () => {
    const ids = [
      "__proto__",
      "constructor",
      "a|b",
      "</script><script>alert(1)</script>",
      "=1+1",
      "](javascript:alert(1))",
      "q\u2028x",
      "\u001b[31mred",
    ];
    const scores = (relevant: number): string => {
      const entries = ids.map(
        (id) => `${JSON.stringify(id)}:{${JSON.stringify(`r|${id}`)}:${relevant},"__proto__":1}`,
      );
      return `{${entries.join(",")}}`;
    };
    place.write({
      "hostile.csv": `query_id,doc_id,relevance\n${ids.map((id) => `"${id}","r|${id}",1\n`).join("")}`,
      "high.json": scores(2),
      "low.json": scores(0.5),
    });
    const { status, stdout, stderr } = await place.run(
      [
        "compare",
        "high.json",
        "low.json",
        "--qrels",
        "hostile.csv",
        "-m",
        "RR",
        "--json",
        ...flagsOf("hostile"),
      ],
      { env: { GITHUB_ACTIONS: "true" } },
    );
    expect(status).toBe(0);
    const result = JSON.parse(stdout) as ScoreComparison;
    expect(result.per_query.map(({ query_id }) => query_id).sort()).toEqual([...ids].sort());
    expect(differenceIn(result, "RR")).toMatchObject({ mean_a: 1, mean_b: 0.5, worse: 8 });
    expect(stderr).not.toContain("\u001b");
    // The data and the page's own program.
    expect(place.read("hostile/report.html").match(/<script/g)).toHaveLength(2);
    expect(place.read("hostile/report.md")).not.toMatch(/<script|\]\(javascript|\n\| a\|b/);
    expect(place.read("hostile/report.csv")).toContain("\n'=1+1,");
    expect(junit("hostile/report.xml").attributes("testcase", "name")).toEqual(["low against high"]);
    expect(({} as Record<string, unknown>)["r|__proto__"]).toBeUndefined();
  });
});

describe.concurrent("runs with little in them", () => {
  it(
    "a run that answers none of the queries is refused, be it empty or about others; where that " +
      "is allowed it " +
      "is not comparable; one that answers some loses the rest",
    async () => {
      place.write({
        "empty.run": "",
        "empty.jsonl": "",
        "stranger.run": "z Q0 a 1 1 stranger\n",
        "one.run": "q1 Q0 r-q1 1 1 one\n",
      });
      const unanswered = (name: string, count: number): string =>
        `warning: ${name}: ${count} of 12 judged queries have no result and count as 0 (q`;
      for (const [run, code] of [
        [
          "empty.run",
          "empty.run: has no results at all, so that scores would say nothing; --allow-empty goes on",
        ],
        [
          "stranger.run",
          "stranger.run: answers none of the queries of qrels.txt; it has queries such as `z`, there " +
            "they are called " +
            "as `q1`: do both name them the same way? --allow-empty goes on all the same",
        ],
      ] as const) {
        const refused = await place.run(["compare", "base.run", run, ...AGAINST_QRELS]);
        expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 2, stdout: "" });
        expect(refused.stderr).toContain(code);
      }
      for (const name of ["empty", "stranger"]) {
        const { stdout, stderr, status } = await place.run([
          "compare",
          "base.run",
          `${name}.run`,
          ...AGAINST_QRELS,
          "--json",
          "--allow-empty",
          "--gate",
          "RR >= 0",
        ]);
        expect(firstOf(JSON.parse(stdout) as ScoreComparison)).toMatchObject({
          verdict: {
            kind: "not_comparable",
            headline: expect.stringContaining("answers none of the queries; do the query ids agree?"),
          },
          metrics: [{ mean_a: 0.5, mean_b: 0, worse: 12 }],
        });
        expect(stderr).toContain(unanswered(name, 12));
        expect(status).toBe(4);
      }
      expect(
        firstOf(
          await warnedComparison(
            expect.stringMatching(
              /^warning: one: 11 of 12 judged queries have no result and count as 0 \(q10, /,
            ) as string,
            "base.run",
            "one.run",
            ...AGAINST_QRELS,
          ),
        ),
      ).toMatchObject({ verdict: { kind: "worse" }, metrics: [{ improved: 1, worse: 11 }] });
      const { status, stdout, stderr } = await place.run([
        "compare",
        "base.jsonl",
        "empty.jsonl",
        "--allow-empty",
        ...AGAINST_GOLDEN,
      ]);
      expect((await place.run(["compare", "base.jsonl", "empty.jsonl", ...AGAINST_GOLDEN])).status).toBe(2);
      expect({ status, stdout: stdout.split("\n")[3]?.slice(0, 14) }).toEqual({
        status: 0,
        stdout: "NOT COMPARABLE",
      });
      expect(stderr).toContain("warning: empty: the run has no results at all");
      expect(
        (
          await place.run([
            "compare",
            "base.jsonl",
            "empty.jsonl",
            "--allow-empty",
            ...AGAINST_GOLDEN,
            "--gate",
            "RR >= 0",
          ])
        ).status,
      ).toBe(4);
    },
  );
  it("of a profile that leaves unanswered queries out, a run that answers few of them answers", async () => {
    place.write({
      "half-a.run": trecRun("half-a", RANKS.base, QUERIES.slice(0, 5)),
      "half-b.run": trecRun("half-b", RANKS.good, QUERIES.slice(0, 5)),
    });
    const { stdout, stderr } = await place.run([
      "compare",
      "half-a.run",
      "half-b.run",
      ...AGAINST_QRELS,
      "-p",
      "trec_eval",
    ]);
    // Five queries from 1/2 to 1: 2 / 32.
    expect(stdout).toMatch(
      pattern(
        /^half-b against half-a\nINCONCLUSIVE {2}RR\S* rose by /,
        /0\.5000, which can be chance \(.*p = 0\.0625, few queries\)/,
      ),
    );
    expect(stderr).toContain(
      "warning: half-a: 7 of 12 judged queries have no result and are left out of its means " +
        "(q10, q11, q12, q6, q7, …)\n",
    );
  });
  it(
    "-m all compares every metric that is a mean over queries, and decides by nDCG@10 unless told " +
      "otherwise",
    async () => {
      const all = [
        "base.run",
        "good.run",
        "--qrels",
        "qrels.txt",
        "-m",
        "all",
        "--permutations",
        "100",
        "--resamples",
        "100",
      ];
      const { metrics, settings } = await comparison(...all);
      expect(metrics.length).toBeGreaterThan(20);
      expect(metrics).not.toContain("NumRet");
      expect(settings.primary).toBe("nDCG@10");
      expect((await comparison(...all, "-p", "trec_eval")).settings.primary).toBe("nDCG@10");
      expect((await comparison(...all, "--primary", "MRR")).settings.primary).toBe("RR");
    },
  );
});

describe.concurrent("on real runs", () => {
  const source = oracle("cranfield");
  if (source === null) {
    it.skip(WITHOUT_ORACLES, () => undefined);
    return;
  }
  const runs = (...names: string[]): string[] => names.map((name) => join(source, "runs", `${name}.run`));
  const flags = ["--qrels", join(source, "qrels.txt"), "--permutations", "20000", "--resamples", "2000"];

  it(
    "cranfield: lsa is worse than bm25; rrf is inconclusive in nDCG@10 and better in P@10; a run " +
      "is equivalent to itself",
    async () => {
      const cut = ["lsa", "rrf"].map(
        (name) =>
          `warning: ${name}: no query has more than 50 hits, in bm25 up to 100: by AP and 2 more, which ` +
          "look deeper, more hits alone make a run better\n",
      );
      const several = await warnedComparison(cut.join(""), ...runs("bm25", "lsa", "rrf"), ...flags);
      expect(several.comparisons.map(({ run, verdict }) => [run, verdict.kind])).toEqual([
        ["lsa", "worse"],
        ["rrf", "inconclusive"],
      ]);
      const evaluated = JSON.parse(
        (
          await place.run([
            "evaluate",
            join(source, "qrels.txt"),
            ...runs("bm25"),
            "-m",
            "nDCG@10,AP,RR,P@10,R@100",
            "--json",
          ])
        ).stdout,
      ) as { metrics: Record<string, number> };
      expect(several.runs[0]?.means).toEqual(evaluated.metrics);
      expect(several.runs.map(({ means }) => means["nDCG@10"])).toEqual([0.522, 0.4466, 0.5188]);
      expect(present(several.comparisons[1]).verdict.queries_needed).toBeGreaterThan(10_000);
      expect(firstOf(await comparison(...runs("bm25", "rrf"), ...flags, "-m", "P@10")).verdict).toMatchObject(
        {
          kind: "better",
          primary: "P@10",
        },
      );
      expect(firstOf(await comparison(...runs("bm25", "bm25"), ...flags)).verdict.kind).toBe("equivalent");
    },
  );
});
