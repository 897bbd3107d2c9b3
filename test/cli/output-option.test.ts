import { spawnSync } from "node:child_process";
import { mkdirSync, openSync, readFileSync, symlinkSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { Command, type Option } from "commander";
import { commandCatalog } from "../../src/cli/commands/catalog.js";
import { isInput, OutputOption } from "../../src/cli/output-option.js";
import { processTerminal } from "../../src/cli/terminal.js";
import { bin, Workplace } from "./spawned.js";

const FILES = {
  "qrels.txt": "1 0 a 1\n",
  "run.txt": "1 Q0 a 1 1 t\n",
  "golden.yaml": "- id: q\n  query: x\n  expected_chunk_ids: [c]\n",
  "gates.txt": "MRR@10 >= 0.5\n",
  "r.jsonl": '{"query_id":"q","hits_top_k":[{"chunk_id":"c","doc_id":"d"}]}\n',
};
let place: Workplace;
beforeEach(() => {
  place = new Workplace();
  place.write(FILES);
});

/** What the values of options are called that are no files. */
const NO_FILES = (
  "address batch batches... dir format grade hash how i/n id label labeler labels list method metric " +
  "metric=value metric[=loss] mode mode.score=value ms n name names p role rule score setting share tag " +
  "text unit variant x"
).split(" ");

/** All options of all commands, parts of commands among them. */
async function listOptions(): Promise<Option[]> {
  const terminal = processTerminal();
  const options = await Promise.all(
    commandCatalog.map(async ({ name, load }) => {
      const command = new Command(name);
      (await load()).define(command, terminal);
      return [command, ...command.commands].flatMap((each) => [...each.options]);
    }),
  );
  return options.flat();
}

describe("an option with a value", () => {
  it("names a file that is read, a file that is written, or is known to name none", async () => {
    const others = (await listOptions())
      .filter((option) => !(option instanceof OutputOption) && !isInput(option))
      .flatMap(({ flags }) => /<(.*)>$/.exec(flags)?.[1] ?? []);
    expect([...new Set(others)].sort()).toEqual(NO_FILES);
  });
});

describe("what a command writes", () => {
  it.each([
    ["aggregate r.jsonl --html golden.yaml", "--html `golden.yaml` would replace what the command reads"],
    ["aggregate r.jsonl --md ./r.jsonl", "--md `./r.jsonl` would replace what the command reads"],
    ["aggregate r.jsonl --md link", "--md `link` would replace what the command reads"],
    ["evaluate qrels.txt run.txt --scores s.jsonl --html s.jsonl", "would replace what --html writes"],
    ["fuse run.txt run.txt -o run.txt", "--output `run.txt` would replace what the command reads"],
    ["fuse run.txt run.txt --train qrels.txt -o qrels.txt", "`qrels.txt` would replace what the command"],
    ["aggregate r.jsonl --gate gates.txt --md gates.txt", "`gates.txt` would replace what the command reads"],
    [
      "compare run.txt run.txt --qrels qrels.txt --channel run:words=run.txt --html run.txt",
      "`run.txt` would replace what the command reads",
    ],
    ["export a -o .rankproof/store.sqlite", "would replace an SQLite database"],
    ["convert run.txt .rankproof/store.sqlite --to tsv", "would replace an SQLite database"],
    ["evaluate qrels.txt run.txt --md=", "--md needs the name of a file"],
  ])("is not written over what is needed: %s", async (args, message) => {
    symlinkSync("golden.yaml", place.path("link"));
    expect((await place.run(["import", "r.jsonl", "--id", "a"])).status).toBe(0);
    const { status, stderr } = await place.run(args.split(" "));
    expect(stderr).toContain(message);
    expect(status).toBe(2);
    for (const [name, content] of Object.entries(FILES)) expect(place.read(name)).toBe(content);
    expect((await place.run(["runs"])).stdout).toContain("a");
  });
  it("may be a device, a file of before, or one that is called like a stored run", async () => {
    await place.run(["import", "r.jsonl", "--id", "a"]);
    const twice = ["export a -o a", "export a -o a"];
    const named = "fuse run.txt run.txt --name out.txt -o out.txt";
    for (const args of ["aggregate a --html page.html --md /dev/null", ...twice, named, named])
      expect(await place.run(args.split(" "))).toMatchObject({ status: 0 });
    expect(await place.run(["aggregate", "r.jsonl", "--html", "page.html"])).toMatchObject({ status: 0 });
  });
  it.each([
    ["aggregate r.jsonl -g golden.yaml --md -", "# Eval run: r\n"],
    ["aggregate r.jsonl -g golden.yaml -q --md -", "# Eval run: r\n"],
    ["report r.jsonl -g golden.yaml --md -", "# Eval run: r\n"],
    ["compare r.jsonl r.jsonl -g golden.yaml --md -", "# Eval compare: r"],
    ["evaluate qrels.txt run.txt --md -", "# Eval run: t\n"],
  ])("goes to stdout in place of what is printed otherwise: %s", async (args, begin) => {
    const { status, stdout } = await place.run(args.split(" "));
    expect(status).toBe(0);
    expect(stdout.startsWith(begin)).toBe(true);
    const file = await place.run(args.replace("--md -", "--md there.md").split(" "));
    expect(place.read("there.md")).toBe(stdout);
    expect(file.stdout).not.toContain(begin);
  });
  it("is not what the shell writes of stdout, nor one file by two ways", async () => {
    const own = ["--qrels", "qrels.txt", "-m", "AP"];
    const stdout = openSync(place.path("both.md"), "w");
    const compared = spawnSync(
      process.execPath,
      [bin, "compare", "run.txt", "run.txt", ...own, "--md", "both.md"],
      { cwd: place.folder, stdio: ["ignore", stdout, "pipe"], encoding: "utf8" },
    );
    expect(compared.stderr).toBe(
      "error: --md `both.md` would replace what goes to the standard output; name another file\n",
    );
    expect(compared.status).toBe(2);
    mkdirSync(place.path("folder"));
    symlinkSync("folder", place.path("way"));
    for (const [one, other] of [
      ["folder/o", "way/o"],
      ["new/o", "way/../new/o"],
    ] as const) {
      const ended = await place.run(["compare", "run.txt", "run.txt", ...own, "--md", one, "--html", other]);
      expect(ended.stderr).toContain("would replace what --md writes");
    }
  });
  it("goes to stdout alone", async () => {
    for (const args of ["--md - --json", "--json --html -", "--md - --csv -"]) {
      const { status, stderr } = await place.run(["compare", "r.jsonl", "r.jsonl", ...args.split(" ")]);
      expect(stderr).toMatch(/^error: --\w+ and --\w+ cannot both go to the standard output; name a file/);
      expect(status).toBe(2);
    }
  });
  it("is packed where its name says so", async () => {
    await place.run("aggregate r.jsonl -g golden.yaml --md report.md.gz".split(" "));
    expect(gunzipSync(readFileSync(place.path("report.md.gz"))).toString()).toMatch(/^# Eval run: r\n/);
  });
});
