import { existsSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { benchReportSchema } from "../../src/records/schema/index.js";
import { loopback } from "../support/loopback.js";
import {
  benchFiles,
  collection,
  DOCUMENTS,
  jsonl,
  RECORDED,
  reportIn,
  RUNS_AS_MODES,
  withoutTimes,
} from "./bench-files.js";
import { inProcess } from "./in-process.js";
import { QUERIES, Workplace } from "./spawned.js";
import { pattern } from "../support/pattern.js";

let place: Workplace;
beforeAll(() => {
  place = new Workplace();
  place.write(benchFiles());
});

/** Once each, and nothing kept: what most tests need. */
const QUICK = ["--no-store", "--repeats", "1", "--warm-up", "0"];

async function measured(...args: string[]): Promise<ReturnType<typeof reportIn>> {
  return warned("", ...args);
}

async function warned(warnings: string, ...args: string[]): Promise<ReturnType<typeof reportIn>> {
  const { status, stdout, stderr } = await place.run(["bench", ...args, ...QUICK, "--json"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: warnings });
  return reportIn(stdout);
}

describe.concurrent("bench", () => {
  it("shows the decision, every mode and the checklist; the talk is on stderr", async () => {
    const { status, stdout, stderr } = await place.run(["bench", "fixture.json", ...QUICK]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      /^fixture, 5 cases, 20 chunks\n\n(?:FALL BACK TO FTS_ONLY|INCONCLUSIVE|KEEP \w+) {2}\w/,
    );
    for (const line of [
      /^mode +recall@5 +MRR@5 +nDCG@5 /m,
      /^fts_only +\d\.\d{4} /m,
      /^embedding_only +\d\.\d{4} /m,
      /^hybrid +\d\.\d{4} /m,
      /^rollback: /m,
      /^open {2}.*no hits have been labelled/m,
    ])
      expect(stdout).toMatch(line);
  });
  it("--json prints the report and nothing else, and is what -o writes", async () => {
    const { stdout, stderr } = await place.run([
      "bench",
      "fixture.json",
      ...QUICK,
      "--json",
      "-o",
      "json/report.json",
    ]);
    expect(benchReportSchema.parse(JSON.parse(stdout))).toMatchObject({
      kind: "bench_report",
      fixture: { name: "fixture", unit: "chunk", cases: 5 },
      settings: { repeats: 1, warm_up: 0 },
    });
    expect(place.read("json/report.json")).toBe(stdout);
    expect(stderr).toBe("wrote json/report.json\n");
  });
  it("--md and --html write the report for people", async () => {
    const { stderr } = await place.run([
      "bench",
      "fixture.json",
      ...QUICK,
      "--md",
      "forms/report.md",
      "--html",
      "forms/report.html",
    ]);
    expect(stderr).toBe("wrote forms/report.md\nwrote forms/report.html\n");
    expect(place.read("forms/report.md")).toMatch(/^# .*fixture/);
    expect(place.read("forms/report.html")).toMatch(/^<!doctype html>/);
  });
  it("a form that cannot be written is exit code 5, and the others are written", async () => {
    const { status, stdout, stderr } = await place.run([
      "bench",
      "fixture.json",
      "--store",
      "lost/runs.sqlite",
      "-o",
      "folder",
      "--md",
      "kept.md",
      "--fail-under",
      "hybrid.recall=2",
    ]);
    expect(status).toBe(5);
    expect(stdout).toContain("rollback: ");
    expect(stderr).toMatch(
      pattern(
        /^wrote kept.md\nkept fixture-fts_only, .*\ncompare them: .*\n/,
        /error: hybrid.recall is [\d.]+, which is below 2\n/,
        /error: folder: cannot be written: it is a folder; the file is as it was\n$/,
      ),
    );
  });
  it("two offline runs are the same but for what the clock told", async () => {
    const [first, second] = await Promise.all(
      ["one", "two"].map(async (name) =>
        place.run(["bench", "folder", "--json", "--no-store", "--md", `same/${name}.md`]),
      ),
    );
    expect(withoutTimes(first?.stdout ?? "")).toBe(withoutTimes(second?.stdout ?? ""));
    const [one, two] = ["one", "two"].map((name) => withoutTimes(place.read(`same/${name}.md`)));
    expect(one).toBe(two);
  });
  it("takes the settings of the decision", async () => {
    const { decision, comparison } = await measured(
      "fixture.json",
      "--margin",
      "0.1",
      "--confidence",
      "0.9",
      "--latency-budget",
      "50",
      "--seed",
      "7",
    );
    expect(decision).toMatchObject({ margin: 0.1, confidence: 0.9, latency_budget_ms: 50, seed: 7 });
    expect(comparison).toMatchObject({ settings: { confidence: 0.9, seed: 7 } });
  });
});

describe.concurrent("bench --fail-under", () => {
  it("passes what is held", async () => {
    expect(
      await place.run([
        "bench",
        "folder",
        ...QUICK,
        ...RUNS_AS_MODES,
        "--fail-under",
        "embedding_only.recall=1",
        "--fail-under",
        "hybrid.mrr=0.6667",
        "--fail-under",
        "fts_only.hit_rate=0.5",
        "--fail-under",
        "hybrid.p95_latency_ms=60000",
      ]),
    ).toMatchObject({ status: 0, stderr: RECORDED });
  });
  it("is exit code 3 for what is not, with all of it, after the report is written", async () => {
    // RR is 1/2 for each query, (1/3 + 1)/2 = 2/3 on average.
    const { status, stdout, stderr } = await place.run([
      "bench",
      "folder",
      ...QUICK,
      ...RUNS_AS_MODES,
      "--json",
      "-o",
      "below.json",
      "--fail-under",
      "fts_only.mrr=0.51",
      "--fail-under",
      "hybrid.mrr=0.7",
      "--fail-under",
      "hybrid.hit_rate=1",
    ]);
    expect(status).toBe(3);
    expect(stderr).toBe(
      `wrote below.json\n${RECORDED}error: fts_only.mrr is 0.5, which is below 0.51\nerror: ` +
        "hybrid.mrr is 0.6667, which is below 0.7\n",
    );
    expect(place.read("below.json")).toBe(stdout);
  });
  it("tells GitHub what it says", async () => {
    const limits = ["--fail-under", "hybrid.mrr=0.7", "--fail-under", "fts_only.mrr=0.5"];
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: place.path("summary.md") };
    const { status, stderr } = await place.run(["bench", "folder", ...QUICK, ...RUNS_AS_MODES, ...limits], {
      env,
    });
    expect([status, stderr]).toEqual([3, expect.stringMatching(/^::error .*hybrid\.mrr/m)]);
    expect(place.read("summary.md")).toMatch(/fail \| hybrid\.mrr .* \| 0\.6667 \|/);
    expect(place.read("summary.md")).toMatch(/pass \| fts_only\.mrr .* which is at least 0\.5 \|/);
  });
  it.each([
    [
      "hybrid.recal=0.5",
      "error: `hybrid.recal=0.5`: the score must be one of recall, mrr, ndcg, hit_rate, " +
        "avg_latency_ms, p95_latency_ms; did you mean `recall`?\n",
    ],
    [
      "hybird.recall=0.5",
      "error: `hybird` was not measured; a limit can be set for fts_only, embedding_only, hybrid; " +
        "did you mean `hybrid`?\n",
    ],
    [
      "hybrid@live.recall=0.5",
      "error: `hybrid@live` was not measured; a limit can be set for fts_only, embedding_only, hybrid\n",
    ],
    ["recall=0.5", "error: a limit must look like `hybrid.recall=0.5`, got `recall=0.5`\n"],
    ["hybrid.recall=half", "error: a limit must look like `hybrid.recall=0.5`, got `hybrid.recall=half`\n"],
  ])("%s is exit code 2, and nothing is printed or written", async (limit, stderr) => {
    expect(
      await place.run(["bench", "folder", ...QUICK, "-o", "refused.json", "--fail-under", limit]),
    ).toEqual({ status: 2, stdout: "", stderr });
    expect(existsSync(place.path("refused.json"))).toBe(false);
  });
});

describe.concurrent("the settings of a search", () => {
  const descriptionOf = async (mode: string, ...args: string[]): Promise<string | undefined> =>
    (await measured("folder", ...args)).modes.find((each) => each.mode === mode)?.description;

  it("--modes measures those only", async () => {
    expect((await measured("folder", "--modes", "fts_only, hybrid")).modes.map(({ mode }) => mode)).toEqual([
      "fts_only",
      "hybrid",
    ]);
  });
  it("--embedding-provider none leaves full text alone, and no decision", async () => {
    const { modes, decision, comparison } = await measured("folder", "--embedding-provider", "none");
    expect(modes.map(({ mode }) => mode)).toEqual(["fts_only"]);
    expect({ decision, comparison }).toEqual({ decision: null, comparison: null });
  });
  it("--top-k is the cutoff of a folder", async () => {
    expect((await measured("folder", "--top-k", "3")).modes[0]?.overall).toHaveProperty("ndcg_at_3");
  });
  it("--chunker and --chunk-size cut the documents, which changes what is measured", async () => {
    const [whole, cut] = await Promise.all([
      measured("folder"),
      measured("folder", "--chunker", "sentences", "--chunk-size", "60"),
    ]);
    expect(whole.fixture).toMatchObject({ chunks: 24, unit: "doc" });
    expect(cut.fixture).toMatchObject({
      chunks: 36,
      unit: "doc",
      chunker_version: expect.stringContaining("60"),
    });
    expect(cut.fixture.digest).not.toBe(whole.fixture.digest);
  });
  it.each([
    [["--language", "german"], "fts_only", "german"],
    [["--idf", "fts5"], "fts_only", "idf fts5"],
    [["--k1", "0", "--b", "1"], "fts_only", "k1 0, b 1"],
    [["--title-weight", "3", "--text-weight", "0.5"], "fts_only", "title 3, text 0.5"],
    [["--fusion", "wsum(weights=0.7/0.3)", "--normalize", "min-max"], "hybrid", "wsum(weights=0.7/0.3)"],
  ])("%j is told of the mode %s", async (args, mode, words) => {
    expect(await descriptionOf(mode, ...args)).toContain(words);
  });
  it.each([
    [["--k1", "-1"], "--k1 must be a number from 0, got `-1`"],
    [["--k1", "high"], "--k1 must be a number from 0, got `high`"],
    [["--b", "1.1"], "b must be a number from 0 to 1, got `1.1`"],
    [["--idf", "tf"], "option '--idf <variant>' argument 'tf' is invalid. Allowed choices are lucene, fts5."],
    [["--top-k", "0"], "--top-k must be a whole number from 1, got `0`"],
    [["--repeats", "1.5"], "--repeats must be a whole number from 1, got `1.5`"],
    [["--warm-up", "-1"], "--warm-up must be a whole number from 0, got `-1`"],
    [["--depth", "1e3"], "--depth must be a whole number from 1, got `1e3`"],
    [["--seed", "0.5"], "--seed must be a whole number from -2147483648 to 4294967295, got `0.5`"],
    [["--confidence", "95"], "--confidence must be a number above 0 and below 1, got `95`"],
    [["--margin", "2"], "margin must be a difference of nDCG from -1 to 1, got `2`"],
    [["--latency-budget", "-1"], "--latency-budget must be a number from 0, got `-1`"],
    [
      ["--chunk-size", "100"],
      "--chunk-size and --chunk-overlap are for --chunker sentences and windows; with --chunker whole " +
        "documents are not cut",
    ],
    [
      ["--chunker", "windows", "--chunk-overlap", "-3"],
      "--chunk-overlap must be a whole number from 0, got `-3`",
    ],
    [["--fusion", "rrff"], "unknown fusion method `rrff`; did you mean `rrf`?"],
    [["--normalize", "__proto__"], "unknown normalizer `__proto__`; known are"],
    [
      ["--modes", "hybird"],
      "mode must be one of fts_only, embedding_only, hybrid, got `hybird`; did you mean `hybrid`?",
    ],
    [
      ["--modes", "fts_only,hybrid", "--embedding-provider", "none"],
      "mode `hybrid` needs embeddings; give a provider, or leave the mode out",
    ],
    [
      ["--modes", "fts_only,embedding_only", "--normalize", "max"],
      "--normalize does nothing without the mode hybrid",
    ],
    [["--modes", "fts_only", "--embedding-rate", "5"], "--embedding-rate does nothing without embeddings"],
    [["--system", "fts_only=http://127.0.0.1/a", "--k1", "2"], "--k1 does nothing with an fts_only of yours"],
    [
      ["--modes", "fts_only", "--system", "mine=http://127.0.0.1/a"],
      "your `mine` does nothing without the mode of this name; leave it out, or name the mode",
    ],
    [["--vectors", "v.jsonl"], "--vectors and --query-vectors go together"],
    [["--query-vectors", "v.jsonl"], "--vectors and --query-vectors go together"],
    [
      ["--system", "good.run"],
      "--system must look like `embedding_only=dense.run` or `mine=http://localhost:8080/search`, " +
        "got `good.run`",
    ],
    [["--system", "mine=gone.run"], "gone.run: no such file; check the path"],
    [["--system", "mine=http://"], "the address of a search service must begin with http:// or https://"],
    [
      ["--system", "mine=http://127.0.0.1/a", "--system", "mine=http://127.0.0.1/b"],
      "`mine` is given twice; give each system a name of its own",
    ],
    [["extra"], "too many arguments for 'bench'. Expected 1 argument but got 2."],
  ])("%j is exit code 2, with one line that says why", async (args, message) => {
    const { status, stdout, stderr } = await inProcess("bench", place.path("folder"), "--no-store", ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr.split("error: ")).toHaveLength(2);
  });
  it("--language suggests the one that was meant", async () => {
    expect((await inProcess("bench", place.path("folder"), "--language", "germn")).stderr).toMatch(
      /^error: language must be one of english, .*, got `germn`; did you mean `german`\?\n$/,
    );
  });
  it("what a fixture says itself cannot be said again, by the names of the flags", async () => {
    expect(await place.run(["bench", "fixture.json", "--top-k", "3", "--chunker", "sentences"])).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "error: fixture.json: a fixture in one file already sets what --top-k, --chunker would say; " +
        "leave that out, or name a folder\n",
    });
  });
});

