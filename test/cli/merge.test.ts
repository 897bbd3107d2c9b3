import { existsSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { EvaluationPartial } from "../../src/records/index.js";
import { Workplace } from "./spawned.js";

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
