import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { ScoreComparison } from "../../src/records/index.js";
import { loopback } from "../support/loopback.js";
import {
  batch,
  call,
  configure,
  file,
  filled,
  fine,
  gradeOf,
  ITEMS,
  latest,
  QUERIES,
  reportOf,
  SHALLOW,
  SHOP,
  useShop,
  write,
} from "./batch-project.js";

useShop();

/** The shop with a search of its own: the code of a module. */
function searchedBy(code: string): void {
  write("search.mjs", code);
  configure({
    store: "store.sqlite",
    artifacts: "out",
    labels: "labels.sqlite",
    backends: { own: { kind: "module", path: file("search.mjs") } },
    datasets: { shop: { ...SHOP, backend: "own" } },
  });
}

describe("a bad case", () => {
  it("is explained by what a module says of its stages, in every form", async () => {
    searchedBy(
      `export const retrieve = (query, { onTrace }) => {
  onTrace({ plan: { filter: "colour = pink" }, channels: { words: ["red-shoe", "red-hat"], filtered: [] } });
  return [];
};\n`,
    );
    await fine(
      "label",
      "build",
      "shop",
      "--pool",
      write("pool.run", "1 Q0 red-shoe 1 1 x\n1 Q0 red-hat 2 1 x\n"),
    );
    await fine("batch", "run", "shop", ...SHALLOW);
    const summary = await latest();
    const [query] = reportOf(summary).per_query;
    expect(query).toMatchObject({
      plan: { filter: "colour = pink" },
      stages: { words: { returned: 2, first10: 0 }, filtered: { returned: 0, first10: 0, missed: 0 } },
    });
    const shown = await fine("batch", "show", summary.batch_id, "shop", "--query", "1");
    expect(shown).toContain("Stages: words had 2 items, ");
    expect(shown).toContain('How it searched: {"filter":"colour = pink"}');
    expect(shown).toContain("words had 2 items, filtered none: look at what lies between.");
    const folderOfIt = file(`out/datasets/shop/batch_reports/${summary.batch_id}`);
    expect(readFileSync(join(folderOfIt, "report.html"), "utf8")).toContain("colour = pink");
    expect(readFileSync(join(folderOfIt, "report.md"), "utf8")).toMatch(/How it searched: .*colour = pink/);
  });
});

describe("a batch whose store fails on the way", () => {
  it("says how it goes on", async () => {
    searchedBy(
      `import { mkdirSync, rmSync } from "node:fs";
       const store = ${JSON.stringify(file("store.sqlite"))};
       let asked = 0;
       export const retrieve = () => {
         if (++asked === 9) (rmSync(store), mkdirSync(store));
         return [];
       };\n`,
    );
    const { status, stderr } = await batch("run", "shop");
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /error: .*store\.sqlite.*; --resume \d{8}T\d{6}Z-[0-9a-f]{4} goes on with what was kept\n$/,
    );
  });
});

