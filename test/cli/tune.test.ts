import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { runParts } from "../../src/formats/index.js";
import type { FusionTuning } from "../../src/records/index.js";
import { fusionTuningSchema } from "../../src/records/schema/index.js";
import { madeSearch, type Quality } from "../fusion-tuning/searches.js";
import { configFolder } from "./config-folder.js";
import { inProcess } from "./in-process.js";
import { pattern } from "../support/pattern.js";

const { file, write } = configFolder("# ours\nslices: [kind] # and why\n");
const read = (name: string): string => readFileSync(file(name), "utf8");
const tune = (...args: string[]) =>
  inProcess("tune", "fusion", file("a.run"), file("b.run"), "--qrels", file("qrels.txt"), ...args);

/** Files of two runs and their judgments. */
function makeSearch(queries: number, quality: Quality): void {
  const { a, b, qrels } = madeSearch(31, queries, quality);
  write("a.run", [...runParts(a, "trec", "alpha")].join(""));
  write("b.run", [...runParts(b, "trec", "beta")].join(""));
  write(
    "qrels.txt",
    [...qrels]
      .flatMap(([query, grades]) => [...grades].map(([id, grade]) => `${query} 0 ${id} ${grade}\n`))
      .join(""),
  );
}

describe("tune fusion", () => {
  it("prints a report, and writes every form of it", async () => {
    makeSearch(30, "better");
    const { status, stdout, stderr } = await tune(
      "--html",
      file("t.html"),
      "--md",
      file("t.md"),
      "--pool",
      file("pool.jsonl"),
    );
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^Fusion of alpha and beta, tuned for nDCG@10/),
    ]);
    expect(stderr).toContain("wrote");
    expect(read("t.html")).toContain('<polygon class="line"');
    expect(read("t.md")).toMatch(/^# Fusion of alpha and beta/);
    expect(read("pool.jsonl")).toBe("");
  });

  it("prints a record of the published shape", async () => {
    makeSearch(12, "equal");
    const { stdout } = await tune("--json", "--method", "wsum", "--method", "rrf", "-n", "zmuv", "-n", "sum");
    const report = JSON.parse(stdout) as FusionTuning;
    expect(fusionTuningSchema.parse(report)).toEqual(report);
    expect(report.searched.map(({ method, normalize }) => `${method} ${normalize}`)).toEqual([
      "wsum zmuv",
      "wsum sum",
      "rrf none",
    ]);
  });

  it("applies what holds, and keeps the comments of the configuration", async () => {
    makeSearch(60, "better");
    const { status } = await tune("--current", "w=0", "--apply");
    expect(status).toBe(0);
    expect(read("rankproof.config.yaml")).toMatch(
      pattern(
        /^# ours\nslices: \[ ?kind ?\] # and why\nfusion:\n {2}method: /,
        /wsum\(weights=[\d.]+\/[\d.]+\)\n {2}normalize: min-max\n$/,
      ),
    );
    // What was applied is what is there.
    const again = JSON.parse((await tune("--json")).stdout) as FusionTuning;
    expect(read("rankproof.config.yaml")).toContain(again.current.method);
  });

  it("applies nothing that does not hold, but by force", async () => {
    makeSearch(20, "noise");
    const before = read("rankproof.config.yaml");
    const refused = await tune("--apply");
    expect([refused.status, read("rankproof.config.yaml")]).toEqual([3, before]);
    expect(refused.stderr).toMatch(/not applied: (?:Not|Worse)/);
    const unwritten = await tune("--apply", "--html", "rankproof.config.yaml/report.html");
    expect(unwritten.status).toBe(5);
    expect(unwritten.stderr).toMatch(/not applied: (?:Not|Worse)/);
    expect(unwritten.stderr).toContain("report.html");
    const forced = await tune("--apply", "--force");
    expect(forced.status).toBe(0);
    expect(forced.stderr).toContain("by force");
    expect(read("rankproof.config.yaml")).toContain("fusion:");
  });

  it("applies to JSON with its indent, and to no program", async () => {
    makeSearch(8, "equal");
    vi.stubEnv("RANKPROOF_CONFIG", write("c.json", '{\n\t"primary": "nDCG@10"\n}\n'));
    expect((await tune("--apply", "--force")).status).toBe(0);
    expect(read("c.json")).toMatch(/^\{\n\t"primary": "nDCG@10",\n\t"fusion": \{\n\t\t"method": "wsum\(/);
    vi.stubEnv("RANKPROOF_CONFIG", write("c.mjs", "export default {};\n"));
    const { status, stderr } = await tune("--apply", "--force");
    expect([status, stderr]).toEqual([2, expect.stringContaining("is a program")]);
    expect(read("c.mjs")).toBe("export default {};\n");
  });

  it("takes a golden set in place of judgments, and holds paraphrases out together", async () => {
    makeSearch(9, "equal");
    const { qrels } = madeSearch(31, 9, "equal");
    const queries = [...qrels].map(([id, grades], at) => ({
      id,
      query: `text of ${id}`,
      group: `g${at % 3}`,
      judgments: [...grades].map(([doc_id, grade]) => ({ doc_id, grade })),
    }));
    const golden = write("golden.json", JSON.stringify({ queries }));
    const { status, stdout, stderr } = await inProcess(
      ...["tune", "fusion", file("a.run"), file("b.run"), "-g", golden, "--json"],
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect((JSON.parse(stdout) as FusionTuning).held_out?.parts).toBe(3);
  });

  it.each([
    [["--current", "w=1.5"], /from 0 to 1/],
    [["--repeats", "3"], /--folds/],
    [["--force"], /--apply/],
    [["-g", "x.yaml"], /not both/],
    [["-m", "GMAP"], /no mean/],
    [["--method", "wsun"], /wsum/],
    [["--confidence", "1"], /below 1/],
    [["--folds", "1"], /from 2/],
  ])("refuses %j", async (args, message) => {
    makeSearch(3, "equal");
    const { status, stdout, stderr } = await tune(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  it("refuses a run that answers no judged query, and applies nothing", async () => {
    makeSearch(30, "better");
    const before = read("rankproof.config.yaml");
    for (const text of ["", read("b.run").replace(/^(?=.)/gm, "x")]) {
      write("b.run", text);
      const { status, stdout, stderr } = await tune("--current", "w=1", "--apply");
      expect([status, stdout, read("rankproof.config.yaml")]).toEqual([2, "", before]);
      expect(stderr).toMatch(/\bb(?:eta)?: answers no judged query/);
    }
  });

  it("refuses runs that answer no judged query", async () => {
    makeSearch(30, "better");
    write("qrels.txt", read("qrels.txt").replace(/^(?=.)/gm, "x"));
    const { status, stdout, stderr } = await tune();
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("no run answers any judged query; do the query ids agree?");
  });
  it("refuses one run, and says what is missing without judgments", async () => {
    makeSearch(3, "equal");
    expect((await inProcess("tune", "fusion", file("a.run"), "--qrels", file("qrels.txt"))).stderr).toContain(
      "two runs or more",
    );
    expect((await inProcess("tune", "fusion", file("a.run"), file("b.run"))).stderr).toContain(
      "--qrels FILE",
    );
    expect(existsSync(file("t.html"))).toBe(false);
  });
});
