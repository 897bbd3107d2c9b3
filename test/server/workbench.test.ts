import { cpSync, existsSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareRuns } from "../../src/index.js";
import { openStore, readGolden } from "../../src/node/index.js";
import { batchFolder } from "../../src/node/index.js";
import { holdRecording } from "../../src/node/datasets/recording-lock.js";
import { renderReportHtml } from "../../src/report/index.js";
import { importRun, loadStoredRun } from "../../src/runs/index.js";
import type {
  EvalRun,
  WorkbenchHistory,
  WorkbenchOverview,
  WorkbenchQueries,
  WorkbenchQuery,
  WorkbenchQueue,
  WorkbenchReport,
  WorkbenchSession,
} from "../../src/records/index.js";
import { loopback } from "../support/loopback.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { aRun, hit, result } from "../support/records.js";
import { staticWorkbench } from "../../src/server/index.js";
import { aProject, ITEMS, jsonLines, queryTable, type MadeProject, type OpenWorkbench } from "./projects.js";

let project: MadeProject;
let opened: OpenWorkbench;
const get = <T>(path: string): Promise<T> => opened.get<T>(path);
const overview = (id = "shop"): Promise<WorkbenchOverview> => get(`/api/c/${id}/overview`);
const queries = (search = "", id = "shop"): Promise<WorkbenchQueries> => get(`/api/c/${id}/queries${search}`);
const query = (search: string, id = "shop"): Promise<WorkbenchQuery> => get(`/api/c/${id}/query${search}`);

describe("a project before its first batch", () => {
  beforeAll(() => {
    project = aProject();
    opened = project.open({ rater: "Ada" });
  });
  afterAll(() => project.remove());

  it("says what it is", async () => {
    const session = await get<WorkbenchSession>("/api/session");
    expect(session).toMatchObject({ version: "0.0.0", rater: "Ada", is_read_only: false, problems: [] });
    expect(session.collections).toEqual([{ id: "shop", kind: "dataset", queries: 3, licence: null }]);
  });

  it("says that nothing is measured, and to run the first batch", async () => {
    const { verdict, without, next, batches } = await overview();
    expect([verdict, without, batches]).toEqual([null, "Nothing is measured yet.", []]);
    expect(next).toMatchObject({ action: "Run the first batch", route: "/d/shop/batches" });
  });

  it("has no rows of queries, and no history", async () => {
    expect(await queries()).toEqual({ run: null, baseline: null, metric: null, batches: [], rows: [] });
    expect(await opened.history()).toEqual({ batches: [], jobs: [] });
  });

  it("shows a query that was never asked", async () => {
    expect(await query("?id=q2")).toMatchObject({
      query: "blue hat",
      answers: [],
      missed: [],
      previous: "q1",
      next: "q3",
    });
  });

  it("writes nothing while it is looked at", () => {
    expect(["labels.sqlite", "store.sqlite", "out"].filter((name) => existsSync(project.path(name)))).toEqual(
      [],
    );
  });
});

