import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Workplace } from "./spawned.js";

const GOLDEN = "queries:\n  - { id: q1, query: refund, expected_chunk_ids: [c1] }\n";

describe("rankproof ui --static", () => {
  it("writes the page of a golden set, and says what is in it", async () => {
    const place = new Workplace();
    place.write({ "golden.yaml": GOLDEN });
    const { status, stdout } = await place.run(["ui", "--static", "public/page"]);
    expect([status, stdout.replace(/[\d,]+ bytes/, "N bytes")]).toEqual([
      0,
      "public/page/index.html has N bytes, and in it\n" +
        "  golden: 1 query, 0 batches, 0 comparisons\n" +
        "  texts of queries and items: yes\n" +
        "  names of people: none\n",
    ]);
    // Its own page it writes again.
    expect((await place.run(["ui", "--static", "public/page", "--no-text"])).status).toBe(0);
  });

  it("writes a page that takes files, where there is no project", async () => {
    const { status, stdout } = await new Workplace().run(["ui", "--static", "."]);
    expect([status, stdout]).toEqual([0, expect.stringContaining("no data: it takes golden sets")]);
  });

  it("leaves a page of somebody else as it is", async () => {
    const place = new Workplace();
    place.write({ "index.html": "<h1>mine</h1>" });
    const { status, stderr } = await place.run(["ui", "--static", "."]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("index.html is no page of the workbench")]);
    expect(place.read("index.html")).toBe("<h1>mine</h1>");
  });

  it("leaves out a golden set that it cannot read; with nothing else it writes nothing", async () => {
    const place = new Workplace();
    place.write({ "golden.yaml": GOLDEN });
    expect((await place.run(["ui", "--static", "."])).status).toBe(0);
    const before = place.read("index.html");
    place.write({ "golden.yaml": "queries:\n  - { id: q1, qury: x }\n" });
    const alone = await place.run(["ui", "--static", "."]);
    expect([alone.status, alone.stderr]).toEqual([
      2,
      expect.stringMatching(/golden\.yaml:2:[^]*was not written/),
    ]);
    expect(place.read("index.html")).toBe(before);
    place.write({
      "rankproof.config.json": '{ "datasets": { "shop": { "queries": "q.tsv", "corpus": "i.jsonl" } } }',
      "q.tsv": "q1\tx\n",
      "i.jsonl": '{"id":"i1","title":"x"}\n',
    });
    const beside = await place.run(["ui", "--static", "."]);
    expect([beside.status, beside.stderr]).toEqual([0, expect.stringContaining("left out: golden.yaml:2:")]);
  });

  it("refuses a golden set that was named and is not there, as a server does", async () => {
    const place = new Workplace();
    for (const flags of [["--static", "."], []]) {
      const { status, stderr } = await place.run(["ui", "-g", "nope.yaml", ...flags]);
      expect([status, stderr]).toEqual([2, expect.stringContaining("--golden: nope.yaml: no such file")]);
    }
    place.write({ "rankproof.config.json": '{ "golden": "gone.yaml" }' });
    expect((await place.run(["ui"])).stderr).toContain("golden: gone.yaml: no such file; check the path");
  });

  it.each([
    [["--static", ".", "--port", "0"], "--port does nothing with --static"],
    [["--no-text"], "--no-text does nothing without --static"],
  ])("refuses what would do nothing: %j", async (flags, message) => {
    const place = new Workplace();
    const { status, stderr } = await place.run(["ui", ...flags]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(place.path("index.html"))).toBe(false);
  });

  it("says where a port that is none comes from, and helps all the same", async () => {
    const env = { RANKPROOF_PORT: "abc" };
    const place = new Workplace();
    const { status, stderr } = await place.run(["ui"], { env });
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("RANKPROOF_PORT must be a whole number from 0 to 65535, got `abc`"),
    ]);
    expect((await place.run(["ui", "--help"], { env })).status).toBe(0);
    expect((await place.run(["ui", "--static", "."], { env })).status).toBe(0);
  });
});

describe("rankproof ui", () => {
  it.each([
    [[], false],
    [["--read-only"], false],
    [["--allow-host", "box.local"], true],
    [["--allow-host", "box.local", "--allow-write"], false],
  ])("with %j says that nobody can write where nobody asked for that", async (flags, isSaid) => {
    const place = new Workplace();
    place.write({ "golden.yaml": GOLDEN });
    const interrupted = new Promise((resolve) => setTimeout(resolve, 300));
    const { stdout, stderr } = await place.run(["ui", "--port", "0", ...flags], { interrupted });
    expect(stdout).toContain("The workbench is open at");
    expect(stderr.includes("It is read-only, since others may reach it")).toBe(isSaid);
  });
});