describe.concurrent("systems of one's own", () => {
  it("TREC runs stand for the standard modes", async () => {
    const { modes, decision } = await warned(RECORDED, "folder", ...RUNS_AS_MODES);
    // Relevant at rank 2, at 1, and at 3 and 1 by turns.
    expect(modes.map(({ mode, overall }) => [mode, overall["mrr_at_10"]])).toEqual([
      ["fts_only", 0.5],
      ["embedding_only", 1],
      ["hybrid", 0.6667],
    ]);
    expect(decision).toMatchObject({
      outcome: "keep_embedding_only",
      rule: "embedding_improves",
      run: "embedding_only",
    });
  });
  it("a recorded run takes part under a name of its own", async () => {
    place.write({
      "recorded.jsonl": jsonl(
        ...QUERIES.map((query_id) => ({
          query_id,
          hits_top_k: [{ chunk_id: `r-${query_id}#0`, doc_id: `r-${query_id}`, rank: 1 }],
          elapsed_ms: 1,
        })),
      ),
    });
    const { modes } = await warned(
      RECORDED.replace("fts_only, embedding_only, hybrid", "mine"),
      "folder",
      "--system",
      "mine=recorded.jsonl",
      "--embedding-provider",
      "none",
    );
    expect(modes.map(({ mode, overall }) => [mode, overall["recall_at_10"]])).toEqual([
      ["fts_only", expect.any(Number)],
      ["mine", 1],
    ]);
  });
  it("vectors of any model are embedding_only, and part of hybrid", async () => {
    // Each query has the vector of its relevant document.
    const axis = (index: number): number[] => QUERIES.map((_, at) => (at === index ? 1 : 0));
    place.write({
      "documents.jsonl": jsonl(
        ...DOCUMENTS.filter(({ _id }) => _id.startsWith("r-")).map(({ _id }, index) => ({
          id: _id,
          vector: axis(index),
        })),
      ),
      "queries.jsonl": jsonl(...QUERIES.map((id, index) => ({ id, vector: axis(index) }))),
    });
    const { modes } = await warned(
      "warning: documents.jsonl has no vectors for 12 of 24 chunks, which are never " +
        `found\n${RECORDED.replace("fts_only, ", "")}`,
      "folder",
      "--vectors",
      "documents.jsonl",
      "--query-vectors",
      "queries.jsonl",
    );
    expect(modes.map(({ mode }) => mode)).toEqual(["fts_only", "embedding_only", "hybrid"]);
    expect(modes[1]?.overall).toMatchObject({ mrr_at_10: 1, evidence_hit_rate: 1 });
    expect(modes[2]?.description).toContain("fused by rrf");
  });
  it("vectors without those of the questions say so for every question, and are exit code 5", async () => {
    place.write({
      "some.jsonl": jsonl({ id: "r-q1", vector: [1, 0] }),
      "others.jsonl": jsonl({ id: "other", vector: [1, 0] }),
    });
    const { status, stderr } = await place.run([
      "bench",
      "folder",
      ...QUICK,
      "--vectors",
      "some.jsonl",
      "--query-vectors",
      "others.jsonl",
    ]);
    expect(status).toBe(5);
    expect(stderr).toContain(
      "error: embedding_only failed for every case, so that its scores say nothing: there is no " +
        "vector for the question `q1`\n",
    );
  });
});

