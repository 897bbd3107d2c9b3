import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  Config,
  WorkbenchJob,
  WorkbenchLive,
  WorkbenchOverview,
  WorkbenchPlan,
  WorkbenchReport,
  WorkbenchTrust,
} from "../../src/records/index.js";
import { openLabelStore } from "../../src/node/index.js";
import {
  aProject,
  ITEMS,
  jsonLines,
  queryTable,
  QUERIES,
  type MadeProject,
  type OpenWorkbench,
} from "./projects.js";

/** A labeler that answers for one query, and for the others when it is told to go on. */
const slowLabeler = (go: string): string => `import { existsSync } from "node:fs";
export async function grade(query) {
  while (query !== "red shoe" && !existsSync(${JSON.stringify(go)}))
    await new Promise((resolve) => setTimeout(resolve, 10));
  return 2;
}
`;

let project: MadeProject;
let opened: OpenWorkbench;
const ended = async (id = "shop"): Promise<WorkbenchJob | undefined> => (await opened.watch(id)).at(-1)?.[0];
const start = (work: object): Promise<{ status: number; body: Record<string, unknown> }> =>
  opened.post("/api/c/shop/work", work);
const plan = async (work: object): Promise<WorkbenchPlan> => {
  const { status, body, text } = await opened.post<WorkbenchPlan>("/api/c/shop/plan", work);
  expect([status, text]).toEqual([200, text]);
  return body;
};
async function countLabels(): Promise<number> {
  const store = await openLabelStore(project.path("labels.sqlite"), { create: true });
  try {
    return (await store.find({})).length;
  } finally {
    await store.close();
  }
}

describe("labels are built from the page as by `label build`", () => {
  beforeAll(() => {
    project = aProject();
    opened = project.open();
  });
  afterAll(() => project.remove());

  it("says what it would ask before it asks anything", async () => {
    const { text, is_paid } = await plan({ kind: "labels" });
    // Three queries over twelve items, of which each word finds some.
    expect(text).toMatch(/^overlap would be asked \d+ times? for \d+ labels of 3 queries/);
    expect(is_paid).toBe(false);
    expect(await countLabels()).toBe(0);
  });

  it("labels what the search returns, and tells how far it is", async () => {
    expect((await start({ kind: "labels" })).status).toBe(200);
    const job = await ended();
    expect(job).toMatchObject({ kind: "labels", unit: "query", state: "done", done: 3, total: 3, failed: 0 });
    expect(job?.message).toMatch(/^overlap gave \d+ new labels; 0 of \d+ were there$/);
    expect(await countLabels()).toBeGreaterThan(3);
  });

  it("asks nothing again that is answered", async () => {
    const before = await countLabels();
    await start({ kind: "labels" });
    expect((await ended())?.message).toContain("overlap gave 0 new labels");
    expect(await countLabels()).toBe(before);
  });

  it("rebuilds deeply, and the screen of builds says where it stopped", async () => {
    await start({ kind: "labels", deep: true });
    expect(await ended()).toMatchObject({ state: "done" });
    const { title, conclusion, sections } = await opened.get<WorkbenchReport>("/api/c/shop/builds");
    expect(conclusion).toBe(
      "The model gave 36 grades, one or more a pair, in 6 requests, at no price that is known. " +
        "3 queries were built deeply, and stopped: the model had labelled every item that was in " +
        "question (3 queries).",
    );
    // The same count in the same words as on the first screen.
    expect(title).toBe("36 pairs of a query and an item are judged: all by the model alone.");
    const { trust } = await opened.get<{ trust: WorkbenchTrust }>("/api/c/shop/overview");
    expect(trust.sentences).toContain(title);
    expect(sections.map(({ id }) => id)).toEqual(["stop", "raters", "builds"]);
    const [stop = "", , builds = ""] = sections.map(({ html }) => html);
    // The middle one of the three queries, their range, the share above which a batch is bad, the ends.
    const drawn = ["<polyline", "<polygon", 'class="rule"', ">3 ended<"].map(
      (of) => stop.split(of).length - 1,
    );
    expect(drawn).toEqual([1, 1, 1, 1]);
    expect(stop).toContain("Dashed: 95.9 %; above it a batch is bad, and 3 bad ones in a row");
    expect(builds.split("<details>").length - 1).toBe(3);
    expect(builds).toMatch(
      /red shoe.*every item that was in question.*items in \d requests?.*of grades 0 and 1/s,
    );
  });

  it("tries the labeler, and the screen of trust says what came of it", async () => {
    expect((await plan({ kind: "probe" })).text).toMatch(/^overlap would be asked \d+ times?/);
    await start({ kind: "probe" });
    const job = await ended();
    expect(job).toMatchObject({ kind: "probe", unit: "request", state: "done" });
    expect(job?.done).toBe(job?.total);
    const [audit = ""] = readdirSync(project.path("out/datasets/shop/audits")).filter((name) =>
      name.includes("Z-"),
    );
    const record = JSON.parse(
      readFileSync(project.path(`out/datasets/shop/audits/${audit}/report.json`), "utf8"),
    ) as { kind: string; probes: object | null };
    expect([record.kind, record.probes === null]).toEqual(["label_audit", false]);
    const { sections } = await opened.get<WorkbenchReport>("/api/c/shop/trust");
    expect(sections.some(({ html }) => html.includes("same prompt twice") || html.includes("probe"))).toBe(
      true,
    );
  });
});

