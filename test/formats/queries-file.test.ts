import { describe, expect, it } from "vitest";
import { parseQueries } from "../../src/formats/index.js";

describe("words and labels of queries", () => {
  it("BEIR's JSONL, with metadata as labels", () => {
    expect([
      ...parseQueries(
        '{"_id": "1", "text": "red shoes", "metadata": {"lang": "en", "tags": ["x"]}}\n\n{"_id": ' +
          '"2", "text": "blue"}\n',
      ),
    ]).toEqual([
      ["1", { query: "red shoes", labels: { lang: "en" } }],
      ["2", { query: "blue", labels: {} }],
    ]);
  });
  it("other names of id and words; further simple fields are labels", () => {
    expect([
      ...parseQueries('{"id": 7, "query": "q", "difficulty": "hard", "answers": 2, "list": []}'),
    ]).toEqual([["7", { query: "q", labels: { difficulty: "hard", answers: "2" } }]]);
  });
  it("the question, and not the title of an article", () => {
    const squad = '{"id":"q1","title":"Notre_Dame","context":"…","question":"To whom?"}\n';
    expect([...parseQueries(squad)]).toMatchObject([["q1", { query: "To whom?" }]]);
    expect([...parseQueries('{"id":"301","title":"crime"}\n')]).toMatchObject([["301", { query: "crime" }]]);
  });
  it("what is JSONL, a table or XML, whatever its name", () => {
    const words = [["1", { query: "red shoe", labels: {} }]];
    expect([...parseQueries('{"_id":"1","text":"red shoe"}\n', "topics.txt")]).toEqual(words);
    expect([...parseQueries("query_id,text\n1,red shoe\n", "topics.txt")]).toEqual(words);
    expect(() => parseQueries("\n<top>\n<num> Number: 301\n", "topics.txt")).toThrow("topics.txt: is XML;");
  });
  it("and lines of a text that only begin as such", () => {
    for (const line of ['{"error": "not found"}', "{}", "<query> tag in solr", "query, id"])
      expect([...parseQueries(`${line}\nred shoe\n`, "topics.txt")]).toEqual([
        ["1", { query: line }],
        ["2", { query: "red shoe" }],
      ]);
  });
  it("lines of text by their numbers, unless each is an id and words", () => {
    expect([...parseQueries("red shoe\n\nblue\that\n", "topics.txt")]).toEqual([
      ["1", { query: "red shoe" }],
      ["3", { query: "blue\that" }],
    ]);
    expect(() => parseQueries("1\twhat\n2\t \n3\twho\n", "topics.txt")).not.toThrow();
    expect(() => parseQueries("# topics\n1\twhat\n2\twho\n", "topics.txt")).toThrow(
      "topics.txt:1: a line must be",
    );
    expect([...parseQueries("2\tred shoe\n1\tblue hat\n", "topics.txt")]).toEqual([
      ["2", { query: "red shoe" }],
      ["1", { query: "blue hat" }],
    ]);
  });
  it("lines of an id and words", () => {
    expect([
      ...parseQueries(
        "19335\tanthropological definition of environment\r\n47923\taxon  terminals\n",
        "queries.tsv",
      ),
    ]).toEqual([
      ["19335", { query: "anthropological definition of environment" }],
      ["47923", { query: "axon  terminals" }],
    ]);
  });
  it.each([
    ["tabs", "query_id\tquery\tquery_class\n0\tred sofa\tSofas\r\n1\tdesk\t\n"],
    ["commas, in any case", '\ufeffQuery_ID,Query,query_class\n0,"red sofa",Sofas\n\n1,desk,\n'],
    ["semicolons", "query_class;qid;text\nSofas;0;red sofa\n;1;desk\n"],
  ])("a table whose first line names the columns: %s", (_, text) => {
    expect([...parseQueries(text, "query.csv")]).toEqual([
      ["0", { query: "red sofa", labels: { query_class: "Sofas" } }],
      ["1", { query: "desk", labels: {} }],
    ]);
  });
  it.each(["\t", ","])("a golden set that is a table, with %j", (tab) => {
    const rows = [
      ["id", "query", "expected_doc_ids", "meta.kind"],
      ["q1", "red sofa", "d1", "long"],
    ];
    expect([...parseQueries(rows.map((row) => row.join(tab)).join("\n"), "golden.csv")]).toEqual([
      ["q1", { query: "red sofa", labels: { kind: "long" } }],
    ]);
  });
  it("a golden set", () => {
    expect([...parseQueries("- {id: q1, query: first, lang: ko, meta: {team: a}}\n")]).toEqual([
      ["q1", { query: "first", labels: { team: "a", lang: "ko" } }],
    ]);
    expect(
      [...parseQueries("- {id: q1, query: first, lang: ko, meta: {lang: xx, difficulty: hard}}\n")][0]?.[1],
    ).toEqual({ query: "first", labels: { lang: "ko", difficulty: "hard" } });
    expect([...parseQueries('{"queries": [{"id": "q1", "query": "first"}]}')]).toEqual([
      ["q1", { query: "first", labels: {} }],
    ]);
  });
  it("hostile names are names, but for a label that no reader of results would keep", () => {
    expect(
      Object.entries(
        parseQueries('{"id": "__proto__", "text": "x", "__proto__": "y", "constructor": "z"}').get(
          "__proto__",
        )?.labels ?? {},
      ),
    ).toEqual([["constructor", "z"]]);
  });
  it.each([
    [
      '{"text": "x"}\n{"id": "1", "text": "y"}\n{"id": "1"}',
      "queries:1:1: a query needs an id: a text in `_id`, `query_id`, `qid`, `id`, `query-id`, " +
        "`topic_id`\nqueries:3:8: id `1` is duplicated; every query needs an id of its own",
    ],
    [
      "1\tx\nnothing\n1\ty\n",
      "queries:2: a line must be an id, a tab, and the words of the query\nqueries:3: id `1` is " +
        "duplicated; every query needs an id of its own",
    ],
    [
      "qid,query\n1,a\n1,b\n,c\n2,d,e\n",
      "queries:3:1: id `1` is duplicated; every query needs an id of its own\nqueries:4:1: a query needs " +
        "an id\nqueries:5:1: the header names 2 columns, this line has 3",
    ],
    ['{"id": "1", "text": "x"}\n{oops', "queries:2:2: "],
  ])("says what is wrong with %j, and where", (text, message) => {
    expect(() => parseQueries(text)).toThrow(message);
  });
});
