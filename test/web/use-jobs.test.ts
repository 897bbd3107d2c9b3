import { expect, it } from "vitest";
import type { WorkbenchJob } from "../../src/records/index.js";
import { hasEnded } from "../../src/web/use-jobs.js";

const told = (jobs: Record<string, WorkbenchJob["state"]>): WorkbenchJob[] =>
  Object.entries(jobs).map(([id, state]) => ({ id, state }) as WorkbenchJob);
const known = (jobs: Record<string, WorkbenchJob["state"]>): ReadonlyMap<string, WorkbenchJob["state"]> =>
  new Map(Object.entries(jobs));

it.each<[string, ReturnType<typeof known> | null, Record<string, WorkbenchJob["state"]>, boolean]>([
  ["that was running", known({ a: "running" }), { a: "done" }, true],
  ["of a server that was started again", known({ a: "running" }), {}, true],
  ["that began and ended before anything was told of it", known({}), { a: "failed" }, true],
  ["that had ended before the page was there", null, { a: "done" }, false],
  ["that was told of before", known({ a: "stopped" }), { a: "stopped" }, false],
  ["that goes on", known({ a: "running" }), { a: "running", b: "running" }, false],
])("work %s", (_, before, jobs, isEnd) => {
  expect(hasEnded(before, told(jobs))).toBe(isEnd);
});
