import { describe, expect, it } from "vitest";
import {
  parseAggregate,
  parseCompareReport,
  parseCorpus,
  parseGolden,
  parseRun,
} from "../../src/formats/index.js";
import { failure } from "../support/failure.js";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe("every kind of mistake in a golden file has its message", () => {
  it.each<[string, string, string | Uint8Array, string, string]>([
    ["nothing in it", "g.yaml", "", "GOLDEN_SHAPE", "g.yaml: is empty; it needs a list of queries"],
    [
      "no queries",
      "g.yaml",
      "[]",
      "GOLDEN_SHAPE",
      "g.yaml: has no queries; each needs at least `id` and `query`",
    ],
    [
      "text instead of queries",
      "g.yaml",
      "hello",
      "GOLDEN_SHAPE",
      "g.yaml: must be a list of queries, or a mapping with `queries`, got `hello`",
    ],
    [
      "text instead of a query",
      "g.yaml",
      "- just text\n",
      "GOLDEN_SHAPE",
      'g.yaml:1:3: the record must be a mapping of fields, got `"just text"`',
    ],
    ["a missing field", "g.yaml", "- id: a", "GOLDEN_SHAPE", "g.yaml:1:3: query is missing"],
    [
      "an empty id",
      "g.yaml",
      "- id: ''\n  query: b\n",
      "GOLDEN_SHAPE",
      'g.yaml:1:7: id must not be empty, got `""`',
    ],
    [
      "a number as an id",
      "g.yaml",
      "- id: 1\n  query: x",
      "GOLDEN_SHAPE",
      "g.yaml:1:7: id must be a string, got `1`; write it in quotes",
    ],
    [
      "a number to contain",
      "g.yaml",
      "- id: a\n  query: b\n  must_contain: [39]\n",
      "GOLDEN_SHAPE",
      "g.yaml:3:18: must_contain[0] must be a string, got `39`; write it in quotes",
    ],
    [
      "nothing to contain",
      "g.yaml",
      "- id: a\n  query: b\n  forbidden: ['']\n",
      "GOLDEN_SHAPE",
      'g.yaml:3:15: forbidden[0] must not be empty: every text contains it, got `""`',
    ],
    [
      "a list that is none",
      "g.yaml",
      "- id: a\n  query: b\n  must_contain: foo\n",
      "GOLDEN_SHAPE",
      'g.yaml:3:17: must_contain must be a list of strings, got `"foo"`; write it in `[` and `]`',
    ],
    [
      "an expected list that says nothing",
      "g.yaml",
      "- id: a\n  query: b\n  expected_doc_ids:\n",
      "GOLDEN_SHAPE",
      "g.yaml:3:20: expected_doc_ids must be a list of ids, got `null`; write `[]` for a query " +
        "that the system should refuse, or leave the key out",
    ],
    [
      "a refusal that is neither",
      "g.yaml",
      "- id: a\n  query: b\n  expected_refusal: maybe\n",
      "GOLDEN_SHAPE",
      'g.yaml:3:21: expected_refusal must be true or false, got `"maybe"`',
    ],
    [
      "an unknown key",
      "g.yaml",
      "- id: a\n  query: b\n  expectd_doc_ids: [x]\n",
      "GOLDEN_UNKNOWN_KEY",
      "g.yaml:3:3: unknown key `expectd_doc_ids`; did you mean `expected_doc_ids`?",
    ],
    [
      "a key like none",
      "g.yaml",
      "queries:\n  - id: a\n    query: b\n    colour: red\n",
      "GOLDEN_UNKNOWN_KEY",
      "g.yaml:4:5: unknown key `colour`; free-form data goes under `meta`",
    ],
    [
      "a merge of YAML 1.1",
      "g.yaml",
      "- &one\n  id: a\n  query: x\n- <<: *one\n  id: b\n  query: y\n",
      "GOLDEN_UNKNOWN_KEY",
      "g.yaml:4:3: unknown key `<<`; merging is of YAML 1.1: begin the file with `%YAML 1.1` and `---`, or " +
        "write the fields out",
    ],
    [
      "an unknown key of the set",
      "g.yaml",
      "querys: []\nqueries:\n- {id: a, query: b}\n",
      "GOLDEN_UNKNOWN_KEY",
      "g.yaml:1:1: unknown key `querys`; did you mean `queries`?",
    ],
    [
      "__proto__ as a key",
      "g.json",
      '[{"id":"a","query":"x","__proto__":1}]',
      "GOLDEN_UNKNOWN_KEY",
      "g.json:1:24: unknown key `__proto__`; free-form data goes under `meta`",
    ],
    [
      "an id twice",
      "g.yaml",
      "- id: a\n  query: b\n- id: a\n  query: c\n",
      "GOLDEN_DUPLICATE_ID",
      "g.yaml:3:7: id `a` is duplicated; every query needs an id of its own (the first is in line 1)",
    ],
    [
      "an id twice in lines",
      "g.jsonl",
      '{"id":"a","query":"b"}\n\n{"id":"a","query":"c"}\n',
      "GOLDEN_DUPLICATE_ID",
      "g.jsonl:3:7: id `a` is duplicated; every query needs an id of its own (the first is in line 1)",
    ],
    [
      "a group of two minds",
      "g.yaml",
      "- {id: a, query: x, group: g, expected_doc_ids: [x, y]}\n- {id: b, query: x, group: g, " +
        "expected_doc_ids: [y, x]}\n- {id: c, query: x, group: g, expected_doc_ids: [x]}\n",
      "GOLDEN_GROUP",
      "g.yaml:3:28: group `g`: query `c` expects other documents than query `a`; all wordings of " +
        "one intent must name the same `expected_doc_ids`",
    ],
    [
      "a grade that is none",
      "g.yaml",
      "- id: a\n  query: b\n  judgments: [{chunk_id: c, grade: high}]\n",
      "GOLDEN_SHAPE",
      "g.yaml:3:15: judgments[0] must have a numeric `grade` and either a `chunk_id` or a " +
        '`doc_id`, got `{"chunk_id":"c","grade":"high"}`',
    ],
    [
      "an unknown kind of span",
      "g.yaml",
      "- id: a\n  query: b\n  expected_spans: [{doc_id: d, span: {kind: lines, start: 1, end: 2}}]\n",
      "GOLDEN_SHAPE",
      "g.yaml:3:45: expected_spans[0].span.kind must be a span of a known kind (line, code, byte, " +
        "page, time, region, caption), got `lines`",
    ],
    [
      "line 0",
      "g.yaml",
      "- id: a\n  query: b\n  expected_spans: [{doc_id: d, span: {kind: line, start: 0, end: 2}}]\n",
      "GOLDEN_SHAPE",
      "g.yaml:3:58: expected_spans[0].span.start must be a whole line number from 1, got `0`",
    ],
    [
      "YAML that does not end",
      "g.yaml",
      "- id: a\n  query: 'b\n",
      "GOLDEN_SYNTAX",
      "g.yaml:2:10: is not valid YAML: missing closing 'quote; the text that begins here never ends",
    ],
    [
      "a YAML key twice",
      "g.yaml",
      "- id: a\n  query: b\n  query: c\n",
      "GOLDEN_SYNTAX",
      "g.yaml:3:3: is not valid YAML: map keys must be unique",
    ],
    ...["meta: {{ a }}", "meta: {[a]: 1}", "meta: {x: &l [a], *l : 1}"].map(
      (field): [string, string, string, string, string] => [
        `a key that is no text: ${field}`,
        "g.yaml",
        `- id: a\n  query: b\n  ${field}\n`,
        "GOLDEN_SYNTAX",
        `g.yaml:3:${field.includes("&l") ? 21 : 10}: has a list or a mapping as a key; put a text that ` +
          "begins with `{` or `[` in quotes",
      ],
    ),
    [
      "a key that is a date of YAML 1.1",
      "g.yaml",
      "%YAML 1.1\n---\n- id: a\n  query: b\n  meta: { 2020-01-01: c }\n",
      "GOLDEN_SYNTAX",
      "g.yaml:5:11: has a date or bytes as a key; put it in quotes",
    ],
    [
      "a key of bytes",
      "g.yaml",
      "- id: a\n  query: b\n  meta: { !!binary aGVsbG8=: 1 }\n",
      "GOLDEN_SYNTAX",
      "g.yaml:3:20: has a date or bytes as a key; put it in quotes",
    ],
    [
      "an alias of nothing",
      "g.yaml",
      "- id: a\n  query: *b\n",
      "GOLDEN_SYNTAX",
      "g.yaml:2:10: is not valid YAML: there is no anchor for the alias `b`; put a text that begins " +
        "with `*` in quotes",
    ],
    [
      "an alias inside its anchor",
      "g.yaml",
      "- id: a\n  query: b\n  meta: &m {self: *m}\n",
      "GOLDEN_SYNTAX",
      "g.yaml:1:1: is not valid YAML: an alias stands inside its own anchor",
    ],
    [
      "several documents",
      "g.yaml",
      "- {id: a, query: b}\n---\n- {id: c, query: d}\n",
      "GOLDEN_SYNTAX",
      "g.yaml:2:1: has several YAML documents; keep one, without a second `---`",
    ],
    [
      "JSON with a comma too many",
      "g.json",
      '[{"id":"a","query":"b"},]',
      "GOLDEN_SYNTAX",
      "g.json:1:25: expected a value, got `]`",
    ],
    [
      "a JSON key twice",
      "g.json",
      '[{"id":"a","query":"b","id":"c"}]',
      "GOLDEN_SYNTAX",
      "g.json:1:24: key `id` is duplicated",
    ],
    [
      "bytes that are not UTF-8",
      "g.yaml",
      bytes(0x2d, 0x20, 0x0a, 0xff, 0xfe),
      "FILE_ENCODING",
      "g.yaml:2: is not UTF-8 text; save the file as UTF-8",
    ],
    [
      "UTF-16",
      "g.yaml",
      bytes(0xff, 0xfe, 0x2d, 0),
      "FILE_ENCODING",
      "g.yaml: is UTF-16, not UTF-8; save it as UTF-8",
    ],
  ])("%s", (_, file, source, code, message) =>
    expect(failure(() => parseGolden(source, file))).toEqual({ code, message }),
  );

  it("many problems are all told, in the order of the lines, up to a limit; then three alike", () => {
    const lines = Array.from({ length: 25 }, (_, index) => (index === 3 ? "{" : `{"id":"q${index}"}`));
    const told = (count: number): string[] =>
      failure(() => parseGolden(lines.slice(0, count).join("\n"), "g.jsonl")).message.split("\n");
    expect(told(20)).toHaveLength(20);
    expect(told(20).slice(2, 5)).toEqual([
      "g.jsonl:3:1: query is missing",
      "g.jsonl:4:2: expected a key in double quotes, got the end of the text",
      "g.jsonl:5:1: query is missing",
    ]);
    expect(told(25)).toEqual([...told(20).slice(0, 4), "and 21 more problems"]);
  });

  it("a billion laughs are refused", () => {
    const bomb =
      "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c " +
      "[*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n";
    expect(failure(() => parseGolden(bomb, "g.yaml")).code).toBe("GOLDEN_SYNTAX");
  });
});

