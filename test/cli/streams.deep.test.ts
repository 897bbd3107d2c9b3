import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { ScoreComparison } from "../../src/records/index.js";
import { benchFiles, reportIn } from "./bench-files.js";
import {
  AGAINST_GOLDEN,
  AGAINST_QRELS,
  bin,
  files,
  QRELS,
  QUERIES,
  RANKS,
  trecRun,
  Workplace,
  type Ended,
} from "./spawned.js";

let place: Workplace;
beforeAll(() => {
  place = new Workplace();
  place.write(files());
});

async function comparison(...args: string[]): Promise<ScoreComparison> {
  return JSON.parse((await place.run(["compare", ...args, "--json"])).stdout) as ScoreComparison;
}

describe("compare, from stdin", () => {
  it("takes any format, packed or not, and the judgments from stdin", async () => {
    const expected = await comparison("base.run", "good.run", ...AGAINST_QRELS);
    place.write({
      "good.json": JSON.stringify(
        Object.fromEntries(QUERIES.map((query) => [query, { [`r-${query}`]: 2, x: 1 }])),
      ),
      "base.run.gz": gzipSync(trecRun("base", RANKS.base)),
    });
    const { status, stdout } = await place.run(
      ["compare", "base.run.gz", "good.json", "--qrels", "-", "-m", "RR", "--json"],
      { input: gzipSync(QRELS) },
    );
    expect(status).toBe(0);
    expect((JSON.parse(stdout) as ScoreComparison).comparisons[0]?.metrics).toEqual(
      expected.comparisons[0]?.metrics,
    );
    expect(await place.run(["compare", "-", "good.run", "--qrels", "-"], { input: QRELS })).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("stdin can be the judgments or a run, not both"),
    });
    expect(
      (
        await place.run(["compare", "-", "good.run", ...AGAINST_QRELS], {
          input: trecRun("base", RANKS.base),
        })
      ).stdout,
    ).toContain("BETTER  RR rose by 0.5000");
  });
  it("takes recorded runs and their golden set packed, and one of them from stdin", async () => {
    const packed = (name: string): Uint8Array => gzipSync(place.read(name));
    place.write({
      "packed/base.jsonl.gz": packed("base.jsonl"),
      "packed/golden.yaml.gz": packed("golden.yaml"),
    });
    const against = ["good.jsonl", ...AGAINST_GOLDEN, "--json"];
    const { stdout: expected } = await place.run(["compare", "base.jsonl", ...against]);
    expect(
      await place.run(["compare", "packed/base.jsonl.gz", ...against, "--golden", "packed/golden.yaml.gz"]),
    ).toEqual({ status: 0, stdout: expected, stderr: "" });
    const input = packed("base.jsonl");
    const fromStdin = await place.run(["compare", "-", ...against], { input });
    expect(fromStdin).toMatchObject({
      status: 0,
      stdout: expected.replaceAll('"base"', '"stdin"'),
      stderr: "",
    });
    expect(await place.run(["compare", "-", "good.jsonl", "--golden", "-"], { input })).toMatchObject({
      status: 2,
      stderr: "error: stdin (-) was given for several inputs; name files for the others\n",
    });
    for (const command of ["aggregate", "paraphrases"])
      expect(await place.run([command, "-"], { input })).toMatchObject({ status: 0 });
  });
});

describe("compare, in a process", () => {
  it("a reader that leaves early is no error: head, and a closed stderr", async () => {
    const command = (args: string): string =>
      `"${process.execPath}" "${bin}" compare base.run bad.run --qrels qrels.txt ${args}`;
    const piped = (script: string): string =>
      spawnSync("bash", ["-c", `${script}; echo "\${PIPESTATUS[0]}"`], {
        cwd: place.folder,
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: "1", GITHUB_ACTIONS: "", GITHUB_STEP_SUMMARY: "" },
      }).stdout;
    expect(await piped(`${command("--json -m all")} 2>&1 | head -1`)).toBe("{\n0\n");
    expect(await piped(`${command("--gate 'AP >= 1'")} 2>/dev/null | head -1`)).toBe("bad against base\n3\n");
    expect(await piped(`${command("--gate 'AP >= 1'")} 2>&1 >/dev/null | true`)).toBe("3\n");
  });
  it("Ctrl-C ends it at once, and leaves no half of a file", async () => {
    const many = Array.from({ length: 60 }, (_, index) => `m${index}`);
    place.write({
      "long.qrels": many.map((query) => `${query} 0 r-${query} 1\n`).join(""),
      "long-a.run": trecRun("a", (index) => 1 + (index % 3), many),
      "long-b.run": trecRun("b", (index) => 1 + ((index * 7) % 5), many),
    });
    const child = spawn(
      process.execPath,
      [
        bin,
        "compare",
        "long-a.run",
        "long-b.run",
        "--qrels",
        "long.qrels",
        "--permutations",
        "100000000",
        "--html",
        "interrupted/report.html",
      ],
      { cwd: place.folder, stdio: "ignore" },
    );
    const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve(code ?? signal)));
    setTimeout(() => child.kill("SIGINT"), 500);
    expect(await ended).toBe("SIGINT");
    expect(existsSync(join(place.folder, "interrupted"))).toBe(false);
  });
});

it("bench reads the fixture from stdin, and packed", async () => {
  place.write(benchFiles());
  const measured = (fixture: string, input?: Uint8Array): Promise<Ended> =>
    place.run(["bench", fixture, "--json", "--no-store", "--repeats", "1", "--warm-up", "0"], {
      ...(input !== undefined && { input }),
    });
  const { digest } = reportIn((await measured("fixture.json")).stdout).fixture;
  const { status, stdout } = await measured("-", gzipSync(place.read("fixture.json")));
  expect(status).toBe(0);
  expect(reportIn(stdout)).toMatchObject({ fixture: { name: "fixture", digest } });
});

describe("evaluate", () => {
  it("reads standard input and pipes that take more than one read, plain and packed", async () => {
    const lines = Array.from(
      { length: 40_000 },
      (_, i) => `1 Q0 document-${i} ${i + 1} ${40_000 - i} mine\n`,
    ).join("");
    place.write({ "long.txt": lines, "judged.txt": "1 0 document-39999 1\n1 0 document-3 1\n" });
    const scores = async (from: string, input?: string | Uint8Array): Promise<string> =>
      (
        await place.run(
          ["evaluate", "judged.txt", from, "-m", "AP,NumRet", "--json"],
          input === undefined ? {} : { input },
        )
      ).stdout;
    const expected = await scores("long.txt");
    expect(JSON.parse(expected)).toMatchObject({ metrics: { AP: 0.125, NumRet: 40_000 } });
    expect(await scores("-", lines)).toBe(expected);
    expect(await scores("-", gzipSync(lines))).toBe(expected);
    const piped = spawnSync(
      "bash",
      ["-c", `"${process.execPath}" "${bin}" evaluate <(cat judged.txt) <(cat long.txt) -m AP,NumRet --json`],
      { cwd: place.folder, encoding: "utf8" },
    );
    expect(piped.stdout).toBe(expected);
  });
});
