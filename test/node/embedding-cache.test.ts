import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
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
import { isDeepStrictEqual } from "node:util";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileEmbeddingCache } from "../../src/node/index.js";
import { cachedEmbedder, hashEmbedder } from "../../src/retrieve/index.js";
import { embeddingProviderContract } from "../support/embedding-provider-contract.js";
import { present } from "../support/present.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rankproof-embeddings-"));
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true });
});

const keyOf = (name: number | string): string => createHash("sha256").update(String(name)).digest("hex");
const vectorOf = (name: number): Float32Array => Float32Array.of(name, -name, 1 / (name + 1), 0.1);
const entriesOf = (names: readonly number[]) => names.map((name) => [keyOf(name), vectorOf(name)] as const);
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);
const soleFile = (): string => join(folder, present(readdirSync(folder)[0]));

/** Which of some vectors a newly opened cache has; each must be the one that was kept. */
async function keptIn(where: string, names: readonly number[]): Promise<number[]> {
  const vectors = await fileEmbeddingCache(where).get("m", names.map(keyOf));
  const wrong = names.filter(
    (name, index) => vectors[index] !== undefined && !isDeepStrictEqual(vectors[index], vectorOf(name)),
  );
  expect(wrong).toEqual([]);
  return names.filter((_, index) => vectors[index] !== undefined);
}

const opened = fileURLToPath(new URL("../../dist/node/index.js", import.meta.url));

/** A program that keeps vectors one by one and says the name of each that is kept. */
const WRITER = `
import { createHash } from "node:crypto";
const { fileEmbeddingCache } = await import(process.argv[1]);
const cache = fileEmbeddingCache(process.argv[2]);
const [from, to] = process.argv.slice(3).map(Number);
for (let name = from; name < to; name++) {
  const key = createHash("sha256").update(String(name)).digest("hex");
  await cache.set("m", [[key, Float32Array.of(name, -name, 1 / (name + 1), 0.1)]]);
  process.stdout.write(name + "\\n");
}
`;

function startWriter(from: number, to: number) {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "--eval", WRITER, opened, folder, String(from), String(to)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const said: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  return {
    child,
    ended,
    isWriting: new Promise<void>((resolve) => child.stdout.once("data", () => resolve())),
    kept: () => said.join("").split("\n").slice(0, -1).map(Number),
  };
}

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

  it("loses nothing that was kept by processes that were killed in the middle of writing", async () => {
    const promised: number[] = [];
    for (let round = 0; round < 3; round++) {
      const writer = startWriter(round * 100_000, (round + 1) * 100_000);
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
    const writers = [startWriter(0, 150), startWriter(100, 250), startWriter(1000, 1150)];
    await Promise.all(writers.map(({ ended }) => ended));
    const all = [...numbers(0, 250), ...numbers(1000, 1150)];
    expect(await keptIn(folder, all)).toEqual(all);
    expect(readdirSync(folder)).toHaveLength(1);
    // Each vector stands there once, also those that two of them had.
    expect(statSync(soleFile()).size).toBe(20 + 56 * all.length);
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