describe("a project with batches", () => {
  let first: string;
  let second: string;
  beforeAll(async () => {
    project = aProject();
    opened = project.open();
    first = await opened.batch({ annotate: true });
  }, 60_000);
  afterAll(() => project.remove());

  it("says after one that a second one is needed", async () => {
    const { verdict, without, next, batches, jobs } = await overview();
    expect([verdict, batches.map(({ id }) => id)]).toEqual([null, [first]]);
    expect(without).toContain("with a second one");
    expect(next?.action).toBe("Run another batch");
    expect(jobs).toMatchObject([{ kind: "batch", state: "done", result: first }]);
  });

  it("lists after one the scores of its queries, against nothing", async () => {
    const { run, baseline, rows } = await queries();
    expect([run, baseline, rows.map(({ id }) => id)]).toEqual([first, null, ["q1", "q2", "q3"]]);
    expect(rows[0]).toMatchObject({ query: "red shoe", baseline: null, failed: false });
    expect(rows[0]?.score).toBeGreaterThan(0);
    expect(rows[0]?.strip).toMatch(/^3[0-3?]*$/);
    expect(rows[0]?.returned).toBe(rows[0]?.strip.length);
  });

  it("says after two which is better, and by how much", async () => {
    project.write({
      "items.jsonl": jsonLines(ITEMS.filter(({ id }) => id !== "red-shoe" && id !== "red-hat")),
    });
    second = await opened.batch();
    project.write({ "items.jsonl": jsonLines(ITEMS) });
    const { verdict, batches } = await overview();
    expect(batches.map(({ id }) => id)).toEqual([second, first]);
    expect(verdict).toMatchObject({ baseline: first, run: second });
    expect(verdict?.mean_b).toBeLessThan(verdict?.mean_a ?? 0);
    expect(
      [verdict?.improved, verdict?.equal, verdict?.worse].reduce((sum = 0, each = 0) => sum + each, 0),
    ).toBe(3);
  });

  it("lists the queries of the latest against the one before", async () => {
    const { run, baseline, rows } = await queries();
    expect([run, baseline]).toEqual([second, first]);
    expect(rows[0]?.score).toBeLessThan(rows[0]?.baseline ?? 0);
    expect(rows[0]?.missed).toBeGreaterThan(0);
  });

  it("lists the queries of whichever two are chosen", async () => {
    const there = await queries();
    const back = await queries(`?run=${first}&baseline=${second}`);
    expect([back.run, back.baseline]).toEqual([first, second]);
    expect(back.rows.map(({ score, baseline }) => [score, baseline])).toEqual(
      there.rows.map(({ score, baseline }) => [baseline, score]),
    );
  });

  it("shows of a query what came back, what was missed and where it stood, and the best order", async () => {
    const { answers, missed, ideal, items, previous, next } = await query("?id=q1");
    expect(answers.map(({ run }) => run)).toEqual([second, first]);
    expect(missed[0]).toEqual({ id: "red-shoe", grade: 3, baseline_rank: 1 });
    expect(ideal[0]).toEqual({ id: "red-shoe", grade: 3 });
    expect(ideal.map(({ grade }) => grade)).toEqual(ideal.map(({ grade }) => grade).sort((a, b) => b - a));
    expect(items["red-shoe"]).toMatchObject({ title: "red shoe", fields: [["material", "wool"]] });
    expect([previous, next]).toEqual([null, "q2"]);
    expect(answers[0]?.hits.map(({ rank }) => rank)).toEqual(answers[0]?.hits.map((_, at) => at + 1));
  });

  it("shows of a query the same score as the list", async () => {
    const { metric, rows } = await queries();
    const { answers } = await query("?id=q1");
    expect(answers[0]?.scores[metric ?? ""]).toBe(rows[0]?.score);
  });

  it("has a history, the latest first, with what changed", async () => {
    const { batches } = await opened.history();
    expect(batches.map(({ id }) => id)).toEqual([second, first]);
    expect(batches.at(-1)?.changes).toEqual([]);
    expect(batches[0]).toMatchObject({ queries: 3, failed: 0 });
  });

  it("compares two batches in the sections of the report", async () => {
    const { title, sections } = await get<WorkbenchReport>(`/api/c/shop/compare?a=${first}&b=${second}`);
    expect(title).toBe(`${first} → ${second}`);
    expect(sections[0]).toMatchObject({ id: "verdict" });
    expect(sections.every(({ html }) => html !== "")).toBe(true);
    expect(sections.map(({ html }) => html).join("")).not.toMatch(/<script|\son\w+=/);
  });

  it("is the same for a workbench that is opened now", async () => {
    const fresh = project.open();
    for (const path of ["overview", "queries", "query?id=q1", `compare?a=${first}&b=${second}`]) {
      const strip = (body: object): object => ({ ...body, jobs: [] });
      expect(strip(await fresh.get(`/api/c/shop/${path}`))).toEqual(strip(await get(`/api/c/shop/${path}`)));
    }
  });

  it("does not fall over a batch whose folder another hand has emptied", async () => {
    const { rmSync } = await import("node:fs");
    rmSync(project.path(`out/datasets/shop/batch_reports/${first}/config.json`));
    expect((await opened.history()).batches.length).toBe(2);
  });
});

