import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { chunkerCatalog, wholeDocumentChunker } from "../src/chunk/index.js";
import { chunkerOf, chunkerOptionsOf } from "../src/cli/chunker-flags.js";
import { embeddingOptionsOf, liveEmbedder, offlineEmbedder } from "../src/cli/embedding-flags.js";
import { reportOptionsOf, writeComparison, type ReportFlags } from "../src/cli/report-outputs.js";
import {
  formatQrels,
  formatRun,
  findWrittenFormat,
  findWrittenFormatOfFile,
  writtenFormats,
} from "../src/formats/index.js";
import type { ScoreTable } from "../src/index.js";
import { comparisonOutputs } from "../src/report/index.js";
import { embeddingCatalog, functionEmbedder } from "../src/retrieve/index.js";
import { corrections, intervalMethods, pairedTests } from "../src/stats/index.js";
import { inProcess } from "./cli/in-process.js";
import { aScoreComparison } from "./support/gated-results.js";

/** Adding one of anything is its file and a line in its catalogue: all else follows, which these see. */

const helpOf = (define: (command: Command) => Command): string =>
  define(new Command()).helpInformation().replace(/\s+/g, " ");
/** The names of a catalogue's members as the help lists them. */
const choices = (catalog: readonly { readonly name: string }[]): string =>
  catalog.map(({ name }) => `"${name}"`).join(", ");
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rankproof-catalogues-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a chunker", () => {
  const madeUp = {
    name: "made-up",
    size: { unit: "lines", usual: 40, usualOverlap: 3 },
    make: ({ size = 40 } = {}) => ({ ...wholeDocumentChunker(), version: `made-up-1(lines=${size})` }),
  };
  const catalog = [...chunkerCatalog, madeUp];

  it("is in the help with the units and the usual values of its size", () => {
    const help = helpOf((command) => chunkerOptionsOf(command, catalog));
    expect(help).toContain(choices(catalog));
    expect(help).toContain("words of windows (default: 150)");
    expect(help).toContain("lines of made-up (default: 40)");
    expect(help).toContain("30 of windows");
    expect(help).toContain("3 of made-up");
  });
  it("is made with the size that the flags say", () => {
    expect(chunkerOf({ chunker: "made-up", chunkSize: 7 }, catalog).version).toBe("made-up-1(lines=7)");
  });
  it("is named where a size is given for documents that are not cut", () => {
    expect(() => chunkerOf({ chunker: "whole", chunkSize: 7 }, catalog)).toThrow(
      /are for --chunker sentences and .*made-up; with --chunker whole documents are not cut/,
    );
  });
  it.each(chunkerCatalog.map((card) => [card.name, card] as const))(
    "%s has the usual size where none is given, and makes chunks",
    (_, { size, make }) => {
      const usual = make();
      if (size !== undefined)
        expect(make({ size: size.usual, overlap: size.usualOverlap }).version).toBe(usual.version);
      expect(usual.chunk({ id: "d", title: "", text: "One. Two." })[0]).toMatchObject({ doc_id: "d" });
    },
  );
});

describe("an embedding provider", () => {
  const opened: unknown[] = [];
  const madeUp = {
    name: "made-up",
    about: "a cloud that is made up",
    requests: { texts: 8, atOnce: 2 },
    open: (settings: unknown) => {
      opened.push(settings);
      return functionEmbedder(async (texts) => texts.map(() => [1]), { model: "made-up-1" });
    },
  };
  const catalog = [...embeddingCatalog, madeUp];
  const flags = { embeddingProvider: "made-up", embeddingCache: false as const };

  it("is in the help with what it is about, and with its batches", () => {
    const help = helpOf((command) => embeddingOptionsOf(command, catalog));
    expect(help).toContain("made-up: a cloud that is made up");
    expect(help).toContain(`${choices(catalog)}, "none"`);
    expect(help).toMatch(/\(default: 64(?:, \d+)*, 8\)/);
  });
  it("is opened with the settings of the flags, with the usual offline one beside it", () => {
    const progress = vi.fn();
    const terminal = { env: { KEY: "k" }, progress };
    expect(liveEmbedder({ ...flags, embeddingRate: 5 }, terminal, catalog)?.model).toBe("made-up-1");
    expect(opened).toEqual([{ env: { KEY: "k" }, batchSize: 8, requestsPerMinute: 5, onRetry: progress }]);
    expect(offlineEmbedder(flags, catalog)?.model).toBe("hash-128");
  });
});

describe("an output of reports", () => {
  const madeUp = { name: "made-up", about: "the report as a haiku", render: () => "five seven five\n" };
  const outputs = [...comparisonOutputs, madeUp];

  it("is in the help, and written to the file that its flag names", async () => {
    expect(helpOf((command) => reportOptionsOf(command, outputs))).toContain(
      "--made-up <file> write the report as a haiku",
    );
    const file = join(folder, "report.txt");
    const silent = {
      env: {},
      cwd: folder,
      out: () => undefined,
      talk: () => undefined,
      warn: () => undefined,
      error: () => undefined,
      command: () => undefined,
      progress: () => undefined,
      paint: (text: string) => text,
      signal: new AbortController().signal,
    };
    await writeComparison(
      aScoreComparison(),
      { madeUp: file } as ReportFlags,
      null,
      silent,
      undefined,
      outputs,
    );
    expect(readFileSync(file, "utf8")).toBe("five seven five\n");
  });
});

