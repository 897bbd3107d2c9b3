import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/index.js";
import { TrecRunScanner } from "../../src/formats/trec/run-scanner.js";
import { TrecQrelsScanner } from "../../src/formats/trec/qrels-scanner.js";
import {
  asScoredRun,
  likelyRole,
  parseAnyQrels,
  parseAnyRun,
  type ScoredRun,
} from "../../src/formats/index.js";
import { aRun, hit, result } from "../support/records.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const lines = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const runOf = (text: string) => parseAnyRun(bytes(text), "r").run as ScoredRun;
const idsOf = (text: string, query = "1"): readonly string[] | undefined => runOf(text).get(query)?.ids;

describe("columns that mean something else than they seem to", () => {
  it("a run of PyTerrier is read by the ids that its judgments have", () => {
    expect(idsOf("qid,docid,docno,rank,score,query\n1,6,d5,0,3.2,w\n1,7,d6,1,2.2,w\n")).toEqual(["d5", "d6"]);
  });

  it.each([
    [
      "a score where the grade is missing",
      lines({ query_id: "q", doc_id: "a", grade: 1, score: 12 }, { query_id: "q", doc_id: "b", score: 17 }),
      "j:2:38: has `score` where a row before has `grade`; give all rows the same",
    ],
    [
      "a grade where rows before have scores",
      lines({ query_id: "q", doc_id: "a", score: 12 }, { query_id: "q", doc_id: "b", grade: 1, score: 12 }),
      "j:2:38: has `grade` where a row before has `score`; give all rows the same",
    ],
    [
      "words where the id of the query is missing",
      lines({ qid: "1", query: "w", doc_id: "a", grade: 1 }, { query: "w", doc_id: "b", grade: 1 }),
      "j:2:10: has `query` where a row before has `qid`; give all rows the same",
    ],
  ])("%s is refused", (_, text, message) => {
    expect(() => parseAnyQrels(bytes(text), "j")).toThrow(message);
  });

  it.each([
    ["CSV", "query_id,doc_id,rank,score\n1,10,1,-10.5\n1,20,2,\n"],
    [
      "JSONL",
      lines({ query_id: "1", doc_id: "10", rank: 1, score: -10.5 }, { query_id: "1", doc_id: "20", rank: 2 }),
    ],
  ])("a rank is no score beside scores, in %s", (_, text) => {
    expect(() => parseAnyRun(bytes(text), "r")).toThrow(
      /r:\d:1: has no score, which rows before have; ranks count where no row has a score/,
    );
  });

  it("nor is a score beside ranks", () => {
    const text = "query_id,doc_id,score,rank\nq1,d1,,1\nq1,d2,0.9,2\n";
    expect(() => parseAnyRun(bytes(text), "r")).toThrow(
      "r:3:1: has a score, which rows before have not; ranks count where no row has a score",
    );
  });

  it.each([
    ["a run with parameters in its tag", "q1 Q0 d1 1 0.9 bm25,k1=1.2,b=0.75\n"],
    ["a run of queries with commas", "a,b,c Q0 d1 1 0.5 t\n"],
    ["a run with tabs", "q1\tQ0\td1\t1\t0.5\ttag\n"],
  ])("%s is one of TREC's format", (_, text) => {
    expect(parseAnyRun(bytes(text), "r").format).toBe("trec");
  });

  it("what is wrong behind a quoted line break is told at its place", () => {
    expect(() => parseAnyRun(bytes('query_id,doc_id,score\nq1,"a\nb"x,1\n'), "r")).toThrow("r:3:3: ");
  });

  it("bytes that are cut at the end are told with the last line", () => {
    const cut = Uint8Array.of(...bytes("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t"), 0xc3);
    expect(() => parseAnyRun(cut, "r")).toThrow("r:2:");
  });

  it("judgments with commas in their ids are of TREC's format", () => {
    expect(parseAnyQrels(bytes("q1 0 doc,a,b 0.5\n"), "j").judgments).toHaveLength(1);
  });

  it("a word of BEIR's within a hit makes no judgments of a run", () => {
    const hits = [{ chunk_id: "c", doc_id: "d", metadata: { "corpus-id": "k" } }];
    expect(likelyRole(bytes(JSON.stringify({ results: [{ query_id: "q", hits_top_k: hits }] })))).toBe("run");
    const ranked = lines({ "query-id": "q1", "corpus-id": "d1", rank: 1, score: 12.5 });
    expect(likelyRole(bytes(ranked))).toBe("run");
    for (const score of [1, "1"]) {
      const list = JSON.stringify([{ "query-id": "q1", "corpus-id": "d1", score }], null, 1);
      expect(likelyRole(bytes(list))).toBe("qrels");
    }
  });

  it("ranks alone, in a column beside an empty one of scores, are scores", () => {
    expect(idsOf("query_id,doc_id,rank,score\n1,10,2,\n1,20,1,\n")).toEqual(["20", "10"]);
  });

  it("an engine's list keeps its order where a hit in it has no score", () => {
    const hits = [5, null, 7].map((_score, at) => ({ hit: { _id: `d${at}`, _score }, rating: null }));
    expect(idsOf(JSON.stringify({ details: { 1: { hits } } }))).toEqual(["d0", "d1", "d2"]);
  });

  it("judgments of BEIR are judgments in JSONL, too", () => {
    expect(likelyRole(bytes(lines({ "query-id": "q", "corpus-id": "a", score: 1 })))).toBe("qrels");
  });

  it.each([
    ["Team Name,Query Text,Doc ID,Rating\nA,wing,d1,3\n", "`team name`, `query text`, `doc id`, `rating`"],
    ["a|b\tc\td\n1\t2\t3\n", "`a|b`, `c`, `d`"],
  ])("a table of other columns is told by those that it has", (text, found) => {
    expect(() => parseAnyRun(bytes(text), "r")).toThrow(
      `r: has no columns of a run; call them \`query_id\`, \`doc_id\` and \`score\`, found ${found}`,
    );
    expect(() => parseAnyQrels(bytes(text), "j")).toThrow("j: has no columns of judgments; call them");
  });

  it("a number with a comma says what to do", () => {
    expect(() => parseAnyRun(bytes("query_id;doc_id;score\n1;a;1,5\n"), "r")).toThrow(
      "r:2:5: score must be a finite number, got `1,5`; write it with a point",
    );
  });
});