describe("a project whose store has lost the run of a batch", () => {
  let kept: readonly [latest: string, before: string];
  let gone: string;
  const remove = async (id: string): Promise<void> => {
    const store = await openStore(project.path("store.sqlite"));
    await store.deleteRun(id);
    await store.close();
  };
  beforeAll(async () => {
    project = aProject();
    opened = project.open();
    const first = await opened.batch({ annotate: true });
    gone = await opened.batch();
    kept = [await opened.batch(), first];
    await remove(gone);
  }, 60_000);
  afterAll(() => project.remove());

  it("compares the latest two that it has", async () => {
    expect((await overview()).verdict).toMatchObject({ run: kept[0], baseline: kept[1] });
    expect(await queries()).toMatchObject({ run: kept[0], baseline: kept[1], batches: kept });
    expect((await query("?id=q1")).answers.map(({ run }) => run)).toEqual(kept);
  });

  it("lists what was reported of the batch, and says that it cannot be looked at", async () => {
    const { batches } = await opened.history();
    expect(batches.map(({ is_stored, is_current }) => [is_stored, is_current])).toEqual([
      [true, true],
      [false, false],
      [true, true],
    ]);
    for (const path of [`queries?run=${gone}`, `query?id=q1&run=${gone}`, `compare?a=${kept[0]}&b=${gone}`])
      expect(await opened.ask(`/api/c/shop/${path}`)).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining("is no longer in the store") as string },
      });
  });

  it("asks people about the hits of those that it has", async () => {
    const { pairs } = await get<WorkbenchQueue>("/api/c/shop/label?rater=Ada");
    expect(pairs.length).toBeGreaterThan(0);
  });

  it("has a page without a server", async () => {
    const { contents, problems } = await staticWorkbench(project.options());
    expect([contents[0]?.comparisons, problems]).toEqual([1, []]);
  });

  it("says of which batches it speaks, where later ones have lost theirs", async () => {
    const [latest] = kept;
    const { verdict } = await overview();
    expect(verdict?.reasons[0]).toBe(
      `${latest} against ${kept[1]}: the store no longer has the runs of all batches since.`,
    );
  });

  it("says of one that is left why there is no verdict, of none too", async () => {
    for (const id of kept) {
      await remove(id);
      const { verdict, without, batches } = await overview();
      expect([verdict, batches.length]).toEqual([null, 3]);
      expect(without).toMatch(/^The store lacks the runs of [23] batches/);
    }
    expect(await queries()).toMatchObject({ run: null, rows: [] });
  });
});