describe("labels that people audit", () => {
  /** The same search, and one that has the best hit last. */
  async function twoBatches(): Promise<[string, string]> {
    await fine("label", "build", "shop");
    await fine("batch", "run", "shop", ...SHALLOW);
    const a = (await latest()).batch_id;
    write(
      "worse.mjs",
      `import { readFileSync } from "node:fs";
       const lines = readFileSync(${JSON.stringify(file("items.jsonl"))}, "utf8").trim().split("\\n");
       const ids = lines.map((line) => JSON.parse(line).id);
       export const retrieve = (query) => {
         const [colour, thing] = query.split(" ");
         const rest = ids.filter((id) => !id.startsWith(colour) && !id.endsWith(thing));
         return [...rest.slice(0, 1 + (query.length % 4)), colour + "-" + thing];
       };`,
    );
    configure({
      store: "store.sqlite",
      artifacts: "out",
      labels: "labels.sqlite",
      datasets: { shop: { ...SHOP, backend: "worse" } },
      backends: { worse: { kind: "module", path: "worse.mjs" } },
    });
    await fine("batch", "run", "shop", ...SHALLOW);
    return [a, (await latest()).batch_id];
  }
  const compared = async (a: string, b: string, ...more: string[]): Promise<ScoreComparison> => {
    const { stdout } = await batch("compare", a, b, "-m", "nDCG@5", "--json", ...more);
    return JSON.parse(stdout) as ScoreComparison;
  };

  it(
    "are an opinion until a sample of queries is labelled by " + "people; then the verdict is theirs",
    async () => {
      const [a, b] = await twoBatches();
      const before = await compared(a, b);
      expect(before.comparisons[0]?.verdict).toMatchObject({ kind: "inconclusive" });
      expect(before.comparisons[0]?.verdict.headline).toMatch(/^Labels not audited\./);
      expect(before.trust).toMatchObject({
        status: "not_audited",
        labeler: "overlap",
        labels: { people: 0 },
      });
      expect(
        (await batch("compare", a, b, "-m", "nDCG@5", "--gate", "verdict is not worse")).stderr,
      ).toContain("FAIL  labels audited");
      const { stderr } = await call(
        "audit",
        "sample",
        "shop",
        "--size",
        "6",
        "--run",
        a,
        "-o",
        file("sheet.csv"),
        "--depth",
        "5",
      );
      expect(stderr).toContain("6 queries of 12 drawn by chance");
      await fine("label", "import", filled(file("sheet.csv")), "shop", "--rater", "anna");
      // The other run brings items that nobody has labelled by hand.
      const half = await compared(a, b);
      expect(half.comparisons[0]?.corrected).toBeNull();
      expect(half.trust?.sentence).toMatch(/^People have still to label [1-9]\d* pairs of query and item/);
      const rest = ["--complete", "--run", a, "--run", b, "-o", file("rest.csv"), "--depth", "5"];
      expect((await call("audit", "sample", "shop", ...rest)).stderr).toContain(
        `${half.trust?.missing_pairs} pairs of 6 queries`,
      );
      await fine("label", "import", filled(file("rest.csv")), "shop", "--rater", "anna");
      const after = await compared(a, b);
      expect(after.trust).toMatchObject({
        status: "audited",
        sample: { drawn: 6, frame: 12 },
        missing_pairs: 0,
      });
      expect(after.comparisons[0]?.verdict.kind).toBe("worse");
      expect(after.comparisons[0]?.verdict.reasons[0]).toMatch(
        /^6 queries labelled by people; what the model's labels add to them cannot be told/,
      );
      const [corrected] = after.comparisons[0]?.corrected ?? [];
      expect(corrected).toMatchObject({ metric: "nDCG@5", queries: 6, further: 6 });
      expect(corrected?.worth).toBeGreaterThanOrEqual(6);
      const page = ["--md", file("c.md"), "--html", file("c.html")];
      const printed = await fine("batch", "compare", a, b, "-m", "nDCG@5", ...page);
      expect(printed).toMatch(/metric +by the model +corrected +95 % interval +by people alone +worth\n/);
      expect(readFileSync(file("c.md"), "utf8")).toContain("### Corrected by people's labels");
      expect(readFileSync(file("c.html"), "utf8")).toContain("Labels audited.");
      const audit = await fine("audit", "shop", "--no-raters");
      expect(audit).toMatch(/^Audit of shop: /);
      expect(audit).toMatch(/quadratic kappa +-?\d\.\d{3} /);
      // By people alone nothing is corrected, and nothing is held back.
      expect((await call("audit", "sample", "shop", "--complete", "--run", a)).stderr).toContain(
        "nothing is left to do",
      );
    },
  );

  it("are known as a model's wherever the qrels go, however the file was edited", async () => {
    const [a, b] = await twoBatches();
    mkdirSync(file("elsewhere"));
    const qrels = file("elsewhere/qrels.txt");
    await fine("label", "export", "shop", "--format", "qrels", "-o", qrels);
    const flags = ["--qrels", qrels, "-s", file("store.sqlite"), "-m", "nDCG@5", "--json"];
    const there = JSON.parse((await call("compare", a, b, ...flags)).stdout) as ScoreComparison;
    expect(there.comparisons[0]?.verdict.headline).toMatch(/^Labels not audited\./);
    writeFileSync(qrels, readFileSync(qrels, "utf8").replace(" 3\n", " 2\n"));
    const edited = JSON.parse((await call("compare", a, b, ...flags)).stdout) as ScoreComparison;
    expect(edited.trust?.status).toBe("not_audited");
    rmSync(`${qrels}.labels.json`);
    const bare = JSON.parse((await call("compare", a, b, ...flags)).stdout) as ScoreComparison;
    expect([bare.trust?.status, bare.comparisons[0]?.verdict.kind]).toEqual(["unknown", "worse"]);
  });

  it("name a run that searches with the model that labelled", async () => {
    configure({
      store: "store.sqlite",
      artifacts: "out",
      labels: "labels.sqlite",
      datasets: { shop: { ...SHOP, labeler: "judge" } },
      labelers: { judge: { kind: "openai", model: "GPT-4o-2024-08-06", baseUrl: "http://127.0.0.1:1" } },
    });
    const rater = {
      kind: "model",
      name: "judge",
      model: "GPT-4o-2024-08-06",
      prompt: "p",
      prompt_version: "1",
    };
    const said = QUERIES.flatMap((query) =>
      ITEMS.map(({ id }) => ({
        tenant: "default",
        query,
        item: id,
        outcome: "graded",
        grade: gradeOf(query, id),
        rater,
        vote: 1,
        at: "2026-11-23T00:00:00.000Z",
      })),
    );
    await fine(
      "label",
      "import",
      write("said.jsonl", said.map((each) => `${JSON.stringify(each)}\n`).join("")),
    );
    const run = (id: string, model: string) => ({
      run_id: id,
      suite: "shop",
      created_at: "2026-11-23T00:00:00.000Z",
      config_snapshot: { pipeline: { reranker: { model } } },
      results: QUERIES.map((query, at) => ({
        query_id: String(at + 1),
        query,
        hits_top_k: [{ chunk_id: query.replace(" ", "-"), doc_id: query.replace(" ", "-") }],
      })),
    });
    for (const [id, model] of [
      ["a", "bge-reranker"],
      ["b", "openai/gpt-4o"],
    ] as const)
      await fine(
        "import",
        write(`${id}.json`, JSON.stringify(run(id, model))),
        "--store",
        file("store.sqlite"),
      );
    const found = await compared("a", "b");
    expect(found.trust?.self_judged).toEqual(["b"]);
    expect(found.runs.map((each) => each.run)).toEqual(["a", "b (judged by its own model)"]);
  });
});

