import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { WorkbenchOverview } from "../../src/records/index.js";
import { aProject, type MadeProject, type OpenWorkbench } from "./projects.js";

let project: MadeProject;
let opened: OpenWorkbench;
const FILE = "out/datasets/shop/overview.json";

const soon = (of = opened): Promise<WorkbenchOverview> => of.get("/api/c/shop/overview?soon=1");
const fresh = (of = opened): Promise<WorkbenchOverview> => of.get("/api/c/shop/overview");
let marks = 0;
async function label(item: string): Promise<void> {
  const at = new Date(Date.UTC(2026, 0, 1) + marks).toISOString();
  const mark = { mark: `overview-${++marks}`, query_id: "q1", item, outcome: "graded", grade: 0, at };
  expect((await opened.post("/api/c/shop/marks", { rater: "Ada", marks: [mark] })).status).toBe(200);
}

beforeAll(async () => {
  project = aProject();
  opened = project.open();
  await opened.batch({ annotate: true });
  await opened.batch();
}, 60_000);
afterAll(() => project.remove());

it("one that was never made is made, though it takes its time", async () => {
  expect(await soon()).toMatchObject({ is_outdated: false, verdict: { improved: 0, equal: 3, worse: 0 } });
});

it("one that was made is there at once after a label came, and says that it is outdated", async () => {
  const before = await fresh();
  await label("red-shoe");
  const kept = await soon();
  expect(kept.is_outdated).toBe(true);
  expect([kept.trust?.people, before.trust?.people]).toEqual([0, 0]);
  const now = await fresh();
  expect([now.is_outdated, now.trust?.people]).toEqual([false, 1]);
  expect(await soon()).toEqual(now);
});

it("one that was made is there after a restart", async () => {
  const before = await fresh();
  expect(await soon(project.open())).toEqual({ ...before, jobs: [] });
});

it("after a restart with labels that came meanwhile it is outdated", async () => {
  await fresh();
  const other = project.open();
  await label("red-hat");
  expect(await soon(other)).toMatchObject({ is_outdated: true, trust: { people: 1 } });
});

it.each([
  ["cut short", (text: string) => text.slice(0, 100)],
  ["of another version", (text: string) => text.replace('"version":"0.0.0"', '"version":"0.0.1"')],
  ["of another hand", () => '{"version":"0.0.0","stamp":1,"text":{}}'],
])("a file that is %s counts for nothing", async (_, change) => {
  const now = await fresh();
  writeFileSync(project.path(FILE), change(readFileSync(project.path(FILE), "utf8")));
  expect(await soon(project.open())).toMatchObject({ is_outdated: false, trust: now.trust });
});

it("read-only keeps none in a file", async () => {
  rmSync(project.path(FILE));
  const other = project.open({ isReadOnly: true });
  await fresh(other);
  expect(existsSync(project.path(FILE))).toBe(false);
  expect((await soon(other)).is_outdated).toBe(false);
});

it("one that was made comes with the session, where the page asks for both", async () => {
  const made = await fresh();
  const ask = (search: string): Promise<{ overview?: WorkbenchOverview }> =>
    opened.get(`/api/session${search}`);
  expect((await ask("?overview=shop")).overview).toEqual(made);
  // Without a choice, and with one of an old link, the page shows the first.
  expect((await ask("?overview=")).overview).toEqual(made);
  expect((await ask("?overview=gone")).overview).toEqual(made);
  expect((await ask("")).overview).toBeUndefined();
  await label("red-scarf");
  expect((await ask("?overview=")).overview?.is_outdated).toBe(true);
});
