import { fileURLToPath } from "node:url";
import { DOMParser } from "@xmldom/xmldom";
import { beforeAll, describe, expect, it } from "vitest";
import type { ScoreComparison } from "../../src/records/index.js";
import { files, Workplace } from "./spawned.js";

const OLDER = fileURLToPath(new URL("../../fixtures/results/0.1.0/", import.meta.url));
const BENCHES = fileURLToPath(new URL("../../fixtures/results/unreleased/", import.meta.url));

let place: Workplace;
beforeAll(() => {
  place = new Workplace();
  place.write(files());
});

const FORMS = ["md", "html", "junit", "csv"];
const formsIn = (folder: string, forms: readonly string[] = FORMS): string[] =>
  forms.flatMap((form) => [`--${form}`, `${folder}/report.${form}`]);

describe.concurrent("report", () => {
  it.each([
    [
      "a report of two runs with a golden set",
      "golden",
      ["base.jsonl", "mixed.jsonl", "-m", "RR", "--unit", "doc"],
    ],
    [
      "a comparison of runs with judgments",
      "trec",
      [
        "base.run",
        "mixed.run",
        "bad.run",
        "--qrels",
        "qrels.txt",
        "-g",
        "golden.yaml",
        "-m",
        "RR,P@1",
        "--channel",
        "bad:lexical=good.run",
      ],
    ],
  ])("%s is rendered from stdin as compare rendered it, byte for byte", async (_, name, args) => {
    const gates = ["--gate", "RR >= 0.6", "--gate", "no significant loss of RR"];
    // A stored result has no texts.
    const text = await place.run(["compare", ...args, ...formsIn(`${name}-a`), ...gates, "--no-text"]);
    const json = (await place.run(["compare", ...args, "--json"])).stdout;
    const again = await place.run(["report", "-", ...formsIn(`${name}-b`), ...gates], { input: json });
    expect(again.stdout).toBe(text.stdout);
    expect(again.status).toBe(text.status);
    expect(again.stderr).toBe(text.stderr.replaceAll(`${name}-a/`, `${name}-b/`));
    for (const form of FORMS)
      expect(place.read(`${name}-b/report.${form}`)).toBe(place.read(`${name}-a/report.${form}`));
    place.write({ [`${name}.json`]: json });
    expect((await place.run(["report", `${name}.json`, "--json"])).stdout).toBe(json);
  });
  it(
    "a report of an earlier version, without statistics, is rendered in every form but CSV, which " +
      "says why",
    async () => {
      const { status, stdout, stderr } = await place.run([
        "report",
        `${OLDER}compare.json`,
        ...formsIn("older"),
      ]);
      expect(status).toBe(2);
      expect(stdout).toContain("a: bm25-words\nb: bm25-windows\n\nMixed, more worse than better");
      expect(stdout).toMatch(/\nMRR@10 +0\.5178 +0\.4425 +-0\.0753\n/);
      expect(stderr).toContain(
        "error: there is no CSV of the report: it was stored without statistics, and so without the " +
          "scores of queries; compare the runs again",
      );
      expect(place.read("older/report.md")).toMatch(/^# Eval compare: bm25-words → bm25-windows\n/);
      expect(place.read("older/report.html")).toMatch(/^<!doctype html>/);
      expect(place.read("older/report.html")).toContain("bm25-windows");
      expect(
        new DOMParser()
          .parseFromString(place.read("older/report.junit"), "text/xml")
          .getElementsByTagName("testcase"),
      ).toHaveLength(1);
      expect(() => place.read("older/report.csv")).toThrow();
    },
  );
  it("its gates hold scores and counts against bounds, and fail what needs statistics", async () => {
    expect(
      await place.run([
        "report",
        `${OLDER}compare.json`,
        "--gate",
        "MRR@10 >= 0.44",
        "--gate",
        "at most 1 regression",
      ]),
    ).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("pass  at most 1 regression (bm25-windows)"),
    });
    const { status, stderr } = await place.run([
      "report",
      `${OLDER}compare.json`,
      "--gate",
      "no significant loss of MRR@10",
      "--gate",
      "verdict is not worse",
      "--gate",
      "at most 60 losses",
    ]);
    expect(status).toBe(3);
    for (const rule of ["no significant loss of MRR@10", "verdict is not worse"])
      expect(stderr).toContain(`FAIL  ${rule} (bm25-windows): the report has no statistics`);
    expect(stderr).toContain("pass  at most 60 losses");
  });
  it("the scores of one run are a table or JSON, with gates", async () => {
    const aggregate = await place.run(["report", `${OLDER}aggregate.json`, "--fail-under", "MRR@10=0.5"]);
    expect(aggregate).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/\nMRR@10 +0\.5178 +94\n/),
      stderr: expect.stringContaining("pass  MRR@10 >= 0.5"),
    });
    expect((await place.run(["report", `${OLDER}aggregate.json`, "--fail-under", "MRR@10=0.6"])).status).toBe(
      3,
    );
    expect(await place.run(["report", `${OLDER}aggregate.json`, "--junit", "no.xml"])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("--junit has what a gate says; give one with --gate or --fail-under"),
    });
    const gated = ["report", `${OLDER}aggregate.json`, "--fail-under", "MRR@10=0.6", "--junit", "-"];
    expect(await place.run(gated)).toMatchObject({
      status: 3,
      stdout: expect.stringMatching(/^<\?xml[^]*<testsuite name="gates" tests="1" failures="1"/),
    });
    const evaluation = (await place.run(["evaluate", "qrels.txt", "base.run", "-m", "RR", "--json"])).stdout;
    expect((await place.run(["report", "-", "--json"], { input: evaluation })).stdout).toBe(evaluation);
    expect((await place.run(["report", "-"], { input: evaluation })).stdout).toMatch(
      /^metric +base\nRR +0\.5000\n/,
    );
  });
  it(
    "a benchmark is rendered as Markdown, HTML, JSON and for the terminal; what it does not have " +
      "is refused",
    async () => {
      const file = `${BENCHES}bench-two-tiers.json`;
      const { status, stdout, stderr } = await place.run([
        "report",
        file,
        ...formsIn("bench", ["md", "html"]),
      ]);
      expect({ status, stderr }).toEqual({
        status: 0,
        stderr: "wrote bench/report.md\nwrote bench/report.html\n",
      });
      expect(stdout).toContain(
        "FALL BACK TO FTS_ONLY  hybrid@live ranks better, but over the latency budget.",
      );
      expect(place.read("bench/report.md")).toMatch(
        /^# Evidence benchmark: papers\n\n## Decision: fall back to fts_only\n/,
      );
      expect(place.read("bench/report.html")).toMatch(/^<!doctype html>/);
      const json = (await place.run(["report", file, "--json"])).stdout;
      expect(await place.run(["report", "-"], { input: json })).toMatchObject({ status: 0, stdout });
      expect(await place.run(["report", file, "--csv", "no.csv"])).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining("--junit and --csv are for comparisons"),
      });
      expect(await place.run(["report", file, "--gate", "verdict is better"])).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining(
          "--gate and --fail-under of this command are for comparisons and scores",
        ),
      });
      expect((await place.run(["report", `${BENCHES}bench-too-few.json`])).stderr).toContain(
        "warning: the fixture has no case of type cross_field",
      );
      place.write({ "half-bench.json": '{"may_promote": 1}' });
      expect(await place.run(["report", "half-bench.json"])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("half-bench.json:1:17: may_promote has the wrong type, got `1`"),
      });
    },
  );
  it("what is no result is exit code 2, with the place", async () => {
    place.write({
      "list.json": "[]",
      "other.json": '{"a": 1}',
      "torn.json": '{"comparisons": [',
      "half.json": '{"comparisons": 1}',
    });
    for (const [file, message] of [
      ["other.json", "other.json: is no result that rankproof wrote"],
      ["list.json", "list.json: has no results at all"],
      ["torn.json", "torn.json:1:18: "],
      ["half.json", "half.json:1:17: comparisons has the wrong type, got `1`"],
    ] as const) {
      const { status, stdout, stderr } = await place.run(["report", file]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toContain(message);
    }
  });
});

