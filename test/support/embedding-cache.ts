import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { fileEmbeddingCache } from "../../src/node/index.js";

export const keyOf = (name: number | string): string =>
  createHash("sha256").update(String(name)).digest("hex");
export const vectorOf = (name: number): Float32Array => Float32Array.of(name, -name, 1 / (name + 1), 0.1);
export const entriesOf = (names: readonly number[]) =>
  names.map((name) => [keyOf(name), vectorOf(name)] as const);
export const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);
/** Which of some vectors a newly opened cache has; each must be the one that was kept. */
export async function keptIn(where: string, names: readonly number[]): Promise<number[]> {
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

export function startWriter(folder: string, from: number, to: number) {
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
    // One that cannot begin is not waited for.
    isWriting: Promise.race([
      ended,
      new Promise<void>((resolve) => child.stdout.once("data", () => resolve())),
    ]),
    kept: () => said.join("").split("\n").slice(0, -1).map(Number),
  };
}
