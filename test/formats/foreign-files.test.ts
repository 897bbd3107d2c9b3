import { describe, expect, it } from "vitest";
import {
  beginsAsScoredRun,
  likelyRole,
  parseAnyQrels,
  parseAnyRun,
  parseQueries,
} from "../../src/formats/index.js";
import { asScoredRun } from "../../src/formats/index.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const run = (text: string, file = "r") => parseAnyRun(bytes(text), file);
const qrels = (text: string) => parseAnyQrels(bytes(text), "j");
const hitsOf = (text: string) =>
  [...asScoredRun(run(text).run, "doc")].map(([query, { ids }]) => [query, ...ids]);

describe("ids with a blank between tabs are not cut", () => {
  const unclear = "tabs stand between some of the fields and only blanks between others";
  it.each([
    "red shoe\td1\t1\t9.5\tbm25\n",
    "red leather shoe\td1\t1\t9.5\n",
    "q1\tguide one.md\t1\t9.5\tbm25\n",
    "q1\tQ1\td1\t1\t9.5\tbm25\nred shoe\td1\t1\t9.5\tbm25\n",
  ])("in a run: %j", (text) => expect(() => run(text)).toThrow(unclear));
  it.each(["red shoe\td1\t3\n", "q1\tdoc one\t1\n", "q1\tdoc 7\t1\n"])("in judgments: %j", (text) =>
    expect(() => qrels(text)).toThrow(`j:1:1: ${unclear}`),
  );
  it.each([
    "q1 Q0\td1\t1 9.5\tbm25\n",
    "q1\t0 d1\t1 9.5 bm25\n",
    "q1 \t Q1 \t d1 \t 1 \t 9.5 \t bm25\n",
    "q1\tQ0\td1\t1\t9.5\tmy run\n",
  ])("white space of any kind between the fields is fine: %j", (text) =>
    expect(hitsOf(text)).toEqual([["q1", "d1"]]),
  );
  it.each(["q1 0\td1\t2\n", "q1\tQ0 d1 2\n", "q1\t3\td1\t2 \n"])("in judgments, too: %j", (text) =>
    expect(qrels(text).judgments).toEqual([{ query_id: "q1", doc_id: "d1", grade: 2 }]),
  );
});

describe("scores that rise with the ranks are told", () => {
  const rows = (score: (rank: number) => number, query = "q") =>
    [3, 1, 2].map((rank) => ({ query_id: query, doc_id: `d${rank}`, rank, score: score(rank) }));
  const forms = {
    TREC: (list: ReturnType<typeof rows>) =>
      list.map((row) => `${row.query_id} Q0 ${row.doc_id} ${row.rank} ${row.score} t\n`).join(""),
    CSV: (list: ReturnType<typeof rows>) =>
      `query_id,doc_id,rank,score\n${list.map((row) => `${Object.values(row).join()}\n`).join("")}`,
    JSONL: (list: ReturnType<typeof rows>) => list.map((row) => `${JSON.stringify(row)}\n`).join(""),
  };
  const [distances, scores] = [rows((rank) => rank / 4), rows((rank) => 9 - rank)];
  it.each(Object.entries(forms))("in %s", (_, form) => {
    expect(run(form(distances)).warnings).toEqual([
      expect.objectContaining({ code: "SCORES_RISE", count: 1, query_ids: ["q"] }),
    ]);
    for (const list of [
      scores,
      rows(() => 1),
      rows((rank) => rank % 2),
      distances.map((row) => ({ ...row, rank: 1 })),
      distances.map((row) => ({ ...row, rank: "-" as never })),
      [...distances, ...rows((rank) => -rank, "p")],
    ])
      expect(run(form(list)).warnings).toEqual([]);
    expect(
      run(
        form([
          ...distances,
          ...rows((rank) => rank, "p"),
          ...scores.map((row) => ({ ...row, query_id: "s" })),
        ]),
      ),
    ).toMatchObject({
      warnings: [
        { count: 2, message: expect.stringMatching(/^scores .* in 2 of 3 queries whose scores /) as string },
      ],
    });
  });
});