describe("a job", () => {
  const QUERY_COUNT = 12;
  const manyQueries = Array.from({ length: QUERY_COUNT }, (_, at) => [`q${at}`, `red shoe ${at}`] as const);

  async function slowProject(): Promise<{ release: () => void; asked: string[] }> {
    const asked: string[] = [];
    let isReleased = false;
    const waiting: (() => void)[] = [];
    const url = await loopback((_, response, request) => {
      asked.push(new URL(request.url ?? "", "http://localhost").searchParams.get("q") ?? "");
      const answer = (): void =>
        void response
          .setHeader("content-type", "application/json")
          .end('{"hits":[{"id":"red-shoe","score":1}]}');
      // The first four are answered, and the others wait.
      if (isReleased || asked.length <= 4) answer();
      else waiting.push(answer);
    });
    project = aProject({ "queries.tsv": queryTable(manyQueries) }, { backend: "engine" }, {
      backends: {
        engine: {
          kind: "http",
          url,
          params: { q: "{query}", n: "{limit}" },
          method: "GET",
          hits: "/hits",
          hit: { id: "/id", score: "/score" },
          retries: 0,
        },
      },
    } as object);
    opened = project.open();
    return {
      asked,
      release: () => {
        isReleased = true;
        for (const answer of waiting.splice(0)) answer();
      },
    };
  }

  it("is watched line by line to its end", async () => {
    project = aProject();
    opened = project.open();
    const started = await opened.post("/api/c/shop/batch", {});
    expect(started.body).toMatchObject({ id: "job-1", kind: "batch", collection: "shop", state: "running" });
    const lines = await opened.watch();
    expect(lines.at(-1)).toMatchObject([{ id: "job-1", state: "done", done: 3, total: 3, failed: 0 }]);
    expect((await opened.watch()).length).toBe(1);
    project.remove();
  });

  it("is stopped, keeps what it has, and is gone on with", async () => {
    const { release, asked } = await slowProject();
    await opened.post("/api/c/shop/batch", {});
    const stream = await opened.request("/api/c/shop/jobs");
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    for (let text = ""; !text.includes('"done":4,');) {
      const { done, value } = await reader.read();
      expect(done).toBe(false);
      text += new TextDecoder().decode(value);
    }
    await reader.cancel();
    expect((await opened.post("/api/jobs/job-1/stop", {})).status).toBe(200);
    release();
    const [stopped] = (await opened.watch()).at(-1) ?? [];
    expect(stopped).toMatchObject({ state: "stopped", total: QUERY_COUNT });
    expect(await opened.history()).toMatchObject({ batches: [], unfinished: stopped?.result });
    const answered = asked.slice(0, 4);
    const before = asked.length;
    // While another process records it, it is not cut short, and nothing is asked twice.
    const letGo = holdRecording(project.path("out"), String(stopped?.result));
    expect((await opened.history()).unfinished).toBeUndefined();
    await opened.post("/api/c/shop/batch", { resume: stopped?.result });
    expect((await opened.watch()).at(-1)?.[0]).toMatchObject({
      state: "failed",
      message: expect.stringContaining("is being recorded by process") as string,
    });
    expect(asked).toHaveLength(before);
    letGo();
    expect(await opened.batch({ resume: stopped?.result })).toBe(stopped?.result);
    // One alone, whether the search is still the same.
    expect(asked.slice(before).filter((text) => answered.includes(text))).toHaveLength(1);
    expect((await opened.history()).batches).toMatchObject([
      { id: stopped?.result, queries: QUERY_COUNT, failed: 0 },
    ]);
    expect((await opened.history()).unfinished).toBeUndefined();
    project.remove();
  });

  it("that was killed while it labelled or scored is gone on with, and nothing is asked anew", async () => {
    project = aProject();
    opened = project.open();
    const id = await opened.batch({});
    await opened.made.close();
    // As it is until the report is written.
    rmSync(batchFolder(project.path("out"), "shop", id), { recursive: true });
    opened = project.open();
    expect(await opened.history()).toMatchObject({ batches: [], unfinished: id });
    expect(await opened.batch({ resume: id })).toBe(id);
    const { batches, unfinished } = await opened.history();
    expect([batches.map((batch) => batch.id), unfinished]).toEqual([[id], undefined]);
    project.remove();
  });

  it("is not started a second time while it runs, and says so", async () => {
    const { release } = await slowProject();
    await opened.post("/api/c/shop/batch", {});
    const { status, body } = await opened.post("/api/c/shop/batch", {});
    expect([status, body["message"]]).toEqual([400, expect.stringContaining("running already")]);
    release();
    await opened.watch();
    project.remove();
  });

  it("ends when the workbench is closed", async () => {
    const { release } = await slowProject();
    await opened.post("/api/c/shop/batch", {});
    const watched = opened.watch();
    const closed = opened.made.close();
    release();
    await closed;
    expect((await watched).at(-1)).toMatchObject([{ state: "stopped" }]);
    expect((await opened.ask("/api/session")).status).toBe(503);
    project.remove();
  });

  it("that fails says why, and without a place in the code", async () => {
    project = aProject({}, { backend: "nobody" });
    opened = project.open();
    await opened.post("/api/c/shop/batch", {});
    const [job] = (await opened.watch()).at(-1) ?? [];
    expect(job).toMatchObject({ state: "failed", message: expect.stringContaining("nobody") as string });
    expect(job?.message).not.toMatch(/\n\s+at |\.[jt]s:\d+/);
    project.remove();
  });

  it("to go on with that nobody knows is refused", async () => {
    project = aProject();
    opened = project.open();
    const { status } = await opened.post("/api/c/shop/batch", { resume: "20200101T000000Z-0000" });
    if (status === 200) await opened.watch();
    expect([400, 404]).toContain(status);
    project.remove();
  });

  it("to go on with may be one of an earlier start of the server", async () => {
    project = aProject();
    opened = project.open();
    const before = await opened.batch();
    await opened.made.close();
    opened = project.open();
    expect(await opened.batch({ resume: before })).toBe(before);
    await opened.made.close();
    project.remove();
  });
});

