import { mkdirSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { PaperFixture } from "../../src/records/index.js";
import { aCase, aFixture, aPaper } from "../support/bench-fixtures.js";
import { HOSTILE_TEXTS } from "../support/hostile-texts.js";
import { collection, paperFixture, reportIn } from "./bench-files.js";
import { inProcess } from "./in-process.js";
import { Workplace } from "./spawned.js";
import { pattern } from "../support/pattern.js";

let place: Workplace;
beforeAll(() => {
  place = new Workplace();
});

function written(name: string, fixture: PaperFixture): string {
  place.write({ [name]: JSON.stringify(fixture, null, 1) });
  return place.path(name);
}

/** What is said of a fixture that is refused, with its path cut to its name. */
async function refusal(path: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await inProcess("bench", path, "--no-store", ...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  return stderr.replaceAll(`${place.folder}/`, "");
}

describe("a fixture that is wrong", () => {
  it("has all its contradictions told, each with its line", async () => {
    const twice = paperFixture();
    const judgments = [
      { paper_id: 9, chunk_ref: "9:abstract:0", relevance: 1 },
      { paper_id: 1, chunk_ref: "1:abstrct:0", relevance: 2 },
    ];
    const path = written("wrong.json", {
      ...twice,
      papers: [...twice.papers, aPaper()],
      cases: [
        ...twice.cases,
        aCase(),
        aCase({ case_id: "c9", judgments, expected_paper_ids: [], expected_chunk_refs: ["1:method:0"] }),
      ],
    });
    const lines = (await refusal(path)).trimEnd().split("\n");
    expect(lines.map((line) => line.replace(/^error: wrong.json:\d+:\d+: /, ""))).toEqual([
      "paper_id `1` is duplicated; every paper needs an id of its own",
      "case_id `c1` is duplicated; every case needs an id of its own",
      "case `c9`: paper_id `9` is none of the papers; did you mean `1`?",
      "case `c9`: chunk_ref `1:abstrct:0` is none of the 4 chunks of paper `1`; did you mean `1:abstract:0`?",
      "case `c9`: `1:method:0` is expected, but has no judgment; add one, or do not expect it",
    ]);
  });
  it.each<[string, string | Uint8Array, string]>([
    ["empty.json", "", "empty.json:1:1: expected a value, got the end of the text"],
    ["list.json", "[]", "list.json:1:1: the record must be a mapping of fields, got `[]`"],
    [
      "latin1.json",
      Buffer.from('{\n"version": "\xe4"}', "latin1"),
      "latin1.json:2: is not UTF-8 text; save the file as UTF-8",
    ],
    [
      "grades.json",
      JSON.stringify(
        aFixture({
          cases: [aCase({ judgments: [{ paper_id: 1, chunk_ref: "1:abstract:0", relevance: 4 }] })],
        }),
      ),
      "must be a whole number from 0 to 3, got `4`",
    ],
    ["caseless.json", JSON.stringify(aFixture({ cases: [] })), "there are no cases; add judged queries"],
    [
      "paperless.json",
      JSON.stringify(aFixture({ papers: [], cases: [] })),
      "there are no papers; add what is to be searched",
    ],
  ])("%s is exit code 2", async (name, content, message) => {
    place.write({ [name]: content });
    expect(await refusal(place.path(name))).toContain(message);
  });
  it("that is not there, or a folder without a collection in it, is exit code 2", async () => {
    mkdirSync(place.path("nothing"), { recursive: true });
    const { "bare/corpus.jsonl": corpus = "", "bare/queries.jsonl": queries = "" } = collection("bare");
    place.write({ "bare/corpus.jsonl": corpus, "bare/queries.jsonl": queries });
    expect(await refusal(place.path("gone.json"))).toBe("error: gone.json: no such file; check the path\n");
    expect(await refusal(place.path("nothing"))).toMatch(
      pattern(
        /^error: nothing: has none of `corpus.jsonl`, `corpus.jsonl.gz`; name the file with `corpus` /,
        /\(`--corpus`\)\n$/,
      ),
    );
    expect(await refusal(place.path("bare"))).toMatch(
      /^error: bare: has none of `qrels.txt`, .*; name the file with `qrels` \(`--qrels`\)\n$/,
    );
    expect(await refusal(place.path("bare"), "--qrels", place.path("gone.txt"))).toBe(
      "error: gone.txt: no such file; check the path\n",
    );
  });
  it("of a folder whose files have nothing to do with each other is exit code 2", async () => {
    place.write({
      ...collection("mixed"),
      "other.txt": "q1 0 unknown 1\n",
      "queryless.txt": "other 0 r-q1 1\n",
    });
    expect(await refusal(place.path("mixed"), "--qrels", place.path("other.txt"))).toMatch(
      /none of the judged documents is in the corpus: judged are `unknown`/,
    );
    expect(await refusal(place.path("mixed"), "--qrels", place.path("queryless.txt"))).toMatch(
      /none of the judged queries has words: judged are `other`/,
    );
  });
});

describe.concurrent("a fixture that says little", () => {
  it.each([
    [
      "of one case is measured, and decides nothing",
      paperFixture({ cases: [aCase({ query: "routing in graphs" })] }),
      "1 case is too few, at least 5 are needed",
      "no queries of the types paraphrase, term_mismatch, paper_targeted, cross_field",
    ],
    [
      "without anything relevant is measured, with a warning",
      paperFixture({
        cases: paperFixture().cases.map(({ judgments, ...rest }) => ({
          ...rest,
          judgments: judgments.map((one) => ({ ...one, relevance: 0 })),
          expected_paper_ids: [],
          expected_chunk_refs: [],
        })),
      }),
      "INCONCLUSIVE",
      "nothing is judged relevant to 5 queries",
    ],
  ])("%s", async (name, fixture, decision, warning) => {
    const path = written(`${name.length}.json`, fixture);
    const { status, stdout, stderr } = await place.run(["bench", path, "--no-store"]);
    expect(status).toBe(0);
    expect(stdout).toContain(decision);
    expect(stderr).toMatch(/^(?:warning: .*\n)+$/);
    expect(stderr).toContain(warning);
  });
});

describe("hostile ids and texts", () => {
  const [HOSTILE, RED] = [HOSTILE_TEXTS.join(" "), "\u001b[31mred\u001b]0;title\u0007\u202e</script>"];
  const hostile = (): PaperFixture => {
    const ids = ["__proto__", `constructor ${RED}`, RED];
    return paperFixture({
      version: RED,
      description: HOSTILE,
      papers: ids.map((id) =>
        aPaper({ paper_id: id, title: RED, abstract: HOSTILE, structured_card: { method: RED } }),
      ),
      cases: ids.map((id) =>
        aCase({
          case_id: id,
          query: `${RED} ${HOSTILE}`,
          query_type: id,
          judgments: [{ paper_id: id, chunk_ref: `${id}:abstract:0`, relevance: 1 }],
          expected_paper_ids: [id],
          expected_chunk_refs: [],
        }),
      ),
    });
  };
  /** Whatever could move a cursor, set a title or turn text around. */
  const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

  it("reach neither the terminal nor the markup of a report, and survive as data", async () => {
    const path = written("hostile.json", hostile());
    const run = await place.run([
      "bench",
      path,
      "-o",
      "hostile-report.json",
      "--md",
      "hostile.md",
      "--html",
      "hostile.html",
      "--store",
      "hostile.sqlite",
      "--repeats",
      "1",
    ]);
    expect(run.status).toBe(0);
    expect(run.stdout + run.stderr + place.read("hostile.md")).not.toMatch(CONTROLS);
    expect(place.read("hostile.html").match(/<script/g)).toHaveLength(
      place.read("hostile.html").match(/<\/script>/g)?.length ?? 0,
    );
    const report = reportIn(place.read("hostile-report.json"));
    expect(report.fixture.query_types.map(({ query_type }) => query_type)).toEqual(
      hostile().cases.map(({ case_id }) => case_id),
    );
    expect(Object.keys(report.modes[0]?.by_query_type ?? {})).toContain("__proto__");
    const again = await place.run(["bench", "decide", "hostile-report.json", "--json"]);
    expect(again.stdout).toBe(place.read("hostile-report.json"));
  });
  it("of a mode are shown as one plain line", async () => {
    const path = written("modes.json", paperFixture());
    place.write({ "none.run": "c1 Q0 nothing 1 1 t\n" });
    const { status, stdout, stderr } = await place.run([
      "bench",
      path,
      "--system",
      `${RED}\nnext=none.run`,
      "--system",
      "__proto__=none.run",
      "--store",
      "modes.sqlite",
    ]);
    expect(status).toBe(0);
    expect(stdout + stderr).not.toMatch(CONTROLS);
    expect(stdout).toMatch(/^__proto__ +0\.0000/m);
  });
  it("in a message are shown as one plain line", async () => {
    const { stderr } = await inProcess(
      "bench",
      written("refused.json", { ...hostile(), cases: [aCase({ case_id: RED })] }),
      "--no-store",
    );
    expect(stderr).toContain("is none of the papers");
    expect(stderr).not.toMatch(CONTROLS);
    for (const args of [
      ["--system", RED],
      ["--system", `${RED}=a`, "--system", `${RED}=a`],
      ["--modes", RED],
      ["--k1", RED],
      ["--fail-under", `${RED}.recall=1`],
      ["--language", RED],
    ])
      expect((await place.run(["bench", "fixture.json", ...args])).stderr).not.toMatch(CONTROLS);
  });
});
