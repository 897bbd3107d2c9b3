import { execFileSync } from "node:child_process";
import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { hit, result } from "../support/records.js";
import { bin, Workplace } from "./spawned.js";

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
});

/** What may stand for the last of the words. */
async function completed(...words: string[]): Promise<string[]> {
  const { status, stdout, stderr } = await place.run(["completion", "words", "--", ...words]);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] as string]));
}

async function storedRuns(...ids: string[]): Promise<void> {
  for (const id of ids) {
    place.write({ "run.jsonl": `${JSON.stringify(result("q", [hit("d#1")]))}\n` });
    await place.run(["import", "run.jsonl", "--id", id]);
  }
}

describe("completion", () => {
  it("knows the commands and those below them", async () => {
    expect(await completed("com")).toEqual(["compare", "completion"]);
    expect(await completed("runs", "")).toEqual(["list", "show", "delete"]);
    expect(await completed("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(await completed("help", "com")).toEqual(["compare", "completion"]);
  });
  it("knows the options of a command, and their choices", async () => {
    expect(await completed("compare", "a", "--gu")).toEqual(["--guard"]);
    expect(await completed("runs", "show", "--")).toContain("--json");
    expect(await completed("convert", "x", "--as", "")).toEqual(["run", "qrels", "golden"]);
    expect(await completed("aggregate", "run", "-m", "nDCG")).toEqual(["nDCG", "nDCGRel"]);
  });
  it("knows the ids of stored runs, but none that a shell could read something into", async () => {
    await storedRuns("before", "$(touch owned)", "a b", "`id`", "after@2");
    expect((await completed("compare", "")).sort()).toEqual(["after@2", "before"]);
    expect(await completed("compare", "b")).toEqual(["before"]);
    expect(await completed("compare", "-s", "elsewhere.sqlite", "b")).toEqual([]);
    expect(await completed("run", "search.mjs", "--against", "b")).toEqual(["before"]);
  });
  it("looks into the store that is asked for, or that the project has", async () => {
    await storedRuns("before");
    renameSync(place.path(".rankproof/store.sqlite"), place.path("elsewhere.sqlite"));
    expect(await completed("fuse", "b")).toEqual([]);
    expect(await completed("fuse", "--store=elsewhere.sqlite", "b")).toEqual(["before"]);
    place.write({ "rankproof.config.yaml": "store: elsewhere.sqlite\n" });
    expect(await completed("fuse", "b")).toEqual(["before"]);
  });
  it("leaves files to the shell, and says nothing of a store that cannot be read", async () => {
    place.write({ ".rankproof/store.sqlite": "no store" });
    expect(await completed("check", "")).toEqual([]);
    expect(await completed("compare", "")).toEqual([]);
    expect(await completed("no-such-command", "")).toEqual([]);
  });
  it("works in bash", async () => {
    await storedRuns("after@2");
    const command = join(place.folder, "rankproof");
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
    chmodSync(command, 0o755);
    const env = { ...process.env, PATH: `${place.folder}${delimiter}${process.env["PATH"] ?? ""}` };
    const offered = (line: string): string => {
      const script =
        `source <(rankproof completion bash); COMP_LINE=${JSON.stringify(line)}; ` +
        'COMP_POINT=${#COMP_LINE}; _rankproof; echo "${COMPREPLY[@]}"';
      return execFileSync("bash", ["-c", script], { encoding: "utf8", env, cwd: place.folder }).trimEnd();
    };
    expect(offered("rankproof compare --gu")).toBe("--guard");
    expect(offered("rankproof aggregate run -m nDCG")).toBe("nDCG nDCGRel");
    // Bash puts what is offered behind its own last word, which begins after `=` and `@`.
    expect(offered("rankproof convert x --as=g")).toBe("golden");
    expect(offered("rankproof compare after@")).toBe("2");
    expect(offered("rankproof compare ")).toBe("after@2");
  });
});
