import { existsSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { isInShard, type EvaluationPartial } from "../../src/records/index.js";
import { QUERIES, recordedRun, Workplace } from "./spawned.js";

const QRELS = "1 0 a 2\n1 0 b 0\n2 0 c 1\n3 0 d 1\n4 0 e 1\n";
const RUN = "1 Q0 b 1 3.0 mine\n1 Q0 a 2 2.0 mine\n2 Q0 c 1 1.0 mine\n9 Q0 c 1 1.0 mine\n4 Q0 x 1 1.0 mine\n";
const OF = 3;

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
  place.write({ "qrels.txt": QRELS });
  place.write({ "run.txt": RUN });
});

async function shards(...more: string[]): Promise<string[]> {
  const names = Array.from({ length: OF }, (_, at) => `p${at + 1}.json`);
  for (const [at, name] of names.entries()) {
    const shard = `${at + 1}/${OF}`;
    const args = ["evaluate", "qrels.txt", "run.txt", "--shard", shard, "--partial", name, ...more];
    const { status, stdout, stderr } = await place.run(args);
    expect([status, stdout, stderr]).toEqual([0, "", `wrote ${name}\n`]);
  }
  return names;
}

describe("merge", () => {
  it.each([
    [["--json", "-q"], []],
    [
      ["--format", "tsv", "-q"],
      ["-m", "all"],
    ],
    [[], ["--bounds", "--tie-spread"]],
    [["--json"], ["--profile", "trec_eval", "-m", "AP,P@5"]],
  ])("prints with %j what evaluate prints of the whole run, scored with %j", async (printed, scored) => {
    const whole = await place.run(["evaluate", "qrels.txt", "run.txt", ...scored, ...printed]);
    const merged = await place.run(["merge", ...(await shards(...scored)).reverse(), ...printed]);
    expect(merged).toEqual(whole);
    expect(merged.stdout).not.toBe("");
  });

  it("takes partials that were merged before, and what evaluate names for trec_eval", async () => {
    const [first = "", second = "", third = ""] = await shards("--format", "trec_eval", "-m", "map");
    expect((await place.run(["merge", first, third, "-o", "two.json.gz"])).stderr).toBe(
      "wrote two.json.gz\n",
    );
    const { stdout } = await place.run(["merge", "two.json.gz", second, "--format", "tsv"]);
    expect(stdout).toBe("all\tAP\t0.5\n");
  });

  it("takes shards that were given the lines of their own queries alone, or none", async () => {
    const lines = RUN.split("\n").slice(0, -1);
    const names: string[] = [];
    for (let index = 1; index <= 8; index++) {
      const own = lines.filter((line) => isInShard(line.split(" ")[0] as string, { index, of: 8 }));
      place.write({ [`run${index}.txt`]: own.map((line) => `${line}\n`).join("") });
      const shard = ["--shard", `${index}/8`, "--partial", `p${index}.json`];
      await place.run(["evaluate", "qrels.txt", `run${index}.txt`, ...shard]);
      names.push(`p${index}.json`);
    }
    expect(names.some((_, at) => place.read(`run${at + 1}.txt`) === "")).toBe(true);
    const whole = await place.run(["evaluate", "qrels.txt", "run.txt", "--json", "-q"]);
    expect(await place.run(["merge", ...names, "--json", "-q"])).toEqual(whole);
  });

  it("refuses what is missing, twice or edited, and goes on without a shard if told to", async () => {
    const [first = "", second = ""] = await shards();
    const refused = async (...args: string[]): Promise<string> => {
      const { status, stdout, stderr } = await place.run(["merge", ...args]);
      expect([status, stdout]).toEqual([2, ""]);
      return stderr;
    };
    expect(await refused(first, second)).toContain(
      "1 of 3 shards is missing: 3; make them with `--shard 3/3`",
    );
    expect(await refused(first, first)).toContain("shard 1 is there twice");
    expect(await refused("qrels.txt")).toMatch(/^error: qrels\.txt:1:/);
    const partial = JSON.parse(place.read(second)) as EvaluationPartial;
    place.write({ "short.json": JSON.stringify({ ...partial, scores: partial.scores.slice(1) }) });
    expect(await refused(first, "short.json")).toContain("was it edited?");
    place.write({ "words.json": JSON.stringify({ ...partial, scores: [["high"]] }) });
    expect(await refused(first, "words.json")).toMatch(
      /^error: words\.json:1:\d+: scores\[0\]\[0\] must be a number/,
    );
    const { status, stderr } = await place.run(["merge", first, second, "--incomplete"]);
    expect([status, stderr]).toEqual([0, expect.stringContaining("1 of 3 shards is missing: 3")]);
  });

  it("ends as evaluate does for a run that answers nothing, and by gates", async () => {
    place.write({ "run.txt": "9 Q0 c 1 1.0 mine\n" });
    const none = await shards();
    expect((await place.run(["merge", ...none])).status).toBe(2);
    expect((await place.run(["merge", ...none, "--allow-empty"])).status).toBe(0);
    place.write({ "run.txt": RUN });
    const names = await shards();
    expect((await place.run(["merge", ...names, "--fail-under", "AP=0.9"])).status).toBe(3);
    expect((await place.run(["merge", ...names, "--fail-under", "AP=0.9", "--junit", "-"])).stdout).toMatch(
      /^<\?xml[^]*<testsuite name="gates" tests="1" failures="1"/,
    );
  });
});