describe("a file format", () => {
  const madeUp = {
    name: "morse",
    extensions: ["morse"],
    hasSubtopics: false,
    hasEmptyQueries: true,
    run: (run: ReadonlyMap<string, unknown>) => [`-- ${run.size}\n`],
    qrels: (judgments: readonly unknown[]) => [`.. ${judgments.length}\n`],
  };
  const catalog = [...writtenFormats, madeUp];

  it("is found by its name, by the extension of a file, and in messages", () => {
    expect(findWrittenFormat("morse", catalog)).toBe(madeUp);
    expect(findWrittenFormatOfFile("run.MORSE.gz", catalog)).toBe(madeUp);
    expect(() => findWrittenFormat("morsel", catalog)).toThrow("did you mean `morse`?");
  });
  it("writes runs and judgments; those by subtopic only where it has a place for them", () => {
    expect(formatRun(new Map(), madeUp)).toBe("-- 0\n");
    expect(formatQrels([{ query_id: "q", doc_id: "d", grade: 1 }], madeUp)).toBe(".. 1\n");
    expect(() => formatQrels([{ query_id: "q", doc_id: "d", grade: 1, subtopic: "s" }], madeUp)).toThrow(
      /^morse cannot hold judgments by subtopic; write trec, csv/,
    );
  });
  it("is a choice of convert and fuse", async () => {
    for (const command of ["convert", "fuse"]) {
      const { stdout } = await inProcess(command, "--help");
      for (const { name } of writtenFormats) expect(stdout).toContain(`"${name}"`);
    }
  });
});

describe.each([
  {
    setting: "correction",
    folder: "corrections",
    catalog: "corrections",
    madeUp: { label: "Made up", adjust: (rising: readonly number[]) => rising.map(() => 0.75) },
    found: { p_adjusted: 0.75 },
  },
  {
    setting: "test",
    folder: "paired-tests",
    catalog: "pairedTests",
    madeUp: {
      label: "made-up test, two-sided",
      isOfSigns: false,
      test: (pairs: readonly unknown[]) => pairs.map(() => ({ p: 0.25, isExact: true })),
    },
    found: { p: 0.25 },
  },
] as const)("a $setting of paired differences", ({ setting, folder: name, catalog, madeUp, found }) => {
  withMadeUp(name, catalog, madeUp);

  it("is in the schema", async () => {
    const { comparisonSettingsSchema } = await import("../src/records/schema/index.js");
    expect(comparisonSettingsSchema.shape[setting].options).toContain("made-up");
  });
  it("is a choice in the help", async () => {
    const { statisticsOptionsOf } = await import("../src/cli/statistics-flags.js");
    expect(helpOf(statisticsOptionsOf)).toContain(', "made-up"');
  });
  it("is computed by comparisons, and named in their reports", async () => {
    const { compareScores } = await import("../src/index.js");
    const { renderReportHtml } = await import("../src/report/index.js");
    const options = { [setting]: "made-up" } as object;
    const result = compareScores([aTable("a", [0.1, 0.2, 0.3]), aTable("b", [0.2, 0.4, 0.8])], options);
    expect(result.comparisons[0]?.metrics[0]).toMatchObject(found);
    expect(renderReportHtml(result)).toContain(madeUp.label);
  });
});

describe("an interval of a mean difference", () => {
  withMadeUp("intervals", "intervalMethods", {
    label: "made-up interval",
    interval: ({ observed }: { readonly observed: number }) => ({ low: observed - 1, high: observed + 1 }),
  });

  it("is made by its name", async () => {
    const { meanInterval } = await import("../src/stats/index.js");
    expect(meanInterval([1, 3], { method: "made-up" as "bca" })).toEqual({ low: 1, high: 3 });
  });
  it.each(["schemas/score-comparison.schema.json", "docs/statistics.md"])("is named in %s", (file) => {
    expect(textOf(file)).toContain(intervalMethods.wider.label);
  });
});

it("the documentation has every test, correction and interval", () => {
  const names = [pairedTests, corrections, intervalMethods].flatMap((catalog) => Object.keys(catalog));
  const docs = textOf("docs/statistics.md");
  for (const name of names) expect(docs).toMatch(new RegExp(`[\`_ ]${name}[\`_ ]`));
});

const textOf = (file: string): string =>
  readFileSync(new URL(`../${file}`, import.meta.url), "utf8").replace(/\s+/g, " ");

/** Adds a member to a catalogue for the modules that a suite loads; their own files know nothing of it. */
function withMadeUp(name: string, catalog: string, madeUp: object): void {
  const path = `../src/stats/${name}/catalog.js`;
  beforeAll(async () => {
    const actual = await vi.importActual<Record<string, object>>(path);
    vi.resetModules();
    vi.doMock(path, () => ({ ...actual, [catalog]: { ...actual[catalog], "made-up": madeUp } }));
  });
  afterAll(() => {
    vi.doUnmock(path);
    vi.resetModules();
  });
}

function aTable(run: string, scores: readonly number[]): ScoreTable {
  const card = { higher_is_better: true, range: [0, 1] as [number, number] };
  return {
    run,
    metrics: [{ name: "m", card }],
    queryIds: scores.map((_, at) => `q${at}`),
    columns: [scores],
  };
}
