import { gzipSync } from "node:zlib";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  asScoredRun,
  formatLetor,
  formatQrels,
  formatRun,
  likelyRole,
  parseAnyQrels,
  parseAnyRun,
  parseBeirCorpus,
  parseBeirQueries,
  parseGolden,
  parseItems,
  parseQueries,
  prepareQrels,
  rankByScore,
  writtenFormats,
  type ScoredRun,
} from "../../src/formats/index.js";
import { evaluate } from "../../src/evaluate/index.js";
import { evaluateFile, loadQrels } from "../../src/node/evaluate/index.js";
import { failure } from "../support/failure.js";
import { oracle } from "../support/oracles.js";
import { present } from "../support/present.js";
import { pattern } from "../support/pattern.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const HOSTILE = [
  "__proto__",
  "constructor",
  "10",
  "2",
  "ключ",
  "문서",
  "🙂",
  "e\u0301",
  "\u00e9",
  "a:b",
  "#hash",
  "q\"u'ote",
  "back\\slash",
  "<b>",
  "{}",
  "-",
  "null",
];
const SPACED = [" lead", "tab\there", "new\nline", "co,mma", ";", "\u2028"];

const runOf = (ids: readonly string[]): ScoredRun =>
  new Map([
    [
      "q 1",
      rankByScore(
        ids,
        ids.map((_, index) => 1 / (index + 3)),
      ),
    ],
    ["__proto__", rankByScore(["x"], [-0.5e-300])],
    ["10", rankByScore(["a", "b"], [1e21, 1e21])],
  ]);
const plainRun = (run: ScoredRun): [string, string[], number[]][] =>
  [...run].map(([id, { ids, scores }]) => [id, [...ids], Array.from(scores)]);
const withoutSpaces = (run: ScoredRun): ScoredRun =>
  new Map([...run].map(([id, ranking]) => [id.replace(" ", "_"), ranking]));