describe("YAML that hands write wrong", () => {
  it.each([
    ["a tab", "queries:\n\t- id: a\n", "2:1", "indent with spaces"],
    ["a tab before a key", "- id: a\n\tquery: b\n", "2:2", "indent with spaces"],
    ["no space after a colon", "- id:a\n  query: b\n", "1:3", "put a space after the colon of a key"],
    ["a colon in a text", "- id: a\n  query: b is: c\n", "2:10", "put a text that holds `: ` in quotes"],
    ["a quote within quotes", "- id: a\n  query: 'it's'\n", "2:14", "of a kind that it does not hold"],
    ["a text that begins with @", "- id: a\n  query: @b\n", "2:10", "put the text in quotes"],
    ["a text that begins with !", "- id: a\n  query: !b c\n", "2:10", "put the text in quotes"],
    ["a backslash", '- id: a\n  query: "\\d"\n', "2:11", "double the backslash"],
    ["a list without an end", "- id: a\n  must_contain: [b\n", "3:1", "close the bracket"],
    ["a key that hangs", "- id: a\n  query: b\n c: d\n", "3:1", "indent the line as the ones of"],
    ["a key without a colon", "- id: a\n  query\n", "2:3", "put a colon and a space after a key"],
    ["a text that `#` cuts short", "- id: a\n  query: issue #12 or\n", "2:16", "put the text in quotes"],
  ])("%s: says what to do, and where", (_, text, place, advice) => {
    const { message } = failure(() => parseGolden(text, "g.yaml"));
    expect(message).toContain(`g.yaml:${place}: `);
    expect(message).toContain(advice);
  });
  it("a comment is one with a space before and behind its `#`, or where it cuts no text short", () => {
    const { queries } = parseGolden(
      "#first\n- id: a # one\n  query: C# and issue#12 # two\n  must_contain: [b] #three\n#four\n",
      "g.yaml",
    );
    expect(queries).toEqual([{ id: "a", query: "C# and issue#12", must_contain: ["b"] }]);
  });
});

