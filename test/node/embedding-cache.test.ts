import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileEmbeddingCache } from "../../src/node/index.js";
import { cachedEmbedder, hashEmbedder } from "../../src/retrieve/index.js";
import { embeddingProviderContract } from "../support/embedding-provider-contract.js";
import { entriesOf, keptIn, keyOf, numbers, vectorOf } from "../support/embedding-cache.js";
import { present } from "../support/present.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rankproof-embeddings-"));
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true });
});

const soleFile = (): string => join(folder, present(readdirSync(folder)[0]));

describe("fileEmbeddingCache provider", () => {
  embeddingProviderContract("cachedEmbedder on a file", () =>
    cachedEmbedder(hashEmbedder(), fileEmbeddingCache(folder)),
  );
});

describe("fileEmbeddingCache", () => {
  it("has what was kept, bit by bit, in the same program and in the next", async () => {
    const cache = fileEmbeddingCache(join(folder, "made/when/needed"));
    await cache.set("m", entriesOf([1, 2]));
    await cache.set("m", entriesOf([3]));
    for (const reader of [cache, fileEmbeddingCache(join(folder, "made/when/needed"))]) {
      expect(await reader.get("m", [3, 0, 1, 2, 1].map(keyOf))).toEqual([
        vectorOf(3),
        undefined,
        vectorOf(1),
        vectorOf(2),
        vectorOf(1),
      ]);
    }
  });
  it("has nothing, and makes nothing, before something is kept", async () => {
    const cache = fileEmbeddingCache(join(folder, "none"));
    expect(await cache.get("m", [keyOf(1)])).toEqual([undefined]);
    await cache.set("m", []);
    expect(existsSync(join(folder, "none"))).toBe(false);
  });
  it("keeps identities apart, in files that do not tell them", async () => {
    const cache = fileEmbeddingCache(folder);
    await cache.set("../m", entriesOf([1]));
    await cache.set("n", [[keyOf(1), Float32Array.of(7)]]);
    expect(await cache.get("../m", [keyOf(1)])).toEqual([vectorOf(1)]);
    expect(await cache.get("n", [keyOf(1)])).toEqual([Float32Array.of(7)]);
    expect(readdirSync(folder)).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}\.vectors$/),
      expect.stringMatching(/^[0-9a-f]{32}\.vectors$/),
    ]);
  });
  it("does not grow when the same is kept again", async () => {
    const cache = fileEmbeddingCache(folder);
    await cache.set("m", entriesOf([1, 2]));
    const { size } = statSync(soleFile());
    await fileEmbeddingCache(folder).set("m", entriesOf([2, 1]));
    expect(statSync(soleFile()).size).toBe(size);
  });
  it("sees what another one has kept since", async () => {
    const [reader, writer] = [fileEmbeddingCache(folder), fileEmbeddingCache(folder)];
    await writer.set("m", entriesOf([1]));
    expect(await reader.get("m", [keyOf(1), keyOf(2)])).toEqual([vectorOf(1), undefined]);
    await writer.set("m", entriesOf([2]));
    expect(await reader.get("m", [keyOf(1), keyOf(2)])).toEqual([vectorOf(1), vectorOf(2)]);
  });
  it("begins anew when somebody has deleted the folder", async () => {
    const cache = fileEmbeddingCache(folder);
    await cache.set("m", entriesOf([1, 2, 3]));
    rmSync(soleFile());
    expect(await cache.get("m", [keyOf(1)])).toEqual([undefined]);
    await fileEmbeddingCache(folder).set("m", entriesOf([4]));
    await cache.set("m", entriesOf([5]));
    expect(await keptIn(folder, numbers(0, 6))).toEqual([4, 5]);
  });

  it("has every whole record of a file that was cut off anywhere, and goes on after them", async () => {
    await fileEmbeddingCache(folder).set("m", entriesOf([0, 1, 2]));
    const [path, whole] = [soleFile(), readFileSync(soleFile())];
    const [header, record] = [20, 32 + 4 + 4 * 4 + 4];
    expect(whole.length).toBe(header + 3 * record);
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      const left = numbers(0, Math.max(0, Math.floor((length - header) / record)));
      expect(await keptIn(folder, [0, 1, 2])).toEqual(left);
      await fileEmbeddingCache(folder).set("m", entriesOf([9]));
      expect(await keptIn(folder, [0, 1, 2, 9])).toEqual([...left, 9]);
    }
  });
  it("has every record before one with a flipped bit, wherever it is, and never a wrong vector", async () => {
    await fileEmbeddingCache(folder).set("m", entriesOf([0, 1, 2]));
    const [path, whole] = [soleFile(), readFileSync(soleFile())];
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = present(whole[at]) ^ (1 << (at % 8));
      writeFileSync(path, damaged);
      expect(await keptIn(folder, [0, 1, 2])).toEqual(numbers(0, Math.max(0, Math.floor((at - 20) / 56))));
      await fileEmbeddingCache(folder).set("m", entriesOf([0, 1, 2]));
      expect(await keptIn(folder, [0, 1, 2])).toEqual([0, 1, 2]);
    }
  });
  it("misses a record that is damaged while it is open", async () => {
    const cache = fileEmbeddingCache(folder);
    await cache.set("m", entriesOf([0, 1]));
    const bytes = readFileSync(soleFile());
    bytes[60] = present(bytes[60]) ^ 1;
    writeFileSync(soleFile(), bytes);
    expect(await cache.get("m", [keyOf(0), keyOf(1)])).toEqual([undefined, vectorOf(1)]);
    await cache.set("m", entriesOf([0]));
    expect(await cache.get("m", [keyOf(0), keyOf(1)])).toEqual([vectorOf(0), vectorOf(1)]);
  });

  it("loses nothing when one program keeps several batches at once", async () => {
    const cache = fileEmbeddingCache(folder);
    await Promise.all(
      numbers(0, 20).map((batch) => cache.set("m", entriesOf(numbers(batch * 10, batch * 10 + 10)))),
    );
    expect(await keptIn(folder, numbers(0, 200))).toEqual(numbers(0, 200));
  });

  it("finds one of twenty thousand vectors of 384 numbers", async () => {
    const cache = fileEmbeddingCache(folder);
    const vector = Float32Array.from({ length: 384 }, (_, index) => index / 384);
    const keys = numbers(0, 20_000).map(keyOf);
    for (let start = 0; start < keys.length; start += 10_000)
      await cache.set(
        "m",
        keys.slice(start, start + 10_000).map((key) => [key, vector] as const),
      );
    expect(await fileEmbeddingCache(folder).get("m", [present(keys.at(-1)), keyOf("another")])).toEqual([
      vector,
      undefined,
    ]);
  });

  it("says when a file cannot be read or written", async () => {
    const cache = fileEmbeddingCache(folder);
    await cache.set("m", entriesOf([1]));
    const path = soleFile();
    rmSync(path);
    mkdirSync(path);
    await expect(cache.get("m", [keyOf(1)])).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      message: expect.stringContaining("cannot be read: it is a folder"),
    });
    await expect(cache.set("m", entriesOf([2]))).rejects.toMatchObject({
      name: "AdapterError",
      code: "STORE_WRITE",
      message: expect.stringContaining("cannot be written: it is a folder"),
    });
    writeFileSync(join(folder, "file"), "");
    await expect(fileEmbeddingCache(join(folder, "file")).set("m", entriesOf([2]))).rejects.toMatchObject({
      name: "AdapterError",
      code: "STORE_WRITE",
    });
  });
});