describe("what is written is read again", () => {
  it.each(writtenFormats.map(({ name }) => [name]))("runs as %s", (format) => {
    const ids = format === "trec" ? HOSTILE : [...HOSTILE, ...SPACED];
    const run = format === "trec" ? withoutSpaces(runOf(ids)) : runOf(ids);
    const again = parseAnyRun(bytes(formatRun(run, format, "a name")), "run");
    const read = asScoredRun(again.run, "doc");
    // The records of this project keep ranks; tied hits would get other scores.
    if (format === "rankproof")
      expect([...read].map(([id, ranking]) => [id, ranking.ids])).toEqual(
        [...run].map(([id, ranking]) => [id, ranking.ids]),
      );
    // JavaScript moves keys that look like numbers to the front of an object.
    else if (format === "json" || format === "rank_eval")
      expect(new Set(plainRun(read))).toEqual(new Set(plainRun(run)));
    else expect(plainRun(read)).toEqual(plainRun(run));
    if (format === "trec") expect(again.name).toBe("a_name");
  });
  it.each(writtenFormats.map(({ name }) => [name]))("judgments as %s", (format) => {
    const ids = format === "trec" ? HOSTILE : [...HOSTILE, ...SPACED];
    const qrels = ["__proto__", "q1", "7"].flatMap((query_id) =>
      ids.map((doc_id, index) => ({ query_id, doc_id, grade: [0, 1, -1, 2.5, 100][index % 5] as number })),
    );
    const { judgments } = parseAnyQrels(bytes(formatQrels(qrels, format)), "qrels");
    expect(format === "json" ? new Set(judgments) : judgments).toEqual(
      format === "json" ? new Set(qrels) : qrels,
    );
  });
  it("records whose first line is longer than what the format is told by", () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `d${index}`);
    const judgments = ["q1", "q2"].flatMap((query_id) =>
      ids.map((doc_id) => ({ query_id, doc_id, grade: 1 })),
    );
    const run: ScoredRun = new Map(
      ["q1", "q2"].map((id) => [
        id,
        rankByScore(
          ids,
          ids.map((_, index) => -index),
        ),
      ]),
    );
    expect(parseAnyQrels(bytes(formatQrels(judgments, "rankproof")), "qrels")).toMatchObject({
      format: "rankproof",
      judgments,
    });
    expect(
      [...asScoredRun(parseAnyRun(bytes(formatRun(run, "rankproof")), "run").run, "doc").values()].map(
        (ranking) => ranking.ids,
      ),
    ).toEqual([ids, ids]);
  });
  it.each(["trec", "csv", "jsonl"] as const)("judgments by subtopic as %s", (format) => {
    const qrels = [
      { query_id: "1", subtopic: "a", doc_id: "d", grade: 1 },
      { query_id: "1", subtopic: "b", doc_id: "d", grade: 0 },
    ];
    const { queries } = parseAnyQrels(bytes(formatQrels(qrels, format)), "qrels", { subtopics: true }).qrels;
    expect(queries.get("1")?.subtopics?.documents).toEqual([
      [
        [0, 1],
        [1, 0],
      ],
    ]);
  });
  it("an id with white space is refused by TREC's format, which could not be read again", () => {
    expect(() => formatRun(runOf(["a b"]), "trec")).toThrow(
      "query id `q 1` has white space in it, which TREC's format cannot hold; write CSV or JSONL instead",
    );
  });
  it.each(["a\ud800", "\udc00", "a\0b"])(
    "%j, which would be read as another id or none, is refused",
    (id) => {
      const inQuery = new Map([[id, { ids: ["a"], scores: Float64Array.of(1) }]]);
      const inItem = new Map([["q", { ids: [id], scores: Float64Array.of(1) }]]);
      for (const format of ["csv", "tsv", "trec"]) {
        for (const run of [inItem, inQuery])
          expect(() => formatRun(run, format)).toThrow(/, which this format cannot hold; write JSON/);
        for (const judgment of [
          { query_id: id, doc_id: "a", grade: 1 },
          { query_id: "q", doc_id: id, grade: 1 },
        ])
          expect(() => formatQrels([judgment], format)).toThrow(/which this format cannot hold/);
      }
      const read = parseAnyRun(bytes(formatRun(runOf([id]), "jsonl")), "run").run;
      expect(asScoredRun(read, "doc").get("q 1")?.ids).toEqual([id]);
    },
  );
  it("what TREC's format cannot hold, or holds as a comment, is refused", () => {
    const of = (query: string) => new Map([[query, { ids: ["a"], scores: Float64Array.of(1) }]]);
    expect(() => formatRun(of("a\u0001"), "trec")).toThrow(
      "query id `a\\u0001` has a control character in it",
    );
    expect(() => formatRun(of("#"), "trec")).toThrow("query id `#` begins a comment, which TREC's format");
    const judgment = { query_id: "#", doc_id: "a", grade: 1 };
    expect(() => formatQrels([judgment], "trec")).toThrow("begins a comment");
  });
  it("a query id may begin with #, in a comment by itself it may not", () => {
    const run = new Map([["#1", { ids: ["#a", "b"], scores: Float64Array.of(2, 1) }]]);
    for (const name of ["", "\u0000", "my run"]) {
      const text = `# a run\n#1 of 2\n${formatRun(run, "trec", name)}`;
      expect(asScoredRun(parseAnyRun(bytes(text), "run").run, "doc").get("#1")?.ids).toEqual(["#a", "b"]);
    }
    const judged = formatQrels([{ query_id: "#1", doc_id: "#a", grade: 2 }], "trec");
    const { qrels } = parseAnyQrels(bytes(`# judgments\n# 0 a 1\n#1 0 a one\n${judged}`), "qrels");
    expect([...qrels.queries.keys()]).toEqual(["#1"]);
    expect(qrels.queries.get("#1")?.grades.get("#a")).toBe(2);
  });
  it("LETOR lines come of hits with features and judgments", () => {
    const run = {
      run_id: "r",
      suite: "s",
      created_at: "",
      config_snapshot: {},
      results: [
        {
          query_id: "1",
          hits_top_k: [
            { chunk_id: "c", doc_id: "d", features: { bm25: 2.5, age: 1 } },
            { chunk_id: "c2", doc_id: "e" },
          ],
        },
      ],
    };
    expect(
      formatLetor(run, [
        { query_id: "1", doc_id: "d", grade: 2 },
        { query_id: "1", doc_id: "e", grade: 0 },
      ]),
    ).toBe("# features: 1=age 2=bm25\n2 qid:1 1:1 2:2.5 # d\n");
  });
});