describe("answers of _rank_eval", () => {
  const response = (...hits: readonly (readonly [index: string, id: string, score: number | null])[]) =>
    JSON.stringify({
      details: {
        q: { hits: hits.map(([_index, _id, _score]) => ({ hit: { _index, _id, _score }, rating: 1 })) },
      },
    });
  it.each<[string, (number | null)[]]>([
    ["scores that fall", [3, 2, 1]],
    ["hits that were sorted or pinned", [1, 5, 3]],
    ["no scores", [null, null, null]],
  ])("keep the engine's order with %s", (_, [a, b, c]) =>
    expect(hitsOf(response(["i", "a", a ?? null], ["i", "b", b ?? null], ["i", "c", c ?? null]))).toEqual([
      ["q", "a", "b", "c"],
    ]),
  );
  it("of several indices with one id are refused", () => {
    const text = response(["i", "a", 2], ["other", "a", 1]);
    const refusal = "has id `a` of index `other` and of `i`, which would be one item here; use one index";
    expect(() => run(text)).toThrow(refusal);
    expect(() => qrels(text)).toThrow(refusal);
    const ratings = [
      { _index: "i", _id: "a", rating: 1 },
      { _index: "other", _id: "a", rating: 2 },
    ];
    expect(() => qrels(JSON.stringify({ requests: [{ id: "q", ratings }] }))).toThrow(refusal);
  });
  it("rate what was returned only, which is said where they are judgments", () => {
    expect(qrels(response(["i", "a", 2])).warnings).toEqual([
      expect.objectContaining({ code: "RETURNED_ONLY" }),
    ]);
    expect(run(response(["i", "a", 2])).warnings).toEqual([]);
  });
});

describe("ColBERT's rankings", () => {
  const text = "q1\td10\t1\t22.5\nq1\td11\t2\t20.25\nq2\td7\t1\t20\nq2\td8\t2\t1e-05\n";
  it("are a run", () => {
    expect(likelyRole(bytes(text))).toBe("run");
    expect(run(text).format).toBe("colbert");
    expect(hitsOf(text)).toEqual([
      ["q1", "d10", "d11"],
      ["q2", "d7", "d8"],
    ]);
    expect(likelyRole(bytes("q1\td1\t1\t1e-05\n"))).toBe("run");
  });
  it("have no other lines", () =>
    expect(() => run(`${text}q2\td8\t2\n`, "c.tsv")).toThrow(
      "c.tsv:5: a line must be a query, an item, a rank and a score, as the first one is",
    ));
  it("are not judgments with fractions of an item 1", () => {
    expect(likelyRole(bytes("q1 0 1 0.5\n"))).toBe("qrels");
    expect(qrels("q1 0 1 0.5\n").judgments).toEqual([{ query_id: "q1", doc_id: "1", grade: 0.5 }]);
  });
});

describe("queries", () => {
  it("have no ids that JSON rounds", () =>
    expect(() =>
      parseQueries('{"id":9007199254740993,"text":"a"}\n{"id":1.5,"text":"b"}\n', "q.jsonl"),
    ).toThrow(
      "q.jsonl:1:7: id 9007199254740992 is a number that JSON does not keep exactly; write it as a text",
    ));
  it.each(["topic_id\ttext", "query-id\tquestion", "qid\tuser_input"])("by columns %j", (header) =>
    expect([...parseQueries(`${header}\n1\twhat is a\n`, "q.tsv")]).toEqual([
      ["1", { query: "what is a", labels: {} }],
    ]),
  );
  it("of a language called id keep their ids", () =>
    expect([...parseQueries("q1-id\tapa itu\nq2-id\tdi mana\n", "q.tsv").keys()]).toEqual([
      "q1-id",
      "q2-id",
    ]));
  it.each(["topic_id\twords", "my-id\tsentence"])("are not their header: %j", (header) =>
    expect(() => parseQueries(`${header}\n1\twhat is a\n`, "q.tsv")).toThrow("q.tsv:1: names columns"),
  );
});

