import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { raterId, type Assessment } from "../../src/label/index.js";
import { labelsOfDataset, openLabelStore, readWholeDataset } from "../../src/node/index.js";
import type {
  Config,
  DatasetConfig,
  WorkbenchDisputes,
  WorkbenchQueue,
  WorkbenchReport,
} from "../../src/records/index.js";
import { present } from "../support/present.js";
import { loopback } from "../support/loopback.js";
import { aProject, markOf, type MadeProject, type OpenWorkbench } from "./projects.js";

let project: MadeProject;
let opened: OpenWorkbench;
let marks = 0;

const disputes = (): Promise<WorkbenchDisputes> => opened.get("/api/c/shop/disputes");
async function say(
  rater: string,
  [query_id, item]: readonly [string, string],
  grade: number | null,
  more: object = {},
): Promise<void> {
  const at = new Date(Date.UTC(2026, 0, 1) + marks).toISOString();
  const mark = { mark: `mark-${++marks}-000`, query_id, item, outcome: "graded", grade, at, ...more };
  const { is_adjudicated, ...own } = mark as typeof mark & { is_adjudicated?: boolean };
  const { status, text } = await opened.post("/api/c/shop/marks", { rater, marks: [own], is_adjudicated });
  expect([status, text]).toEqual([200, text]);
}
/** The label as it counts, and who decided. */
async function labelOf(query: string, item: string): Promise<[number, string] | undefined> {
  const { config, path } = project;
  const named = config.datasets?.["shop"] as DatasetConfig;
  const dataset = await readWholeDataset(config as Config, "shop", named, path("labels.sqlite"));
  const { labels } = await labelsOfDataset(config, dataset, {}, () => undefined);
  const found = labels.find((label) => label.query === query && label.item === item);
  return found && [found.grade, found.by];
}
async function said(): Promise<Assessment[]> {
  const store = await openLabelStore(project.path("labels.sqlite"));
  try {
    return await store.find({});
  } finally {
    await store.close();
  }
}

beforeAll(async () => {
  project = aProject();
  opened = project.open();
  // The built-in judge gives 3 to what has every word, and less to what has one of two.
  await opened.batch({ annotate: true });
}, 60_000);
afterAll(() => project.remove());

it("there are none before anybody differs", async () => {
  expect(await disputes()).toEqual({ open: [], count: 0, decided: [], decided_count: 0 });
});

it("a person and the model differ: both grades and the reason are shown, the worst first", async () => {
  await say("Ada", ["q1", "red-shoe"], 0, { reason: "a toy" });
  await say("Ada", ["q2", "blue-hat"], 2);
  await say("Ada", ["q3", "green-scarf"], 3);
  const { open, count, decided, decided_count } = await disputes();
  expect([count, decided, decided_count]).toEqual([2, [], 0]);
  expect(open.map(({ query_id, item, apart }) => [query_id, item.id, apart])).toEqual([
    ["q1", "red-shoe", 3],
    ["q2", "blue-hat", 1],
  ]);
  expect(open[0]?.opinions).toEqual([
    { who: "Ada", kind: "people", grade: 0, reason: "a toy" },
    { who: "overlap", kind: "model", grade: 3, reason: null },
  ]);
  expect(open[0]?.item.title).toBe("red shoe");
});

it("two people differ, where the model agrees with one of them", async () => {
  await say("Ben", ["q3", "green-scarf"], 1);
  const found = (await disputes()).open.find(({ query_id }) => query_id === "q3");
  expect(found?.opinions.map(({ who, grade }) => `${who} ${grade}`)).toEqual(["Ada 3", "Ben 1", "overlap 3"]);
  expect(found?.apart).toBe(2);
});

it("what an adjudicator decides counts before everybody, and is kept as such", async () => {
  expect(await labelOf("red shoe", "red-shoe")).toEqual([0, "people"]);
  await say("Cyd", ["q1", "red-shoe"], 2, { is_adjudicated: true });
  expect(await labelOf("red shoe", "red-shoe")).toEqual([2, "adjudicator"]);
  const { open, count, decided } = await disputes();
  expect([open.map(({ query_id }) => query_id), count]).toEqual([["q3", "q2"], 2]);
  expect(decided).toMatchObject([{ query_id: "q1", decision: { who: "Cyd", grade: 2 } }]);
  const cyd = (await said()).filter(({ rater }) => rater.name === "Cyd");
  expect(cyd.map(({ rater }) => rater.kind)).toEqual(["adjudicator"]);
});

