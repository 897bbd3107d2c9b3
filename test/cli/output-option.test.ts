import { readFileSync, symlinkSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { Workplace } from "./spawned.js";

const FILES = {
  "qrels.txt": "1 0 a 1\n",
  "run.txt": "1 Q0 a 1 1 t\n",
  "golden.yaml": "- id: q\n  query: x\n  expected_chunk_ids: [c]\n",
  "r.jsonl": '{"query_id":"q","hits_top_k":[{"chunk_id":"c","doc_id":"d"}]}\n',
};
let place: Workplace;
beforeEach(() => {
  place = new Workplace();
  place.write(FILES);
});

describe("what a command writes", () => {
  it.each([
    ["aggregate r.jsonl --html golden.yaml", "--html `golden.yaml` would replace what the command reads"],
    ["aggregate r.jsonl --md ./r.jsonl", "--md `./r.jsonl` would replace what the command reads"],
    ["aggregate r.jsonl --md link", "--md `link` would replace what the command reads"],
    ["evaluate qrels.txt run.txt --scores s.jsonl --html s.jsonl", "would replace what --html writes"],
    ["fuse run.txt run.txt -o run.txt", "--output `run.txt` would replace what the command reads"],
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