describe("what a format can hold is kept", () => {
  it("comments before a header, and the line numbers behind them", () => {
    const text = "# made by x\n#, y\nquery-id\tcorpus-id\tscore\n1\ta\t1\n";
    expect(parseAnyQrels(bytes(text), "j").judgments).toEqual([{ query_id: "1", doc_id: "a", grade: 1 }]);
    expect(() => parseAnyQrels(bytes(`${text}1\tb\tx\n`), "j")).toThrow(
      "j:5:5: score must be a finite number",
    );
  });

  it.each([
    ["a mapping", '{"1": {}, "2": {"a": 1}}'],
    [
      "an engine's answer",
      '{"details": {"1": {"hits": []}, "2": {"hits": [{"hit": {"_id": "a", "_score": 1}}]}}}',
    ],
  ])("queries without hits in %s", (_, text) => {
    expect(idsOf(text)).toEqual([]);
    const qrels = { 1: { a: 1 }, 2: { a: 1 } };
    expect(evaluate(runOf(text), qrels, ["RR"], { profile: "trec_eval" }).mean("RR")).toBe(0.5);
  });

  it("the order of items with numbers for ids and equal scores", () => {
    const text = '{"1": {"30": 0.5, "10": 0.5, "20": 0.5, "40": 2}}';
    const run = parseAnyRun(bytes(text), "r", { inFileOrder: true }).run as ScoredRun;
    expect(run.get("1")?.ids).toEqual(["30", "10", "20", "40"]);
  });

  it.each(['{"a\\"1": {"10": 1, "2": 1}}', '{"q": {"\\u007e5": 1, "10": 1, "2": 1}}'])(
    "no id is lost or changed by its escapes: %s",
    (text) => {
      const run = parseAnyRun(bytes(text), "r", { inFileOrder: true }).run as ScoredRun;
      const [[query, items] = []] = Object.entries(JSON.parse(text) as Record<string, object>);
      expect([...(run.get(query ?? "")?.ids ?? [])].sort()).toEqual(Object.keys(items ?? {}).sort());
    },
  );

  it("equal scores of a recorded run, where sorting by them keeps its order", () => {
    const run = (first: string, second: string) =>
      aRun({
        results: [
          result("q", [
            { ...hit(first), score: 9.25 },
            { ...hit(second), score: 9.25 },
          ]),
        ],
      });
    const scoresOf = (given: ReturnType<typeof run>): readonly [number[], string[]] => {
      const ranked: string[] = [];
      const scores = asScoredRun(given, "chunk", "sorted", (id) => ranked.push(id)).get("q")?.scores ?? [];
      return [Array.from(scores), ranked];
    };
    expect(scoresOf(run("b", "a"))).toEqual([[9.25, 9.25], []]);
    expect(scoresOf(run("a", "b"))).toEqual([[2, 1], ["q"]]);
  });
});

describe("a line without an end", () => {
  it.each([
    ["a run", () => new TrecRunScanner("r.gz", () => undefined)],
    ["judgments", () => new TrecQrelsScanner("r.gz", () => undefined)],
  ])("of %s is refused before it fills the memory", (_, make) => {
    const scanner = make();
    const chunk = new Uint8Array(2 ** 22).fill(97);
    const write = (): void => {
      for (let at = 0; at < 17; at++) scanner.write(chunk);
    };
    expect(write).toThrow("r.gz: has a line of more than 64 MiB; is it a file of lines?");
  });
});
