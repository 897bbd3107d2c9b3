import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileEmbeddingCache } from "../../src/node/index.js";
import { entriesOf, keptIn, numbers, startWriter } from "../support/embedding-cache.js";
import { present } from "../support/present.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rankproof-embeddings-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const soleFile = (): string => join(folder, present(readdirSync(folder)[0]));

describe("a cache of vectors that several processes write", () => {
  it("loses nothing that was kept by processes that were killed in the middle of writing", async () => {
    const promised: number[] = [];
    for (let round = 0; round < 3; round++) {
      const writer = startWriter(folder, round * 100_000, (round + 1) * 100_000);
      await writer.isWriting;
      await new Promise((resolve) => setTimeout(resolve, 7 * round));
      writer.child.kill("SIGKILL");
      await writer.ended;
      promised.push(...writer.kept());
    }
    expect(promised.length).toBeGreaterThan(2);
    // One of the killed may have left its lock, and a torn record besides.
    writeFileSync(soleFile(), Buffer.from("torn"), { flag: "a" });
    expect(await keptIn(folder, promised)).toEqual(promised);
    await fileEmbeddingCache(folder).set("m", entriesOf([999_999]));
    expect(await keptIn(folder, [...promised, 999_999])).toEqual([...promised, 999_999]);
  });
  it("loses nothing when processes keep vectors at the same time", async () => {
    const writers = [
      startWriter(folder, 0, 150),
      startWriter(folder, 100, 250),
      startWriter(folder, 1000, 1150),
    ];
    await Promise.all(writers.map(({ ended }) => ended));
    const all = [...numbers(0, 250), ...numbers(1000, 1150)];
    expect(await keptIn(folder, all)).toEqual(all);
    expect(readdirSync(folder)).toHaveLength(1);
    // Each vector stands there once, also those that two of them had.
    expect(statSync(soleFile()).size).toBe(20 + 56 * all.length);
  });
});
