import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readGolden } from "../src/node/index.js";
import { findStaleIds } from "../src/runs/index.js";
import { memoryStore } from "../src/storage/index.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const text = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the documentation", () => {
  it("prints what the benchmark prints, but for the latencies", () => {
    const withoutTimes = (printed: string): string =>
      printed
        .replace(/ +\d[\d.]* ms/g, " ms")
        .replace(/ +mean +p95/, " mean p95")
        .trim();
    const [, shown = ""] =
      /<!-- bench:begin -->\n\n```text\n([^]*?)```/.exec(text("docs/benchmark.md")) ?? [];
    const { stdout } = spawnSync(
      process.execPath,
      ["bin/rankproof.js", "bench", "fixtures/bench/papers.json", "--no-store"],
      { cwd: root, encoding: "utf8" },
    );
    expect(withoutTimes(shown)).toBe(withoutTimes(stdout));
  });
  it("has the tour that shows what the demo prints today (else: npm run docs:pages)", async () => {
    const { tour } = (await import(new URL("../scripts/pages.js", import.meta.url).href)) as {
      tour: () => Promise<string>;
    };
    expect(text("docs/tour.md")).toBe(await tour());
  });
});

describe("the demo's golden set", () => {
  it("names chunks and documents that the documentation has today", async () => {
    const { pages: docs } = (await import(new URL("../fixtures/demo/demo.js", import.meta.url).href)) as {
      pages: () => unknown;
    };
    const { sections } = (await import(new URL("../fixtures/demo/chunkers.js", import.meta.url).href)) as {
      sections: (pages: unknown) => { chunk_id: string; doc_id: string }[];
    };
    const store = memoryStore();
    await store.saveChunks(sections(docs()));
    expect(await findStaleIds(store, await readGolden(join(root, "fixtures/demo/golden.yaml")))).toEqual([]);
  });
});