describe("a golden set with its runs", () => {
  const GOLDEN = ["q1", "q2", "q3", "q4"]
    .map((id) => `- {id: ${id}, query: words of ${id}, lang: en, expected_doc_ids: [right-${id}]}\n`)
    .join("");
  const runOf = (run_id: string, created_at: string, rank: number, config_snapshot: object): EvalRun =>
    aRun({
      run_id,
      created_at,
      config_snapshot: config_snapshot as EvalRun["config_snapshot"],
      results: ["q1", "q2", "q3", "q4"].map((id) =>
        result(
          id,
          [1, 2, 3].map((at) => hit(at === rank ? `right-${id}#0` : `other-${at}#0`, at)),
        ),
      ),
    });
  beforeAll(async () => {
    project = aProject({ "golden.yaml": GOLDEN }, {}, { datasets: {} });
    const store = await openStore(project.path("store.sqlite"), { create: true });
    await store.saveRun(runOf("before", "2026-05-01T09:00:00Z", 0, { search: { boost: 1 } }));
    await store.saveRun(runOf("after", "2026-05-02T09:00:00Z", 1, { search: { boost: 2 } }));
    const cut = runOf("cut short", "2026-05-03T09:00:00Z", 2, {});
    await store.saveRun({ ...cut, results: cut.results.slice(0, 1), incomplete: true });
    await store.close();
    opened = project.open();
  }, 60_000);
  afterAll(() => project.remove());

  it("is the one collection of the project", async () => {
    const { collections } = await get<WorkbenchSession>("/api/session");
    expect(collections).toEqual([{ id: "golden", kind: "golden", queries: 4, licence: null }]);
  });

  it("says which run is better", async () => {
    const { verdict, trust, batches } = await overview("golden");
    expect(batches.map(({ id }) => id)).toEqual(["after", "before"]);
    expect(verdict).toMatchObject({ baseline: "before", run: "after", improved: 4, equal: 0, worse: 0 });
    expect(trust).toBeNull();
  });

  it("is compared as the configuration says", async () => {
    const by = { primary: "doc recall@1", guards: ["doc recall@10=0.05"] };
    const other = aProject({ "golden.yaml": GOLDEN }, {}, { datasets: {}, ...by });
    cpSync(project.path("store.sqlite"), other.path("store.sqlite"));
    const made = other.open();
    const { verdict } = (await (await made.request("/api/c/golden/overview")).json()) as WorkbenchOverview;
    expect(verdict?.metric).toBe("doc recall@1");
    const { sections } = (await (
      await made.request("/api/c/golden/compare?a=before&b=after")
    ).json()) as WorkbenchReport;
    const text = JSON.stringify(sections);
    expect(text).toContain("<bdi>doc recall@10</bdi> (may lose 0.05)");
    expect((await made.history("golden")).batches[0]?.primary).toBe("doc recall@1");
    await made.made.close();
    other.remove();
  });

  it.each(["R@10=", "R@10=0x1", "R@10=Infinity", "R@10=-1"])(
    "refuses a guard that allows no number: %s",
    async (guard) => {
      const other = aProject({ "golden.yaml": GOLDEN }, {}, { datasets: {}, guards: [guard] });
      cpSync(project.path("store.sqlite"), other.path("store.sqlite"));
      const made = other.open();
      const answer = await made.request("/api/c/golden/compare?a=before&b=after");
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining("allows no number"),
      ]);
      await made.made.close();
      other.remove();
    },
  );

  it("lists its queries", async () => {
    const { run, baseline, rows } = await queries("", "golden");
    expect([run, baseline, rows.map(({ id }) => id)]).toEqual(["after", "before", ["q1", "q2", "q3", "q4"]]);
    expect(rows[0]?.score).toBeGreaterThan(rows[0]?.baseline ?? 0);
  });

  it("lists the queries of one run as of the two", async () => {
    const [both, other] = [await queries("", "golden"), await queries("?run=before", "golden")];
    expect(other.rows.map(({ score }) => score)).toEqual(both.rows.map(({ baseline }) => baseline));
  });

  it("shows a query, with what was expected", async () => {
    const { answers, ideal, missed, previous, next } = await query("?id=q2", "golden");
    expect(answers.map(({ run }) => run)).toEqual(["after", "before"]);
    // The metric that the list is ordered by stands first.
    const { metric } = await queries("", "golden");
    expect(answers.map(({ scores }) => Object.keys(scores)[0])).toEqual([metric, metric]);
    expect(answers[0]?.hits[0]).toMatchObject({ rank: 1, grade: 1 });
    expect([ideal.length, missed, previous, next]).toEqual([1, [], "q1", "q3"]);
  });

  it("has a history with what changed", async () => {
    const { batches } = await opened.history("golden");
    expect(batches.map(({ changes }) => changes)).toEqual([["search.boost: 1 → 2"], []]);
    expect(batches[0]?.mean).toBeGreaterThan(batches[1]?.mean ?? 1);
  });

  it("compares in the same sections as the report in HTML", async () => {
    const { sections } = await get<WorkbenchReport>("/api/c/golden/compare?a=before&b=after");
    const store = await openStore(project.path("store.sqlite"));
    const [a, b] = [await loadStoredRun(store, "before"), await loadStoredRun(store, "after")];
    await store.close();
    const { statistics } = compareRuns(a, b, await readGolden(project.path("golden.yaml")));
    if (statistics == null) throw new Error("the runs have scores");
    // A report knows a query by its place in the data, a page with addresses by its id.
    const unmarked = (html: string): string => html.replace(/ data-query(?:-id)?="[^"]*"/g, "");
    const html = unmarked(renderReportHtml(statistics));
    expect(sections.length).toBeGreaterThan(2);
    for (const { html: section, name } of sections)
      expect([name, html.includes(unmarked(section))]).toEqual([name, true]);
  });

  it.each(["label?rater=Ada", "pair?query=q1&item=right-q1"])("has nothing to label: %s", async (path) => {
    expect((await opened.ask(`/api/c/golden/${path}`)).status).toBe(404);
  });

  it("runs no batch", async () => {
    expect((await opened.post("/api/c/golden/batch", {})).status).toBe(404);
  });

  it("without a run says how to record one", async () => {
    const empty = aProject({ "golden.yaml": GOLDEN }, {}, { datasets: {} });
    const made = empty.open();
    const { next } = await made.get<WorkbenchOverview>("/api/c/golden/overview");
    expect(next?.text).toContain("rankproof run");
    expect((await made.get<WorkbenchHistory>("/api/c/golden/batches")).batches).toEqual([]);
    expect((await made.ask("/api/c/golden/query?id=q1")).status).toBeLessThan(500);
    empty.remove();
  });

  it("without a run shows a query by its text", async () => {
    const empty = aProject({ "golden.yaml": GOLDEN }, {}, { datasets: {} });
    const { status, body } = await empty.open().ask<WorkbenchQuery>("/api/c/golden/query?id=q1");
    expect([status, body.query]).toEqual([200, "words of q1"]);
    empty.remove();
  });
});

