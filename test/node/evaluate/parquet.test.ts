import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetWriteBuffer } from "hyparquet-writer";
import { Compression, readParquet, writeParquet, WriterPropertiesBuilder } from "parquet-wasm";
import { describe, expect, it } from "vitest";
import fc from "fast-check";
import {
  contentOf,
  evaluateFile,
  loadQrels,
  readAnyQrels,
  readAnyRun,
} from "../../../src/node/evaluate/index.js";
import { parquetOf } from "../../../src/node/evaluate/parquet.js";
import type { ScoredRun } from "../../../src/records/index.js";
import { parseAnyQrels, parseAnyRun } from "../../../src/formats/index.js";

const folder = mkdtempSync(join(tmpdir(), "rankproof-parquet-"));
const written = (name: string, bytes: Uint8Array | ArrayBuffer): string => {
  const path = join(folder, name);
  writeFileSync(path, new Uint8Array(bytes));
  return path;
};
type Columns = Parameters<typeof parquetWriteBuffer>[0]["columnData"];
type Schema = Parameters<typeof parquetWriteBuffer>[0]["schema"];
const file = (name: string, columnData: Columns, rowGroupSize = 2, schema?: Schema): string =>
  written(name, parquetWriteBuffer({ columnData, rowGroupSize, ...(schema && { schema }) }));
const RUN: Columns = [
  { name: "query_id", data: ["q1", "q1", "q2", "q2", "é"], type: "STRING" },
  { name: "doc_id", data: ["a", "b", "a", "c", "Ω"], type: "STRING" },
  { name: "score", data: [2.5, 1, 0.1, -3, 7], type: "DOUBLE" },
];
const without = (name: string): Columns => RUN.filter((column) => column.name !== name);
const failure = async (path: string): Promise<string> => {
  try {
    parseAnyRun(await contentOf(path), path);
    return "";
  } catch (error) {
    return String((error as Error).message).replaceAll(`${folder}/`, "");
  }
};

