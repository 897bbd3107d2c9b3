import { jsonParts } from "../../src/formats/index.js";
import { existsSync, mkdtempSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatJson } from "../../src/cli/format-json.js";
import { isReadable } from "../../src/cli/is-readable.js";
import { isScoredRunFile } from "../../src/cli/scored-run-file.js";
import { writeOutput } from "../../src/cli/write-output.js";
import { contentOf, loadQrels, readAnyRun } from "../../src/node/evaluate/index.js";
import { readBenchFixture, readChunks, readGolden, readRun } from "../../src/node/index.js";

const folder = mkdtempSync(join(tmpdir(), "rankproof-hostile-"));
const file = (name: string): string => join(folder, name);

describe("what is no text is refused at its first zero byte, whoever reads it", () => {
  writeFileSync(file("zeros"), "");
  truncateSync(file("zeros"), 3 * 2 ** 30);
  writeFileSync(file("bomb.gz"), Buffer.concat(new Array<Buffer>(64).fill(gzipSync(Buffer.alloc(2 ** 24)))));
  const hostile = ["zeros", "bomb.gz"].map(file).concat(existsSync("/dev/zero") ? ["/dev/zero"] : []);
  it.each(hostile)("%s", async (path) => {
    const refusal = {
      code: "FILE_ENCODING",
      message: expect.stringMatching(/: has a zero byte, which no file of text/) as string,
    };
    const before = process.memoryUsage.rss();
    for (const read of [contentOf, loadQrels, readAnyRun, readRun, readGolden])
      await expect(read(path)).rejects.toMatchObject(refusal);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 2 ** 20);
  });
});

it("UTF-16 is named, whoever reads it", async () => {
  const path = file("utf-16.txt");
  writeFileSync(path, Buffer.from("\ufeffq1 Q0 d1 1 0.5 tag\n", "utf16le"));
  for (const read of [contentOf, loadQrels, readAnyRun, readRun, readGolden])
    await expect(read(path)).rejects.toMatchObject({
      message: expect.stringMatching(/is UTF-16, not UTF-8; save it as UTF-8/) as string,
    });
});

it.each([
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["lz4", [0x04, 0x22, 0x4d, 0x18]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
])("what %s packed is named", async (by, head) => {
  const path = file(`run.${by}`);
  writeFileSync(path, Uint8Array.of(...head, 0, 0));
  for (const read of [contentOf, loadQrels, readAnyRun])
    await expect(read(path)).rejects.toMatchObject({
      message: `${path}: is packed by ${by}; unpack it first, or pack it by gzip`,
    });
});

it("a link to itself cannot be read, whoever looks, and a name that is too long is of no file", async () => {
  symlinkSync("loop", file("loop"));
  const readers = [contentOf, loadQrels, readAnyRun, readRun, readGolden, readChunks, readBenchFixture];
  for (const read of [...readers, isReadable, isScoredRunFile])
    await expect((async () => read(file("loop")))()).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      message: `${file("loop")}: cannot be read: its symbolic links lead in a circle`,
    });
  const long = "a".repeat(300);
  expect([isReadable(long), await isScoredRunFile(long)]).toEqual([false, false]);
  await expect(readRun(long)).rejects.toMatchObject({
    message: `${long}: cannot be read: the name is too long`,
  });
});

describe("what is written in parts", () => {
  const said: string[] = [];
  const terminal = {
    env: {},
    cwd: process.cwd(),
    out: (text: string) => void said.push(text),
    talk: () => undefined,
    warn: () => undefined,
    error: () => undefined,
    command: () => undefined,
    progress: () => undefined,
    paint: (text: string) => text,
    signal: new AbortController().signal,
  };
  const parts = function* (): Iterable<string> {
    for (let i = 0; i < 300; i++) yield `${i} ${"é".repeat(10_000)}\n`;
  };
  const whole = [...parts()].join("");

  it("is the same in a file, packed, and on stdout", () => {
    writeOutput(parts(), file("plain"), terminal);
    expect(readFileSync(file("plain"), "utf8")).toBe(whole);
    writeOutput(parts(), file("packed.gz"), terminal);
    expect(gunzipSync(readFileSync(file("packed.gz"))).toString()).toBe(whole);
    writeOutput([], file("empty.gz"), terminal);
    expect(gunzipSync(readFileSync(file("empty.gz"))).length).toBe(0);
    writeOutput(parts(), undefined, terminal);
    expect(said.join("")).toBe(whole);
  });
  it("as JSON is what is printed at once", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (record) => {
        expect([...jsonParts(record)].join("")).toBe(formatJson(record));
      }),
    );
  });
});