describe("hostile ids and texts", () => {
  const TEXTS = HOSTILE_TEXTS.filter((text) => text.trim() !== "");
  const items = TEXTS.map((text, at) => ({ id: `i${at}`, title: text, body: `shoe ${text}` }));
  const ids = [
    "__proto__",
    "constructor",
    "a/b",
    "../x",
    "a?b=c",
    "a#b",
    "%2e%2e",
    "<script>",
    "q\u2028",
    "🙂",
  ];
  beforeAll(async () => {
    project = aProject({
      "queries.jsonl": jsonLines(ids.map((id, at) => ({ id, query: `shoe ${TEXTS[at] ?? ""} ${at}` }))),
      "items.jsonl": jsonLines([...items, ...ids.map((id) => ({ id, title: `shoe ${id}` }))]),
    });
    const dataset = project.config.datasets?.["shop"] as { queries: string };
    dataset.queries = project.path("queries.jsonl");
    opened = project.open();
    await opened.batch({ annotate: true });
  }, 60_000);
  afterAll(() => project.remove());

  it("of queries are listed as they are", async () => {
    const { rows } = await queries();
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(rows.every(({ failed, returned }) => !failed && returned > 0)).toBe(true);
  });

  it.each(ids)("a query %s is shown, and its neighbours", async (id) => {
    const shown = await query(`?id=${encodeURIComponent(id)}`);
    const at = ids.indexOf(id);
    expect([shown.id, shown.previous, shown.next]).toEqual([id, ids[at - 1] ?? null, ids[at + 1] ?? null]);
    for (const { id: item } of shown.answers[0]?.hits ?? [])
      expect(Object.hasOwn(shown.items, item)).toBe(true);
  });

  it.each(ids)("a query %s is labelled, with an item of that id", async (id) => {
    const marks = [
      {
        mark: `mark-of-${ids.indexOf(id)}-0`,
        query_id: id,
        item: id,
        outcome: "graded",
        grade: 1,
        reason: TEXTS[ids.indexOf(id)],
        at: "2026-05-01T09:00:00.000Z",
      },
    ];
    expect((await opened.post("/api/c/shop/marks", { rater: "Ada", marks })).status).toBe(200);
    const { said } = await get<WorkbenchQueue>("/api/c/shop/label?rater=Ada");
    expect(said).toContainEqual({ query_id: id, item: id, grade: 1 });
  });

  it("come back as JSON, with its type, whatever is in them", async () => {
    for (const path of ["queries", "query?id=__proto__", "label?rater=Ada", "overview", "batches"]) {
      const response = await opened.request(`/api/c/shop/${path}`);
      expect(response.headers.get("content-type")).toMatch(/^application\/json/);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      JSON.parse(await response.text());
    }
  });

  it("are only text in the sections of a comparison", async () => {
    const second = await opened.batch();
    const { batches } = await queries();
    const { sections } = await get<WorkbenchReport>(`/api/c/shop/compare?a=${batches[1] ?? ""}&b=${second}`);
    const html = sections.map((section) => section.html).join("");
    expect(html).not.toMatch(/<script|<img|<testcase|href="javascript:|\son\w+=["']?alert/i);
  });

  it("in messages are told as texts that break no line", async () => {
    for (const text of [...TEXTS, "../../etc/passwd"]) {
      const { status, body } = await opened.ask<{ message: string }>(
        `/api/c/${encodeURIComponent(text.toWellFormed())}/overview`,
      );
      expect([text, status]).toEqual([text, 404]);
      expect(body.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
    }
  });
});

describe("golden runs of two chunkers", () => {
  const IDS = ["q1", "q2", "q3", "q4", "q5"];
  const GOLDEN = IDS.map(
    (id) => `- {id: ${id}, query: words of ${id}, expected_chunk_ids: ["${id}#0"]}\n`,
  ).join("");
  /** Both have the expected lines 1 to 10 at the same rank, one as `q1#0`, the other as a part of it. */
  const runOf = (version: string, created_at: string, name: (id: string) => string, end: number): EvalRun =>
    aRun({
      run_id: version,
      created_at,
      config_snapshot: { chunker_version: version },
      results: IDS.map((id) =>
        result(id, [
          hit("other#0", 1, { source_spans: [{ kind: "line", start: 1, end: 5 }] }),
          hit(name(id), 2, { doc_id: id, source_spans: [{ kind: "line", start: 1, end }] }),
        ]),
      ),
    });
  beforeAll(async () => {
    project = aProject({ "golden.yaml": GOLDEN }, {}, { datasets: {} });
    const store = await openStore(project.path("store.sqlite"), { create: true });
    const golden = await readGolden(project.path("golden.yaml"));
    await importRun(
      store,
      runOf("whole", "2026-05-01T09:00:00Z", (id) => `${id}#0`, 10),
      { golden },
    );
    await importRun(
      store,
      runOf("parts", "2026-05-02T09:00:00Z", (id) => `${id}/part`, 5),
      { golden },
    );
    await store.close();
    opened = project.open();
  }, 60_000);
  afterAll(() => project.remove());

  it("have in the history what they have in the comparison: MRR@10 of 1/2", async () => {
    const { verdict } = await overview("golden");
    const { batches } = await opened.history("golden");
    expect([verdict?.mean_a, verdict?.mean_b]).toEqual([0.5, 0.5]);
    expect(batches.map(({ mean }) => mean)).toEqual([0.5, 0.5]);
  });

  it("show what was expected where its place was found", async () => {
    const { rows } = await queries("", "golden");
    expect(rows.map(({ strip }) => strip)).toEqual(IDS.map(() => "·1"));
  });
});
