import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BatchSummary, EvalRun } from "../../src/records/index.js";
import {
  batch,
  call,
  configure,
  file,
  fine,
  latest,
  QUERIES,
  reportOf,
  SHALLOW,
  SHOP,
  useShop,
  write,
} from "./batch-project.js";

useShop();

describe("a batch over the search that is built in", () => {
  it("scores every query by the labels, keeps it, lists it, shows it", async () => {
    await fine("label", "build", "shop");
    const printed = await fine("batch", "run", "shop");
    expect(printed).toMatch(
      /Primary_Metric_Score is 0\.\d{4} by labels that are not audited over 12 queries/,
    );
    expect(printed).toContain("Labels not audited. All labels are from overlap.");
    const summary = await latest();
    expect(summary).toMatchObject({ dataset: "shop", queries: 12, failed: 0, backend: "builtin" });
    expect(summary.batch_id).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{4}$/);
    const report = reportOf(summary);
    expect(report).toMatchObject({
      kind: "batch_report",
      top_k: 50,
      labels: { labelled: report.labels.pairs },
    });
    const [query] = report.per_query;
    expect(query?.top_label_sequence_top10).toMatch(/^1:L3 \| 2:L\d/);
    expect(query?.top_results[0]).toMatchObject({ rank: 1, title: query?.query, label: 3 });
    const folderOfIt = file(`out/datasets/shop/batch_reports/${summary.batch_id}`);
    for (const name of ["report.md", "report.html", "config.json", "dataset.json", "queries.jsonl"])
      expect(existsSync(join(folderOfIt, name)), name).toBe(true);
    expect(readFileSync(join(folderOfIt, "report.md"), "utf8")).toMatch(/1:L3 \\?\| 2:L/);
    expect(await fine("batch", "list", "shop")).toContain(summary.batch_id);
    expect(await fine("batch", "show", summary.batch_id, "shop")).toBe(printed);
    const shown = await fine("batch", "show", summary.batch_id, "shop", "--query", "red shoe");
    expect(shown).toMatch(/^1 {2}red shoe\n/);
    expect(shown).toContain("red-shoe");
    // Scores that have 15 decimals in the run.
    expect(shown).toMatch(/^ *1 +L3 +\S+ +\d\.\d{1,5} /m);
    // It is a run like any other.
    expect(await fine("runs", "show", summary.batch_id, "--store", file("store.sqlite"))).toContain(
      '"suite": "shop"',
    );
    expect(await fine("report", join(folderOfIt, "report.json"))).toBe(printed);
  });

  it("warns where nothing can be scored, and says which batch it goes on with", async () => {
    const first = await batch("run", "shop");
    expect(first.stderr).toContain("\nwarning: no judged query has anything relevant");
    const { batch_id } = await latest();
    const again = await batch("run", "shop", "--resume");
    expect(again.stderr).toContain(`going on with ${batch_id}, which has an answer to every query already\n`);
  });

  it("tells of a batch that is scored by another metric, or was begun with other options", async () => {
    await fine("batch", "run", "shop", ...SHALLOW);
    const { batch_id } = await latest();
    const same = await batch("run", "shop", ...SHALLOW, "--resume");
    expect(same.stderr).not.toContain("is scored by");
    const other = await batch("run", "shop", "-m", "P@5", "--top-k", "5", "--resume");
    expect(other.stderr).toContain(
      `warning: ${batch_id} is scored by P@5 now, and was by nDCG@5; name that with -m or --scorecard to ` +
        "keep it",
    );
    const deeper = await batch("run", "shop", "--resume");
    expect([deeper.status, deeper.stderr]).toEqual([
      2,
      expect.stringContaining(
        `batch ${batch_id} was begun with another configuration (top_k); give the options and the search ` +
          "that it was begun with, or leave out --resume",
      ),
    ]);
  });

  it("asks for no fewer hits than are looked at, and names what it does not know", async () => {
    expect((await batch("run", "shop", "--top-k", "20")).stderr).toContain("ask for 50, or name metrics");
    expect((await batch("run", "shop", "--scorecard", "mine")).stderr).toContain("known are `search`");
    expect((await batch("run", "shop", "-m", "nDGC@5")).stderr).toContain("did you mean `nDCG@5`");
    expect((await batch("run", "shoop")).stderr).toContain("there is no dataset shoop (shop)");
    expect((await batch("show", "20200101T000000Z-0000", "shop")).stderr).toContain("it has none yet");
    expect((await batch("list", "shop")).stderr).toContain("no batches yet");
    expect((await batch("run", "shop", "--resume")).stderr).toContain("has no batch to go on with");
    const { stdout } = await batch("run", "shop", ...SHALLOW);
    expect(stdout).toContain("Nothing is labelled, so that every score is 0");
    const { batch_id } = await latest();
    expect((await batch("show", batch_id.replace(/.$/, "x"), "shop")).stderr).toContain("did you mean");
    expect((await batch("show", "../../..", "shop")).stderr).toContain("has no batch");
  });

  it("labels what came back only when asked, and again only when asked for that", async () => {
    await fine("batch", "run", "shop", ...SHALLOW);
    expect(reportOf(await latest()).labels.labelled).toBe(0);
    const first = await batch("run", "shop", ...SHALLOW, "--annotate");
    expect(first.stderr).toMatch(/overlap: (\d+) new labels/);
    const { labels } = reportOf(await latest());
    expect(labels.labelled).toBe(labels.pairs);
    expect((await batch("run", "shop", ...SHALLOW, "--annotate")).stderr).toContain("overlap: 0 new labels");
    const again = await batch("run", "shop", ...SHALLOW, "--force-refresh-labels");
    expect(again.stderr).toContain(`overlap: ${labels.pairs} new labels`);
    const query = await fine("batch", "query", "shop", "red shoe");
    expect(query).toMatch(/1 +L3 +red-shoe/);
    const other = await fine("batch", "query", "shop", "red lamp");
    expect(other).toContain("Nothing is labelled for this query; `--annotate` labels what came back.");
  });

  it("exports labelled hits with their numbers for learning to rank", async () => {
    await fine("label", "build", "shop");
    await fine("batch", "run", "shop", ...SHALLOW);
    const { batch_id } = await latest();
    const lines = (await fine("batch", "export-features", batch_id)).trimEnd().split("\n");
    expect(lines[0]).toBe("# 1 score");
    expect(lines[1]).toMatch(/^3 qid:1 1:\d+\.\d+ # 1 red-shoe$/);
    const csv = await fine("batch", "export-features", batch_id, "--format", "csv");
    expect(csv.split("\n")[0]).toBe("query_id,item,rank,label,score");
    const [row = ""] = (await fine("batch", "export-features", batch_id, "--format", "jsonl")).split("\n");
    expect(JSON.parse(row)).toMatchObject({ query_id: "1", item: "red-shoe", rank: 1, label: 3 });
  });

  it("is scored by the labels of its labeler, whatever the configuration calls it", async () => {
    configure({
      ...{ store: "store.sqlite", artifacts: "out", labels: "labels.sqlite" },
      labelers: { mine: { kind: "overlap" } },
      datasets: { shop: { ...SHOP, labeler: "mine" } },
    });
    await fine("label", "build", "shop");
    expect(await fine("batch", "run", "shop", ...SHALLOW)).toMatch(/nDCG@5 +0\.[1-9]|nDCG@5 +1\.0000/);
    expect(await fine("label", "export", "shop", "--format", "qrels")).toMatch(/^1 0 red-shoe 3$/m);
  });

  it("holds gates, and GitHub's and JUnit's forms of them", async () => {
    await fine("label", "build", "shop");
    const kept = await batch(
      "run",
      "shop",
      "--fail-under",
      "Primary_Metric_Score=0.1",
      "--junit",
      file("a.xml"),
    );
    expect(kept.status).toBe(0);
    expect(readFileSync(file("a.xml"), "utf8")).toContain('failures="0"');
    const broken = await batch("run", "shop", "--gate", "labels audited", "--junit", file("b.xml"));
    expect(broken.status).toBe(3);
    expect(readFileSync(file("b.xml"), "utf8")).toContain("All labels are from overlap.");
    expect((await batch("run", "shop", "--junit", file("c.xml"))).stderr).toContain(
      "--junit has what a gate says; give one with --gate or --fail-under",
    );
  });
});