describe("Parquet files", () => {
  it("are scored with ties as they came where that is asked for", async () => {
    const tied = file("tied.parquet", [
      { name: "query_id", data: ["q", "q"], type: "STRING" },
      { name: "doc_id", data: ["a", "b"], type: "STRING" },
      { name: "score", data: [1, 1], type: "DOUBLE" },
    ]);
    const qrels = await loadQrels(written("tied.qrels", new TextEncoder().encode("q 0 a 1\nq 0 b 0\n")));
    expect((await evaluateFile(tied, qrels, ["RR"], { ties: "input" })).mean("RR")).toBe(1);
    expect((await evaluateFile(tied, qrels, ["RR"])).mean("RR")).toBe(0.5);
  });
  it.each([0, 1, 4, 5, 11, 17])("have decimal numbers of scale %i digit by digit", async (scale) => {
    const text = { type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" } as const;
    const decimal = { type: "INT64", converted_type: "DECIMAL", precision: 18 } as const;
    const given = file(
      `decimal${scale}.parquet`,
      [
        { name: "query_id", data: ["q", "q", "q"] },
        { name: "doc_id", data: ["a", "b", "c"] },
        { name: "grade", data: [0n, 1n, 3n].map((each) => each * 10n ** BigInt(scale)) },
      ],
      3,
      [
        { name: "root", num_children: 3 },
        { name: "query_id", ...text },
        { name: "doc_id", ...text },
        { name: "grade", repetition_type: "OPTIONAL", scale, ...decimal },
      ],
    );
    const grades = [0, 1, 3].map(
      (grade, at) => expect.objectContaining({ doc_id: "abc"[at], grade }) as object,
    );
    expect((await readAnyQrels(given)).judgments).toEqual(grades);
    expect(parseAnyQrels(await contentOf(given), given).judgments).toEqual(grades);
  });
  it("have ids of 18 decimal digits and of microseconds as they are", async () => {
    const place = Date.UTC(2026, 0, 1);
    const run = (name: string, data: unknown[], element: object): string =>
      file(
        name,
        [
          { name: "query_id", data: ["q", "q"] },
          { name: "doc_id", data },
          { name: "score", data: [2, 1] },
        ] as Columns,
        2,
        [
          { name: "root", num_children: 3 },
          { name: "query_id", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
          { name: "doc_id", repetition_type: "REQUIRED", type: "INT64", ...element },
          { name: "score", type: "DOUBLE", repetition_type: "REQUIRED" },
        ],
      );
    const big = run("big.parquet", [123456789012345678n, -7n], {
      converted_type: "DECIMAL",
      scale: 0,
      precision: 18,
    });
    const idsOf = async (path: string) =>
      [...((await readAnyRun(path)).run as ScoredRun).values()].map(({ ids }) => [...ids]);
    expect(await idsOf(big)).toEqual([["123456789012345678", "-7"]]);
    const never = file(
      "never.parquet",
      [
        { name: "id", data: ["i"] },
        { name: "valid_to", data: [2n ** 63n - 1n] },
        { name: "price", data: [12345678901234567n] },
      ] as Columns,
      1,
      [
        { name: "root", num_children: 3 },
        { name: "id", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
        { name: "valid_to", type: "INT64", converted_type: "TIMESTAMP_MICROS", repetition_type: "OPTIONAL" },
        {
          name: "price",
          type: "INT64",
          converted_type: "DECIMAL",
          scale: 17,
          precision: 18,
          repetition_type: "OPTIONAL",
        },
      ],
    );
    expect(JSON.parse(new TextDecoder().decode(await contentOf(never)))).toEqual({
      id: "i",
      price: 0.12345678901234567,
    });
    const times = [BigInt(place) * 1000n + 1n, BigInt(place) * 1000n + 2000n];
    expect(await idsOf(run("times.parquet", times, { converted_type: "TIMESTAMP_MICROS" }))).toEqual([
      ["2026-01-01T00:00:00.000001Z", "2026-01-01T00:00:00.002Z"],
    ]);
  });
  it("are runs and judgments wherever a file is taken, by the names of their columns", async () => {
    const run = file("run.parquet", RUN);
    expect(parseAnyRun(await contentOf(run), run).run).toEqual(
      new Map([
        ["q1", { ids: ["a", "b"], scores: Float64Array.from([2.5, 1]) }],
        ["q2", { ids: ["a", "c"], scores: Float64Array.from([0.1, -3]) }],
        ["é", { ids: ["Ω"], scores: Float64Array.from([7]) }],
      ]),
    );
    const qrels = file("qrels.parquet", [
      { name: "query-id", data: [1n, 9007199254740993n], type: "INT64" },
      { name: "corpus-id", data: ["a", "b"], type: "STRING" },
      { name: "score", data: [1, 0], type: "INT32" },
    ]);
    expect(parseAnyQrels(await contentOf(qrels), qrels).judgments).toEqual([
      { query_id: "1", doc_id: "a", grade: 1 },
      // Not rounded to a number.
      { query_id: "9007199254740993", doc_id: "b", grade: 0 },
    ]);
  });

  it("name file and row of what is wrong", async () => {
    const nulls = file("null.parquet", [
      ...without("score"),
      { name: "score", data: [1, 2, null, 4, NaN], type: "DOUBLE" },
    ]);
    expect(await failure(nulls)).toMatch(/null\.parquet:3(?::1)?: .*score is missing/);
    expect(await failure(nulls)).toMatch(/null\.parquet:5:\d+: .*score must be a finite number, got `NaN`/);
    expect(await failure(file("columns.parquet", without("doc_id")))).toMatch(
      /columns\.parquet:1.*item's id is missing; call the column `doc_id`/,
    );
    const binary = file("binary.parquet", [
      ...without("query_id"),
      {
        name: "query_id",
        data: [1, 2, 3, 4, 5].map((n) => Uint8Array.of(n === 4 ? 0xff : 65)),
        type: "BYTE_ARRAY",
      },
    ]);
    expect(await failure(binary)).toBe(
      "binary.parquet:4: query_id has bytes that are no UTF-8; write the column as text",
    );
    expect(
      await failure(
        file(
          "empty.parquet",
          RUN.map((column) => ({ ...column, data: [] })),
        ),
      ),
    ).toBe("empty.parquet: has no rows; its columns are query_id, doc_id, score");
  });

  /** What is read straight from the columns, and from lines of JSON; or what is wrong, without columns. */
  const inBothWays = async (path: string, role: "run" | "qrels"): Promise<unknown[]> => {
    const outcome = async (read: () => unknown): Promise<unknown> => {
      try {
        return await read();
      } catch (error) {
        return (error as Error).message.replaceAll(/(\.parquet:\d+):\d+/g, "$1");
      }
    };
    const lines = await contentOf(path).catch(() => new Uint8Array());
    return role === "run"
      ? [
          await outcome(async () => (await readAnyRun(path)).run),
          await outcome(() => parseAnyRun(lines, path).run),
        ]
      : [
          await outcome(async () => (await readAnyQrels(path)).judgments),
          await outcome(() => parseAnyQrels(lines, path).judgments),
        ];
  };

  it("are read from their columns where these are of a run or of judgments", async () => {
    const run = file("run.parquet", [...RUN, { name: "rank", data: [1, 2, 1, 2, 1], type: "INT32" }]);
    expect(await readAnyRun(run)).toMatchObject({ format: "parquet", name: "run" });
    const results = file("results.parquet", [
      { name: "query_id", data: ["q1", "q2"], type: "STRING" },
      { name: "hits_top_k", data: [[], [{ chunk_id: "c", doc_id: "d", rank: 1 }]], type: "JSON" },
    ]);
    expect(await readAnyRun(results)).toMatchObject({ format: "rankproof" });
    const golden = file("golden.parquet", [
      { name: "id", data: ["q1"], type: "STRING" },
      { name: "query", data: ["words"], type: "STRING" },
      { name: "expected_doc_ids", data: [["a"]], type: "JSON" },
    ]);
    expect(await readAnyQrels(golden)).toMatchObject({ format: "rankproof", judgments: [{ doc_id: "a" }] });
    await expect(readAnyRun(written("cut.parquet", readFileSync(run).subarray(0, 90)))).rejects.toThrow(
      /cut\.parquet: is not the whole Parquet file/,
    );
  });

  it("give the same in both ways, whatever the cells are", async () => {
    const text = fc.constantFrom("a", "b", "", "é", "__proto__", "1", null);
    const cells = {
      STRING: text,
      DOUBLE: fc.constantFrom(0, -0, 1, 2.5, 0.1, 1e300, NaN, Infinity, null),
      INT64: fc.constantFrom(0n, 1n, 2n ** 60n, -1n, null),
      BOOLEAN: fc.constantFrom(true, false, null),
      JSON: fc.constantFrom<unknown>("a", 1, ["a"], { a: null }, null),
      TIMESTAMP: fc.constantFrom(new Date(0), null),
    };
    const column = (name: string): fc.Arbitrary<Columns[number]> =>
      fc
        .constantFrom(...(Object.keys(cells) as (keyof typeof cells)[]))
        .chain((type) =>
          fc
            .array<unknown>(cells[type], { minLength: 4, maxLength: 4 })
            .map((data) => ({ name, data, type, nullable: true }) as Columns[number]),
        );
    const names = fc.subarray(["query_id", "qid", "doc_id", "_id", "score", "grade", "subtopic", "other"], {
      minLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(
        names.chain((some) => fc.tuple(...some.map(column))),
        fc.constantFrom("run" as const, "qrels" as const),
        async (columns, role) => {
          const [direct, byLines] = await inBothWays(file("any.parquet", columns), role);
          expect(direct).toEqual(byLines);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("say so where they are cut off, damaged or no Parquet", async () => {
    const whole = readFileSync(file("whole.parquet", RUN));
    for (const length of [4, 8, 40, whole.length >> 1, whole.length - 5, whole.length - 1])
      expect(await failure(written("cut.parquet", whole.subarray(0, length))), String(length)).toMatch(
        /^cut\.parquet: is not the whole Parquet file that it begins as: .*; make or copy it again$/,
      );
    const damaged = Uint8Array.from(whole);
    damaged.fill(0xff, 4, 60);
    expect(await failure(written("damaged.parquet", damaged))).toMatch(/^damaged\.parquet: is not the whole/);
    const other = Uint8Array.from(whole);
    other[3] = 0x32;
    expect(await failure(written("other.parquet", other))).toMatch(/^other\.parquet: has a zero byte/);
  });

  it("are written with a column for each key, and read back as they were", async () => {
    const lines = [
      { query_id: "q1", doc_id: "a", score: 0.1 + 0.2, rater: { name: "judge" } },
      { query_id: "q2", doc_id: "7", score: 1e300 },
    ];
    const bytes = await parquetOf(
      [`${JSON.stringify(lines[0])}\n{"query_id":"q2",`, `"doc_id":"7","score":1e300}\n`],
      "x",
    );
    const back = (await contentOf(written("back.parquet", bytes))).toString().trim().split("\n");
    expect(back.map((line) => JSON.parse(line) as unknown)).toEqual(lines);
    const { buffer } = bytes.slice();
    expect(await parquetReadObjects({ file: buffer, compressors })).toHaveLength(2);
  });

  it.each(["UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD"] as const)(
    "of another library, packed with %s, are read, and it reads ours",
    async (codec) => {
      const ours = await parquetOf(
        ["q1", "q2", "é"].map(
          (query_id, at) => `${JSON.stringify({ query_id, doc_id: `d${at}`, score: at / 3 })}\n`,
        ),
        "ours.parquet",
      );
      const table = readParquet(ours);
      const properties = new WriterPropertiesBuilder()
        .setCompression(Compression[codec])
        .setMaxRowGroupSize(2)
        .build();
      const path = written(`${codec}.parquet`, writeParquet(table, properties));
      expect((await contentOf(path)).toString()).toBe(
        '{"query_id":"q1","doc_id":"d0","score":0}\n' +
          `{"query_id":"q2","doc_id":"d1","score":${1 / 3}}\n` +
          `{"query_id":"é","doc_id":"d2","score":${2 / 3}}\n`,
      );
    },
  );
});
