import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { parseAssessments } from "../../src/formats/index.js";
import { searchEngine } from "../support/search-engines.js";
import { modelServer } from "../support/model-server.js";
import { judgmentOrigin } from "../../src/node/evaluate/label-origin.js";
import { inProcess } from "./in-process.js";
import {
  configure,
  DATASETS,
  file,
  fine,
  GRADES,
  KEY,
  label,
  useFolder,
  WORDS,
  write,
} from "./label-project.js";

useFolder();

describe("labels", () => {
  const flags = (): string[] => ["--queries", file("queries.txt"), "--corpus", file("items.jsonl")];

  it("are rebuilt from the head of the search on, and what was done is written for each query", async () => {
    const builds = file(".rankproof/datasets/shop/query_builds");
    configure({ datasets: { shop: { queries: "queries.txt", corpus: "items.jsonl" } } });
    expect(await fine("build", "shop", "--deep", "--dry-run")).toBe(
      "overlap would be asked 4 times for 4 queries, less for what is labelled already; " +
        "before it 4 search requests, and at most 4 rerank requests\n",
    );
    expect(existsSync(builds)).toBe(false);
    const first = await label("build", "shop", "--deep", "--rebuild-llm-batch-size", "3");
    expect(first.stdout).toMatch(/^overlap: 16 new of 16 labels for 4 queries/);
    expect(first.stderr).toContain(
      "red shoe batch 1: exact_ratio 0.3333, irrelevant_ratio 0.0000, low_ratio 0.6667, " +
        "irrelevant_plus_low_ratio 0.6667\n",
    );
    expect(first.stderr).toMatch(
      /red shoe: 4 items labelled, ended by nothing left; .*query_builds.*\.json\n/,
    );
    expect(readdirSync(builds)).toHaveLength(4);
    // The first 16 hexadecimal digits of SHA-256 of "red shoe".
    const digest = createHash("sha256").update("red shoe").digest("hex").slice(0, 16);
    const build = JSON.parse(readFileSync(`${builds}/${digest}.json`, "utf8")) as Record<string, unknown>;
    expect(build).toMatchObject({
      query: "red shoe",
      pool: ["1", "1e5", "02"],
      stop: { reason: "exhausted" },
    });
    expect(await fine("build", "shop", "--deep")).toMatch(
      /^overlap: 0 new of 16 labels .*, 16 were there; 0 requests/,
    );
    expect(await fine("build", "shop", "--force-refresh-labels")).toMatch(/^overlap: 16 new of 16 labels/);
    const forgot = await label("forget", "--query", "Red shoe");
    expect(forgot.stderr).toMatch(
      /^warning: there were no such labels; --query takes the text .*\nforgot 0 assessments; /,
    );
    expect((await label("forget", "--query", "red shoe")).stderr).toMatch(
      /^forgot 8 assessments and 1 query build; /,
    );
    expect(readdirSync(builds)).toHaveLength(3);
  });

  it("are of what a reranker puts first, too, where the dataset has one", async () => {
    write(
      "last.mjs",
      "export const score = (query, documents) => documents.map(({ text }) => " +
        "text.includes('hat') ? 1 : 0);\n",
    );
    configure({
      datasets: { shop: { queries: "queries.txt", corpus: "items.jsonl", reranker: "last" } },
      rerankers: { last: { kind: "module", path: "last.mjs", version: "1" } },
    });
    const few = ["--annotate-search-top-k", "1", "--annotate-rerank-top-k", "1"];
    await fine("build", "shop", ...few);
    const said = (await fine("export"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { query: string; item: string });
    expect(
      said
        .filter(({ query }) => query === "red shoe")
        .map(({ item }) => item)
        .sort(),
    ).toEqual(["1", "1e5"]);
    expect((await inProcess("datasets", "check")).stderr).toBe("shop: 4 queries, 4 items, fine\n");
    configure({ datasets: { shop: { queries: "queries.txt", corpus: "items.jsonl", reranker: "lost" } } });
    expect((await label("build", "shop")).stderr).toContain(
      "there is no reranker `lost`; known are `overlap`",
    );
    configure({
      datasets: { shop: { queries: "queries.txt", corpus: "items.jsonl", reranker: "far" } },
      rerankers: { far: { kind: "http", modell: "m" } },
    });
    expect((await label("build", "shop")).stderr).toContain("unknown key `modell`; did you mean `model`?");
  });

  it("are built over a search engine that lists its own items, and a dry run asks it nothing", async () => {
    const stock = ["red shoe", "blue shoe", "red hat"].map((title, at) => ({
      id: `p${at}`,
      fields: { title, secret: 1 },
    }));
    const { url, asked } = await searchEngine("elasticsearch", stock);
    configure({
      datasets: { live: { queries: "queries.txt", backend: "es", fields: ["title"] } },
      backends: { es: { kind: "elasticsearch", url, index: "shop" } },
    });
    expect(await fine("build", "live", "--dry-run")).toBe(
      "overlap would be asked at most 12 times for 4 queries, less for what is labelled already; " +
        "before it 4 search requests; its items are not listed yet\n",
    );
    expect(asked).toEqual([]);
    const first = await label("build", "live");
    expect(first.stderr).toContain("the search lists 3 items, kept in ");
    expect(first.stdout).toMatch(/^overlap: 7 new of 7 labels for 4 queries/);
    const searches = asked.length;
    const deep = await label("build", "live", "--deep");
    expect(deep.stderr).not.toContain("the search lists");
    expect(deep.stdout).toMatch(/^overlap: 5 new of 12 labels for 4 queries, 7 were there/);
    expect(asked.length - searches).toBe(4);
    expect((await label("build", "live", "--refresh-corpus")).stderr).toContain("the search lists 3 items");
    expect(await fine("status", "live")).toMatch(/overlap \(model\) +4 of 4 /);
    expect((await inProcess("datasets", "check")).status).toBe(0);
    expect((await inProcess("datasets", "--labels", file("labels.sqlite"))).stdout).toMatch(
      /live +4 +3 +4 of 4 /,
    );
    // Another index is another list.
    configure({
      datasets: { live: { queries: "queries.txt", backend: "es", fields: ["title"] } },
      backends: { es: { kind: "elasticsearch", url, index: "other" } },
    });
    expect((await label("build", "live", "--deep")).stderr).toContain("the search lists 3 items");
    configure({ datasets: { live: { queries: "queries.txt" } } });
    expect((await label("build", "live")).stderr).toMatch(
      /must have a corpus, or a backend that lists its items/,
    );
  });

  it("are built for the queries that a search answers, and the others are named", async () => {
    const stock = ["red shoe", "blue shoe"].map((title, at) => ({ id: `p${at}`, fields: { title } }));
    const { url } = await searchEngine("elasticsearch", stock, (answer, { body }) =>
      JSON.stringify(body).includes("red hat")
        ? { status: 400, body: { error: { reason: "too many clauses" } } }
        : answer,
    );
    configure({
      datasets: { live: { queries: "queries.txt", backend: "es" } },
      backends: { es: { kind: "elasticsearch", url, index: "shop" } },
    });
    for (const how of [[], ["--deep"]]) {
      const { status, stdout, stderr } = await label("build", "live", ...how);
      expect([status, stdout]).toEqual([5, expect.stringMatching(/^overlap: [1-9]\d* new of/)]);
      expect(stderr).toMatch(/failed: red hat: .*answered with status 400: `too many clauses`/);
      expect(stderr).toMatch(/error: the search failed for 1 query of 4, .*the same command asks again/);
    }
    configure({
      datasets: { live: { queries: "queries.txt", backend: "es" } },
      backends: { es: { kind: "elasticsearch", url: "http://127.0.0.1:1", index: "shop", retries: 0 } },
      stopAfterFailures: 2,
    });
    const gone = await label("build", "live");
    expect([gone.status, gone.stderr]).toEqual([5, expect.stringContaining("cannot be reached")]);
  });

  it("stay known as a model's in every comparison by the judgments that they become", async () => {
    await fine("build", ...flags());
    const qrels = file("qrels.txt");
    await fine("export", ...flags(), "--format", "qrels", "-o", qrels);
    expect(JSON.parse(readFileSync(`${qrels}.labels.json`, "utf8"))).toMatchObject({
      kind: "label_origin",
      queries: 4,
      labels: { adjudicator: 0, people: 0, labeler: 8 },
      per_query: { fewest: 1, most: 3 },
      raters: [{ rater: { kind: "model", name: "overlap" }, labels: 8 }],
    });
    const run = (name: string, ids: string[]): string =>
      write(
        name,
        WORDS.flatMap((_, q) => ids.map((id, at) => `${q + 1} Q0 ${id} ${at} ${9 - at} x\n`)).join(""),
      );
    const runs = [run("a.run", ["1", "02"]), run("b.run", ["02", "1"])];
    const said = "8 of 8 labels behind the judgments are a model's (overlap), 0 are people's";
    expect((await inProcess("evaluate", qrels, ...runs)).stderr).toContain(said);
    const page = file("report.html");
    await inProcess("evaluate", qrels, runs[0] as string, "--html", page);
    expect(readFileSync(page, "utf8")).toContain(said.replace("'", "\u2019").slice(0, 30));
    const compared = await inProcess("compare", ...runs, "--qrels", qrels, "--json");
    expect((JSON.parse(compared.stdout) as { warnings: object[] }).warnings).toContainEqual(
      expect.objectContaining({ code: "LABELLED_BY_MODEL", count: 8 }),
    );
    // A table and lines say themselves who judged.
    const table = file("labels.csv");
    await fine("export", ...flags(), "--format", "csv", "-o", table);
    const byTable = JSON.parse(
      (await inProcess("compare", ...runs, "--qrels", table, "-m", "nDCG@2", "--json")).stdout,
    ) as { trust: object };
    expect(byTable.trust).toMatchObject({ status: "not_audited", labels: { people: 0, model: 8 } });
    const lines = file("labels.jsonl");
    await fine("export", ...flags(), "-o", lines);
    expect((await judgmentOrigin(lines)).evidence).toEqual({
      labeler: "overlap",
      counts: { people: 0, model: 8 },
    });
    writeFileSync(qrels, `${readFileSync(qrels, "utf8")}4 0 zz 1\n`);
    expect((await inProcess("compare", ...runs, "--qrels", qrels)).stderr).toContain(
      "is not of these judgments",
    );
    write("qrels.txt.labels.json", "{}");
    const wrong = await inProcess("compare", ...runs, "--qrels", qrels);
    expect([wrong.status, wrong.stderr]).toEqual([
      0,
      expect.stringContaining("qrels.txt.labels.json is not of"),
    ]);
  });
});

describe("labels by a model", () => {
  it("are asked for as configured, once, within a budget, and the key is nowhere", async () => {
    const { baseUrl, stats } = await modelServer({ grades: GRADES, key: KEY });
    vi.stubEnv("RANKPROOF_CHAT_API_KEY", KEY);
    vi.stubEnv("RANKPROOF_CHAT_BASE_URL", baseUrl);
    const price = { input: 1000, output: 1000, currency: "EUR" };
    configure({ datasets: DATASETS, labelers: { gpt: { kind: "openai", model: "judge", price } } });
    const outputs = [await fine("build", "shop", "--dry-run")];
    expect(outputs[0]).toMatch(
      /^gpt would be asked 4 times for 8 labels of 4 queries \(8 wanted, 0 there\), about \d+ tokens/,
    );
    expect((await stats()).requests).toBe(0);
    expect(await fine("build", "--max-calls", "0")).toContain("does not allow a single batch");
    outputs.push(await fine("build", "--max-calls", "1", "--concurrency", "1"));
    expect(outputs[1]).toContain("the budget ended it; the same command goes on where it was");
    outputs.push(
      await fine("build"),
      await fine("build"),
      await fine("status", "--json"),
      await fine("export"),
    );
    expect((await stats()).requests).toBe(4);
    const exported = parseAssessments(outputs.at(-1) as string);
    expect(
      exported.filter(({ query }) => query === "red shoe").map(({ item, grade }) => [item, grade]),
    ).toEqual([
      ["02", 1],
      ["1", 3],
      ["1e5", 1],
    ]);
    expect(await fine("show", "blue shoe", "shop")).toContain("02    3 Fully Relevant");
    outputs.push(await fine("build", "--labeler", "overlap"), await fine("status"));
    expect(outputs.at(-1)).toMatch(/gpt \(model, judge, product 1\)[^]*overlap \(model\)/);
    vi.stubEnv("RANKPROOF_CHAT_API_KEY", `${KEY}wrong`);
    const refused = await label("build", "--max-calls", "9", "--labeler", "gpt", "--mode", "complex");
    expect([refused.status, refused.stdout]).toEqual([2, ""]);
    for (const text of [...outputs, refused.stderr]) expect(text).not.toContain(KEY.slice(0, 10));
    for (const name of readdirSync(file(".")))
      expect(readFileSync(file(name)).includes(KEY.slice(0, 10))).toBe(false);
  });

  it("need a configuration that fits, and errors say what does", async () => {
    configure({ datasets: { shop: { ...DATASETS.shop, querys: "x" } } });
    expect((await label("build")).stderr).toContain("unknown key `querys`; did you mean `queries`?");
    configure({ labelers: { gpt: { kind: "openai", modell: "x" } } });
    expect((await label("build")).stderr).toContain("did you mean `model`?");
    configure({ labelers: { gpt: { kind: "gpt" } } });
    expect((await label("build")).stderr).toContain("must have a kind: openai, overlap or module");
    configure({ datasets: { "Shop!": DATASETS.shop } });
    expect((await label("build")).stderr).toContain("must be small letters");
    configure({ datasets: { ...DATASETS, other: DATASETS.shop } });
    expect((await label("build")).stderr).toContain("name a dataset (shop, other)");
    expect((await label("build", "third")).stderr).toContain("there is no dataset third");
    expect((await label("build", "shop")).stderr).toContain("there is no labeler `gpt`; known are `overlap`");
    configure({ datasets: DATASETS, labelers: { gpt: { kind: "openai" } } });
    vi.stubEnv("RANKPROOF_CHAT_API_KEY", "");
    vi.stubEnv("OPENAI_API_KEY", "");
    expect((await label("build", "shop")).stderr).toContain("no chat endpoint is set up");
    vi.stubEnv("RANKPROOF_CHAT_API_KEY", KEY);
    expect((await label("build", "shop")).stderr).toContain("no model is named");
    expect((await label("build", "shop", "--max-money", "1")).stderr).toContain("no model is named");
    expect(existsSync(file("labels.sqlite"))).toBe(false);
  });

  it("ask with a prompt of one's own, which makes another rater", async () => {
    const { baseUrl } = await modelServer({ grades: GRADES });
    const printed = (await inProcess("label", "prompt", "product")).stdout;
    const gpt = { kind: "openai", model: "judge", baseUrl };
    configure({ datasets: DATASETS, labelers: { gpt } });
    await fine("build");
    write("mine.yaml", printed.replace('version: "1"', "version: mine-2"));
    configure({ datasets: DATASETS, labelers: { gpt: { ...gpt, prompt: "mine.yaml" } } });
    await fine("build");
    expect(await fine("status")).toMatch(/judge, product 1\)[^]*judge, product mine-2\)/);
    const qrelsOf = async (labeler: object) => {
      configure({ datasets: DATASETS, labelers: { gpt: labeler } });
      const { stdout, stderr } = await label("export", "shop", "--format", "qrels");
      return [
        stdout.split("\n").length,
        stderr.includes("has no labels by the model, prompt and settings that it has now"),
      ];
    };
    const sheet = write("one.jsonl", await fine("export")).replace("one.jsonl", "two.jsonl");
    const graded = readFileSync(file("one.jsonl"), "utf8").split("\n");
    const last = graded.filter((line) => line.includes("mine-2")).slice(0, 1);
    writeFileSync(sheet, last.join("\n").replace("mine-2", "mine-3"));
    await fine("import", sheet);
    // Of three raters of one name those of the settings, whoever spoke last; else the last, which is said.
    expect(await qrelsOf(gpt)).toEqual([9, false]);
    expect(await qrelsOf({ ...gpt, prompt: "mine.yaml" })).toEqual([9, false]);
    expect(await qrelsOf({ ...gpt, model: "another" })).toEqual([2, true]);
    // Neither a key nor a server is needed to know who it is, and another dataset's labels do not count.
    write("few.txt", "red shoe\n");
    const other = { few: { ...DATASETS.shop, queries: "few.txt" }, ...DATASETS };
    configure({ datasets: other, labelers: { gpt: { kind: "openai", model: "judge" } } });
    const keyless = await label("export", "shop", "--format", "qrels");
    expect([keyless.stdout.split("\n").length, keyless.stderr]).toEqual([9, ""]);
    write("strange.txt", "a purple hat\n");
    configure({
      datasets: { ...other, strange: { ...DATASETS.shop, queries: "strange.txt" } },
      labelers: { gpt: { ...gpt, model: "later" } },
    });
    await fine("build", "strange");
    const before = await label("export", "shop", "--format", "qrels");
    expect([
      before.status,
      before.stderr.includes("has no labels by the model, prompt and settings that it has now"),
    ]).toEqual([0, true]);
    expect(before.stdout).not.toBe("");
    configure({ datasets: DATASETS, labelers: { gpt: { ...gpt, prompt: "mine.yaml" } } });
    write("mine.yaml", "id: x\n");
    expect((await label("build")).stderr).toContain("mine.yaml: a prompt must have the texts");
  });

  it("of an endpoint that takes less than it did are those of another rater, which is said", async () => {
    const gpt = (baseUrl: string) => ({ gpt: { kind: "openai", model: "judge", baseUrl } });
    configure({ datasets: DATASETS, labelers: gpt((await modelServer({ grades: GRADES })).baseUrl) });
    await fine("build", "--max-calls", "2");
    const less = await modelServer({ grades: GRADES, refuses: ["json_schema"] });
    configure({ datasets: DATASETS, labelers: gpt(less.baseUrl) });
    expect(await fine("build")).toContain(
      "another form now, which makes it another rater: what it said before",
    );
    const half = await label("export", "shop", "--format", "qrels");
    expect(half.stderr).toMatch(
      /labels? of `gpt` do(es)? not count: its endpoint took requests in another form/,
    );
    expect(await fine("build")).not.toContain("another rater");
    const whole = await label("export", "shop", "--format", "qrels");
    expect([whole.stderr, whole.stdout.split("\n").length]).toEqual(["", 9]);
    expect(half.stdout.split("\n").length).toBeLessThan(9);
  });

  it("come from a module of one's own, over a search of one's own", async () => {
    write(
      "judge.mjs",
      'export const grade = (query, { fields }) => (fields.title.includes("Red") ? 2 : null);\n',
    );
    write("search.mjs", 'export const retrieve = () => ["02", { chunk_id: "1", doc_id: "1" }];\n');
    configure({
      datasets: { shop: { ...DATASETS.shop, labeler: "own", backend: "mine" } },
      labelers: { own: { kind: "module", path: "judge.mjs", version: "1" } },
      backends: { mine: { kind: "module", path: "search.mjs" } },
    });
    expect(await fine("build")).toMatch(/^own: 4 new of 8 labels for 4 queries[^]*4 not to tell/);
  });
});