describe("what is no run and no judgments", () => {
  it.each([
    [
      "a table by columns",
      '{"query_id":{"0":1,"1":1},"doc_id":{"0":10,"1":11},"score":{"0":0.5,"1":0.4}}',
      "is a table by its columns or rows; write it as records",
    ],
    [
      "a table by rows",
      '{"0":{"query_id":1,"doc_id":10,"score":0.5},"1":{"query_id":1,"doc_id":11,"score":0.4}}',
      "is a table by its columns or rows; write it as records",
    ],
    [
      "scores of pytrec_eval",
      '{"q1":{"map":0.5,"P_5":0.3},"q2":{"map":0.1,"P_5":0}}',
      "has scores of metrics, such as `map`",
    ],
    [
      "scores of BEIR",
      '{"NDCG":{"NDCG@10":0.4},"MAP":{"MAP@10":0.3}}',
      "has scores of metrics, such as `NDCG@10`",
    ],
  ])("is refused: %s", (_, text, why) => {
    expect(() => run(text)).toThrow(why);
  });
  it("is refused: a table whose iteration is its last column", () => {
    const both = ["q1\td1\t2\t0\nq2\td3\t1\t0\n", "q1\td1\t2\t0\nq1\td2\t2\t0\n"];
    for (const text of both) expect(() => qrels(text)).toThrow("are the columns query, item, grade,");
    for (const text of ["q1 0 d1 0\nq2 0 d1 0\n", "q1 0 d1 0\nq2 1 d2 0\n", "q1 0 1 0\nq2 0 2 0\n"])
      expect(qrels(text).judgments).toHaveLength(2);
  });
  it("what has such names is one all the same", () => {
    expect(hitsOf('{"q1":{"p_12":0.9,"p_3":0.5},"q2":{"set_7":0.4}}')).toEqual([
      ["q1", "p_12", "p_3"],
      ["q2", "set_7"],
    ]);
    expect(hitsOf('{"topic":{"d1":0.9},"item":{"d2":0.5},"rank":{"d3":0.5}}')).toHaveLength(3);
  });
});

describe("columns of texts", () => {
  it("are no ids where others are", () => {
    expect(qrels("q_id,query,document,pid,grade\n17,how,a text,d1,1\n").judgments).toEqual([
      { query_id: "17", doc_id: "d1", grade: 1 },
    ]);
    expect(qrels("query,document,grade\nq1,d1,1\n").judgments).toEqual([
      { query_id: "q1", doc_id: "d1", grade: 1 },
    ]);
    const rows =
      '{"topic":"301","query":"how","docno":"d1","score":1}\n' +
      '{"topic":"302","query":"how","docno":"d2","score":1}\n';
    // Which of the two is the id, a name does not tell.
    expect(() => run(rows)).toThrow("has `topic` and `query`; call the one that is the id `query_id`");
    expect(() => run("query_id,document,chunk_id,score\nq,d,c,1\n")).toThrow(
      "has `chunk_id` and `document`;",
    );
  });
});

it("queries that failed in a response of _rank_eval are told of", () => {
  const hits = [{ hit: { _index: "i", _id: "d1", _score: 1 } }];
  const text = JSON.stringify({ details: { q1: { hits } }, failures: { q2: { error: {} } } });
  expect(run(text).warnings).toMatchObject([
    { code: "RESULTS_FAILED", message: expect.stringContaining("`q2`") as string, count: 1 },
  ]);
});

it("a recorded run whose keys are sorted is no run of ids and scores", () => {
  expect(beginsAsScoredRun('{"config_snapshot": {"eval_k": 10}, "results": []}')).toBe(false);
  expect(beginsAsScoredRun('{"q1": {"d1": 10}}')).toBe(true);
});
