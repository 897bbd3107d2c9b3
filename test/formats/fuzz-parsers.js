// Feeds mutated inputs to every parser, in a process of its own: an abort, an error that is not ours, or no
// end is seen from outside.
import { isRankproofError } from "../../dist/index.js";
import * as formats from "../../dist/formats/index.js";
import { seededRandom } from "../../dist/foundation/numbers/index.js";

const [seed, count] = process.argv.slice(2).map(Number);
const random = seededRandom(seed);
const below = (limit) => Math.floor(random() * limit);
const encoder = new TextEncoder();

const GOLDEN =
  'version: 1\nqueries:\n- id: q1\n  query: "what is [this]"\n  expected_doc_ids: [a, b]\n' +
  "  must_contain:\n  - x\n- {id: q2, query: two, group: g, meta: {a: 1}}\n";
const RESULT =
  '{"query_id":"q1","hits_top_k":[{"rank":1,"chunk_id":"c","doc_id":"d","score":0.5}],' +
  '"answer":{"text":"t","citations":[]}}\n{"query_id":"q2","hits_top_k":[]}\n';
const RUN = "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\nq2 Q0 d1 1 3e-2 t\n";

/** Every parser of the package, with a text that it takes. */
const PARSERS = [
  [(bytes) => formats.parseGolden(bytes, "f.yaml"), GOLDEN],
  [
    (bytes) => formats.parseGolden(bytes, "f"),
    '[{"id":"q1","query":"x","judgments":[{"doc_id":"d","grade":2}]}]',
  ],
  [
    (bytes) => formats.parseGolden(bytes, "f.jsonl"),
    '{"id":"q1","query":"x"}\n{"id":"q2","query":"y","expected_doc_ids":[]}\n',
  ],
  [
    (bytes) => formats.parseGolden(bytes, "f.csv"),
    'id,query,expected_doc_ids,judgments.doc_id,meta.a,expected_spans\nq1,"x, y","a\nb",a ' +
      '3,1,[]\nq2,z,[],,"""1""",\n',
  ],
  [(bytes) => formats.parseGateRules(bytes, "f.yaml"), 'gates:\n- nDCG@10 >= 0.45\n- "no slice worse"\n'],
  [(bytes) => formats.parseGateRules(bytes, "f.txt"), "nDCG@10 >= 0.45 # why\n"],
  [(bytes) => formats.parseRun(bytes, { run_id: "r" }, "f"), RESULT],
  [
    (bytes) => formats.parseRun(bytes, { run_id: "r" }, "f"),
    `{"run_id":"r","results":[${RESULT.trim().replace("\n", ",")}]}`,
  ],
  [
    (bytes) => formats.parseCorpus(bytes, "f"),
    '{"chunk_id":"c","doc_id":"d","source_spans":[{"kind":"line","start":1,"end":2}]}\n',
  ],
  [
    (bytes) => formats.parseDocuments(bytes, "f"),
    '{"_id":"d","title":"t","text":"x"}\n{"_id":"e","text":"y"}\n',
  ],
  [(bytes) => formats.parseQueries(bytes, "f"), '{"_id":"q","text":"x","type":"a"}\n'],
  [(bytes) => formats.parseQueries(bytes, "f"), "q1\twords\nq2\tmore\n"],
  [(bytes) => formats.parseVectors(bytes, "f"), '{"id":"d","vector":[1,2.5,-3e-2]}\n'],
  [
    (bytes) => formats.parseSampleSheet(bytes, "f"),
    "case_id,query_type,query,item,text,label\nc,t,q,d,x,relevant\n",
  ],
  [
    (bytes) => formats.parseBenchFixture(bytes, "f"),
    '{"schema_version":"1","papers":[{"id":"p","sections":{"a":"x"}}],"cases":[]}',
  ],
  [(bytes) => formats.parseResult(new TextDecoder().decode(bytes), "f"), '{"hit_at_k":{"1":1},"mrr":0.5}'],
  ...["run", "qrels"].flatMap((role) =>
    [
      RUN,
      "q1 0 d1 1\nq1 0 d2 0\n",
      "query_id,doc_id,score\nq1,d1,1.5\n",
      '{"query_id":"q","doc_id":"d","score":1,"grade":1}\n',
      '{"q":{"d":1.5}}',
      RESULT,
      GOLDEN,
    ].map((text) => [
      (bytes) => (role === "run" ? formats.parseAnyRun(bytes, "f") : formats.parseAnyQrels(bytes, "f")),
      text,
    ]),
  ),
].map(([parse, text]) => [parse, encoder.encode(text)]);
const TOKENS = [
  "\n",
  "\r\n",
  "\t",
  " ",
  ",",
  '"',
  "'",
  "{",
  "}",
  "[",
  "]",
  ":",
  "#",
  "- ",
  "? ",
  "&a ",
  "*a",
  "!!str ",
  "|",
  ">",
  "<<: ",
  "---\n",
  "nan",
  "1e999",
  "0x1",
  "\ufeff",
  "null",
  "1",
  ".",
  "\u0000",
  "__proto__",
  "[".repeat(5000),
  "- ".repeat(5000),
  '{"a":'.repeat(3000),
  "{a: ".repeat(3000),
  "x".repeat(70_000),
].map((token) => encoder.encode(token));

function mutated(bytes) {
  for (let times = below(4); times > 0; times--) {
    const at = below(bytes.length + 1);
    const end = Math.min(bytes.length, at + below(20));
    const kind = below(5);
    // Long tokens are rare: they are slow, and one is enough.
    const token = TOKENS[below(random() < 0.02 ? TOKENS.length : TOKENS.length - 5)];
    const inserted =
      kind === 0
        ? token
        : kind === 1
          ? Uint8Array.of(below(256))
          : kind === 2
            ? bytes.slice(at, end)
            : new Uint8Array(0);
    const kept = kind === 3 ? end : kind === 4 ? bytes.length : at;
    bytes = Uint8Array.from([...bytes.subarray(0, at), ...inserted, ...bytes.subarray(kept)]);
  }
  return bytes;
}

const found = { read: 0, refused: 0 };
for (let i = 0; i < count; i++) {
  const [parse, text] = PARSERS[i % PARSERS.length];
  const bytes = mutated(text);
  try {
    parse(bytes);
    found.read++;
  } catch (error) {
    if (!isRankproofError(error)) {
      const input = JSON.stringify(new TextDecoder().decode(bytes));
      console.error(`input ${i} of seed ${seed}: ${error.stack}\n${input.slice(0, 500)}`);
      process.exit(1);
    }
    found.refused++;
  }
}
console.log(JSON.stringify(found));