describe("work that is stopped", () => {
  beforeAll(() => {
    const more = [..."abcdefghij"].map((id) => [id, `${id} lamp`] as const);
    project = aProject({ "queries.tsv": queryTable([...QUERIES, ...more]) });
    project.write({ "slow.mjs": slowLabeler(project.path("go")) });
    const { config } = project;
    const labelers = { slow: { kind: "module", path: project.path("slow.mjs"), version: "1" } };
    const shop = { ...config.datasets?.["shop"], labeler: "slow" };
    opened = project.open({ config: { ...config, labelers, datasets: { shop } } as Config });
  });
  afterAll(() => project.remove());

  it("may cost money where the labeler is not the built-in one", async () => {
    expect((await plan({ kind: "labels" })).is_paid).toBe(true);
    expect((await plan({ kind: "batch" })).is_paid).toBe(true);
  });

  it("keeps what is answered, and goes on with the rest", async () => {
    await start({ kind: "labels" });
    await expect.poll(countLabels, { timeout: 50_000 }).toBeGreaterThan(0);
    const { jobs } = await opened.get<WorkbenchOverview>("/api/c/shop/overview");
    await opened.post(`/api/jobs/${jobs[0]?.id ?? ""}/stop`, {});
    project.write({ go: "" });
    const stopped = await ended();
    expect(stopped?.state).toBe("stopped");
    const before = await countLabels();
    const { status, body } = await opened.post<WorkbenchJob>(`/api/jobs/${stopped?.id ?? ""}/resume`, {});
    expect([status, body.kind, body.state]).toEqual([200, "labels", "running"]);
    const job = await ended();
    expect(job).toMatchObject({ state: "done" });
    expect(await countLabels()).toBeGreaterThan(before);
    const store = await openLabelStore(project.path("labels.sqlite"));
    const pairs = (await store.find({})).map(({ query, item }) => `${query} ${item}`);
    await store.close();
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  it("is not gone on with while it runs, nor when it is done or unknown", async () => {
    const done = await ended();
    for (const id of [done?.id ?? "", "job-0", "__proto__"])
      expect((await opened.post(`/api/jobs/${id}/resume`, {})).status).toBe(404);
  });
});

describe("fusion is tuned from the page as by `tune fusion`", () => {
  let batches: string[];
  beforeAll(async () => {
    project = aProject();
    opened = project.open();
    batches = [await opened.batch({ annotate: true }), await opened.batch()];
  }, 60_000);
  afterAll(() => project.remove());

  it("in a thread of its own, and the screen of tuning shows the result", async () => {
    await start({ kind: "fusion", runs: batches, metric: "nDCG@10" });
    const job = await ended();
    expect(job).toMatchObject({ kind: "fusion", state: "done" });
    expect(job?.message).not.toBe("");
    const { title, conclusion, sections } = await opened.get<WorkbenchReport>("/api/c/shop/tune");
    const [a = "", b = ""] = batches;
    expect(title).toBe(`Tuning ${job?.result ?? ""}; batch A is ${a}; batch B is ${b}.`);
    // One headline: what the tuning itself says first.
    expect(conclusion).toBeUndefined();
    expect(sections[0]?.html).toMatch(/class="headline">(?:Use |Not )/);
    expect(sections.length).toBeGreaterThan(2);
    for (const name of ["report.json", "report.md", "report.html"])
      expect(existsSync(project.path(`out/tuning_runs/${job?.result ?? ""}/${name}`))).toBe(true);
  }, 60_000);

  it("and what is wrong in the thread is told", async () => {
    // The geometric mean is no mean over queries, which the search finds out.
    expect((await start({ kind: "fusion", runs: batches, metric: "GMAP" })).status).toBe(200);
    expect(await ended()).toMatchObject({
      state: "failed",
      message: expect.stringContaining("is no mean over queries") as string,
    });
  });

  it.each([
    ["no kind", {}],
    ["another kind", { kind: "nothing" }],
    ["one batch", { kind: "fusion", runs: ["x"] }],
    ["a batch twice", { kind: "fusion", runs: ["FIRST", "FIRST"] }],
    ["an unknown batch", { kind: "fusion", runs: ["FIRST", "../../etc/passwd"] }],
    ["no metric", { kind: "fusion", runs: ["FIRST", "SECOND"], metric: "nothing@10" }],
    ["a metric that is no text", { kind: "fusion", runs: ["FIRST", "SECOND"], metric: {} }],
    ["no number of requests", { kind: "labels", max_calls: "many" }],
    ["no requests", { kind: "labels", max_calls: 0 }],
  ])("and %s is refused", async (_, work) => {
    const [first = "", second = ""] = batches;
    const filled = JSON.parse(
      JSON.stringify(work).replaceAll("FIRST", first).replaceAll("SECOND", second),
    ) as object;
    const { status, body } = await start(filled);
    expect([status, body["code"]]).toEqual([400, expect.stringMatching(/^(?:ARGUMENT|METRIC_)/)]);
  });
});

describe("a query is asked of the search as it is now", () => {
  beforeAll(async () => {
    project = aProject();
    opened = project.open();
    await opened.batch({ annotate: true });
  }, 60_000);
  afterAll(() => project.remove());
  const live = (id: unknown) => opened.post<WorkbenchLive>("/api/c/shop/live", { id });

  it("shows what comes back by its labels, beside the batches, and stores nothing", async () => {
    const before = await opened.history();
    project.write({ "items.jsonl": jsonLines(ITEMS.filter(({ id }) => id !== "red-shoe")) });
    const { status, body } = await live("q1");
    project.write({ "items.jsonl": jsonLines(ITEMS) });
    expect(status).toBe(200);
    expect(body.answer).toMatchObject({ run: "now", error: null });
    const ids = body.answer.hits.map(({ id }) => id);
    expect(ids).not.toContain("red-shoe");
    expect(body.items[ids[0] ?? ""]?.title).toMatch(/red|shoe/);
    expect(body.answer.hits[0]?.grade).toBeGreaterThan(0);
    expect(Object.keys(body.answer.scores).length).toBeGreaterThan(3);
    expect((await opened.history()).batches).toEqual(before.batches);
  });

  it.each(["nobody", "__proto__", 1, null])("is not asked %s", async (id) => {
    expect((await live(id)).status).toBe(404);
  });

  it("tells what a search says that fails", async () => {
    const { config } = project;
    const backends = { down: { kind: "http", url: "http://127.0.0.1:9/", hits: "/hits", id: "/id" } };
    const shop = { ...config.datasets?.["shop"], backend: "down" };
    opened = project.open({ config: { ...config, backends, datasets: { shop } } as unknown as Config });
    const { status, body } = await live("q1");
    expect([status, body.answer.hits]).toEqual([200, []]);
    expect(body.answer.error).toContain("127.0.0.1:9");
  });
});
