import { cpSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { collectionBenchFixture, type Collection } from "../../src/bench/index.js";
import { sentenceChunker } from "../../src/chunk/index.js";
import { readBenchFixture } from "../../src/node/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";
import { present } from "../support/present.js";

const collection = (more: Partial<Collection> = {}): Collection => ({
  name: "c",
  documents: [
    { id: "d1", title: "", text: "Red shoes. Blue shoes." },
    { id: "__proto__", title: "Hats", text: "" },
  ],
  queries: new Map([
    ["q1", { query: "shoes", labels: { query_type: "exact" } }],
    ["constructor", { query: "hats" }],
  ]),
  qrels: new Map([
    ["q1", new Map([["d1", 2]])],
    ["constructor", new Map([["__proto__", 1]])],
  ]),
  ...more,
});

describe("a fixture of a collection", () => {
  it("is whole documents, and cases with grades by document", () => {
    const fixture = collectionBenchFixture(collection());
    expect(fixture).toMatchObject({
      name: "c",
      version: null,
      description: "",
      unit: "doc",
      chunker_version: "whole-1",
      warnings: [],
    });
    expect(fixture.chunks).toMatchObject([
      { chunk_id: "d1", text: "Red shoes. Blue shoes." },
      { chunk_id: "__proto__", title: "Hats", text: "" },
    ]);
    expect(fixture.cases).toEqual([
      { case_id: "q1", query: "shoes", query_type: "exact", top_k: 10, grades: new Map([["d1", 2]]) },
      {
        case_id: "constructor",
        query: "hats",
        query_type: "unlabelled",
        top_k: 10,
        grades: new Map([["__proto__", 1]]),
      },
    ]);
  });
  it("can be cut in another way, and then is another", () => {
    const cut = collectionBenchFixture(
      collection({ chunker: sentenceChunker({ maxCharacters: 12 }), topK: 3 }),
    );
    expect(cut.chunks.map(({ chunk_id }) => chunk_id)).toEqual(["d1#0", "d1#1", "__proto__#0"]);
    expect([cut.chunker_version, cut.cases[0]?.top_k]).toEqual(["sentences-1(max=12,overlap=0)", 3]);
    expect(cut.digest).not.toBe(collectionBenchFixture(collection()).digest);
  });
  it("leaves out queries without words or judgments, and says what nobody can find", () => {
    const { documents, queries, qrels } = collection();
    const fixture = collectionBenchFixture(
      collection({
        documents: [...documents, { id: "empty", title: "", text: " " }],
        queries: new Map([
          ...queries,
          ["unjudged", { query: "x" }],
          ["wordless", { query: null }],
          ["hopeless", { query: "y" }],
        ]),
        qrels: new Map([
          ...(qrels as ReadonlyMap<string, ReadonlyMap<string, number>>),
          ["wordless", new Map([["d1", 1]])],
          ["unknown", new Map([["d1", 1]])],
          [
            "hopeless",
            new Map([
              ["gone", 0],
              ["empty", 0],
            ]),
          ],
          [
            "q1",
            new Map([
              ["empty", 1],
              ["d1", 1],
            ]),
          ],
        ]),
      }),
    );
    expect(fixture.cases.map(({ case_id }) => case_id)).toEqual(["q1", "constructor", "hopeless"]);
    expect(fixture.warnings).toEqual([
      {
        code: "QUERIES_WITHOUT_WORDS",
        message: "2 queries with judgments but without words left out",
        count: 2,
        query_ids: ["unknown", "wordless"],
      },
      {
        code: "QUERIES_WITHOUT_JUDGMENTS",
        message: "1 query without judgments left out",
        count: 1,
        query_ids: ["unjudged"],
      },
      {
        code: "DOCUMENTS_NOT_IN_CORPUS",
        message:
          "of 4 judged documents the corpus lacks 1, such as `gone`: no mode can find what is not there",
        count: 1,
      },
      {
        code: "DOCUMENTS_WITHOUT_TEXT",
        message: "1 relevant document has no text, such as `empty`: no mode can find what is not there",
        count: 1,
      },
      {
        code: "NOTHING_RELEVANT",
        message:
          "nothing is judged relevant to 1 query, where every mode scores 1 in recall, MRR and " +
          "nDCG, and has no hit",
        count: 1,
        query_ids: ["hopeless"],
      },
    ]);
  });
  it.each<[string, Partial<Collection>, string]>([
    ["documents", { documents: [] }, "c: there are no documents; add what is to be searched"],
    [
      "judgments",
      { qrels: new Map() },
      "c: there are no judgments; add those of the documents that answer the queries",
    ],
    ["queries", { queries: new Map() }, "c: there are no queries; add the words of those that are judged"],
    [
      "ids of queries",
      { queries: new Map([["Q1", { query: "x" }]]) },
      "c: none of the judged queries has words: judged are `constructor`, `q1`, the queries are " +
        "`Q1`; do the ids agree?",
    ],
    [
      "ids of documents",
      { documents: [{ id: "D1", title: "", text: "x" }] },
      "c: none of the judged documents is in the corpus: judged are `__proto__`, `d1`, the corpus " +
        "has `D1`; do the ids agree?",
    ],
    [
      "a document",
      { documents: [...collection().documents, ...collection().documents] },
      "c: documents[2].id `d1` is duplicated; every document needs an id of its own\nc: " +
        "documents[3].id `__proto__` is duplicated",
    ],
    [
      "chunk ids",
      { chunker: { version: "mine", chunk: () => [{ chunk_id: "x", doc_id: "d1", text: "" }] } },
      "c: the chunker gives the chunk id `x` twice; every chunk needs an id of its own",
    ],
    ["topK", { topK: 0 }, "topK must be a whole number from 1, got `0`"],
  ])("is refused for its %s", (_, more, message) =>
    expect(() => collectionBenchFixture(collection(more))).toThrow(message),
  );
});

describe("a folder with a collection", () => {
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), "rankproof-collection-"));
    writeFileSync(
      join(path, "corpus.jsonl"),
      '{"_id": "d1", "title": "T", "text": "Red shoes."}\n{"_id": "d2", "text": "Blue."}\n',
    );
    writeFileSync(
      join(path, "queries.jsonl"),
      '{"_id": "q1", "text": "shoes", "metadata": {"query_type": "exact"}}\n',
    );
    mkdirSync(join(path, "qrels"));
    writeFileSync(join(path, "qrels/test.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t1\n");
    return path;
  };

  it("of BEIR is read, plain and packed", async () => {
    const path = folder();
    const plain = await readBenchFixture(path);
    expect(plain.cases).toEqual([
      { case_id: "q1", query: "shoes", query_type: "exact", top_k: 10, grades: new Map([["d1", 1]]) },
    ]);
    writeFileSync(
      join(path, "corpus.jsonl.gz"),
      gzipSync('{"_id": "d1", "title": "T", "text": "Red shoes."}\n{"_id": "d2", "text": "Blue."}\n'),
    );
    renameSync(join(path, "corpus.jsonl"), join(path, "corpus.old"));
    expect(await readBenchFixture(path)).toEqual(plain);
  });
  it("takes files that are named", async () => {
    const path = folder();
    const elsewhere = folder();
    writeFileSync(join(elsewhere, "mine.txt"), "q1 0 d2 3\n");
    const fixture = await readBenchFixture(path, {
      qrels: join(elsewhere, "mine.txt"),
      chunker: sentenceChunker(),
      topK: 2,
    });
    expect(fixture.cases).toMatchObject([{ top_k: 2, grades: new Map([["d2", 3]]) }]);
    expect(fixture.chunks.map(({ chunk_id }) => chunk_id)).toEqual(["d1#0", "d2#0"]);
  });
  it("says what was looked for, and asks where there are several", async () => {
    const path = folder();
    cpSync(join(path, "qrels/test.tsv"), join(path, "qrels.tsv"));
    await expect(readBenchFixture(path)).rejects.toThrow(
      `${path}: has \`qrels.tsv\`, \`qrels/test.tsv\`; name the one to take with \`qrels\` (\`--qrels\`)`,
    );
    const empty = mkdtempSync(join(tmpdir(), "rankproof-collection-"));
    await expect(readBenchFixture(empty)).rejects.toThrow(
      `${empty}: has none of \`corpus.jsonl\`, \`corpus.jsonl.gz\`; name the file with \`corpus\` ` +
        "(`--corpus`)",
    );
    await expect(readBenchFixture(join(empty, "none.json"))).rejects.toThrow(
      "none.json: no such file; check the path",
    );
  });
  it("options of a folder are refused for a fixture in one file", async () => {
    const file = join(folder(), "f.json");
    writeFileSync(file, "{}");
    await expect(readBenchFixture(file, { topK: 5 })).rejects.toThrow(
      "f.json: a fixture in one file already sets what `topK` would say; leave the option out, or " +
        "name a folder",
    );
    await expect(readBenchFixture(file)).rejects.toThrow("f.json:1:1: papers is missing\n");
  });
});

const hasOracles = oracle("cranfield") !== null;
describe.skipIf(!hasOracles)(`real collections${hasOracles ? "" : ` (${WITHOUT_ORACLES})`}`, () => {
  it.each([
    // Of Cranfield's 1400 documents 471 and 995 are empty, and one of them is judged relevant.
    ["cranfield", 1398, 225, ["DOCUMENTS_WITHOUT_TEXT"]],
    ["chorus-electronics", 2349, 135, ["NOTHING_RELEVANT"]],
    ["faq-ko", 1926, 200, []],
    ["qa-retrieval-zh", 240, 298, []],
    ["qa-retrieval-en", 240, 298, []],
  ])("%s", async (name, chunks, cases, warnings) => {
    const folder = present(oracle(name));
    const fixture = await readBenchFixture(folder);
    expect([fixture.name, fixture.chunks.length, fixture.cases.length]).toEqual([name, chunks, cases]);
    expect(fixture.warnings.map(({ code }) => code)).toEqual(warnings);
    expect((await readBenchFixture(folder)).digest).toBe(fixture.digest);
  });
});