describe("aggregate --shard", () => {
  const GOLDEN = QUERIES.map((id) => ({ id, query: id, expected_doc_ids: ["right"] }));
  const RECORDED = recordedRun((index) => 1 + (index % 5));
  const OPTIONS = ["-g", "golden.json", "-m", "RR,nDCG@5", "--unit", "doc", "--no-write"];
  const shard = async (index: number, of = 3, ...more: string[]) =>
    place.run([
      ...["aggregate", "run.jsonl", ...OPTIONS, "--shard", `${index}/${of}`, "--partial", `a${index}.json`],
      ...more,
    ]);
  beforeEach(() =>
    place.write({ "golden.json": JSON.stringify({ queries: GOLDEN }), "run.jsonl": RECORDED }),
  );

  it("writes partials of which merge prints what aggregate prints, by gates, too", async () => {
    for (const index of [1, 2, 3])
      expect(await shard(index)).toMatchObject({ status: 0, stdout: "", stderr: `wrote a${index}.json\n` });
    for (const printed of [[], ["--json"], ["--fail-under", "RR=0.9"]]) {
      const whole = await place.run(["aggregate", "run.jsonl", ...OPTIONS, ...printed]);
      expect(await place.run(["merge", "a3.json", "a1.json", "a2.json", ...printed])).toEqual(whole);
      expect(whole.stdout).toContain("RR");
    }
    expect((await place.run(["merge", "a1.json", "a3.json", "-o", "two.json.gz"])).status).toBe(0);
    const { stdout } = await place.run(["aggregate", "run.jsonl", ...OPTIONS, "--json"]);
    expect((await place.run(["merge", "two.json.gz", "a2.json", "--json"])).stdout).toBe(stdout);
  });

  it("is refused with what takes a whole run, and merges with nothing else", async () => {
    await shard(1);
    await shards();
    const args = ["aggregate", "run.jsonl", ...OPTIONS];
    const refused = async (...given: string[]): Promise<string> => {
      const { status, stdout, stderr } = await place.run(given);
      expect([status, stdout]).toEqual([2, ""]);
      return stderr;
    };
    expect(await refused(...args, "--shard", "1/2")).toContain("name a file with --partial");
    expect(await refused(...args, "--partial", "x.json", "-q")).toContain(
      "-q, --md and --html take a whole run",
    );
    for (const whole of [
      [...args, "--json"],
      ["evaluate", "qrels.txt", "run.txt", "--json"],
    ]) {
      place.write({ "whole.json": (await place.run(whole)).stdout });
      expect(await refused("merge", "whole.json")).toContain("whole.json: has scores of a whole run");
    }
    expect(await refused("merge", "a1.json", "p1.json")).toContain("some partials are of `aggregate`");
    expect(await refused("merge", "a1.json")).toContain("2 of 3 shards are missing: 2, 3; make them with");
    expect(await refused("merge", "a1.json", "--incomplete", "-q")).toContain("go with those of `evaluate`");
    expect(existsSync(place.path("x.json"))).toBe(false);
    const partial = JSON.parse(place.read("a1.json")) as object;
    place.write({ "a1.json": JSON.stringify({ ...partial, fractions: [{ count: 1, terms: [[1, 0]] }] }) });
    expect(await refused("merge", "a1.json")).toContain("fractions[0].terms[0][1] must be 1 or more");
    place.write({ "a1.json": JSON.stringify({ ...partial, noticed: { repeats: "many" } }) });
    expect(await refused("merge", "a1.json")).toMatch(/^error: a1\.json:1:\d+: noticed\.repeats/);
  });
});

describe("evaluate --shard", () => {
  it("scores the queries of one shard alone", async () => {
    const { stdout } = await place.run([
      ...["evaluate", "qrels.txt", "run.txt", "--shard", "1/2", "-m", "RR", "--format", "tsv", "-q"],
    ]);
    // FNV-1a of "1" and "3" is even, that of "2" and "4" odd.
    expect(stdout.split("\n").map((line) => line.split("\t")[0])).toEqual(["1", "3", "all", ""]);
  });

  it.each(["0/2", "3/2", "1", "1/0", "a/b", "1/9999999"])("refuses %s", async (shard) => {
    const { status, stderr } = await place.run(["evaluate", "qrels.txt", "run.txt", "--shard", shard]);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("a shard is one of several, such as `3/16`"),
    ]);
  });

  it.each([["--json"], ["-q"], ["--html", "x.html"], ["--fail-under", "AP=0"], ["run.txt"]])(
    "prints nothing beside a partial, so that %s is refused",
    async (...more) => {
      const args = ["evaluate", "qrels.txt", "run.txt", ...more, "--partial", "p.json"];
      expect((await place.run(args)).status).toBe(2);
      expect(existsSync(place.path("p.json"))).toBe(false);
    },
  );
});
