import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { cFixed } from "../../src/foundation/numbers/index.js";
import { contentOf } from "../../src/node/evaluate/index.js";
import { oracle, WITHOUT_ORACLES } from "../support/oracles.js";
import { present } from "../support/present.js";
import { Workplace, type Ended } from "./spawned.js";

const rankproof = (args: readonly string[], input?: string | Uint8Array): Promise<Ended> =>
  place.run(args, { ...(input !== undefined && { input }) });

let place: Workplace;
let folder: string;
beforeEach(() => {
  place = new Workplace();
  ({ folder } = place);
  write("qrels.txt", "1 0 a 2\n1 0 b 0\n2 0 c 1\n3 0 d 1\n");
  write(
    "run.txt",
    "1 Q0 b 1 3.0 mine\n1 Q0 a 2 2.0 mine\n1 Q0 x 3 1.0 mine\n2 Q0 c 1 1.0 mine\n9 Q0 c 1 1.0 mine\n",
  );
});

function write(name: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, name), content);
}

describe("--format trec_eval is trec_eval's output, byte for byte", () => {
  const sample = oracle("trec-eval-sample");
  if (sample === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const PARAMETERS = [
    "iprec_at_recall..10,.20,.25,.75,.50",
    "P.5,7,3",
    "recall.20,2000",
    "Rprec_mult.5.0,0.2,0.35",
    "utility.2,-1,0,0",
    "11pt_avg..25,.5,.75",
    "ndcg.1=3,2=9,4=4.5",
    "ndcg_cut.10,20,23.4",
    "success.2,5,20",
  ];
  it.each([
    ["out.test", "standard", []],
    ["out.test.a", "standard", ["-m", "all_trec"]],
    ["out.test.aq", "standard", ["-m", "all_trec", "-q"]],
    ["out.test.aqc", "truncated", ["-m", "all_trec", "-q", "-c"]],
    ["out.test.aqcM", "truncated", ["-m", "all_trec", "-q", "-c", "-M100"]],
    ["out.test.meas_params", "standard", ["-q", ...PARAMETERS.flatMap((measure) => ["-m", measure])]],
  ])("%s of version 9", async (expected, run, args) => {
    const { stdout, status } = await rankproof([
      "evaluate",
      join(sample, "qrels.txt"),
      join(sample, "runs", `${run}.run`),
      "--format",
      "trec_eval",
      ...args,
    ]);
    expect(stdout).toBe(readFileSync(join(sample, "upstream/v9", expected), "utf8"));
    expect(status).toBe(0);
  });
  it.each(["out.test.a", "out.test.aq"])(
    "%s of version 10 in what it has in common with version 9",
    async (expected) => {
      const { stdout } = await rankproof([
        "evaluate",
        join(sample, "qrels.txt"),
        join(sample, "runs/standard.run"),
        "--format",
        "trec_eval",
        "--profile",
        "trec_eval-10",
        "-m",
        "all_trec",
        ...(expected.endsWith("q") ? ["-q"] : []),
      ]);
      const lines = new Set(readFileSync(join(sample, "upstream/v10", expected), "utf8").split("\n"));
      const ours = stdout.split("\n");
      expect(ours.filter((line) => !lines.has(line))).toEqual([]);
      expect(ours.length).toBeGreaterThan(80);
    },
  );
});

describe("--format trec_eval, where no output of trec_eval is stored", () => {
  const valueOf = async (
    measure: string,
    query: string,
    ...args: readonly string[]
  ): Promise<string | undefined> =>
    (await rankproof(["evaluate", "qrels.txt", "run.txt", "--format", "trec_eval", ...args])).stdout
      .split("\n")
      .map((line) => line.split(/\s+/))
      .find(([name, id]) => name === measure && id === query)?.[2];

  it("half-way cases go to the even digit, as in C, also in names", async () => {
    expect([0.03125, 0.09375, 0.15625, 0.21875, 1 / 3, 0.5, -54].map((value) => cFixed(value, 4))).toEqual([
      "0.0312",
      "0.0938",
      "0.1562",
      "0.2188",
      "0.3333",
      "0.5000",
      "-54.0000",
    ]);
    expect([0.125, 0.375, 0.35, 2].map((value) => cFixed(value, 2))).toEqual([
      "0.12",
      "0.38",
      "0.35",
      "2.00",
    ]);
    expect(await valueOf("iprec_at_recall_0.12", "all", "-m", "iprec_at_recall..125")).toBe("0.7500");
  });
  it(
    "the weight of set_F is its argument, in trec_eval's order of operations: 3.5 P R / (2.5 P + " +
      "R) with P = 1/3, R = 1",
    async () => {
      expect(await valueOf("set_F_2.5", "1", "-q", "-m", "set_F.2.5")).toBe(
        cFixed((3.5 * (1 / 3) * 1) / (2.5 * (1 / 3) + 1), 4),
      );
      // P = 11/52, R = 11/12: exactly half-way in real numbers, just below it in trec_eval's doubles.
      write("qrels.txt", Array.from({ length: 12 }, (_, i) => `1 0 d${i} 1\n`).join(""));
      write("run.txt", Array.from({ length: 52 }, (_, i) => `1 Q0 d${i + 1} ${i} ${-i} mine\n`).join(""));
      expect(await valueOf("set_F", "1", "-q", "-m", "set_F")).toBe("0.3437");
    },
  );
  it("with -c, num_rel of all queries counts grades above 0 whatever the level", async () => {
    expect(await valueOf("num_rel", "all", "-m", "num_rel", "-l", "2")).toBe("1");
    expect(await valueOf("num_rel", "all", "-m", "num_rel", "-l", "2", "-c")).toBe("3");
    expect(await valueOf("num_rel", "1", "-m", "num_rel", "-l", "2", "-c", "-q")).toBe("1");
  });
  it(
    "with -c, a query without an answer adds nothing to utility: (2 - 2 + 2) / 3 and not (2 - 2 + " +
      "2 - 4) / 3",
    async () => {
      expect(await valueOf("utility_2,-1,-4,0", "all", "-m", "utility.2,-1,-4,0", "-c")).toBe("0.6667");
    },
  );
});

describe("evaluate", () => {
  it("prints a table, and what the numbers rest on", async () => {
    const { stdout, status } = await rankproof(["evaluate", "qrels.txt", "run.txt", "-m", "RR,P@2,NumQ"]);
    expect(status).toBe(0);
    expect(stdout).toBe(
      "metric    mine\nRR      0.5000\nP@2     0.3333\nNumQ         3\n\n3 queries, 1 judged but not " +
        "answered, 1 answered but not judged; 1 of 4 hits unjudged\naveraged over all judged queries; " +
        "ties by id\n",
    );
  });
  it("puts several runs side by side, and names those of one tag by their files", async () => {
    write("other.txt", "1 Q0 a 1 3.0 mine\n");
    expect((await rankproof(["evaluate", "qrels.txt", "run.txt", "other.txt", "-m", "RR"])).stdout).toContain(
      "metric  run.txt  other.txt\nRR       0.5000     0.3333\n",
    );
  });
  it("says of the judgments once, for all runs and in every record, what must be said", async () => {
    const hits = [{ hit: { _index: "i", _id: "a", _score: 2 }, rating: 1 }];
    write("rated.json", JSON.stringify({ details: { 1: { hits } } }));
    write("other.txt", "1 Q0 x 1 3.0 mine\n");
    const { stdout, stderr } = await rankproof([
      "evaluate",
      "rated.json",
      "run.txt",
      "other.txt",
      "-m",
      "RR",
      "--json",
    ]);
    expect(stderr.match(/judgments are read from a response of _rank_eval/g)).toHaveLength(1);
    expect(stderr).toMatch(/^warning: other\.txt: /m);
    const records = JSON.parse(stdout) as { warnings: { code: string }[] }[];
    const codes = records.map(({ warnings }) => warnings.map(({ code }) => code));
    expect(codes.every((each) => each.filter((code) => code === "RETURNED_ONLY").length === 1)).toBe(true);
  });
  it("--format tsv quotes ids that would break its lines, and no others", async () => {
    const ids = ["a\tb", "n\nl", 'say "x"', '"open'];
    const scores = JSON.stringify(Object.fromEntries(ids.map((id) => [id, { d: 1 }])));
    write("odd.json", scores);
    const { stdout } = await rankproof([
      "evaluate",
      "odd.json",
      "odd.json",
      "-m",
      "RR",
      "--format",
      "tsv",
      "-q",
    ]);
    expect(stdout).toBe('"""open"\tRR\t1\n"a\tb"\tRR\t1\n"n\nl"\tRR\t1\nsay "x"\tRR\t1\nall\tRR\t1\n');
  });
  it("--format csv prints ids that a spreadsheet would run as formulas with an apostrophe", async () => {
    write("formula.qrels", "=1+1 0 d 1\n");
    write("formula.run", "=1+1 Q0 d 1 1 t\n");
    const { stdout } = await rankproof("evaluate formula.qrels formula.run -m RR --format csv -q".split(" "));
    expect(stdout).toBe("'=1+1,RR,1\nall,RR,1\n");
  });
  it("--format tsv and csv print query, metric and value in full precision", async () => {
    write("third.txt", "1 Q0 x 1 3 t\n1 Q0 y 2 2 t\n1 Q0 a 3 1 t\n");
    expect(
      (await rankproof(["evaluate", "qrels.txt", "third.txt", "-m", "RR", "--format", "tsv", "-q"])).stdout,
    ).toBe("1\tRR\t0.3333333333333333\n2\tRR\t0\n3\tRR\t0\nall\tRR\t0.1111111111111111\n");
    expect(
      (
        await rankproof([
          "evaluate",
          "qrels.txt",
          "third.txt",
          "-m",
          "P(rel=2,relative=True)@5",
          "--format",
          "csv",
        ])
      ).stdout,
    ).toBe('all,"P(rel=2,relative=True)@5",0.3333333333333333\n');
  });
  it("refuses a file without judgments, whose zeros would look like scores", async () => {
    write("none.txt", "");
    const args = ["evaluate", "none.txt", "run.txt", "-m", "RR"];
    for (const refused of [args, ["compare", "run.txt", "run.txt", "--qrels", "none.txt"]]) {
      const { status, stderr } = await rankproof(refused);
      expect([status, stderr]).toEqual([2, expect.stringContaining("none.txt: has no judgments")]);
    }
    expect((await rankproof([...args, "--allow-empty"])).stderr).toContain("there are no judgments");
    // A shard may have no query at all.
    for (const shard of ["1/7", "2/7", "3/7", "4/7", "5/7", "6/7", "7/7"])
      expect(
        await rankproof(["evaluate", "qrels.txt", "run.txt", "-m", "RR", "--shard", shard]),
      ).toMatchObject({ stderr: expect.not.stringContaining("has no judgments") as string });
  });
  it("--scores writes a record for each query and metric, as lines or as Parquet", async () => {
    const args = ["evaluate", "qrels.txt", "run.txt", "-m", "RR,P@3"];
    expect((await rankproof([...args, "--scores", "scores.jsonl"])).stderr).toContain("wrote scores.jsonl");
    const lines = place.read("scores.jsonl");
    expect(lines.split("\n").slice(0, 3)).toEqual([
      '{"run":"mine","query_id":"1","metric":"RR","score":0.5}',
      `{"run":"mine","query_id":"1","metric":"P@3","score":${1 / 3}}`,
      '{"run":"mine","query_id":"2","metric":"RR","score":1}',
    ]);
    await rankproof([...args, "--scores", "scores.parquet"]);
    expect(new TextDecoder().decode(await contentOf(place.path("scores.parquet")))).toBe(lines);
    await rankproof([...args, "--shard", "1/1", "--partial", "p.json"]);
    await rankproof(["merge", "p.json", "--scores", "merged.jsonl"]);
    expect(place.read("merged.jsonl")).toBe(lines);
    for (const [more, message] of [
      [["--scores", "scores.csv"], "name a file that ends in .jsonl, .jsonl.gz or .parquet"],
      [["--scores", "s.jsonl", "--format", "trec_eval"], "--scores does nothing with --format trec_eval"],
      [
        ["--scores", "s.jsonl", "--shard", "1/1", "--partial", "-"],
        "with which --json, -q, --scores and gates go",
      ],
    ] as const) {
      const { status, stderr } = await rankproof([...args, ...more]);
      expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });
  it("--json has 4 decimals, conventions, counts and, with -q, the queries", async () => {
    const record = JSON.parse(
      (
        await rankproof([
          "evaluate",
          "qrels.txt",
          "run.txt",
          "-m",
          "RR",
          "--json",
          "-q",
          "--bounds",
          "--tie-spread",
        ])
      ).stdout,
    ) as Record<string, unknown>;
    expect(record).toMatchObject({
      schema_version: 1,
      run: "mine",
      metrics: { RR: 0.5 },
      conventions: { profile: "default", ties: "trec", queries: "judged" },
      tie_spread: { RR: { low: 0.5, high: 0.5 } },
      bounds: { RR: { low: 0.5, high: 0.5 } },
      per_query: [
        { query_id: "1", scores: [0.5] },
        { query_id: "2", scores: [1] },
        { query_id: "3", scores: [0] },
      ],
      counts: { queries: 3, missing_queries: 1, unjudged_queries: 1, hits: 4, unjudged_hits: 1 },
    });
  });
  it("-l, -M, -J and -c mean what they mean in trec_eval", async () => {
    const score = async (...args: string[]): Promise<string> =>
      present(
        (
          await rankproof(["evaluate", "qrels.txt", "run.txt", "--format", "tsv", "-m", ...args])
        ).stdout.split("\t")[2],
      ).trim();
    expect(await score("R@10", "-l", "2")).toBe(String(1 / 3));
    expect(await score("RR", "-M", "1")).toBe(String(1 / 3));
    expect(await score("SetP", "-J")).toBe("0.5");
    expect(await score("RR", "-p", "trec_eval")).toBe("0.75");
    expect(await score("RR", "-p", "trec_eval", "-c")).toBe("0.5");
  });
  it("a profile gives its parameters to metrics that are named without", async () => {
    const value = async (profile: string, metric: string): Promise<string> =>
      present(
        (
          await rankproof([
            "evaluate",
            "qrels.txt",
            "run.txt",
            "--format",
            "tsv",
            "-m",
            metric,
            "-p",
            profile,
          ])
        ).stdout.split("\t")[1],
      );
    expect(await value("elasticsearch", "nDCG@10")).toBe("nDCG(dcg='exp-log2')@10");
    expect(await value("trec_eval-10", "IPrec@0.5")).toBe("IPrec(round='nearest')@0.5");
    expect(await value("trec_eval-10", "iprec_at_recall_0.50")).toBe("IPrec(round='nearest')@0.5");
  });
  it("the cutoffs of a trec_eval measure that is named twice are put together", async () => {
    expect(
      (
        await rankproof([
          "evaluate",
          "qrels.txt",
          "run.txt",
          "--format",
          "trec_eval",
          "-m",
          "P.5",
          "-m",
          "P.10",
        ])
      ).stdout
        .split("\n")
        .map((line) => line.split(" ")[0]),
    ).toEqual(["P_5", "P_10", ""]);
  });
  it("-m all computes the whole catalogue", async () => {
    const { stdout, status } = await rankproof(["evaluate", "qrels.txt", "run.txt", "-m", "all"]);
    expect(status).toBe(0);
    expect(stdout.split("\n\n")[0]?.split("\n").length).toBeGreaterThan(40);
  });
  it("the order of lines in either file changes no digit of any metric, subtopics included", async () => {
    const judgments = [
      "1 2 a 1",
      "1 3 a 1",
      "1 1 b 1",
      "1 4 b 2",
      "1 1 c 1",
      "1 3 c 1",
      "1 1 x 0",
      "2 10 a 1",
      "2 9 b -1",
      "2 9 c 1",
    ];
    const hits = [
      "1 Q0 a 1 3 t",
      "1 Q0 b 2 3 t",
      "1 Q0 x 3 1 t",
      "2 Q0 b 1 2 t",
      "2 Q0 c 2 2 t",
      "2 Q0 y 3 2 t",
    ];
    write("judged.txt", `${judgments.join("\n")}\n`);
    write("hits.txt", `${hits.join("\n")}\n`);
    write("judged-turned.txt", `${[...judgments].reverse().join("\n")}\n`);
    write("hits-turned.txt", `${[...hits].reverse().join("\n")}\n`);
    const { stdout } = await rankproof([
      "evaluate",
      "judged.txt",
      "hits.txt",
      "--subtopics",
      "-m",
      "all",
      "-q",
      "--format",
      "tsv",
    ]);
    expect(stdout).toContain("all\talpha_nDCG@10\t");
    expect(
      (
        await rankproof([
          "evaluate",
          "judged-turned.txt",
          "hits-turned.txt",
          "--subtopics",
          "-m",
          "all",
          "-q",
          "--format",
          "tsv",
        ])
      ).stdout,
    ).toBe(stdout);
  });
  it("reads gzip and the standard input", async () => {
    const run = readFileSync(join(folder, "run.txt"));
    write("run.gz", gzipSync(run));
    const expected = (await rankproof(["evaluate", "qrels.txt", "run.txt", "--json"])).stdout;
    expect((await rankproof(["evaluate", "qrels.txt", "run.gz", "--json"])).stdout).toBe(expected);
    expect((await rankproof(["evaluate", "qrels.txt", "-", "--json"], run)).stdout).toBe(expected);
    expect((await rankproof(["evaluate", "qrels.txt", "-", "--json"], gzipSync(run))).stdout).toBe(expected);
  });
  it("--without-relevant says what becomes of queries without anything relevant", async () => {
    write("qrels.txt", "1 0 b 1\n2 0 c 0\n");
    const mean = async (how: string): Promise<string> =>
      (
        await rankproof([
          "evaluate",
          "qrels.txt",
          "run.txt",
          "-m",
          "RR",
          "--format",
          "tsv",
          "--without-relevant",
          how,
        ])
      ).stdout;
    expect([await mean("zero"), await mean("skip"), await mean("one")]).toEqual([
      "all\tRR\t0.5\n",
      "all\tRR\t1\n",
      "all\tRR\t1\n",
    ]);
  });
  it(
    "warns about ids in another Unicode form, about hits that nobody judged, and about grades that " +
      "look like scores",
    async () => {
      write("nfc.txt", "1 0 caf\u00e9 1\n");
      write("nfd.txt", "1 Q0 cafe\u0301 1 1 t\n");
      expect((await rankproof(["evaluate", "nfc.txt", "nfd.txt"])).stderr).toContain(
        "ids that differ from judged ones only by Unicode form or white space",
      );
      expect((await rankproof(["evaluate", "nfc.txt", "nfd.txt"])).stderr).toContain(
        "the only hit is not judged; do the item ids agree, and is the unit right?",
      );
      write("spaced.csv", 'query_id,doc_id,score\n1,"a ",1\n');
      expect((await rankproof(["evaluate", "qrels.txt", "spaced.csv"])).stderr).toContain(
        "ids that differ from judged ones only by Unicode form or white space",
      );
      write("scores.json", '{"1": {"a": 1.5, "b": 0.25}}');
      expect((await rankproof(["evaluate", "scores.json", "run.txt"])).stderr).toContain(
        "most grades of scores.json are fractions; are the run and the judgments exchanged?",
      );
    },
  );
  it("reads a golden set and a recorded run", async () => {
    write("golden.yaml", "- {id: '1', query: one, expected_doc_ids: [a]}\n");
    write(
      "run.jsonl",
      '{"query_id": "1", "hits_top_k": [{"chunk_id": "b#1", "doc_id": "b"}, {"chunk_id": "a#1", ' +
        '"doc_id": "a"}]}\n',
    );
    expect(
      (await rankproof(["evaluate", "golden.yaml", "run.jsonl", "-m", "RR", "--format", "tsv"])).stdout,
    ).toBe("all\tRR\t0.5\n");
  });
  it("a query whose lines do not stand together is scored all the same", async () => {
    write(
      "mixed.txt",
      "1 Q0 b 1 3.0 mine\n2 Q0 c 1 1.0 mine\n1 Q0 a 2 2.0 mine\n9 Q0 c 1 1.0 mine\n1 Q0 x 3 1.0 mine\n",
    );
    expect((await rankproof(["evaluate", "qrels.txt", "mixed.txt", "--json"])).stdout).toBe(
      (await rankproof(["evaluate", "qrels.txt", "run.txt", "--json"])).stdout,
    );
  });
  describe("tied hits that stay as they came", () => {
    const files = {
      "tied.txt": "1 Q0 a 1 1 t\n1 Q0 b 2 1 t\n",
      "tied.json": '{"1":{"a":1,"b":1}}',
      "tied.csv": "query_id,doc_id,score\n1,a,1\n1,b,1\n",
      "tied.tsv": "query_id\tdoc_id\tscore\n1\ta\t1\n1\tb\t1\n",
      "tied.jsonl": '{"query_id":"1","doc_id":"a","score":1}\n{"query_id":"1","doc_id":"b","score":1}\n',
      "tied-response.json":
        '{"metric_score":1,"details":{"1":{"metric_score":1,"unrated_docs":[],"hits":[' +
        '{"hit":{"_index":"i","_id":"a","_score":1},"rating":2},' +
        '{"hit":{"_index":"i","_id":"b","_score":1},"rating":0}]}}}',
    };
    beforeEach(() => write("tied.qrels", "1 0 a 2\n1 0 b 0\n"));
    it.each(Object.entries(files))("do so in %s", async (name, content) => {
      write(name, content);
      for (const by of [
        ["-p", "ranx"],
        ["-p", "elasticsearch"],
        ["--ties", "input"],
      ])
        expect(
          (await rankproof(["evaluate", "tied.qrels", name, "-m", "RR", "--format", "tsv", ...by])).stdout,
        ).toMatch(/\t1\n$/);
      expect(
        (await rankproof(["evaluate", "tied.qrels", name, "-m", "RR", "--format", "tsv"])).stdout,
      ).toMatch(/\t0\.5\n$/);
    });
    it("do so where runs are compared", async () => {
      write("ab.json", files["tied.json"]);
      write("ba.json", '{"1":{"b":1,"a":1}}');
      const args = [
        "compare",
        "ab.json",
        "ba.json",
        "--qrels",
        "tied.qrels",
        "-m",
        "RR",
        "--json",
        "-p",
        "ranx",
      ];
      const { runs } = JSON.parse((await rankproof(args)).stdout) as { runs: { means: object }[] };
      expect(runs.map(({ means }) => means)).toEqual([{ RR: 1 }, { RR: 0.5 }]);
    });
  });
  it("calls a run by its tag, also where it is read as a whole", async () => {
    write("divided.txt", "1 1 a 1\n1 2 c 1\n");
    for (const metric of ["P@5", "alpha_nDCG@5"])
      expect(
        JSON.parse((await rankproof(["evaluate", "divided.txt", "run.txt", "-m", metric, "--json"])).stdout),
      ).toMatchObject({ run: "mine" });
  });
  it("warns when no id agrees", async () => {
    write("stranger.txt", "q1 Q0 a 1 1 t\n");
    const { status, stdout, stderr } = await rankproof(["evaluate", "qrels.txt", "stranger.txt"]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("stranger.txt: answers none of the queries of qrels.txt");
    const allowed = await rankproof(["evaluate", "qrels.txt", "stranger.txt", "--allow-empty"]);
    expect(allowed.status).toBe(0);
    expect(allowed.stderr).toContain(
      "warning: the run answers none of the 3 judged queries; do the query ids agree?\n",
    );
    // One of three is answered, and it is all that a profile looks at that leaves the others out.
    write("one.txt", "1 Q0 a 1 1 t\n");
    expect((await rankproof(["evaluate", "qrels.txt", "one.txt", "-p", "trec_eval"])).stderr).toBe("");
    expect((await rankproof(["evaluate", "qrels.txt", "stranger.txt", "-p", "beir"])).status).toBe(2);
  });
  it.each([
    [
      ["evaluate", "qrels.txt", "run.txt", "-m", "ndgc@10"],
      "unknown metric `ndgc@10`; did you mean `nDCG@10`?",
    ],
    [["evaluate", "qrels.txt", "gone.txt"], "gone.txt: no such file; check the path"],
    [["evaluate", "qrles.txt", "gone.txt"], "qrles.txt: no such file; did you mean `qrels.txt`?"],
    [["evaluate", "qrels.txt", "."], ".: cannot be read: it is a folder"],
    [["evaluate", "qrels.txt", "run.txt", "--depth", "0"], "--depth must be a whole number from 1, got `0`"],
    [
      ["evaluate", "qrels.txt", "run.txt", "run.txt", "--format", "trec_eval"],
      "--format trec_eval takes one run, as trec_eval does",
    ],
    [
      ["evaluate", "qrels.txt", "run.txt", "--format", "trec_eval", "-m", "nope"],
      "trec_eval has no measure `nope`",
    ],
    [
      ["evaluate", "qrels.txt", "run.txt", "--ties", "expected", "-m", "Bpref"],
      "`Bpref` has no exact form for the mean over all orders of tied hits",
    ],
    [
      ["evaluate", "qrels.txt", "run.txt", "-m", "alpha_nDCG@10", "--format", "trec_eval"],
      "trec_eval has no measure `alpha_nDCG@10`",
    ],
    [["fuse", "run.txt", "--method", "rff"], "unknown fusion method `rff`; did you mean"],
    [["fuse", "run.txt", "--method", "wsum", "--weights", "1,2"], "is for 2 runs, got `1`"],
    [["convert", "run.txt"], "say what to write with --to"],
    [["metrics", "ndgc"], "unknown metric `ndgc`; did you mean `nDCG`?"],
    [["conformance", "."], "there is no collection (qrels.txt, runs/, expected/) here"],
  ])("%s says what is wrong and ends with 2", async (args, message) => {
    const { status, stderr, stdout } = await rankproof(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
  it("refuses what trec_eval refuses, with its exit code", async () => {
    write("empty.txt", "");
    write("twice.txt", "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n");
    write("comment.txt", "# a comment\n1 Q0 a 1 2 t\n");
    for (const run of ["empty.txt", "twice.txt", "comment.txt"])
      expect((await rankproof(["evaluate", "qrels.txt", run, "--format", "trec_eval"])).status).toBe(2);
    for (const run of ["twice.txt", "comment.txt"])
      expect((await rankproof(["evaluate", "qrels.txt", run])).status).toBe(0);
    expect((await rankproof(["evaluate", "qrels.txt", "empty.txt", "--allow-empty"])).status).toBe(0);
    expect((await rankproof(["evaluate", "qrels.txt", "twice.txt", "--strict"])).stderr).toContain(
      "query `1`: item `a` is duplicated",
    );
  });
  it(
    "differs from trec_eval where docs/tools.md says so: no NaN under -J, gains below 1, blank " +
      "lines, a byte order mark, negative grades only, levels in any order",
    async () => {
      write("run.txt", "\ufeff1 Q0 a 1 3 t\n\n1 Q0 b 2 2 t\n2 Q0 x 1 1 t\n3 Q0 d 1 1 t\n");
      write("qrels.txt", "\ufeff1 0 a 1\n\n1 0 b 2\n1 0 c 2\n2 0 c 1\n3 0 d -1\n");
      const printed = async (query: string, ...args: readonly string[]): Promise<string | undefined> =>
        (await rankproof(["evaluate", "qrels.txt", "run.txt", "--format", "trec_eval", "-q", ...args])).stdout
          .split("\n")
          .map((line) => line.split(/\s+/))
          .find(([, id]) => id === query)?.[2];
      expect(await printed("all", "-m", "num_q")).toBe("3");
      expect(await printed("3", "-m", "map")).toBe("0.0000");
      expect([
        await printed("2", "-m", "iprec_at_recall.0", "-J"),
        await printed("2", "-m", "11pt_avg", "-J"),
      ]).toEqual(["0.0000", "0.0000"]);
      // (0.25 + 0.5 / log2 3) / (0.5 + 0.5 / log2 3 + 0.25 / log2 4)
      expect(await printed("1", "-m", "ndcg.1=0.25,2=0.5")).toBe(
        ((0.25 + 0.5 / Math.log2(3)) / (0.5 + 0.5 / Math.log2(3) + 0.125)).toFixed(4),
      );
      expect(await printed("1", "-m", "11pt_avg..75,.25")).toBe(await printed("1", "-m", "11pt_avg..25,.75"));
    },
  );
  it.each([
    ["-m", "yaap"],
    ["-m", "G.1=3"],
    ["-m", "Rndcg.1=3"],
    ["-m", "ndcg_rel.1=3"],
    ["-l", "0"],
    ["-n"],
    ["-N", "100"],
    ["-m", "utility.1,0,0,1"],
  ])("refuses %s %s, as docs/tools.md says", async (...args) => {
    expect(
      await rankproof(["evaluate", "qrels.txt", "run.txt", "--format", "trec_eval", ...args]),
    ).toMatchObject({
      status: 2,
      stdout: "",
    });
  });
  it.each([
    ["--format", "trec_eval"],
    ["--format", "trec_eval", "-c"],
    ["-p", "trec_eval", "--json"],
    ["-p", "trec_eval-10", "--fail-under", "AP=0"],
  ])("refuses a run that answers no judged query under %s %s, as trec_eval does", async (...args) => {
    write("stranger.txt", "q1 Q0 a 1 1 t\n");
    const { status, stdout, stderr } = await rankproof([
      "evaluate",
      "qrels.txt",
      "stranger.txt",
      "-m",
      args[0] === "--format" ? "map" : "AP",
      ...args,
    ]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(
      "stranger.txt: answers none of the 3 queries that qrels.txt judges, which trec_eval refuses; " +
        "do both files name queries the same way, as in `1`, and are they of one collection?",
    );
  });
});

describe("--junit", () => {
  const gate = ["-m", "RR", "--fail-under", "RR=0.2"];
  it("has what the gate says of every run, and reads none of them again", async () => {
    write("other.txt", "1 Q0 b 1 9 other\n");
    const two = await rankproof(["evaluate", "qrels.txt", "run.txt", "other.txt", ...gate, "--junit", "-"]);
    expect(two.status).toBe(3);
    expect(two.stdout).toContain('tests="2" failures="1"');
    expect(two.stdout).toMatch(/<testcase [^>]*\(other\)/);
    const piped = await rankproof(
      ["evaluate", "qrels.txt", "-", ...gate, "--junit", "gate.xml"],
      readFileSync(join(folder, "run.txt")),
    );
    expect(piped.status).toBe(0);
    expect(readFileSync(join(folder, "gate.xml"), "utf8")).toContain('tests="1" failures="0"');
  });
  it("needs a gate, and shows no words of queries", async () => {
    const evaluate = ["evaluate", "qrels.txt", "run.txt", "--junit", "gate.xml"];
    expect((await rankproof(evaluate)).stderr).toContain("--junit has what a gate says; give one with");
    expect((await rankproof([...evaluate, ...gate, "--queries", "q.jsonl"])).stderr).toContain(
      "--queries does nothing without --md or --html; leave it out",
    );
  });
});

describe("fuse, convert, metrics, conformance", () => {
  it("fuse writes a run that evaluate reads from a pipe: 1/61 + 1/62", async () => {
    write("other.txt", "1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n");
    const { stdout, stderr } = await rankproof(["fuse", "run.txt", "other.txt", "--k", "60"]);
    expect(stdout.split("\n")[0]).toBe(`1 Q0 b 1 ${1 / 61 + 1 / 62} rrf`);
    expect(stderr).toBe("fused 2 runs over 3 queries by rrf\n");
    expect(
      (await rankproof(["evaluate", "qrels.txt", "-", "-m", "RR", "--format", "tsv"], stdout)).stdout,
    ).toBe("all\tRR\t0.5\n");
  });
  it("fuse writes by the extension of the output, too", async () => {
    expect((await rankproof(["fuse", "run.txt", "run.txt", "-o", "fused.csv"])).status).toBe(0);
    expect(readFileSync(join(folder, "fused.csv"), "utf8")).toMatch(/^query_id,doc_id,/);
    expect((await rankproof(["fuse", "run.txt", "run.txt", "-o", "fused.run.gz"])).status).toBe(0);
    expect(gunzipSync(readFileSync(join(folder, "fused.run.gz"))).toString()).toMatch(/^1 Q0 b 1 /);
  });
  it("convert writes by the extension of the output, packed where it ends in .gz", async () => {
    expect((await rankproof(["convert", "run.txt", "run.json.gz"])).status).toBe(0);
    expect(JSON.parse(gunzipSync(readFileSync(join(folder, "run.json.gz"))).toString())).toEqual({
      1: { b: 3, a: 2, x: 1 },
      2: { c: 1 },
      9: { c: 1 },
    });
    expect((await rankproof(["convert", "qrels.txt", "--to", "tsv"])).stdout).toBe(
      "query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n2\tc\t1\n3\td\t1\n",
    );
    expect((await rankproof(["convert", "run.txt", "out.jsonl"])).stderr).toContain(
      "run.txt: a run of 3 queries (trec), written as jsonl",
    );
    expect((await rankproof(["convert", "run.txt", "out.parquet"])).status).toBe(0);
    expect((await rankproof(["convert", "out.parquet", "again.jsonl"])).stderr).toContain(
      "out.parquet: a run of 3 queries (parquet), written as jsonl",
    );
  });
  it("convert tells of queries that it has no words for, or leaves out", async () => {
    expect((await rankproof(["convert", "qrels.txt", "judged.csv"])).status).toBe(0);
    write("words.tsv", "1\tred shoe\n2\tblue hat\n");
    const made = await rankproof(["convert", "judged.csv", "made.yaml", "--queries", "words.tsv"]);
    expect([made.status, made.stderr]).toEqual([
      0,
      expect.stringContaining(
        "warning: words.tsv has no words for 1 of 3 queries, such as `3`; their ids stand in place of them\n",
      ),
    ]);
    write("others.tsv", "x\tred shoe\n");
    expect(await rankproof(["convert", "qrels.txt", "made.yaml", "--queries", "others.tsv"])).toMatchObject({
      status: 2,
      stderr: "error: others.tsv has no words for 3 of 3 queries, such as `1`; do the ids agree?\n",
    });
    write(
      "mixed.yaml",
      "- {id: a, query: x, expected_doc_ids: [d]}\n- {id: b, query: y, expected_chunk_ids: [c]}\n",
    );
    expect((await rankproof(["convert", "mixed.yaml", "mixed.txt"])).stderr).toContain(
      "warning: 1 of 2 queries has no judgment of a document, and is left out; --unit chunk writes what ",
    );
  });
  it("convert writes a golden set for spreadsheets, and back", async () => {
    const golden = "- id: q\n  query: words\n  expected_doc_ids:\n    - a.md\n    - b.md\n";
    write("golden.yaml", `description: d\nqueries:\n${golden}`);
    const table = await rankproof(["convert", "golden.yaml", "golden.csv", "--as", "golden"]);
    expect(table.stderr).toBe(
      "wrote golden.csv\ngolden.yaml: a golden set of 1 query, written as csv\n" +
        "csv has no place for its version and description, which were left out\n",
    );
    expect(readFileSync(join(folder, "golden.csv"), "utf8")).toBe(
      '\ufeffid,query,expected_doc_ids\r\nq,words,"a.md\nb.md"\r\n',
    );
    expect((await rankproof(["convert", "golden.csv", "--to", "yaml"])).stdout).toBe(
      `queries:\n${golden.replace(/^/gm, "  ").trimEnd()}\n`,
    );
    const judgments = await rankproof(["convert", "golden.csv", "golden.txt", "--to", "trec"]);
    expect(judgments.stderr).toContain("the whole golden set is written with --as golden");
    expect(readFileSync(join(folder, "golden.txt"), "utf8")).toBe("q 0 a.md 1\nq 0 b.md 1\n");
    expect((await rankproof(["convert", "golden.csv", "--to", "rankproof"])).stdout).toBe(
      '{"id":"q","query":"words","expected_doc_ids":["a.md","b.md"]}\n',
    );
  });
  it("convert writes no judgments or runs over a golden set", async () => {
    write("golden.yaml", "queries:\n  - id: q\n    query: words\n    expected_doc_ids: [a.md]\n");
    write("golden.csv", "id,query,expected_doc_ids\nq,words,a.md\n");
    for (const [input, output] of [
      ["golden.yaml", "golden.csv"],
      ["run.txt", "golden.csv"],
    ] as const)
      expect(await rankproof(["convert", input, output])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("to write a golden set add --as golden") as string,
      });
    expect((await rankproof(["convert", "run.txt", "golden.yaml", "--to", "trec"])).status).toBe(2);
    expect(readFileSync(join(folder, "golden.csv"), "utf8")).toContain("words");
    expect((await rankproof(["convert", "golden.yaml", "golden.csv", "--as", "golden"])).status).toBe(0);
  });
  it("convert says what it leaves behind, replaces no input and makes no grades of scores", async () => {
    const line = (id: string, hits: string): string =>
      `{"query_id":"${id}","query":"x","mode":"lexical","hits_top_k":[${hits}],"answer":null,` +
      '"elapsed_ms":1,"error":null}\n';
    const text = line("q1", '{"rank":1,"chunk_id":"a#1","doc_id":"a","score":2}') + line("q2", "");
    write("recorded.jsonl", text);
    expect((await rankproof(["convert", "recorded.jsonl", "--to", "csv"])).stderr).toBe(
      "recorded.jsonl: a run of 2 queries (rankproof), written as csv\n" +
        "csv has no place for 1 query without hits\n" +
        "these are ids of documents and scores alone, without answers and times; `rankproof import` and " +
        "`export` keep a recorded run whole\n",
    );
    expect((await rankproof(["convert", "recorded.jsonl", "--to", "json"])).stderr).not.toContain("no place");
    expect((await rankproof(["convert", "recorded.jsonl", "./recorded.jsonl"])).stderr).toContain(
      "would replace what the command reads",
    );
    expect(readFileSync(join(folder, "recorded.jsonl"), "utf8")).toBe(text);
    expect((await rankproof(["convert", "run.txt", "grades.yaml"])).stderr).toContain(
      "run.txt: is a run, whose scores are no grades",
    );
  });
  it("convert makes a golden set of judgments", async () => {
    write("texts.tsv", "1\tone\n2\ttwo\n");
    expect(
      (await rankproof(["convert", "qrels.txt", "--to", "jsonl", "--as", "golden", "--queries", "texts.tsv"]))
        .stdout,
    ).toContain('{"id":"1","query":"one","judgments":[{"doc_id":"a","grade":2},{"doc_id":"b","grade":0}]}\n');
    expect((await rankproof(["convert", "qrels.txt", "g.txt", "--as", "golden"])).stderr).toContain(
      "say how to write the golden set with --to: yaml, json, jsonl, csv, tsv",
    );
  });
  it("convert keeps subtopics", async () => {
    write("subtopics.txt", "1 a d 1\n1 b d 0\n");
    expect((await rankproof(["convert", "subtopics.txt", "--to", "trec", "--subtopics"])).stdout).toBe(
      "1 a d 1\n1 b d 0\n",
    );
    expect((await rankproof(["convert", "subtopics.txt", "--to", "trec"])).stderr).toContain(
      "keep one of the judgments, or say that the second column is the subtopic",
    );
  });
  it("metrics explains a metric by any of its names", async () => {
    expect((await rankproof(["metrics", "ndcg_cut_10"])).stdout).toBe(
      (await rankproof(["metrics", "nDCG"])).stdout,
    );
    const { stdout } = await rankproof(["metrics", "P"]);
    expect(stdout).toMatch(/^P@k\n[^]*\nSetP\n/);
    expect((await rankproof(["metrics", "P@5"])).stdout).not.toContain("SetP\n");
    expect((await rankproof(["metrics", "infAP"])).stdout).toMatch(/^also read as +—$/m);
    expect((await rankproof(["metrics", "MRR"])).stdout).toContain(
      "How far down is the first relevant item?",
    );
    expect((await rankproof(["metrics"])).stdout.split("\n").length).toBeGreaterThan(50);
  });
});