describe("BEIR", () => {
  it("corpus and queries are read, judgments with texts become a golden set", () => {
    expect(
      parseBeirCorpus(
        '{"_id": "d", "title": "T", "text": "body", "metadata": {}}\n{"_id": "e", "text": ""}\n',
      ),
    ).toEqual([
      { id: "d", title: "T", text: "body" },
      { id: "e", title: "", text: "" },
    ]);
    const texts = parseBeirQueries('{"_id": "__proto__", "text": "what?"}\n');
    const golden = formatQrels([{ query_id: "__proto__", doc_id: "d", grade: 1 }], "rankproof", texts);
    expect(parseGolden(golden, "golden").queries).toMatchObject([{ id: "__proto__", query: "what?" }]);
  });
  it("names line and column of what is wrong", () => {
    expect(() =>
      parseBeirQueries(
        '{"_id": "1", "text": "a"}\n{"_id": "1", "text": "b"}\n{"_id": 2, "text": "c"}\n{"_id": "3"}\n',
        "q",
      ),
    ).toThrow(
      pattern(
        /q:2:9: _id `1` is duplicated.*\n/,
        /q:3:9: _id must be a string that is not empty, got `2`\n/,
        /q:4:1: text must be a string; it has `_id`/,
      ),
    );
  });
});

describe("one collection in every format", () => {
  const folder = present(oracle("synthetic"));
  it("gives the same bytes of result, plain and packed", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "rankproof-formats-"));
    const metrics = ["nDCG@10", "AP", "Bpref", "ERR@10", "R@20"];
    const { readFileSync } = await import("node:fs");
    const run = parseAnyRun(readFileSync(join(folder, "runs/a.run")), "a").run as ScoredRun;
    const { judgments } = parseAnyQrels(readFileSync(join(folder, "qrels.txt")), "qrels");
    const results = new Set<string>();
    for (const format of ["trec", "csv", "tsv", "jsonl", "json", "rank_eval"] as const) {
      for (const packed of [false, true]) {
        const [runPath, qrelsPath] = [join(temporary, `run.${format}`), join(temporary, `qrels.${format}`)];
        const written = (text: string): string | Uint8Array => (packed ? gzipSync(text) : text);
        writeFileSync(runPath, written(formatRun(run, format, "a")));
        writeFileSync(qrelsPath, written(formatQrels(judgments, format)));
        const evaluation = await evaluateFile(
          runPath,
          await loadQrels(qrelsPath),
          metrics.map((name) => name),
          { tieSpread: true, bounds: true },
        );
        results.add(JSON.stringify({ ...evaluation.record({ perQuery: true }), run: null }));
      }
    }
    expect(results.size).toBe(1);
    const inMemory = evaluate(run, prepareQrels(judgments), metrics, { tieSpread: true, bounds: true });
    expect(results.has(JSON.stringify({ ...inMemory.record({ perQuery: true }), run: null }))).toBe(true);
  });
});