describe("another file altogether", () => {
  const yaml = "queries:\n  - id: a\n    query: b\n    expected_chunk_ids: [c]\n";
  const json = '{"id":"a","query":"b","expected_doc_ids":["c"]}\n';
  const run = '{"query_id":"a","hits_top_k":[]}\n';
  it.each([
    ["a golden set in YAML", yaml],
    ["a golden set in JSONL", json],
  ])("%s is no run, which is said once", (_, text) => {
    for (const source of [text, new TextEncoder().encode(text)])
      expect(failure(() => parseRun(source, { run_id: "r" }, "f")).message).toBe(
        "f: is a golden set where a run is wanted; a run has `query_id` and `hits_top_k` of each query",
      );
  });
  it("a run is no golden set, and a stored result is no run", () => {
    expect(failure(() => parseGolden(run.repeat(20), "f.jsonl")).message).toBe(
      "f.jsonl: is a run where a golden set is wanted",
    );
    expect(failure(() => parseRun('{\n"hit_at_k":{}}', { run_id: "r" }, "f")).message).toBe(
      "f: is a stored aggregate where a run is wanted",
    );
  });
  it("what speaks of the other in a text is what it is", () => {
    const said = run.replace(
      "[]",
      '[],"answer":{"answer":"expected_doc_ids: x","grounded":true,"citations":[]}',
    );
    expect(parseRun(said, { run_id: "r" }, "f").results).toHaveLength(1);
    const asked = json.replace('"b"', '"what is hits_top_k?"');
    expect(parseGolden(asked, "f.jsonl").queries).toHaveLength(1);
  });
});