describe("a service as a mode", () => {
  it("is asked each question with its id, and measured as any other", async () => {
    const asked: unknown[] = [];
    const address = await loopback((body, response) => {
      const request = JSON.parse(body) as { query_id: string };
      asked.push(request);
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ hits: [{ id: `r-${request.query_id}`, score: 1 }] }));
    });
    const { modes } = await measured(
      "folder",
      "--system",
      `mine=${address}?key=secret`,
      "--embedding-provider",
      "none",
    );
    expect(modes[1]).toMatchObject({
      mode: "mine",
      description: `the service at ${new URL(address).origin}`,
      overall: { mrr_at_10: 1, recall_at_10: 1 },
    });
    expect(asked).toHaveLength(QUERIES.length);
    expect(asked[0]).toEqual({
      query: expect.stringContaining("of the kind q1"),
      limit: 100,
      query_id: "q1",
    });
  });
  it(
    "that fails for some questions is a warning; what stands behind the question mark of its " +
      "address is nowhere",
    async () => {
      const address = await loopback((body, response) =>
        body.includes('"q3"')
          ? response.writeHead(500).end("secret-of-the-service")
          : response.writeHead(200).end('["r-q1"]'),
      );
      const { status, stdout, stderr } = await place.run([
        "bench",
        "folder",
        ...QUICK,
        "--json",
        "--system",
        `mine=${address}?key=secret`,
      ]);
      expect(status).toBe(0);
      expect(stderr).toBe(
        `warning: mine failed for 1 of 12 cases, which count as nothing found; \`q3\`: ${address} ` +
          "answered with status 500; see its log\n",
      );
      expect(stdout).not.toContain("secret");
    },
  );
  it("that is down is exit code 5, after the report of the others is written", async () => {
    const address = await loopback((_, response) => response.destroy());
    const { status, stdout, stderr } = await place.run([
      "bench",
      "folder",
      ...QUICK,
      "--json",
      "-o",
      "down.json",
      "--system",
      `mine=${address}`,
    ]);
    expect(status).toBe(5);
    expect(stderr).toContain(
      `error: mine failed for every case, so that its scores say nothing: ${address} cannot be reached\n`,
    );
    expect(place.read("down.json")).toBe(stdout);
    expect(await place.run(["bench", "decide", "down.json"])).toMatchObject({ status: 0 });
  });
});