it("and one who decides is not the same rater as one who labels blindly", async () => {
  await say("Ada", ["q2", "blue-hat"], 1, { is_adjudicated: true });
  const ids = (await said()).filter(({ rater }) => rater.name === "Ada").map(({ rater }) => raterId(rater));
  expect(new Set(ids).size).toBe(2);
  const { done } = await opened.get<WorkbenchQueue>("/api/c/shop/label?rater=Ada");
  // Three by labelling; the decision is another matter.
  expect(done).toBe(3);
});

it("a decision that is taken back counts no more", async () => {
  await say("Cyd", ["q1", "red-shoe"], null, { outcome: "withdrawn", is_adjudicated: true });
  expect(await labelOf("red shoe", "red-shoe")).toEqual([0, "people"]);
  expect((await disputes()).open[0]).toMatchObject({ query_id: "q1", decision: null });
});

it("the audit of the labeler takes the decision for what people say", async () => {
  await say("Cyd", ["q1", "red-shoe"], 3, { is_adjudicated: true });
  const { sections } = await opened.get<WorkbenchReport>("/api/c/shop/trust");
  const listed = sections.find(({ html }) => html.includes("green scarf"))?.html ?? "";
  // Decided as the model says, so that the two differ no more.
  expect(listed).not.toBe("");
  expect(listed).not.toContain("a toy");
});

it("what was said of an item that has changed since is no dispute about the item as it is", async () => {
  const { count } = await disputes();
  const items = ["green-scarf"].map((id) => JSON.stringify({ id, title: "a green scarf, now of silk" }));
  project.write({ "items.jsonl": `${items.join("\n")}\n` });
  const now = await disputes();
  expect(now.open.some(({ query_id }) => query_id === "q3")).toBe(false);
  expect(now.count).toBe(count - 1);
});

/** As an import of labels from elsewhere keeps them. */
async function keepWithoutHash(
  { path }: MadeProject,
  { rater, query, grade }: { readonly rater: string; readonly query: string; readonly grade: number },
): Promise<void> {
  const store = await openLabelStore(path("labels.sqlite"), { create: true });
  try {
    await store.add([
      {
        tenant: "default",
        query,
        item: "new-shoe",
        outcome: "graded",
        grade,
        rater: { kind: "human", name: rater },
        vote: 1,
        at: "2026-01-01T00:00:00.000Z",
      },
    ]);
  } finally {
    await store.close();
  }
}

it("show what a search said of its items, which are in no corpus", async () => {
  let title = "a new shoe";
  const url = await loopback((_, response) => {
    const hit = { id: "new-shoe", score: 1, fields: { title } };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ hits: [hit] }));
  });
  const engine = { kind: "http", url, params: { q: "{query}" }, method: "GET", hits: "/hits" };
  const backends = { engine: { ...engine, hit: { id: "/id", score: "/score", fields: "/fields" } } };
  const other = aProject({}, { backend: "engine" }, { backends } as object);
  const live = other.open();
  onTestFinished(async () => {
    await live.made.close();
    other.remove();
  });
  await live.batch();
  const { pairs } = await live.get<WorkbenchQueue>("/api/c/shop/label?rater=Ada");
  const { item_hash } = present(pairs.find(({ item }) => item.id === "new-shoe"));
  for (const [rater, grade] of [
    ["Ada", 3],
    ["Ben", 0],
  ] as const)
    await live.post("/api/c/shop/marks", {
      rater,
      marks: [markOf("q1", "new-shoe", grade + 1, { grade, item_hash })],
    });
  const { open } = await live.get<WorkbenchDisputes>("/api/c/shop/disputes");
  expect(open.map(({ item }) => [item.id, item.title])).toEqual([["new-shoe", "a new shoe"]]);
  for (const [rater, grade] of [
    ["Ada", 3],
    ["Ben", 0],
  ] as const)
    await keepWithoutHash(other, { rater, query: "blue hat", grade });
  const unhashed = await live.get<WorkbenchDisputes>("/api/c/shop/disputes");
  expect(unhashed.open.map(({ query_id, item }) => [query_id, item.title])).toEqual([
    ["q1", "a new shoe"],
    ["q2", "a new shoe"],
  ]);
  // What comes back under its id now is not what was judged.
  title = "a lamp";
  await live.batch();
  const later = await live.get<WorkbenchDisputes>("/api/c/shop/disputes");
  expect(later.open.map(({ item }) => item.title)).toEqual(["a new shoe", "a lamp"]);
});