describe("every kind of mistake in a run file has its message", () => {
  const line = (more: string): string => `{"query_id":"q","hits_top_k":[${more}]}`;
  it.each<[string, string, string | Uint8Array, string, string]>([
    [
      "a JSON key twice in a line",
      "r.jsonl",
      '{"query_id":"q","hits_top_k":[{"rank":1,"chunk_id":"a","doc_id":"d","score":1,"score":2}]}',
      "RUN_SYNTAX",
      "r.jsonl:1:79: key `score` is duplicated",
    ],
    [
      "no hits",
      "r.jsonl",
      '{"query_id":"q"}\n',
      "RUN_SHAPE",
      "r.jsonl:1:1: hits_top_k is missing; write `[]` when nothing came back",
    ],
    [
      "null hits",
      "r.json",
      '{\n "results":[\n  {"query_id":"q","hits_top_k":null}\n]}',
      "RUN_SHAPE",
      "r.json:3:32: results[0].hits_top_k must be a list of hits, got `null`; write `[]` when " +
        "nothing came back",
    ],
    [
      "rank 0",
      "r.jsonl",
      line('{"rank":0,"chunk_id":"c","doc_id":"d"}'),
      "RUN_SHAPE",
      "r.jsonl:1:39: hits_top_k[0].rank must be a whole number from 1, got `0`",
    ],
    [
      "rank -1",
      "r.jsonl",
      line('{"rank":-1,"chunk_id":"c","doc_id":"d"}'),
      "RUN_SHAPE",
      "r.jsonl:1:39: hits_top_k[0].rank must be a whole number from 1, got `-1`",
    ],
    [
      "rank 1.5",
      "r.jsonl",
      line('{"rank":1.5,"chunk_id":"c","doc_id":"d"}'),
      "RUN_SHAPE",
      "r.jsonl:1:39: hits_top_k[0].rank must be a whole number from 1, got `1.5`",
    ],
    [
      "a rank in quotes",
      "r.jsonl",
      line('{"rank":"1","chunk_id":"c","doc_id":"d"}'),
      "RUN_SHAPE",
      'r.jsonl:1:39: hits_top_k[0].rank must be a whole number from 1, got `"1"`',
    ],
    [
      "a document that is a number",
      "r.jsonl",
      line('{"chunk_id":"c","doc_id":5}'),
      "RUN_SHAPE",
      "r.jsonl:1:56: hits_top_k[0].doc_id must be a string, got `5`",
    ],
    [
      "a score that is none",
      "r.jsonl",
      line('{"chunk_id":"c","doc_id":"d","score":NaN}'),
      "RUN_SYNTAX",
      "r.jsonl:1:68: expected a value, got `NaN`",
    ],
    [
      "an answer that does not say whether it refused",
      "r.jsonl",
      '{"query_id":"q","hits_top_k":[],"answer":{"answer":"x"}}',
      "RUN_SHAPE",
      "r.jsonl:1:42: answer.grounded is missing",
    ],
    [
      "a citation of nothing",
      "r.jsonl",
      '{"query_id":"q","hits_top_k":[],"answer":{"answer":"x","grounded":true,' +
        '"citations":[{"citation":{"kind":"line","path":"p"}}]}}',
      "RUN_SHAPE",
      "r.jsonl:1:97: answer.citations[0].citation must have a `chunk_id`, or a `kind` with `path` " +
        'and its span, got `{"kind":"line","path":"p"}`',
    ],
    [
      "a negative time",
      "r.jsonl",
      '{"query_id":"q","hits_top_k":[],"elapsed_ms":-1}',
      "RUN_SHAPE",
      "r.jsonl:1:46: elapsed_ms must be a number of milliseconds from 0, got `-1`",
    ],
    [
      "a query twice",
      "r.jsonl",
      '{"query_id":"q","hits_top_k":[]}\n{"query_id":"q","hits_top_k":[]}\n',
      "RUN_DUPLICATE_QUERY",
      "r.jsonl:2: query `q` has two results, the first in line 1; keep one",
    ],
    [
      "a query twice in one JSON run",
      "r.json",
      '{"results":[\n{"query_id":"q","hits_top_k":[]},\n{"query_id":"q","hits_top_k":[]}]}',
      "RUN_DUPLICATE_QUERY",
      "r.json:3: query `q` has two results, the first in line 2; keep one",
    ],
    [
      "a line that was cut off",
      "r.jsonl",
      '{"query_id":"q","hits_top_k":[]}\n{"query_id":"r","hits_t',
      "RUN_SYNTAX",
      "r.jsonl:2:17: has a string that does not end",
    ],
    ["a line of text", "r.jsonl", "hello\n", "RUN_SYNTAX", "r.jsonl:1:1: expected a value, got `hello`"],
    [
      "null",
      "r.jsonl",
      "null\n",
      "RUN_SHAPE",
      "r.jsonl:1:1: the record must be a mapping of fields, got `null`",
    ],
    [
      "neither run nor result",
      "r.json",
      '{"run_id":"x"}',
      "RUN_SHAPE",
      "r.json:1:1: query_id is missing\nr.json:1:1: hits_top_k is missing; write `[]` when nothing came back",
    ],
    [
      "a mapping that is no run",
      "r.json",
      '{\n  "name": "rankproof"\n}\n',
      "RUN_SHAPE",
      "r.json:1:1: results is missing",
    ],
    [
      "a JSON run with a mistake",
      "r.json",
      '{\n"results": [}\n',
      "RUN_SYNTAX",
      "r.json:2:13: expected a value, got `}`",
    ],
    [
      "nesting without end",
      "r.json",
      "[".repeat(100_000),
      "RUN_SYNTAX",
      "r.json:1:501: is nested deeper than 500 levels",
    ],
    [
      "bytes that are not UTF-8",
      "r.jsonl",
      bytes(0x7b, 0xc3, 0x28),
      "FILE_ENCODING",
      "r.jsonl:1: is not UTF-8 text; save the file as UTF-8",
    ],
  ])("%s", (_, file, source, code, message) =>
    expect(failure(() => parseRun(source, { run_id: "run" }, file))).toEqual({ code, message }),
  );
});

