import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BatchSummary, LabelAudit } from "../../src/records/index.js";
import { filledSheet } from "../support/label-sheets.js";
import { inProcess } from "./in-process.js";

const COLOURS = ["red", "blue", "green", "black", "white", "brown"];
const THINGS = ["shoe", "hat", "scarf", "lamp"];
const ITEMS = COLOURS.flatMap((colour) =>
  THINGS.map((thing) => ({ id: `${colour}-${thing}`, title: `${colour} ${thing}`, material: "wool" })),
);
const QUERIES = COLOURS.flatMap((colour) => THINGS.slice(0, 2).map((thing) => `${colour} ${thing}`));
/** Counts the words that query and item have in common. */
const JUDGE = `export const grade = (query, { fields }) => {
  const there = new Set(Object.values(fields).join(" ").split(" "));
  return [0, 1, 3][query.split(" ").filter((word) => there.has(word)).length];
};
`;

let folder: string;
const file = (name: string): string => join(folder, name);
const write = (name: string, content: string): string => {
  writeFileSync(file(name), content);
  return file(name);
};
const call = (...args: string[]) => inProcess(...args);
const fine = async (...args: string[]): Promise<string> => {
  const { status, stdout, stderr } = await call(...args);
  expect([status, stderr.includes("error:") ? stderr : ""]).toEqual([0, ""]);
  return stdout;
};
const audit = async (...args: string[]): Promise<LabelAudit> =>
  JSON.parse(await fine("audit", ...args, "--json")) as LabelAudit;
