import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkRecordSchema } from "../../src/records/schema/index.js";
import type { ChunkRecord } from "../../src/records/index.js";
import { memoryStore } from "../../src/storage/index.js";
import { openLabelStore, openStore } from "../../src/node/index.js";

const number = fc.constantFrom(undefined, null, -1, 0, 0.5, 1, 2, "1", NaN, Infinity, 2 ** 60);
const fields = [
  "start",
  "end",
  "line_start",
  "line_end",
  "page",
  "char_start",
  "char_end",
  "start_ms",
  "end_ms",
];
const span = fc.record(
  {
    kind: fc.constantFrom(
      "line",
      "code",
      "byte",
      "page",
      "time",
      "region",
      "caption",
      "toString",
      1,
      undefined,
    ),
    ...Object.fromEntries([...fields, "x", "y", "w", "h"].map((name) => [name, number])),
  },
  { requiredKeys: [] },
);
const chunk = fc.record(
  {
    chunk_id: fc.constantFrom("c", "", 1, undefined),
    doc_id: fc.constantFrom("d", "d", "", null),
    doc_path: fc.constantFrom("p", "", 1, null, undefined),
    source_spans: fc.oneof(
      fc.array(fc.oneof(span, fc.constantFrom(null, "1-2", [])), { maxLength: 2 }),
      fc.constantFrom("x", null, {}),
    ),
    chunker_version: fc.constantFrom("v", "", 2, null, undefined),
  },
  { requiredKeys: ["chunk_id", "doc_id"] },
);

describe("chunks that a store takes", () => {
  it("are those that are read back: what the schema of chunks says", async () => {
    await fc.assert(
      fc.asyncProperty(chunk, async (given) => {
        const isTaken = await memoryStore()
          .saveChunks([given as unknown as ChunkRecord])
          .then(
            () => true,
            () => false,
          );
        expect(isTaken).toBe(chunkRecordSchema.safeParse(given).success);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("how a store is opened", () => {
  it.each([
    [{ Create: true }, "there is no option `Create`; did you mean `create`?"],
    [{ create: "no" }, "create must be true or false, got `no`"],
    [{ lockTimeoutMS: 3 }, "there is no option `lockTimeoutMS`; did you mean `lockTimeoutMs`?"],
    [{ lockTimeoutMs: "3" }, "lockTimeoutMs must be a number from 0, got `3`"],
    [{ lockTimeoutMs: NaN }, "lockTimeoutMs must be a number from 0, got `NaN`"],
    [{ lockTimeoutMs: -3 }, "lockTimeoutMs must be a number from 0, got `-3`"],
  ])("%j is refused by every kind", async (options, message) => {
    const given = options as never;
    await expect(openStore("never.sqlite", given)).rejects.toThrow(message);
    await expect(openLabelStore("never.sqlite", given)).rejects.toThrow(message);
    // Before anything is connected to.
    await expect(openStore("postgresql://nobody@127.0.0.1:1/none", given)).rejects.toThrow(message);
  });
});
