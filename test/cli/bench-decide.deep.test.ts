import { beforeAll, describe, expect, it } from "vitest";
import { parseSampleSheet } from "../../src/formats/index.js";
import type { BenchReport, SamplePass } from "../../src/records/index.js";
import { benchFiles, collection, paperFixture, RECORDED, reportIn, RUNS_AS_MODES } from "./bench-files.js";
import { inProcess } from "./in-process.js";
import { Workplace } from "./spawned.js";
import { pattern } from "../support/pattern.js";

let place: Workplace;
beforeAll(async () => {
  place = new Workplace();
  place.write(benchFiles());
  expect(
    (
      await place.run([
        "bench",
        "folder",
        ...RUNS_AS_MODES,
        "--no-store",
        "--repeats",
        "1",
        "-o",
        "measured.json",
      ])
    ).status,
  ).toBe(0);
  const report = reportIn(place.read("measured.json"));
  // The clock must not decide a test.
  for (const { mode, overall } of report.modes) overall.p95_latency_ms = mode === "fts_only" ? 1 : 150;
  place.write({ "bench.json": `${JSON.stringify(report, null, 2)}\n` });
  place.write({
    "compare.json": (
      await place.run([
        "compare",
        "base.run",
        "good.run",
        "--qrels",
        "folder/qrels.txt",
        "-m",
        "RR",
        "--json",
      ])
    ).stdout,
  });
  const sheet = await sheetOf();
  place.write({ "three.csv": sheet, "odd.csv": labelled(sheet, () => "good") });
});

async function decided(...args: string[]): Promise<BenchReport> {
  const { status, stdout, stderr } = await place.run(["bench", "decide", "bench.json", ...args, "--json"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: RECORDED });
  return reportIn(stdout);
}

describe.concurrent("bench decide", () => {
  it("without further settings decides as before", async () => {
    // Relevant at rank 2 scores 1/log2(3) = 0.6309, at rank 1 scores 1: a gain of 0.3691 for each query.
    expect(await decided()).toMatchObject({
      decision: {
        outcome: "keep_embedding_only",
        run: "embedding_only",
        evidence: [
          { mode: "hybrid" },
          { mode: "embedding_only", ndcg: { difference: 0.3691, low: 0.3691, high: 0.3691 } },
        ],
      },
      may_promote: false,
    });
  });
  it.each([
    ["a wider margin than any gain", ["--margin", "0.5"], "no_gain", "fts_only"],
    ["a smaller latency budget", ["--latency-budget", "100"], "latency", "fts_only"],
    // Of hybrid half of the queries gain 0.3691, the others lose 0.1309: 0.1191 on average.
    ["less confidence, for which hybrid gains enough", ["--confidence", "0.8"], "hybrid_improves", "hybrid"],
  ])("%s decides otherwise", async (_, args, rule, run) => {
    expect(await decided(...args)).toMatchObject({ decision: { rule, run } });
  });
  it("keeps the settings that it is not given, also those of a decision before", async () => {
    const first = await place.run([
      "bench",
      "decide",
      "bench.json",
      "--latency-budget",
      "100",
      "--seed",
      "5",
      "--json",
    ]);
    const { status, stdout } = await place.run(["bench", "decide", "-", "--margin", "0.01", "--json"], {
      input: first.stdout,
    });
    expect(status).toBe(0);
    expect(reportIn(stdout).decision).toMatchObject({ latency_budget_ms: 100, seed: 5, margin: 0.01 });
  });
  it("prints one thing to the standard output", async () => {
    const decide = ["bench", "decide", "bench.json", "-o", "-"];
    expect(reportIn((await place.run(decide)).stdout).decision).toMatchObject({ rule: expect.any(String) });
    expect(await place.run([...decide, "--json"])).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("--output and --json cannot both go to the standard output"),
    });
  });
  it("writes every form, and holds limits", async () => {
    const { status, stdout, stderr } = await place.run([
      "bench",
      "decide",
      "bench.json",
      "-o",
      "again.json",
      "--md",
      "again.md",
      "--html",
      "again.html",
      "--fail-under",
      "fts_only.mrr=0.6",
    ]);
    expect(status).toBe(3);
    expect(stderr).toBe(
      `wrote again.json\nwrote again.md\nwrote again.html\n${RECORDED}error: fts_only.mrr is 0.5, ` +
        "which is below 0.6\n",
    );
    expect(stdout).toMatch(/^folder, 12 cases, 24 chunks\n\nKEEP EMBEDDING_ONLY {2}/);
    expect(place.read("again.json")).toBe(
      (await place.run(["bench", "decide", "bench.json", "--json"])).stdout,
    );
    expect(place.read("again.md")).toContain("embedding_only");
  });
  it.each([
    [
      "a result of another command",
      ["compare.json"],
      "compare.json: is a result of another command; give what `bench -o` wrote",
    ],
    ["a fixture", ["fixture.json"], "fixture.json: is no result that rankproof wrote"],
    ["a file that is not there", ["gone.json"], "gone.json: no such file; check the path"],
    [
      "a limit of a mode that was not measured",
      ["bench.json", "--fail-under", "dense.recall=1"],
      "`dense` was not measured; a limit can be set for fts_only, embedding_only, hybrid",
    ],
    [
      "an impossible confidence",
      ["bench.json", "--confidence", "1"],
      "--confidence must be a number above 0 and below 1, got `1`",
    ],
    [
      "an option of the measuring",
      ["bench.json", "--modes", "fts_only"],
      "--modes is an option of `bench`, not of `bench decide`; leave it out",
    ],
    [
      "a store, which nothing is kept in",
      ["bench.json", "--no-store"],
      "--store is an option of `bench`, not of `bench decide`; leave it out",
    ],
  ])("%s is exit code 2", async (_, [file = "", ...args], message) => {
    const { status, stdout, stderr } = await inProcess("bench", "decide", place.path(file), ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(`error: ${message.replace(file, place.path(file))}`);
  });
});