describe("what a file is is told by its content", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["TREC", "trec", "1 Q0 a 1 2.0 t\n"],
    ["TREC with comments and a byte order mark", "trec", "\ufeff# a run\n1 Q0 a 1 2.0 t\n"],
    ["CSV", "csv", "query_id,doc_id,score\n1,a,2.0\n"],
    ["CSV with quotes and other names", "csv", '"qid";"docno";"sim"\n"1";"a";"2.0"\n'],
    ["TSV", "csv", "query-id\tcorpus-id\tscore\n1\ta\t2.0\n"],
    ["JSONL", "jsonl", '{"query_id": "1", "doc_id": "a", "score": 2.0}\n'],
    ["JSONL with numbers for ids", "jsonl", '{"qid": 1, "docid": "a", "score": "2.0"}\n'],
    ["JSON of ranx", "json", '{"1": {"a": 2.0}}'],
    ["a list of records", "json list", '[\n{"query_id": "1", "doc_id": "a", "score": 2}]'],
    [
      "a _rank_eval response",
      "rank_eval response",
      '{"metric_score": 0.5, "details": {"1": {"hits": [{"hit": {"_index": "i", "_id": "a", ' +
        '"_score": 2.0}, "rating": null}]}}}',
    ],
    [
      "this project's own",
      "rankproof",
      '{"query_id": "1", "hits_top_k": [{"chunk_id": "c", "doc_id": "a", "score": 2}]}\n',
    ],
  ];
  it.each(cases)("%s", (_, format, text) => {
    const any = parseAnyRun(bytes(text), "run");
    expect(any.format).toBe(format);
    expect(plainRun(asScoredRun(any.run, "doc"))).toEqual([["1", ["a"], [2]]]);
  });
  it.each([
    ["TREC", "trec", "1 0 a 2\n"],
    ["BEIR", "csv", "query-id\tcorpus-id\tscore\n1\ta\t2\n"],
    ["JSON of ranx", "json", '{"1": {"a": 2}}'],
    [
      "a _rank_eval request",
      "rank_eval request",
      '{"requests": [{"id": "1", "request": {}, "ratings": [{"_index": "i", "_id": "a", "rating": 2}]}]}',
    ],
    [
      "a golden set in YAML",
      "rankproof",
      "- id: '1'\n  query: one\n  judgments:\n    - {doc_id: a, grade: 2}\n",
    ],
    [
      "a golden set in JSON",
      "rankproof",
      '{"queries": [{"id": "1", "query": "one", "judgments": [{"doc_id": "a", "grade": 2}]}]}',
    ],
  ] as const)("judgments: %s", (_, format, text) => {
    const any = parseAnyQrels(bytes(text), "qrels");
    expect(any.format).toBe(format);
    expect(any.judgments).toEqual([{ query_id: "1", doc_id: "a", grade: 2 }]);
  });
});

describe("runs of ranks, without scores", () => {
  const ranked = [
    ["1048585", ["7187158", "7187157"], [-1, -2]],
    ["2", ["55"], [-1]],
  ];
  it("a recorded run without results is one", () => {
    expect(likelyRole(bytes('{"run_id": "x", "results": []}'))).toBe("run");
  });
  it.each([
    ["MS MARCO's lines", "1048585\t7187158\t1\r\n1048585\t7187157\t2\n\n2\t55\t1\n"],
    ["a table", "qid,pid,rank\n1048585,7187157,2\n1048585,7187158,1\n2,55,1\n"],
    [
      "JSONL",
      '{"qid": 1048585, "pid": "7187158", "rank": 1}\n{"qid": 1048585, "pid": "7187157", "rank": 2}\n' +
        '{"qid": 2, "pid": 55, "rank": 1}\n',
    ],
  ])("%s", (_, text) => {
    expect(likelyRole(bytes(text))).toBe("run");
    expect(plainRun(asScoredRun(parseAnyRun(bytes(text), "run").run, "doc"))).toEqual(ranked);
  });
  it.each([
    ["whose scores are empty", "query_id,doc_id,rank,score\n1,a,1,\n1,b,2,\n"],
    [
      "whose scores are unknown, beside words of golden sets",
      '{"query_id": "1", "doc_id": "a", "rank": 1, "score": null, "text": "pre-trial judgments"}\n' +
        '{"query_id": "1", "doc_id": "b", "rank": 2, "score": null, "text": "forbidden"}\n',
    ],
    ["with a comment first", "# by BM25\n1 a 1\n1 b 2\n"],
  ])("%s", (_, text) => {
    expect(likelyRole(bytes(text))).toBe("run");
    expect(plainRun(asScoredRun(parseAnyRun(bytes(text), "run").run, "doc"))).toEqual([
      ["1", ["a", "b"], [-1, -2]],
    ]);
  });
  it.each(["chunker_version: v 1\nqueries: []\n", "- id: 1\n  query: a\n"])(
    "a golden set whose first line has three words is none: %j",
    (text) => expect(likelyRole(bytes(text))).toBe("qrels"),
  );
  it("a score counts where there is one", () => {
    const { run } = parseAnyRun(bytes("qid,pid,score,rank\n1,a,0.5,1\n1,b,0.7,2\n"), "run");
    expect(plainRun(asScoredRun(run, "doc"))).toEqual([["1", ["b", "a"], [0.7, 0.5]]]);
  });
  it("judgments of three columns are none of them", () => {
    expect(failure(() => parseAnyQrels(bytes("1\ta\t1\n"), "f")).message).toBe(
      "f:1:6: a line of qrels has 4 fields, got 3; write `query 0 item grade`",
    );
  });
});