const configure = (backend: string | undefined): void => {
  const config = {
    artifacts: file("out"),
    labels: file("labels.sqlite"),
    backends: { colours: { kind: "module", path: file("search.mjs") } },
    labelers: { words: { kind: "module", path: file("judge.mjs"), version: "1" } },
    datasets: {
      shop: { queries: file("queries.txt"), corpus: file("items.jsonl"), labeler: "words", backend },
    },
  };
  vi.stubEnv("RANKPROOF_CONFIG", write("rankproof.config.json", JSON.stringify(config)));
  vi.stubEnv("RANKPROOF_STORE", file("store.sqlite"));
};
const SHALLOW = ["-m", "nDCG@3", "--top-k", "3"];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "audit-"));
  write("queries.txt", `${QUERIES.join("\n")}\n`);
  write("items.jsonl", ITEMS.map((item) => `${JSON.stringify(item)}\n`).join(""));
  write("judge.mjs", JUDGE);
  // A search that finds things by their colour alone.
  write(
    "search.mjs",
    `export const retrieve = (query) => ${JSON.stringify(ITEMS.map(({ id }) => id))}
  .filter((id) => id.startsWith(query.split(" ")[0]))
  .map((id, at) => ({ chunk_id: id, doc_id: id, score: 9 - at }));\n`,
  );
  configure(undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A batch of the built-in search and one of that by colours, by their ids, in one dataset. */
async function twoBatches(): Promise<[string, string]> {
  await fine("label", "build", "shop");
  const ids: string[] = [];
  for (const backend of [undefined, "colours"]) {
    configure(backend);
    await fine("batch", "run", "shop", ...SHALLOW);
    const [latest] = JSON.parse(await fine("batch", "list", "shop", "--json")) as [BatchSummary];
    ids.push(latest.batch_id);
  }
  return ids as [string, string];
}

/** As people see it: the thing that is asked for, in its colour or another. */
function gradeOf(query: string, item: string): number {
  const [colour, thing] = query.split(" ");
  return item === `${String(colour)}-${String(thing)}` ? 3 : item.endsWith(`-${String(thing)}`) ? 1 : 0;
}

async function importSheet(): Promise<void> {
  write("filled.csv", filledSheet(file("sheet.csv"), gradeOf));
  await fine("label", "import", file("filled.csv"), "shop", "--rater", "anna");
}

describe("audit", () => {
  it("refuses what wants two batches, a model's prompt or a probe", async () => {
    const refused = async (...args: string[]): Promise<string> => (await call("audit", ...args)).stderr;
    expect(await refused("shop")).toContain("no such label store; build labels first");
    await fine("label", "build", "shop");
    expect(await refused("shop", "--store", "nope.sqlite")).toContain(
      "nope.sqlite: no such store, of whose batches",
    );
    expect(await refused("shop", "--dry-run")).toContain("--dry-run is for --probe");
    expect(await refused("shop", "--next", "a")).toContain("--next compares two batches, got 1");
    for (const option of ["--no-text", "--dry-run", "--probe", "--no-raters"])
      expect(await refused("shop", "--next", "a", "b", option)).toContain(
        `${option} does nothing with --next`,
      );
    expect(await refused("shop", "--probe", "--wording", "mine.yaml")).toContain("`words` has no prompt");
  });

  it("counts what its own raters said as outdated, and tells of a replaced sample when it is", async () => {
    await fine("label", "build", "shop", "--labeler", "overlap");
    write("items.jsonl", ITEMS.map((item) => `${JSON.stringify({ ...item, new: 1 })}\n`).join(""));
    await fine("label", "build", "shop");
    expect((await audit("shop")).counts.stale).toBe(0);
    expect(await fine("audit", "shop")).toContain("No person has labelled anything");
    await fine("audit", "sample", "shop", "--size", "3");
    const { status, stderr } = await call("audit", "sample", "shop", "--size", "50");
    expect([status, stderr]).toEqual([2, expect.not.stringContaining("no longer counts")]);
  });
  it("says what the labels do to conclusions, and what systems put first", async () => {
    const [words, colours] = await twoBatches();
    const before = await audit("shop");
    expect(before).toMatchObject({ conclusions: null, probes: null, counts: { first: 0 } });
    expect(before.outliers).toEqual([]);
    await fine(
      "audit",
      "sample",
      "shop",
      "--size",
      "12",
      "--run",
      words,
      "--run",
      colours,
      "-o",
      file("sheet.csv"),
    );
    await importSheet();
    const after = await audit("shop", "-m", "nDCG@3");
    expect(after.conclusions).toMatchObject({ metric: "nDCG@3", queries: 12, pairs: 1, wrong_signs: 0 });
    expect(after.conclusions?.systems.map(({ name }) => name)).toEqual([words, colours]);
    expect(after.conclusions?.best_second).toBe(words);
    const { stderr, stdout } = await call("audit", "shop", "--run", words, "--run", colours);
    expect(stdout).toContain(`Both find ${words} the best`);
    expect(stderr).toContain("report.md and report.html");
  });

  it("asks people once of queries with the same words", async () => {
    const twice = [...QUERIES, ...QUERIES.slice(0, 4)];
    write("queries.txt", twice.map((query, at) => `q${at}\t${query}\n`).join(""));
    const [words, colours] = await twoBatches();
    const size = String(twice.length);
    const commands = [
      ["sample", "shop", "--size", size],
      ["sample", "shop", "--size", size, "--run", words, "--run", colours],
      ["shop", "--next", words, colours, "-m", "nDCG@3", "--size", "500"],
    ];
    for (const command of commands) {
      await fine("audit", ...command, "-o", file("sheet.csv"));
      await importSheet();
    }
    expect((await audit("shop")).counts.first).toBeGreaterThan(QUERIES.length);
  });

  it("tries the labeler, and asks nothing twice", async () => {
    await fine("label", "build", "shop");
    const plan = await fine("audit", "shop", "--probe", "--pairs", "12", "--dry-run");
    expect(plan).toMatch(/^words would be asked \d+ times$/m);
    expect(existsSync(file("out/datasets/shop/audits"))).toBe(false);
    const first = await call("audit", "shop", "--probe", "--pairs", "12");
    expect(first.stdout).toContain(
      "gives higher grades to items of other queries when the query's words are put",
    );
    expect(plan).toContain(` ${/(\d+) requests/.exec(first.stdout)?.[1] ?? ""} times`);
    const again = await call("audit", "shop", "--probe", "--pairs", "12");
    expect(again.stderr).toMatch(/\d+ answers of an earlier time taken from .*probe-answers\.jsonl/);
    const { probes, findings } = await audit("shop", "--probe", "--pairs", "12", "--seed", "2", "--no-text");
    expect(probes).toMatchObject({ judge: "words", seed: 2 });
    expect(probes?.skipped.map(({ probe }) => probe)).toContain("wording");
    expect(findings).toMatchObject([{ kind: "query_words" }]);
  });

  it(
    "lists what people should label next for a comparison, which " + "no estimate takes for a sample",
    async () => {
      const [words, colours] = await twoBatches();
      const next = ["audit", "shop", "--next", words, colours, "-m", "nDCG@3", "-o", file("sheet.csv")];
      const listed = JSON.parse(await fine(...next, "--json", "--size", "500")) as {
        chance: number;
        weight: number;
      }[];
      const values = listed.map(({ weight, chance }) => weight ** 2 * chance * (1 - chance));
      expect(values).toEqual([...values].sort((a, b) => b - a));
      const { stdout, stderr } = await call(...next, "--size", "500");
      expect(stdout).toMatch(/^query +item +title +the model says +chance +weight\n/);
      expect(stderr).toContain(`${listed.length} pairs that may move this comparison most`);
      await importSheet();
      expect((await call(...next)).stderr).toContain("no label of people's could move this comparison");
      const compared = await call("batch", "compare", words, colours, "-m", "nDCG@3");
      expect(compared.stdout).toContain("Labels not audited");
    },
  );
});
