import { copyFileSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { parseAssessments } from "../../src/formats/index.js";
import { openLabelStore } from "../../src/node/index.js";
import { inProcess } from "./in-process.js";
import { configure, DATASETS, file, fine, ITEMS, label, useFolder, write } from "./label-project.js";

useFolder();

describe("labels without a model, a server or a configuration", () => {
  const flags = (): string[] => ["--queries", file("queries.txt"), "--corpus", file("items.jsonl")];

  it("are built, kept, shown, exported and imported, the same bytes again", async () => {
    expect(await fine("build", ...flags())).toMatch(
      /^overlap: 8 new of 8 labels for 4 queries, 0 were there/,
    );
    expect(await fine("build", ...flags())).toMatch(
      /^overlap: 0 new of 8 labels for 4 queries, 8 were there/,
    );
    expect(await fine("status", ...flags())).toMatch(/overlap \(model\) +4 of 4 /);
    const shown = await fine(
      "show",
      " red  shoe",
      "--queries",
      file("queries.txt"),
      "--corpus",
      file("items.jsonl"),
    );
    expect(shown.split("\n")[1]).toMatch(/^1 +3 Fully Relevant +labeler +overlap 3 +1?.*Red shoe|^1 +3/);
    const exported = await fine("export");
    expect(parseAssessments(exported)).toHaveLength(8);
    const lines = write("labels.jsonl", exported);
    expect((await label("import", lines)).stderr).toMatch(/^0 new assessments .*, 8 were there/);
    expect((await label("import", lines, "--tenant", "acme")).stderr).toContain(
      "--tenant does nothing for JSONL",
    );
    const other = file("other.sqlite");
    expect((await inProcess("label", "import", lines, "--labels", other)).status).toBe(0);
    expect((await inProcess("label", "export", "--labels", other)).stdout).toBe(exported);
    expect(await fine("export", ...flags(), "--format", "qrels")).toContain("1 0 1 3\n");
    const table = await fine("export", ...flags(), "--format", "csv");
    expect(table.split("\r\n")[0]).toBe("\ufeffquery_id,query,item,grade,by,votes,spread,stale");
    expect(table).toContain("\r\n1,red shoe,1,3,labeler,1,0,no\r\n");
  });

  it("are graded by people in a spreadsheet, who win over the model and can take it back", async () => {
    await fine("build", ...flags());
    const sheet = await fine("sheet", ...flags());
    expect(sheet).toMatch(/^\ufeffpair,query,item,item\.sku,item\.title,item\.brand/);
    expect((await label("sheet", ...flags())).stderr).toContain(
      `label import FILE --queries ${file("queries.txt")}`,
    );
    const [anyPair = ""] = sheet.split("\r\n")[1]?.split(",") ?? [];
    // As sheets were before they said what was shown.
    const parts = JSON.parse(Buffer.from(anyPair.slice(2), "hex").toString("utf8")) as string[];
    const olderPair = `p.${Buffer.from(JSON.stringify(parts.slice(0, 2))).toString("hex")}`;
    const early = write("early.csv", `pair,grade\n${olderPair},2\n`);
    const blind = await label("import", early, "--rater", "eve");
    expect(blind.stderr).toMatch(/will not be stale when it changes[^]*1 new assessment/);
    expect((await label("import", early, ...flags(), "--rater", "eve")).stderr).toContain("1 new assessment");
    // What is known of the items is not lost by a second import without them.
    expect((await label("import", early, "--rater", "eve")).stderr).toContain("0 new assessments");
    await fine("forget", "--rater", "eve");
    // As a spreadsheet saves it elsewhere: sorted, semicolons, columns lost, numbers mangled.
    const rows = sheet.slice(1).trimEnd().split("\r\n").slice(1);
    const pairs = rows.map((row) => row.split(",")[0] ?? "");
    const filled = (grade: string): string =>
      write(
        "sheet.csv",
        `\ufeffgrade;item;pair;note\r\n${[...pairs]
          .reverse()
          .map((pair) => `${grade};1,00E+05;${pair};ok`)
          .join("\r\n")}\r\n;;;\r\n`,
      );
    const names = ["import", filled("0.0"), ...flags(), "--rater", "anna"];
    expect((await label(...names)).stderr).toMatch(/^8 new assessments/);
    expect(await fine("show", "red shoe")).toMatch(/0 Irrelevant +people +overlap 3, anna 0/);
    expect((await label(...names)).stderr).toMatch(/^0 new assessments .*, 8 were there/);
    filled("2");
    expect((await label(...names)).stderr).toMatch(/^8 new assessments/);
    filled("undo");
    // Of each pair both grades.
    expect((await label(...names)).stderr).toMatch(/^16 new assessments/);
    expect((await label(...names)).stderr).toMatch(/^0 new assessments/);
    expect(await fine("show", "red shoe")).toMatch(/3 Fully Relevant +labeler/);
    for (const [grade, why] of [
      ["4", "sheet.csv:2:1: grade must be 0, 1, 2, 3, ? or undo, got `4`"],
      ["two", "got `two`"],
    ] as const) {
      filled(grade);
      expect((await label(...names)).stderr).toContain(why);
    }
    write("sheet.csv", "grade;item\n1;x\n");
    expect((await label(...names)).stderr).toContain("the column `pair` is lost");
    write("sheet.csv", `pair,grade\n${pairs[0] ?? ""},1\n${pairs[0] ?? ""},2\np.zz,1\n`);
    expect((await label(...names)).stderr).toMatch(
      /is duplicated, first in line 2[^]*sheet\.csv:4:1: pair `p\.zz`/,
    );
    expect((await label("import", filled("1"), ...flags())).stderr).toContain("say who filled the sheet in");
  });

  it("of people are of what their sheet showed, though the item has changed since", async () => {
    await fine("build", ...flags());
    const rows = (await fine("sheet", ...flags())).trimEnd().split("\r\n").slice(1);
    write("sheet.csv", `pair,grade\n${rows.map((row) => `${row.split(",")[0] ?? ""},2\n`).join("")}`);
    write("items.jsonl", ITEMS.map((item) => `${JSON.stringify({ ...item, brand: "new" })}\n`).join(""));
    await fine("import", file("sheet.csv"), ...flags(), "--rater", "anna");
    const { raters } = JSON.parse(await fine("status", ...flags(), "--json")) as { raters: object[] };
    expect(raters).toContainEqual(
      expect.objectContaining({ rater: { kind: "human", name: "anna" }, stale: 8 }),
    );
  });

  it("of sheets are lost neither by a note, a withdrawal, another dataset nor a new sheet", async () => {
    await fine("build", ...flags());
    const [row = ""] = (await fine("sheet", ...flags())).trimEnd().split("\r\n").slice(1);
    const pair = row.split(",")[0] ?? "";
    const imported = async (rows: string, ...more: string[]): Promise<string> => {
      const sheet = write("sheet.csv", `pair,grade,note\n${rows}`);
      return (await label("import", sheet, ...(more.length > 0 ? more : flags()), "--rater", "zoe")).stderr;
    };
    expect(await imported(`${pair},3,\n`)).toContain("1 new assessment");
    expect(await imported(`${pair},3,why\n`)).toContain("1 new assessment");
    expect(await imported(`${pair},3,\n`)).toContain("0 new assessments");
    expect(await imported(`${pair},,unsure\n`)).toContain(
      "1 row with a note and no grade, left out (line 2)",
    );
    expect(await imported(`${pair},2,\n`)).toContain("1 new assessment");
    expect(await imported(`${pair},undo,\n`)).toContain("3 new assessments");
    const zoes = (text: string) => parseAssessments(text).filter(({ rater }) => rater.name === "zoe");
    const lines = await fine("export");
    expect(zoes(lines)).toHaveLength(6);
    const copy = ["--labels", file("copy.sqlite")];
    expect((await inProcess("label", "import", write("all.jsonl", lines), ...copy)).status).toBe(0);
    expect(zoes((await inProcess("label", "export", ...copy)).stdout)).toEqual(zoes(lines));
    write("other.txt", "pet food\n");
    expect(
      await imported(`${pair},1,\n`, "--queries", file("other.txt"), "--corpus", file("items.jsonl")),
    ).toMatch(/^error: .*sheet.csv: dataset .* has no query `red shoe`, nor any other of this sheet/m);
    expect((await label("sheet", ...flags(), "-o", file("sheet.csv"))).stderr).toContain(
      `${file("sheet.csv")} was no empty sheet; what was in it is ${file("sheet-1.csv")} now`,
    );
    expect(readFileSync(file("sheet-1.csv"), "utf8")).toBe(`pair,grade,note\n${pair},1,\n`);
    write("kept.csv", `pair,grade\n${pair},3\n`);
    symlinkSync(file("kept.csv"), file("link.csv"));
    expect((await label("sheet", ...flags(), "-o", file("link.csv"))).stderr).toContain("kept-1.csv now");
    expect(readFileSync(file("kept-1.csv"), "utf8")).toContain(",3");
    expect(readFileSync(file("kept.csv"), "utf8")).toMatch(/^\ufeffpair,query/);
    write("empty.csv", "");
    expect((await label("sheet", ...flags(), "-o", file("empty.csv"))).stderr).not.toContain("empty sheet");
    expect((await label("sheet", ...flags(), "-o", file("sheet.csv"))).stderr).not.toContain(
      "no empty sheet",
    );
  });

  it("are stale when an item has changed, and asked for again where told to", async () => {
    await fine("build", ...flags());
    write("items.jsonl", ITEMS.map((item) => `${JSON.stringify({ ...item, brand: "new" })}\n`).join(""));
    expect(await fine("build", ...flags())).toContain("8 are of items that have changed since");
    expect(await fine("build", ...flags(), "--refresh-stale")).toMatch(/^overlap: 8 new/);
    // What was replaced is counted no more.
    expect(JSON.parse(await fine("status", ...flags(), "--json"))).toMatchObject({
      raters: [{ queries: 4, assessments: 8, stale: 0 }],
    });
    expect(await fine("build", ...flags(), "--json")).toContain('"stale": 0');
  });

  it("pool the heads of several runs, and say what the corpus lacks", async () => {
    const run = (name: string, ids: string[]): string =>
      write(name, ids.map((id, at) => `1 Q0 ${id} ${at + 1} ${10 - at} x\n`).join(""));
    const { stdout, stderr } = await label(
      ...["build", ...flags(), "--annotate-search-top-k", "2"],
      ...["--pool", run("a.run", ["1", "02", "1e5"]), "--pool", run("b.run", ["gone", "1e5"])],
    );
    expect(stdout).toMatch(/^overlap: 3 new of 3 labels/);
    expect(stderr).toContain("1 hit of 1 query are not in");
    expect(stderr).toMatch(/nothing was found that could be labelled for \d quer\w+, such as `/);
    const stranger = write("c.run", "q-9 Q0 1 1 1 x\n");
    const refused = await label("build", ...flags(), "--pool", run("a.run", ["1"]), "--pool", stranger);
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining("run 2 of the pool answers no query"),
    ]);
  });

  it("are of the tenant that the environment names", async () => {
    await fine("build", ...flags());
    vi.stubEnv("RANKPROOF_TENANT", "acme");
    await fine("build", ...flags(), "--annotate-search-top-k", "1");
    expect(parseAssessments(await fine("export"))).toHaveLength(4);
    expect(parseAssessments(await fine("export", "--tenant", "default"))).toHaveLength(8);
    expect((await fine("status")).trimEnd().split("\n")).toHaveLength(2);
  });

  it("are not mixed with other queries than those that an interrupted build began with", async () => {
    const store = await openLabelStore(file("labels.sqlite"), { create: true });
    await store.keepBuild(
      { tenant: "default", dataset: "queries", labeler: "overlap" },
      { queries: "other", state: "running", started_at: "2026-05-01T09:00:00.000Z" },
    );
    await store.close();
    expect(await label("build", ...flags())).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        "have changed since a build of 2026-05-01T09:00:00.000Z was interrupted",
      ),
    });
    expect((await label("build", ...flags(), "--new-queries")).status).toBe(0);
    expect((await label("build", ...flags())).status).toBe(0);
  });

  it("of an older version are brought up to date, with a copy, and a dry run says so", async () => {
    copyFileSync(join(import.meta.dirname, "../node/labels-v1.sqlite"), file("labels.sqlite"));
    const before = readFileSync(file("labels.sqlite"));
    expect((await label("migrate", "--dry-run")).stderr).toMatch(
      /has schema 1; it would be brought to 2, and kept as .*labels\.sqlite\.v1\.bak/,
    );
    expect(readFileSync(file("labels.sqlite")).equals(before)).toBe(true);
    expect((await label("migrate")).stderr).toMatch(/brought from schema 1 to 2/);
    expect(readFileSync(file("labels.sqlite.v1.bak")).equals(before)).toBe(true);
    expect((await label("migrate")).stderr).toMatch(/is up to date/);
    expect((await fine("export")).trimEnd().split("\n")).toHaveLength(2);
  });

  it("are marked as stale where the item has changed since", async () => {
    await fine("build", ...flags());
    write(
      "items.jsonl",
      ITEMS.map((item) => `${JSON.stringify({ ...item, title: "Something else" })}\n`).join(""),
    );
    expect(await fine("show", "red shoe", ...flags())).toMatch(/^1 +3 Fully Relevant, stale /m);
    expect(await fine("show", "red shoe")).toMatch(/^1 +3 Fully Relevant  /m);
  });

  it("are stored once where a file is imported twice at once", async () => {
    await fine("build", ...flags());
    const all = write("all.jsonl", await fine("export"));
    const into = (name: string) => inProcess("label", "import", all, "--labels", file(name));
    const [one, two] = await Promise.all([into("twice.sqlite"), into("twice.sqlite")]);
    const count =
      Number(/^(\d+) new/.exec(one.stderr)?.[1] ?? 0) + Number(/^(\d+) new/.exec(two.stderr)?.[1] ?? 0);
    const lines = readFileSync(all, "utf8").trimEnd().split("\n");
    expect([one.status, two.status, count]).toEqual([0, 0, lines.length]);
    expect(
      (await inProcess("label", "export", "--labels", file("twice.sqlite"))).stdout.trimEnd().split("\n"),
    ).toHaveLength(count);
  });

  it("are forgotten for good", async () => {
    await fine("build", ...flags());
    expect((await label("forget", "--query", "red shoe")).stderr).toMatch(/^forgot 3 assessments/);
    expect(readFileSync(file("labels.sqlite")).includes("red shoe")).toBe(false);
    expect((await label("show", "red shoe")).stderr).toContain("there are no labels for");
    expect(await fine("status")).toContain("forgotten: 3 assessments");
    expect((await label("forget")).stderr).toContain("nothing says what to forget");
    write("labels.sqlite.v1.bak", "kept");
    const before = readFileSync(file("labels.sqlite"));
    expect((await label("forget", "--rater", "nobody")).stderr).toContain("no labels by this rater");
    expect(readFileSync(file("labels.sqlite")).equals(before)).toBe(true);
    expect(readFileSync(file("labels.sqlite.v1.bak"), "utf8")).toBe("kept");
  });
});

describe("datasets", () => {
  it("are listed with what is labelled, and checked with everything that is wrong", async () => {
    configure({ datasets: { shop: { ...DATASETS.shop, labeler: "overlap", licence: "CC0" } } });
    await fine("build");
    const { stdout } = await inProcess("datasets", "--labels", file("labels.sqlite"));
    expect(stdout).toMatch(/shop +4 +4 +4 of 4 +default +builtin +overlap +CC0/);
    expect((await inProcess("datasets", "check")).stderr).toBe("shop: 4 queries, 4 items, fine\n");
    write("items.jsonl", '{"id":"a"}\n{"id":"a"}\n{"title":"x"}\n[1]\n');
    const { status, stderr } = await inProcess("datasets", "check");
    expect(status).toBe(2);
    expect(stderr).toContain("items.jsonl:2:7: id `a` is duplicated");
    expect(stderr).toContain("items.jsonl:3:1: an item needs an id");
    expect(stderr).toContain("items.jsonl:4:1: an item needs an id");
    write("items.jsonl", '{"id":"a"}\n');
    configure({
      datasets: { one: { ...DATASETS.shop, backend: "mine" }, two: { ...DATASETS.shop, backend: "gone" } },
      backends: { mine: { kind: "module", path: "nowhere.mjs" } },
      labelers: { gpt: { kind: "overlap" } },
    });
    const opened = await inProcess("datasets", "check");
    expect(opened.stderr).toMatch(/dataset one: .*nowhere\.mjs/);
    expect(opened.stderr).toContain("dataset two: there is no backend `gone`");
    configure({
      datasets: { shop: { ...DATASETS.shop, labeler: "overlap", scorecard: "wide" } },
      scorecards: { wide: ["nDCGG@10"] },
    });
    expect((await inProcess("datasets", "check")).stderr).toContain(
      "dataset shop: unknown metric `nDCGG@10`",
    );
  });
});
