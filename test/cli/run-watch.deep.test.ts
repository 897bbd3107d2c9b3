import { existsSync, rmSync } from "node:fs";
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

  it.each(["asked", "loading", "both"])("ends a run in the middle: %s", async (when) => {
    const folder = new Workplace();
    folder.write({
      "golden.yaml": GOLDEN,
      // A signal keeps it busy for longer than two of them are taken for one.
      "search.mjs": `
        import { existsSync, writeFileSync } from "node:fs";
        process.on("SIGINT", () => { for (const end = Date.now() + 800; Date.now() < end; ); });
        writeFileSync("loading", String(process.pid));
        while (existsSync("slow")) await new Promise((resolve) => setTimeout(resolve, 50));
        export const retrieve = () => { writeFileSync("asked", ""); return new Promise(() => undefined); };`,
    });
    const isThere = (name: string) =>
      expect.poll(() => existsSync(folder.path(name)), { timeout: 60_000 }).toBe(true);
    if (when === "loading") folder.write({ slow: "" });
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const watched = folder.spawn(["run", "search.mjs", "--watch"], {
      interrupted: stopped,
      signal: "SIGTERM",
    });
    await isThere(when === "loading" ? "loading" : "asked");
    // As a terminal does, where the other signals reach the watching process alone.
    if (when === "both") process.kill(Number(folder.read("loading")), "SIGINT");
    stop();
    await new Promise((resolve) => setTimeout(resolve, 300));
    rmSync(folder.path("slow"), { force: true });
    const { stderr } = await watched;
    expect(stderr).toContain("error: interrupted; nothing was answered");
    expect(stderr.trimEnd().endsWith("stopped watching")).toBe(true);
  });
});