describe.concurrent("the store of a benchmark", () => {
  it("--no-store leaves nothing behind", async () => {
    const clean = new Workplace();
    clean.write(benchFiles());
    await clean.run(["bench", "fixture.json", ...QUICK]);
    expect(existsSync(clean.path(".rankproof"))).toBe(false);
  });
  it.each([
    ["at the usual place", "fixture.json", [], "chunk"],
    ["in a store of its own", "folder", ["--store", "kept/runs.sqlite"], "doc"],
    ["under a name that a shell would split", "it's two words", ["-s", "my $HOME runs.sqlite"], "doc"],
  ])("runs and cases are kept %s, and the printed command compares them", async (_, fixture, store, unit) => {
    const own = new Workplace();
    own.write({ ...benchFiles(), ...collection("it's two words") });
    const { status, stderr } = await own.run(["bench", fixture, ...store]);
    expect(status).toBe(0);
    const command = /^compare them: rankproof (.*)$/m.exec(stderr)?.[1] ?? "";
    const compared = await own.run(shellWords(command));
    expect(compared).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^a: .*-fts_only {2}.* UTC\nb: .*-hybrid {2}.* UTC\n/),
    });
    expect(compared.stdout).toMatch(unit === "chunk" ? /^nDCG.*@5 /m : /^nDCG.*@10 /m);
  });
  it("what is no store is refused before anything is measured", async () => {
    expect(
      await place.run(["bench", "folder", "--store", "fixture.json", "-o", "unmeasured.json"]),
    ).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^error: fixture.json: is not an SQLite database/),
    });
    expect(existsSync(place.path("unmeasured.json"))).toBe(false);
  });
  it("a second benchmark takes the place of the first", async () => {
    const own = new Workplace();
    own.write(benchFiles());
    for (let time = 0; time < 2; time++)
      expect((await own.run(["bench", "fixture.json", "--modes", "fts_only"])).status).toBe(0);
    expect((await own.run(["runs", "list"])).stdout.match(/^fixture-/gm)).toHaveLength(1);
  });
  it("replaces no run and no golden set that is not of a benchmark", async () => {
    const own = new Workplace();
    const mine = '[{"id":"mine","query":"by hand"}]';
    own.write({
      ...benchFiles(),
      "fixture.golden.json": mine,
      "mine.jsonl": '{"query_id":"q","hits_top_k":[]}',
    });
    const bench = ["bench", "fixture.json", "--modes", "fts_only", "-s", "runs.sqlite"];
    expect(await own.run(bench)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: fixture.golden.json is not the golden set of a benchmark/),
    });
    expect(own.read("fixture.golden.json")).toBe(mine);
    own.write({ "folder.golden.json/golden.yaml": mine });
    expect(await own.run([...bench, "--name", "folder"])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: folder.golden.json is not the golden set of a benchmark/),
    });
    expect(
      (await own.run(["import", "mine.jsonl", "--id", "kept-fts_only", "-s", "runs.sqlite"])).status,
    ).toBe(0);
    expect(await own.run([...bench, "--name", "kept"])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: the store has a run `kept-fts_only` that no benchmark wrote/),
    });
  });
});

/** The words that a POSIX shell would make of a command line with single quotes. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|\\'|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"([^"]*)"|\\'/g,
      (_, single?: string, double?: string) => single ?? double ?? "'",
    ),
  );
}
