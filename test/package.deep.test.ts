import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** The arguments of a command as a shell takes them apart. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

describe("the package as it is published", () => {
  let folder: string;
  const run = (command: string, args: readonly string[], cwd = folder) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
    return { status, stdout, stderr };
  };
  /** Calls the command of the package in a folder that has nothing else. */
  const rankproof = (...args: readonly string[]) =>
    run(process.execPath, [join(folder, "package/bin/rankproof.js"), ...args], join(folder, "empty"));

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "rankproof-package-"));
    mkdirSync(join(folder, "empty"));
    const packed = run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], root);
    expect(packed).toMatchObject({ status: 0 });
    expect(run("tar", ["-xzf", packed.stdout.trim()])).toMatchObject({ status: 0 });
    symlinkSync(join(root, "node_modules"), join(folder, "package/node_modules"), "junction");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("runs its demo, and looks further as the demo says", () => {
    const { status, stdout, stderr } = rankproof("demo");
    expect(stderr).toContain("recorded 4 runs of 109 queries");
    expect([status, stdout]).toEqual([0, expect.stringContaining("A better ranking")]);
    expect(rankproof("demo")).toMatchObject({ status: 0 });
    const commands = stderr.match(/(?<=^ {2}npx rankproof ).+$/gm) ?? [];
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands.filter((each) => !each.startsWith("ui")))
      expect([command, rankproof(...wordsOf(command))]).toEqual([
        command,
        expect.objectContaining({ status: 0 }),
      ]);
  });

  it("measures the benchmark that comes with it", () => {
    const papers = join(folder, "package/dist/examples/papers.json.gz");
    expect(rankproof("bench", papers, "--html", "bench.html")).toMatchObject({ status: 0 });
  });

  it("brings the pages that its README and its messages name", () => {
    const text = readFileSync(join(folder, "package/README.md"), "utf8");
    const pages = [...text.matchAll(/\]\((docs\/[^)#]+\.md)/g)].map(([, page = ""]) => page);
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter((page) => !existsSync(join(folder, "package", page)))).toEqual([]);
  });

  it("starts a project, whose golden set it reads", () => {
    expect(rankproof("init")).toMatchObject({ status: 0 });
    expect(rankproof("metrics", "--json")).toMatchObject({ status: 0 });
  });
});