describe.concurrent("power", () => {
  it(
    "128 queries find a difference of a quarter of a deviation: (1.960 + 0.842)² · 16 = 125.6, and " +
      "t needs a few more",
    async () => {
      const { status, stdout } = await place.run([
        "power",
        "--queries",
        "100",
        "--difference",
        "-0.05",
        "--deviation",
        "0.2",
        "--json",
      ]);
      expect(status).toBe(0);
      const found = JSON.parse(stdout) as {
        difference: number;
        queries_needed: number;
        sizes: { queries: number; detectable: number; power: number }[];
      };
      expect(found).toMatchObject({
        alpha: 0.05,
        power: 0.8,
        deviation: 0.2,
        difference: 0.05,
        queries_needed: 128,
        sizes: [{ queries: 100 }],
      });
      // G*Power: 100 pairs, d_z 0.25, two sides: 0.69698.
      expect(found.sizes[0]?.power).toBeCloseTo(0.69698, 5);
      // 2.802 · 0.2 / 10 by the normal distribution.
      expect(found.sizes[0]?.detectable).toBeCloseTo(0.0566, 3);
    },
  );
  it("without sizes it prints a table of them, and says what deviation it took", async () => {
    const { status, stdout, stderr } = await place.run(["power", "--difference", "0.05"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^queries +detectable +power for 0\.05\n25 +0\.1168 +0\.225\n/);
    expect(stdout).toContain("\nA difference of 0.05 needs 128 queries.\n");
    expect(stderr).toContain("with a standard deviation of 0.2 between queries");
  });
  it("of a comparison it says what stands there, run by run and metric by metric", async () => {
    const json = (
      await place.run([
        "compare",
        "base.run",
        "mixed.run",
        "bad.run",
        "--qrels",
        "qrels.txt",
        "-m",
        "RR,P@3",
        "--json",
      ])
    ).stdout;
    const { comparisons } = JSON.parse(json) as ScoreComparison;
    const { status, stdout } = await place.run(["power", "-", "--json"], { input: json });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual(
      comparisons.flatMap(({ run, metrics }) =>
        metrics.map(({ metric, pairs, difference, detectable, queries_needed }) => ({
          run,
          metric,
          pairs,
          difference,
          detectable,
          queries_needed,
        })),
      ),
    );
    // d_z = (1/6) / sqrt(12/99) = 0.479: about 7.85 / 0.229 = 34 by the normal distribution, 37 by t.
    expect((await place.run(["power", "-"], { input: json })).stdout).toMatch(
      /\nmixed +RR +12 +0\.1667 +\d\.\d{4} +37\n/,
    );
  });
  it.each([
    [["--queries", "1"], "--queries must be a whole number from 2, got `1`"],
    [["--difference", "0"], "--difference must be a number other than 0, got `0`"],
    [["--power", "80"], "--power must be a number above 0 and below 1, got `80`"],
    [[`${OLDER}compare.json`], "has no statistics; compare two runs with `compare --json` first"],
    [[`${OLDER}aggregate.json`], "has no statistics; compare two runs with `compare --json` first"],
  ])("%s is exit code 2", async (args, message) => {
    const { status, stdout, stderr } = await place.run(["power", ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

describe.concurrent("power of a comparison", () => {
  it.each([
    ["--alpha", "0.01"],
    ["--power", "0.9"],
    ["--difference", "0.1"],
    ["--queries", "5"],
    ["--deviation", "0.3"],
  ])("%s is refused, for the comparison has its own settings", async (flag, value) => {
    const input = (
      await place.run(["compare", "base.run", "good.run", "--qrels", "qrels.txt", "-m", "RR", "--json"])
    ).stdout;
    expect(await place.run(["power", "-", flag, value], { input })).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(`${flag} does nothing with `),
    });
  });
});

describe.concurrent("agree", () => {
  beforeAll(() => {
    const lines = (name: string, rankings: Readonly<Record<string, readonly string[]>>): string =>
      Object.entries(rankings)
        .flatMap(([query, ids]) => ids.map((id, at) => `${query} Q0 ${id} ${at + 1} ${9 - at} ${name}\n`))
        .join("");
    place.write({
      "one.run": lines("one", {
        same: ["a", "b", "c"],
        turned: ["a", "b", "c"],
        half: ["a", "b"],
        other: ["a", "b"],
      }),
      "two.run": lines("two", {
        same: ["a", "b", "c"],
        turned: ["c", "b", "a"],
        half: ["b", "x"],
        other: ["x", "y"],
      }),
    });
  });
  it(
    "says how alike rankings are, the least alike first: the same 1, turned -1, one of three ids " +
      "shared 1/3, none 0",
    async () => {
      const { status, stdout } = await place.run(["agree", "one.run", "two.run", "--json"]);
      expect(status).toBe(0);
      const { run_a, run_b, settings, per_query } = JSON.parse(stdout) as {
        run_a: string;
        run_b: string;
        settings: object;
        per_query: {
          query_id: string;
          rbo: number;
          jaccard: number;
          kendall_tau: number | null;
          shared: number;
        }[];
      };
      expect({ run_a, run_b, settings }).toMatchObject({
        run_a: "one",
        run_b: "two",
        settings: { cutoff: 10, depth: null, persistence: 0.9 },
      });
      expect(
        per_query.map(({ query_id, jaccard, kendall_tau, shared }) => [
          query_id,
          jaccard,
          kendall_tau,
          shared,
        ]),
      ).toEqual([
        ["other", 0, null, 0],
        ["half", 1 / 3, null, 1],
        ["turned", 1, -1, 3],
        ["same", 1, 1, 3],
      ]);
      expect(per_query.map(({ rbo }) => rbo)).toEqual(
        [...per_query.map(({ rbo }) => rbo)].sort((a, b) => a - b),
      );
      expect([per_query[0]?.rbo, per_query[3]?.rbo]).toEqual([0, 1]);
    },
  );
  it(
    "--top shortens the table, --depth and --cutoff look at the top only; several runs are held " +
      "against the first, which may be stdin",
    async () => {
      const { stdout } = await place.run(
        ["agree", "-", "two.run", "one.run", "--top", "1", "--depth", "1", "-k", "1"],
        { input: place.read("one.run") },
      );
      expect(stdout).toMatch(
        /^query +RBO\(p=0\.9\) +Jaccard@1 .*\nall 4, mean +\S+ +0\.2500 .* two\.run against -\n/,
      );
      expect(stdout.match(/and 3 queries that changed less/g)).toHaveLength(2);
      expect(stdout).toMatch(/\nall 4, mean +1\.0000 +1\.0000 .* one\.run against -\n/);
    },
  );
  it("runs of one name are told apart by their paths, and a run held against itself", async () => {
    place.write({ "copy.run": place.read("one.run") });
    expect((await place.run(["agree", "one.run", "copy.run"])).stdout).toContain(
      "copy.run against one.run\n",
    );
    expect((await place.run(["agree", "one.run", "one.run"])).stdout).toContain("one (b) against one (a)\n");
  });
  it("says where no query is shared, or no item", async () => {
    place.write({ "foreign.run": "z Q0 a 1 1 foreign\n", "chunks.run": "same Q0 a#1 1 1 chunks\n" });
    expect((await place.run(["agree", "one.run", "foreign.run"])).stderr).toBe(
      "warning: one and foreign have no query in common; do the query ids agree?\n",
    );
    expect((await place.run(["agree", "one.run", "chunks.run"])).stderr).toBe(
      "warning: one and chunks have no item in common in any query; do the item ids agree, and is " +
        "the unit right?\n",
    );
    expect((await place.run(["agree", "one.run", "two.run"])).stderr).toBe("");
  });
  it.each([
    [["one.run", "nowhere.run"], "nowhere.run: no such file; check the path"],
    [["one.run", "qrels.txt"], "a line of a TREC run has 6 fields, got 4"],
    [["one.run", "two.run", "-k", "0"], "--cutoff must be a whole number from 1, got `0`"],
    [
      ["one.run", "two.run", "--persistence", "1"],
      "--persistence must be a number above 0 and below 1, got `1`",
    ],
  ])("%s is exit code 2", async (args, message) => {
    const { status, stdout, stderr } = await place.run(["agree", ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});