describe("results with odd fields", () => {
  it("may have further fields called `results` or `chunks`, or nest deeply, and are kept as they are", () => {
    const lines =
      '{"query_id":"q","hits_top_k":[],"results":[1],"chunks":[2]}\n' +
      '{"query_id":"r","hits_top_k":[],"__proto__":{"x":1}}\n';
    const run = parseRun(lines, { run_id: "r" });
    expect(run.results.map((result) => JSON.stringify(result)).join("\n")).toBe(lines.trimEnd());
    expect(Object.getPrototypeOf(run.results[1])).toBe(Object.prototype);
  });
  it("may begin with a byte order mark, as text and as bytes", () => {
    const lines = '\ufeff{"query_id":"q","hits_top_k":[]}\n';
    for (const source of [lines, new TextEncoder().encode(lines)])
      expect(parseRun(source, { run_id: "r" }).results).toEqual([{ query_id: "q", hits_top_k: [] }]);
    expect(parseGolden("\ufeff- {id: a, query: b}\n").queries).toHaveLength(1);
  });
});

describe("corpus and result files", () => {
  it.each<[string, string, string]>([
    ['{"chunk_id":"c"}\n', "CORPUS_SHAPE", "c.jsonl:1:1: doc_id is missing"],
    ['{"chunks":5}', "CORPUS_SHAPE", "c.jsonl:1:11: chunks must be a list of chunks, got `5`"],
    ["", "CORPUS_SHAPE", "c.jsonl: has no chunks; give one `{chunk_id, doc_id}` a line"],
    [
      '{"chunk_id":"c","doc_id":"d"}\n{',
      "CORPUS_SYNTAX",
      "c.jsonl:2:2: expected a key in double quotes, got the end of the text",
    ],
  ])("corpus %j", (source, code, message) =>
    expect(failure(() => parseCorpus(source, "c.jsonl"))).toEqual({ code, message }),
  );
  it("a report that is none", () =>
    expect(failure(() => parseCompareReport("{", "x.json")).message).toBe(
      "x.json:1:2: expected a key in double quotes, got the end of the text",
    ));
  it("an aggregate that misses a field", () =>
    expect(failure(() => parseAggregate("{}", "x.json")).message).toContain(
      "x.json:1:1: hit_at_k is missing",
    ));
  it("an aggregate older than the newer fields is read, and they are empty", () => {
    const at = { 1: 1, 3: 1, 5: 1, 10: 1 };
    const old = {
      hit_at_k: at,
      mrr: 1,
      recall_at_k_doc: at,
      citation_coverage: null,
      groundedness: 0,
      empty_result_rate: 0,
      refusal_correctness: null,
      total_queries: 1,
      failed_queries: 0,
    };
    expect(parseAggregate(JSON.stringify(old))).toMatchObject({
      ...old,
      precision_at_k_chunk: {},
      support: {},
      missing_queries: [],
      metrics: {},
    });
  });
});