describe("a batch over a live service", () => {
  interface Asked {
    readonly query: string;
    readonly id: string;
  }

  /** Searches by words; slow, broken or short where a test says so. */
  async function service(
    how: (query: string) => "fine" | "broken" | "slow" | "short" = () => "fine",
  ): Promise<Asked[]> {
    const log: Asked[] = [];
    const url = await loopback((body, response, request) => {
      const {
        query,
        limit = 10,
        offset = 0,
      } = JSON.parse(body) as { query: string; limit?: number; offset?: number };
      log.push({ query, id: String(request.headers["x-request-id"]) });
      const words = query.split(" ");
      const all = ITEMS.map((item) => ({
        ...item,
        score: words.filter((word) => item.title.includes(word)).length,
      }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score);
      const state = how(query);
      if (state === "slow") return;
      if (state === "broken") {
        response.statusCode = 500;
        response.end(JSON.stringify({ error: "index is gone" }));
        return;
      }
      const hits = all.slice(offset, offset + (state === "short" ? 1 : limit));
      response.end(
        JSON.stringify({
          total: all.length,
          plan: { rewritten: query.toUpperCase() },
          text: all.map(({ id }) => id),
          hits: hits.map(({ id, score, title }) => ({
            id,
            score,
            fields: { title },
            features: { es_score: score },
          })),
        }),
      );
    });
    vi.stubEnv("SHOP_TOKEN", "swordfish");
    configure({
      store: "store.sqlite",
      artifacts: "out",
      labels: "labels.sqlite",
      datasets: { shop: { ...SHOP, backend: "live" } },
      backends: {
        live: {
          kind: "http",
          url,
          body: { query: "{query}", limit: "{limit}", offset: "{offset}", of: ["{who}", "by ${SHOP_TOKEN}"] },
          variables: { who: "${SHOP_TOKEN}" },
          hits: "/hits",
          hit: { id: "/id", score: "/score", fields: "/fields", features: "/features" },
          total: "/total",
          error: "/error",
          plan: "/plan",
          channels: { text: "/text" },
          pageSize: 3,
          retries: 0,
          headers: { authorization: "Bearer 0123456789-secret", "x-shop": "plain words" },
        },
      },
    });
    return log;
  }

  it(
    "has the request ids of the service's log, its plan, its stages and its numbers, and no " + "secret",
    async () => {
      const log = await service();
      await fine("label", "build", "shop");
      log.length = 0;
      await fine("batch", "run", "shop", ...SHALLOW);
      const summary = await latest();
      const report = reportOf(summary);
      expect(report.per_query.flatMap(({ request_ids }) => request_ids).sort()).toEqual(
        log.map(({ id }) => id).sort(),
      );
      const [query] = report.per_query;
      // Two pages of three.
      expect(query?.request_ids).toHaveLength(2);
      expect(query).toMatchObject({
        plan: { rewritten: query?.query?.toUpperCase() },
        stages: { text: { returned: 9, first10: 5 } },
      });
      expect(query?.signals["es_score"]).toBeGreaterThan(0);
      const missed = report.per_query.find(({ missed_count }) => missed_count > 0)?.missed[0];
      expect(missed?.channels["text"]).toBeGreaterThan(5);
      const markdown = readFileSync(
        file(`out/datasets/shop/batch_reports/${summary.batch_id}/report.md`),
        "utf8",
      );
      expect(markdown).toContain(query?.request_ids[0]);
      const written = [
        ...["config.json", "report.json", "report.html", "dataset.json"].map((name) =>
          readFileSync(file(`out/datasets/shop/batch_reports/${summary.batch_id}/${name}`), "utf8"),
        ),
        readFileSync(file("store.sqlite"), "latin1"),
        await fine("export", summary.batch_id, "--store", file("store.sqlite")),
      ].join("");
      for (const secret of ["0123456789-secret", "plain words", "swordfish"])
        expect(written).not.toContain(secret);
      expect(written).toContain("by [redacted]");
    },
  );

  it("goes on where queries fail, says why, and asks again for just these", async () => {
    const state = { broken: true };
    const log = await service((query) =>
      !state.broken
        ? "fine"
        : query === "red shoe"
          ? "broken"
          : query === "blue hat"
            ? "slow"
            : query === "red hat"
              ? "short"
              : "fine",
    );
    const { status, stdout } = await batch("run", "shop", ...SHALLOW, "--timeout", "1000");
    expect(status).toBe(0);
    expect(stdout).toContain("2 of 12 results failed");
    const report = reportOf(await latest());
    const failed = report.per_query.filter(({ errors }) => errors?.[0] != null);
    expect(failed.map(({ query }) => query).sort()).toEqual(["blue hat", "red shoe"]);
    for (const { query, request_ids, tips, scores } of failed) {
      expect(log.filter((asked) => asked.query === query).map(({ id }) => id)).toEqual(request_ids);
      expect(tips[0]).toContain("ask again with `--retry-failed`");
      expect(scores[0]?.[0]).toBe(0);
    }
    // Pages that are shorter than asked for are asked on, to the last hit.
    expect(report.per_query.find(({ query }) => query === "red hat")?.returned).toBe(5);
    state.broken = false;
    log.length = 0;
    await fine("batch", "run", "shop", ...SHALLOW, "--resume", "--retry-failed");
    // And for one that was answered, whether the search is the same.
    const [before, ...rest] = new Set(log.map(({ query }) => query));
    expect(["blue hat", "red shoe"]).not.toContain(before);
    expect(rest.sort()).toEqual(["blue hat", "red shoe"]);
    expect(reportOf(await latest()).failed_results?.failed).toBe(0);
    expect(JSON.parse(await fine("batch", "list", "shop", "--json"))).toHaveLength(1);
  });

  it("stops where every query fails alike", async () => {
    await service(() => "broken");
    const { status, stderr } = await batch("run", "shop", ...SHALLOW);
    expect(status).toBe(5);
    expect(stderr).toContain("index is gone");
  });
});
