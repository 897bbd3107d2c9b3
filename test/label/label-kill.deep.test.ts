import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openLabelStore } from "../../src/node/index.js";
import { modelServer, type ModelServerStats } from "../support/model-server.js";
import { showProof, tries } from "../support/proof.js";

const KILLS = tries(10, 200);
const PAIRS_OF_BUILDS = tries(2);
const QUERIES = 40;
const ITEMS = 12;
const CLI = join(import.meta.dirname, "../../bin/rankproof.js");

/** Queries with as many items as all together take a while. */
function shop(folder: string, baseUrl: string, queries: number): NodeJS.ProcessEnv {
  const words = Array.from({ length: queries }, (_, at) => `thing number${at}`);
  const items = Array.from({ length: ITEMS }, (_, at) => ({
    id: `i${at}`,
    sku: `i${at}`,
    text: `thing ${words.join(" ")}`,
  }));
  writeFileSync(join(folder, "queries.txt"), words.join("\n"));
  writeFileSync(join(folder, "items.jsonl"), items.map((item) => JSON.stringify(item)).join("\n"));
  writeFileSync(
    join(folder, "rankproof.config.json"),
    JSON.stringify({
      datasets: { shop: { queries: "queries.txt", corpus: "items.jsonl", labeler: "gpt" } },
      labelers: { gpt: { kind: "openai", model: "judge", baseUrl, batchSize: 3 } },
    }),
  );
  return { ...process.env, RANKPROOF_CHAT_API_KEY: "", OPENAI_API_KEY: "" };
}

function build(folder: string, env: NodeJS.ProcessEnv): ChildProcess & { readonly errors: string[] } {
  const child = spawn(process.execPath, [CLI, "label", "build", "--concurrency", "3"], { cwd: folder, env });
  const errors: string[] = [];
  child.stderr?.on("data", (part: Buffer) => errors.push(part.toString()));
  child.stdout?.resume();
  return Object.assign(child, { errors });
}

async function storedPairs(folder: string): Promise<string[]> {
  const store = await openLabelStore(join(folder, ".rankproof/labels.sqlite"), { create: true });
  const pairs = (await store.find()).map(({ query, item }) => `${query}\n${item}`);
  await store.close();
  return pairs;
}

/** Whether a transaction is on its way, or was when its process died: SQLite then has its journal. */
const isWriting = (folder: string): boolean => existsSync(join(folder, ".rankproof/labels.sqlite-journal"));

/** Waits for a transaction, looking without a pause, since one takes about a millisecond. */
async function untilWriting(folder: string, child: ChildProcess): Promise<void> {
  const end = performance.now() + 1500;
  while (performance.now() < end && child.exitCode === null) {
    for (let look = 0; look < 200; look++) if (isWriting(folder)) return;
    await pause(0);
  }
}

describe("builds of labels", () => {
  it(`lose nothing and ask for nothing again, killed ${KILLS} times`, { timeout: 3_600_000 }, async () => {
    let [kills, inside, shops, pairs] = [0, 0, 0, 0];
    for (; kills < KILLS; shops++) {
      const folder = mkdtempSync(join(tmpdir(), "label-kill-"));
      const { baseUrl, stats } = await modelServer({ grades: {}, delayMs: 2 });
      const env = shop(folder, baseUrl, QUERIES);
      let before: ModelServerStats = await stats();
      let stored: readonly string[] = [];
      for (let isDone = false; !isDone;) {
        const child = build(folder, env);
        const exit = once(child, "exit");
        if (kills < KILLS) {
          // Until it has begun to ask; then in the middle of writing, or at any moment.
          for (
            let at = 0;
            at < 500 && child.exitCode === null && (await stats()).requests === before.requests;
            at++
          )
            await pause(5);
          await pause(Math.random() * 150);
          if (kills % 8 < 7) await untilWriting(folder, child);
          child.kill("SIGKILL");
        }
        const [code] = (await exit) as [number | null];
        isDone = code === 0;
        if (code === null) kills++;
        if (code === null && isWriting(folder)) inside++;
        const after = await stats();
        const now = await storedPairs(folder);
        expect(new Set(now).size).toBe(now.length);
        expect(now).toEqual(expect.arrayContaining([...stored]));
        const asked = Object.keys(after.pairs).filter((pair) => after.pairs[pair] !== before.pairs[pair]);
        const known = new Set(stored);
        expect(asked.filter((pair) => known.has(pair))).toEqual([]);
        [before, stored] = [after, now];
      }
      expect(stored).toHaveLength(QUERIES * ITEMS);
      pairs += stored.length;
    }
    expect(inside).toBeGreaterThanOrEqual(KILLS / 2);
    showProof("builds of labels that are killed", {
      kills,
      "of them inside a transaction": inside,
      shops,
      pairs,
    });
  });

  it(`share the work when two run at once, ${PAIRS_OF_BUILDS} times`, { timeout: 3_600_000 }, async () => {
    for (let round = 0; round < PAIRS_OF_BUILDS; round++) {
      const folder = mkdtempSync(join(tmpdir(), "label-two-"));
      const { baseUrl, stats } = await modelServer({ grades: {}, delayMs: 2 });
      const env = shop(folder, baseUrl, 20);
      const children = [build(folder, env), build(folder, env)];
      const codes = await Promise.all(
        children.map(async (child) => ((await once(child, "exit")) as [number])[0]),
      );
      expect([codes, children.flatMap(({ errors }) => errors).join("")]).toEqual([
        [0, 0],
        expect.not.stringContaining("error"),
      ]);
      const all = await storedPairs(folder);
      expect(all).toHaveLength(240);
      expect(new Set(all).size).toBe(240);
      const { pairs } = await stats();
      expect(Object.values(pairs).filter((times) => times !== 1)).toEqual([]);
    }
  });
});