/** The sheet of some options, as a person would have it before labelling. */
async function sheetOf(...args: string[]): Promise<string> {
  const { status, stdout } = await place.run([
    "bench",
    "sample",
    "bench.json",
    "--fixture",
    "folder",
    ...args,
  ]);
  expect(status).toBe(0);
  return stdout;
}

/** Labels by the item, as a person would. */
function labelled(sheet: string, labelOf: (item: string) => string): string {
  const [header = "", ...rows] = sheet.split("\r\n");
  const items = parseSampleSheet(sheet).map(({ item }) => item);
  return [header, ...rows.map((row, index) => (row === "" ? row : labelOf(items[index] ?? "") + row))].join(
    "\r\n",
  );
}

const byRelevance = (item: string): string => (item.startsWith("r-") ? "grounded" : "miss");

describe.concurrent("bench sample", () => {
  it("writes the first hits of every mode, and what to do with them", async () => {
    const { status, stdout, stderr } = await place.run([
      "bench",
      "sample",
      "bench.json",
      "--fixture",
      "folder",
      "-o",
      "out/my sheet.csv",
      "--query-count",
      "4",
      "--hits",
      "2",
    ]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    const rows = parseSampleSheet(place.read("out/my sheet.csv"));
    expect(new Set(rows.map(({ case_id }) => case_id)).size).toBe(4);
    expect(stderr).toBe(
      `wrote out/my sheet.csv\n${rows.length} hits of 4 queries; write grounded, broad or miss into ` +
        "the first column, then: rankproof bench sample bench.json --score 'out/my sheet.csv' --hits " +
        "2\n",
    );
    expect(rows.find(({ item }) => item.startsWith("r-"))?.text).toContain("A second sentence stands here.");
  });
  it("the seed decides which queries and which order, and no mode is named", async () => {
    const [first, same, other] = await Promise.all([
      sheetOf("--query-count", "4"),
      sheetOf("--query-count", "4", "--seed", "1"),
      sheetOf("--query-count", "4", "--seed", "2"),
    ]);
    expect(same).toBe(first);
    expect(other).not.toBe(first);
    expect(first).not.toMatch(/fts_only|embedding_only|hybrid/);
  });
  it("a folder that was cut or read otherwise needs the same options again", async () => {
    place.write(collection("cut"));
    const { "cut/corpus.jsonl": corpus = "", ...rest } = collection("cut");
    place.write({
      ...rest,
      "elsewhere.jsonl": corpus,
      "cut/corpus.jsonl": '{"_id": "r-q1", "text": "other"}\n',
    });
    const how = [
      "--corpus",
      "elsewhere.jsonl",
      "--chunker",
      "sentences",
      "--chunk-size",
      "60",
      "--top-k",
      "3",
    ];
    expect((await place.run(["bench", "cut", ...how, "--no-store", "-o", "cut.json"])).status).toBe(0);
    expect((await place.run(["bench", "sample", "cut.json", "--fixture", "cut", ...how])).status).toBe(0);
    expect(await place.run(["bench", "sample", "cut.json", "--fixture", "cut"])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        pattern(
          /^error: the report was made on the fixture with digest `\w+`, got one with `\w+`; give /,
          /the fixture of the report\n$/,
        ),
      ),
    });
  });
  it("a labelled sheet is scored, in words and as JSON", async () => {
    place.write({ "scored.csv": labelled(await sheetOf(), byRelevance) });
    const { status, stdout, stderr } = await place.run([
      "bench",
      "sample",
      "bench.json",
      "--score",
      "scored.csv",
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    // Each mode has the relevant hit among its first three: 1 of 3, everywhere.
    expect(stdout).toMatch(
      pattern(
        /^Hits are as relevant as before: .* embedding_only 33 % are grounded and 0 % broad, of /,
        /those of fts_only 33 % and 0 %\n/,
        / {2}fts_only: 12 grounded, 0 broad, 24 miss\n/,
        / {2}embedding_only: 12 grounded, 0 broad, 24 miss\n/,
        / {2}hybrid: 12 grounded, 0 broad, 24 miss\n$/,
      ),
    );
    const json = await place.run(["bench", "sample", "bench.json", "--score", "scored.csv", "--json"]);
    expect(JSON.parse(json.stdout) as SamplePass).toMatchObject({
      answer: "unchanged",
      against: "embedding_only",
      queries: 12,
      unlabelled: 0,
    });
  });
  it("hits that nobody has labelled are counted, and said", async () => {
    place.write({
      "half.csv": labelled(await sheetOf("--hits", "1"), (item) =>
        item.startsWith("r-") ? "grounded" : item.endsWith("q12") ? "" : "miss",
      ),
    });
    const { status, stderr } = await place.run([
      "bench",
      "sample",
      "bench.json",
      "--score",
      "half.csv",
      "--hits",
      "1",
    ]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^warning: \d of \d+ hits are not labelled yet\n$/);
  });
  it("completes the checklist of the decision, unless hits became only more vague", async () => {
    place.write({
      "good.csv": labelled(await sheetOf("--hits", "1"), byRelevance),
      "vague.csv": labelled(await sheetOf("--hits", "1"), (item) =>
        item.startsWith("r-") ? "broad" : "miss",
      ),
    });
    const [good, vague] = await Promise.all([
      decided("--sample", "good.csv", "--hits", "1"),
      decided("--sample", "vague.csv", "--hits", "1"),
    ]);
    expect(good).toMatchObject({ may_promote: true, sampling: { answer: "more_relevant" } });
    expect(good.checklist.every(({ is_done }) => is_done)).toBe(true);
    expect(vague).toMatchObject({ may_promote: false, sampling: { answer: "more_vague" } });
  });
  it("is held against the mode that is decided for now, not the one before", async () => {
    place.write({ "now.csv": labelled(await sheetOf("--hits", "1"), byRelevance) });
    expect(await decided("--confidence", "0.8", "--sample", "now.csv", "--hits", "1")).toMatchObject({
      decision: { run: "hybrid" },
      sampling: { against: "hybrid" },
    });
  });
  it.each([
    ["without a fixture or a sheet", [], "name the fixture of the report with --fixture"],
    ["with another fixture", ["--fixture", "fixture.json"], "the report was made on the fixture with digest"],
    [
      "with a sheet of another depth",
      ["--score", "three.csv", "--hits", "2"],
      "the sheet is not one of this report with the first 2 hits of each mode",
    ],
    [
      "with a sheet that nobody has labelled",
      ["--score", "three.csv"],
      "the sheet labels no hits of fts_only and embedding_only",
    ],
    [
      "with a sheet that is none",
      ["--score", "fixture.json"],
      "fixture.json:1: the first line must name the columns `label`, `case_id`, `item`",
    ],
    [
      "with a label that is none",
      ["--score", "odd.csv"],
      "odd.csv:2:1: label must be grounded, broad, miss or empty, got `good`",
    ],
    [
      "with a seed that is no whole number",
      ["--fixture", "folder", "--seed", "1.5"],
      "--seed must be a whole number from -2147483648 to 4294967295, got `1.5`",
    ],
    [
      "with an option of the decision",
      ["--fixture", "folder", "--margin", "0.1"],
      "--margin is an option of `bench`, not of `bench sample`; leave it out",
    ],
  ])("%s is exit code 2", async (_, args, message) => {
    const { status, stdout, stderr } = await place.run(["bench", "sample", "bench.json", ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe.concurrent("options that bench and its commands share", () => {
  it.each([
    ["decide bench.json --sample three.csv --md three.csv", "would replace what the command reads"],
    ["decide bench.json -o bench.json", "would replace what the command reads"],
    ["decide bench.json --md two.md --html two.md", "would replace what --md writes"],
    ["decide bench.json --md - --json", "cannot both go to the standard output"],
    ["decide bench.json --hits 3", "--hits does nothing without --sample"],
    ["sample bench.json --fixture folder -o bench.json --force", "would replace what the command reads"],
    ["sample bench.json --fixture folder --json", "--json does nothing without --score"],
    ["sample bench.json --score three.csv --query-count 5", "--query-count does nothing with --score"],
    ["sample bench.json --score three.csv --top-k 5", "--top-k does nothing with --score"],
  ])("are refused where they harm, or do nothing: bench %s", async (line, message) => {
    const { status, stdout, stderr } = await place.run(["bench", ...line.split(" ")]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
  it.each([["decide", ["--margin", "0.5", "--confidence", "0.9", "--latency-budget", "7", "--seed", "3"]]])(
    "mean the same before and behind %s",
    async (name, options) => {
      const [before, behind] = await Promise.all([
        place.run(["bench", ...options, name, "bench.json", "--json"]),
        place.run(["bench", name, "bench.json", ...options, "--json"]),
      ]);
      expect(before).toEqual(behind);
      expect(reportIn(behind.stdout).decision).toMatchObject({
        margin: 0.5,
        confidence: 0.9,
        latency_budget_ms: 7,
        seed: 3,
      });
    },
  );
  it("--output, --md and --fail-under mean the same before and behind decide", async () => {
    const options = (at: string): string[] => [
      "-o",
      `${at}.json`,
      "--md",
      `${at}.md`,
      "--fail-under",
      "fts_only.mrr=0.6",
    ];
    const [before, behind] = await Promise.all([
      place.run(["bench", ...options("before"), "decide", "bench.json"]),
      place.run(["bench", "decide", "bench.json", ...options("behind")]),
    ]);
    expect(before.status).toBe(3);
    expect(before).toEqual({ ...behind, stderr: behind.stderr.replaceAll("behind", "before") });
    expect(place.read("before.json")).toBe(place.read("behind.json"));
  });
  it(
    "--seed, --output, --qrels, --queries, --corpus and --top-k mean the same before and behind " + "sample",
    async () => {
      place.write(
        Object.fromEntries(
          Object.entries(collection("parts")).map(([name, content]) => [
            name.replace("parts/", "parts/my-"),
            content,
          ]),
        ),
      );
      const parts = [
        "--corpus",
        "parts/my-corpus.jsonl",
        "--queries",
        "parts/my-queries.jsonl",
        "--qrels",
        "parts/my-qrels.txt",
        "--top-k",
        "4",
      ];
      expect((await place.run(["bench", ...parts, "parts", "--no-store", "-o", "parts.json"])).status).toBe(
        0,
      );
      const options = [...parts, "--seed", "6"];
      expect(
        (
          await place.run([
            "bench",
            ...options,
            "-o",
            "one.csv",
            "sample",
            "parts.json",
            "--fixture",
            "parts",
          ])
        ).status,
      ).toBe(0);
      expect(
        (
          await place.run([
            "bench",
            "sample",
            "parts.json",
            "--fixture",
            "parts",
            ...options,
            "-o",
            "two.csv",
          ])
        ).status,
      ).toBe(0);
      expect(place.read("one.csv")).toBe(place.read("two.csv"));
    },
  );
  it("defaults of bench say nothing to its commands: a fixture in one file needs no option", async () => {
    place.write({ "papers.json": JSON.stringify(paperFixture()) });
    await place.run(["bench", "papers.json", "--no-store", "-o", "papers-report.json"]);
    expect(
      (await place.run(["bench", "sample", "papers-report.json", "--fixture", "papers.json"])).status,
    ).toBe(0);
  });
});