describe("tables as programs write them", () => {
  const table = (rows: readonly (readonly string[])[], separator: string, end: string): Uint8Array =>
    bytes(rows.map((cells) => cells.join(separator) + end).join(""));
  const run = [
    ["query_id", "doc_id", "score"],
    ["1", "a", "2"],
    ["1", "b", "1"],
  ];
  const plain = parseAnyRun(table(run, ",", "\n"), "f").run;
  const ended = (separator: string, before = ""): Uint8Array =>
    bytes(before + run.map((cells) => cells.join(separator)).join("\r") + "\r");
  it.each<[string, Uint8Array]>([
    ["with old ends of lines", ended(",")],
    ["with tabs and old ends of lines", ended("\t")],
    ["behind a line that names a tab", ended("\t", "sep=\t\r")],
    ["behind a line that names a semicolon", ended(";", "sep=;\r\n")],
    [
      "with blanks behind quotes",
      table(
        run.map(([query = "", ...rest]) => [`"${query}" `, ...rest]),
        "\t",
        "\n",
      ),
    ],
    [
      "with a column twice that nobody reads",
      table(
        run.map((cells) => [...cells, "note", "note"]),
        ",",
        "\n",
      ),
    ],
  ])("are read %s", (_, content) => expect(parseAnyRun(content, "f").run).toEqual(plain));
  it("queries and items, too", () => {
    for (const [end, before] of [
      ["\r", ""],
      ["\n", "sep=,\n"],
    ] as const) {
      const lines = (...rows: string[]): string => before + rows.map((row) => row + end).join("");
      expect([...parseQueries(lines("id,text", "1,hi", "2,ho")).keys()]).toEqual(["1", "2"]);
      expect(parseItems(lines("text,id", "hi,1"))).toEqual([{ id: "1", fields: { text: "hi" } }]);
    }
  });
  it("of one uneven line that is said, whatever quotes stand in the others", () => {
    const text = `id\ttext\n${'1\t"Hello" he said\n'}2\n3\t"open\n`;
    expect(() => parseItems(text, "f")).toThrow(/^f:3:1: the header names 2 columns, this line has 1$/);
  });
  it("a long cell in quotes is one", () => {
    const long = `"${"ab ".repeat(4e6)}"`;
    expect(parseItems(`id\ttext\n1\t${long}\n`)[0]?.fields["text"]).toHaveLength(12e6);
  });
});

