import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/node/index.js";
import { Workplace } from "./spawned.js";

const GOLDEN = ["keys", "money", "logs", "users", "teams", "roles"]
  .map((id) => `- {id: q-${id}, query: about ${id}, expected_doc_ids: [${id}]}\n`)
  .join("");

describe("run --watch", () => {
  it("runs again when the golden set, the module, or what it imports has changed", async () => {
    const folder = new Workplace();
    folder.write({
      "golden.yaml": GOLDEN,
      "lib/docs.mjs": 'export const prefix = "about ";\n',
      "search.mjs":
        'import { prefix } from "./lib/docs.mjs";\n' +
        "export const retrieve = (query, { goldenQuery }) => {\n" +
        '  console.error("asked " + goldenQuery.id);\n  return [query.slice(prefix.length)];\n};\n',
    });
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const watched = folder.spawn(["run", "search.mjs", "--watch"], { interrupted: stopped });
    const runs = async (): Promise<number> => {
      try {
        const store = await openStore(folder.path(".rankproof/store.sqlite"));
        const list = await store.listRuns();
        return list.filter(({ has_aggregate }) => has_aggregate).length;
      } catch {
        return 0;
      }
    };
    await expect.poll(runs, { timeout: 120_000, interval: 200 }).toBe(1);
    folder.write({ "golden.yaml": GOLDEN.replace("about logs", "about logs!") });
    const scoredAgain = async (): Promise<boolean> => {
      const store = await openStore(folder.path(".rankproof/store.sqlite"));
      const [run] = await store.listRuns();
      const results = (await store.loadRun(run?.run_id ?? ""))?.results ?? [];
      return run?.has_aggregate === true && results.some(({ query }) => query === "about logs!");
    };
    await expect.poll(scoredAgain, { timeout: 120_000, interval: 200 }).toBe(true);
    folder.write({ "lib/docs.mjs": 'export const prefix = "about";\n' });
    await expect.poll(runs, { timeout: 120_000, interval: 200 }).toBe(2);
    stop();
    const { stderr, status } = await watched;
    const asked = stderr.match(/asked \S+|changed: \S+/g);
    expect(asked?.slice(0, 10)).toEqual([
      ...["keys", "money", "logs", "users", "teams", "roles"].map((id) => `asked q-${id}`),
      "changed: new",
      // Whether the search is the same, and what is new.
      "asked q-keys",
      "asked q-logs",
      "changed: all",
    ]);
    expect(stderr.trimEnd().endsWith("stopped watching")).toBe(true);
    expect(status).toBe(0);
  });

  it.each([
    ["has been asked", true],
    ["has not begun", false],
  ])("ends a run that %s when a signal reaches the watching process alone", async (_, isAsked) => {
    const folder = new Workplace();
    folder.write({
      "golden.yaml": GOLDEN,
      "search.mjs":
        'import { writeFileSync } from "node:fs";\n' +
        'export const retrieve = () => {\n  writeFileSync("asked", "");\n' +
        "  return new Promise(() => undefined);\n};\n",
    });
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const watched = folder.spawn(["run", "search.mjs", "--watch"], {
      interrupted: stopped,
      signal: "SIGTERM",
    });
    if (isAsked) await expect.poll(() => existsSync(folder.path("asked")), { timeout: 60_000 }).toBe(true);
    else await new Promise((resolve) => setTimeout(resolve, 300));
    stop();
    const { stderr } = await watched;
    if (isAsked) expect(stderr).toContain("error: interrupted; nothing was answered");
    expect(stderr.trimEnd().endsWith("stopped watching")).toBe(true);
  });
});