it("lists what a killed process has written and not listed, and nothing that is gone", async () => {
  await fine("label", "build", "shop");
  await fine("batch", "run", "shop", ...SHALLOW);
  await fine("batch", "run", "shop", ...SHALLOW);
  const all = JSON.parse(await fine("batch", "list", "shop", "--json")) as BatchSummary[];
  expect(new Set(all.map(({ batch_id }) => batch_id)).size).toBe(2);
  const folderOfAll = file("out/datasets/shop/batch_reports");
  const index = join(folderOfAll, "index.jsonl");
  // The last line is cut in the middle.
  writeFileSync(index, readFileSync(index, "utf8").slice(0, -100));
  expect(JSON.parse(await fine("batch", "list", "shop", "--json"))).toEqual(all);
  rmSync(index);
  expect(JSON.parse(await fine("batch", "list", "shop", "--json"))).toEqual(all);
  rmSync(join(folderOfAll, all[0]?.batch_id as string), { recursive: true });
  expect(JSON.parse(await fine("batch", "list", "shop", "--json"))).toEqual(all.slice(1));
});

describe("a batch that is asked in shards", () => {
  const partial = async (index: number, ...more: string[]): Promise<string> => {
    const args = [
      "--shard",
      `${index}/3`,
      "--partial",
      file(`b${index}.json`),
      "--store",
      file(`s${index}.sqlite`),
    ];
    expect(await fine("batch", "run", "shop", ...args, ...more)).toBe("");
    return file(`b${index}.json`);
  };
  const TIMES = [
    "batch_id",
    "evaluated_at",
    "latency_ms",
    "elapsed_ms",
    "created_at",
    "run_id",
    "run",
    "trace",
  ];
  const timeless = (report: ReturnType<typeof reportOf>): unknown =>
    JSON.parse(
      JSON.stringify(report, (key, value: unknown) => (TIMES.includes(key) ? undefined : value)),
    ) as unknown;

  it("comes to what one pass comes to, asks for what a missing shard had, and forgets nothing", async () => {
    await fine("label", "build", "shop");
    await fine("batch", "run", "shop");
    const whole = reportOf(await latest());
    const parts = [await partial(3), await partial(1), await partial(2)];
    await fine("batch", "run", "shop", "--from", ...parts);
    const joined = reportOf(await latest());
    expect(timeless(joined)).toEqual(timeless(whole));
    expect(joined.batch_id).not.toBe(whole.batch_id);
    const first = JSON.parse(readFileSync(file("b1.json"), "utf8")) as { run_id: string; results: object[] };
    expect(joined.batch_id).toBe(first.run_id);
    expect(first.results.length).toBeLessThan(QUERIES.length);

    rmSync(file("store.sqlite"));
    const gap = await batch("run", "shop", "--from", file("b1.json"), file("b3.json"));
    expect(gap).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("1 of 3 shards is missing: 2") as string,
    });
    expect(timeless(reportOf(await latest()))).toEqual(timeless(whole));
    const stored = await fine("export", first.run_id, "--store", file("store.sqlite"));
    await fine("batch", "run", "shop", "--from", file("b1.json"), file("b3.json"));
    // What was asked here before is not asked again: its times are those of then.
    expect(await fine("export", first.run_id, "--store", file("store.sqlite"))).toBe(stored);
    // What a shard that is here lacks is told before it is asked.
    rmSync(file("store.sqlite"));
    const cut = JSON.parse(readFileSync(file("b3.json"), "utf8")) as { results: { query_id: string }[] };
    const [gone] = cut.results.splice(0, 1);
    write("cut.json", JSON.stringify(cut));
    const lacking = await batch("run", "shop", "--from", file("b1.json"), file("b2.json"), file("cut.json"));
    expect(lacking.stderr).toContain(
      `shards that are here have no answer to 1 query, or one to other words; asked now: ${gone?.query_id}`,
    );
  });

  it("goes on with the last batch of the shard, whatever else was asked since", async () => {
    const ask = (shard: string, ...more: string[]) =>
      batch("run", "shop", "--shard", shard, "--partial", file(`p${shard[0]}.json`), ...more);
    const partOf = (index: number): EvalRun & { shards: object } =>
      JSON.parse(readFileSync(file(`p${index}.json`), "utf8")) as EvalRun & { shards: object };
    const none = await ask("1/2", "--resume");
    expect([none.status, none.stderr]).toEqual([
      2,
      "error: dataset shop has no batch of this shard to go on with; leave out --resume\n",
    ]);
    await ask("1/2");
    await ask("2/2");
    await fine("batch", "run", "shop");
    const before = [partOf(1), partOf(2)];
    const again = await ask("1/2", "--resume");
    expect(again.stderr).toContain(`going on with ${before[0]?.run_id}, which has an answer to every query`);
    expect(partOf(1)).toEqual(before[0]);
    const other = await ask("1/2", "--resume", before[1]?.run_id ?? "");
    expect([other.status, other.stderr]).toEqual([2, expect.stringContaining("queries of other shards")]);
    expect(await fine("batch", "run", "shop", "--from", file("p1.json"), file("p2.json"))).toContain(
      "over 12 queries",
    );
  });

  it("refuses parts that do not belong together, and what goes with a whole batch", async () => {
    const [one, two] = [await partial(1), await partial(2, "--top-k", "60")];
    const refused = async (...args: string[]): Promise<string> => {
      const { status, stdout, stderr } = await batch("run", "shop", ...args);
      expect([status, stdout]).toEqual([2, ""]);
      return stderr;
    };
    expect(await refused("--from", one, two)).toContain(
      "b2.json: `top_k` was `60` where it was asked, and is `50` here",
    );
    expect(await refused("--from", one, one)).toContain("shard 1 is there twice");
    expect(await refused("--from", file("items.jsonl"))).toContain("error: ");
    const part = JSON.parse(readFileSync(one, "utf8")) as object;
    write("other.json", JSON.stringify({ ...part, suite: "else" }));
    expect(await refused("--from", file("other.json"))).toContain(
      "other.json: it is of dataset `else`, not of `shop`",
    );
    write("edited.json", JSON.stringify({ ...part, shards: { of: 3, has: [7] } }));
    expect(await refused("--from", file("edited.json"))).toContain("has shards 7 of 3; was it edited?");
    write("run.json", JSON.stringify({ run_id: "r", results: [] }));
    expect(await refused("--from", file("run.json"))).toContain("it does not say what shards it has");
    expect((await call("merge", one)).stderr).toContain("give it to `rankproof batch run DATASET --from`");
    expect(await refused("--from", one, "--resume")).toContain("--resume those of the store");
    expect(await refused("--shard", "1/3")).toContain("give both");
    expect(await refused("--shard", "1/3", "--partial", "x.json", "--json")).toContain(
      "with which --json goes",
    );
    const force = ["--force-refresh-labels", "--labeler", "overlap"];
    expect(await refused("--shard", "1/3", "--partial", "x.json", ...force)).toContain(
      "with which --force-refresh-labels goes",
    );
    expect(await refused("--shard", "1/3", "--partial", "x.json", "--from", one)).toContain(
      "give one of them",
    );
  });
});