describe("what is wrong with a file is named with line and column", () => {
  const wrong: readonly (readonly [string, "run" | "qrels", string, string])[] = [
    [
      "a short TREC line",
      "run",
      "1 Q0 a 1 2.0 t\n1 Q0 b 2\n",
      "f:2:9: a line of a TREC run has 6 fields, got 4",
    ],
    [
      "an id with a blank in a TREC run",
      "run",
      "1 Q0 a 1 2 my own tag\n1 Q0 my doc 2 1 t\n",
      "f:2:9: a line of a TREC run has 6 fields, this one has more, and rank and score are not",
    ],
    [
      "an id with a blank and a number in a TREC run",
      "run",
      "1 Q0 iPhone 15 1 2.0 tag\n",
      "f:1:13: a line of a TREC run has 6 fields, this one has more, and rank and score are not",
    ],
    [
      "a score that is no number",
      "run",
      "1 Q0 a 1 high t\n",
      "f:1:10: score must be a finite number, got `high`",
    ],
    ["hexadecimal", "run", "1 Q0 a 1 0x10 t\n", "f:1:10: score must be a finite number, got `0x10`"],
    ["infinity", "run", "1 Q0 a 1 1e999 t\n", "f:1:10: score must be a finite number, got `1e999`"],
    [
      "a zero byte",
      "run",
      "1 Q0 a\u0000b 1 2 t\n",
      "f:1:7: there is a control character (byte 0) in the line",
    ],
    [
      "a control byte where a space should be",
      "run",
      "1 Q0 \u0001d 1 1 t\n",
      "f:1:6: there is a control character (byte 1)",
    ],
    ["a file of zero bytes", "run", "\u0000\u0000\u0000\n", "f:1:1: there is a control character (byte 0)"],
    [
      "lines that end with CR alone",
      "run",
      "1 Q0 a 1 2 t\r1 Q0 b 2 1 t\r",
      "f:1:13: there is a carriage return in the line; end lines with LF or CR LF",
    ],
    ["a control byte in qrels", "qrels", "1 0 d\u0001 1\n", "f:1:6: there is a control character (byte 1)"],
    ["five columns of qrels", "qrels", "1 0 a 1 x\n", "f:1:9: a line of qrels has 4 fields, got 5"],
    [
      "a grade that is no number",
      "qrels",
      "1 0 a yes\n",
      "f:1:7: grade must be a number, got `yes`; use 0 for not relevant",
    ],
    [
      "an item judged twice",
      "qrels",
      "1 0 a 1\n2 0 a 1\n1 0 a 0\n",
      "f:3:1: query `1`: item `a` was judged on line 1 already; keep one of the judgments",
    ],
    [
      "a CSV line with too few fields",
      "run",
      "query_id,doc_id,score\n1,a\n",
      "f:2:1: the header names 3 columns, this line has 2",
    ],
    [
      "a quote that is not closed",
      "run",
      'query_id,doc_id,score\n"1,a,2\n',
      "f:2:1: a quote is opened and never closed",
    ],
    [
      "a CSV score that is no number",
      "run",
      "query_id,doc_id,score\n1,a,x\n",
      "f:2:5: score must be a finite number, got `x`",
    ],
    [
      "scores where ranks are meant",
      "run",
      "1 a 1\n1 b 1\n2 c 9\n",
      "f:2: query `1`: rank 1 comes after rank 1; ranks rise from 1, and lines with scores are " +
        "`query Q0 item rank score tag`",
    ],
    [
      "a line without a rank",
      "run",
      "1 a 1\n1 b 0\n",
      "f:2: a line must be a query, an item and a rank, as the first one is, got `1 b 0`",
    ],
    [
      "no score at all",
      "run",
      "query_id,doc_id\n1,a\n",
      "f:2:1: the score is missing; call the column `score`",
    ],
    ["JSONL that is no JSON", "run", '{"query_id": "1", "doc_id": "a", "score": 1}\n{oops}\n', "f:2:2: "],
    ["a JSON score that is text", "run", '{\n "q": {"a": "x"}}', "f:2:"],
    ["a JSON document that ends early", "run", '{"q": {"a": 1}', "f:1:15: "],
    ["a grade twice in JSON", "qrels", '{"q": {"a": 1, "a": 2}}', "f:1:16: "],
    [
      "a request given as a run",
      "run",
      '{"requests": []}',
      "f: is a _rank_eval request, which holds judgments; give it as the qrels",
    ],
  ];
  it.each(wrong)("%s", (_, role, text, message) => {
    const read = (): unknown =>
      role === "run" ? parseAnyRun(bytes(text), "f") : parseAnyQrels(bytes(text), "f");
    expect(read).toThrow(message);
  });
  it("but not a line that begins as the one before and has more blanks", () => {
    expect(
      parseAnyQrels(bytes("q1 0 d1 1\nq1 0  d2 2\nq1 0 \td3 3\n"), "f").judgments.map(({ doc_id, grade }) => [
        doc_id,
        grade,
      ]),
    ).toEqual([
      ["d1", 1],
      ["d2", 2],
      ["d3", 3],
    ]);
    expect(
      asScoredRun(
        parseAnyRun(bytes("q1 Q0 d1 1 3 t\nq1 Q0  d2 2 2 t\nq1 Q0 \td3 3 1 t\n"), "f").run,
        "doc",
      ).get("q1")?.ids,
    ).toEqual(["d1", "d2", "d3"]);
  });
  it("bytes that are not UTF-8", () => {
    expect(() => parseAnyRun(new Uint8Array([...bytes("1 Q0 "), 0xff, ...bytes(" 1 2 t\n")]), "f")).toThrow(
      "f:1: is not UTF-8 text",
    );
  });
  it("all problems are reported, not the first one", () => {
    expect(() => parseAnyRun(bytes("1 Q0 a 1 x t\n1 Q0 b\n1 Q0 c 3 y t\n"), "f")).toThrow(
      /f:1:10.*\nf:2:7.*\nf:3:10/s,
    );
  });
});
