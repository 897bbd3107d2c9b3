import { countOf } from "../../foundation/numbers/index.js";
import { existsSync } from "node:fs";
import type { Command } from "commander";
import {
  checkDecisionOptions,
  checkLimitedModes,
  redecide,
  runBench,
  samplePass,
  sampleSheet,
  standardSystems,
  standardModes,
  type DecisionOptions,
} from "../../bench/index.js";
import { decodeText, formatSampleSheet, parseResult, parseSampleSheet } from "../../formats/index.js";
import { InputError } from "../../index.js";
import { contentOf, STANDARD_INPUT } from "../../node/evaluate/index.js";
import { openStore } from "../../node/index.js";
import type { BenchReport } from "../../records/index.js";
import { benchLimits, benchOutputsOf, writeBench, type BenchOutputFlags } from "../bench-outputs.js";
import { checkAnswered } from "../check-answered.js";
import { chunkerOptionsOf } from "../chunker-flags.js";
import { collect } from "../collect.js";
import { liveEmbedder, offlineEmbedder } from "../embedding-flags.js";
import { DEFAULT_STORE } from "../defaults.js";
import { fixtureOf, fixtureOptionsOf, type FixtureFlags } from "../fixture-flags.js";
import { interruptible } from "../interruptible.js";
import { checkKeptGolden, checkKeptRuns, keepRuns } from "../kept-runs.js";
import { numberOption, seedOption, shareOption, wholeNumberOption } from "../number-flag.js";
import { modeOfSystem, ownSystems, type SystemFlags } from "../own-systems.js";
import {
  hybridOptions,
  lexicalOptions,
  refuseIdleRetrieval,
  retrievalOptionsOf,
  type RetrievalFlags,
} from "../retrieval-flags.js";
import { refuseIdleOptions } from "../refuse-idle-options.js";
import { shellWord } from "../shell-word.js";
import { subcommandFlags } from "../subcommand-flags.js";
import { plainLine, type Terminal } from "../terminal.js";
import { writeOutput } from "../write-output.js";
import { examples, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";
import { OutputOption } from "../output-option.js";

interface DecisionFlags {
  margin?: number;
  confidence?: number;
  latencyBudget?: number;
  seed?: number;
}

interface BenchFlags
  extends RetrievalFlags, Omit<FixtureFlags, "chunker">, DecisionFlags, BenchOutputFlags, SystemFlags {
  modes?: string[];
  repeats?: number;
  warmUp?: number;
  tune?: true;
  name?: string;
  store: string | false;
}

interface DecideFlags extends DecisionFlags, BenchOutputFlags {
  sample?: string;
  hits?: number;
}

interface SampleFlags extends FixtureFlags {
  fixture?: string;
  score?: string;
  queryCount?: number;
  hits?: number;
  seed?: number;
  output?: string;
  force?: true;
  json?: true;
}

export const benchCommand: CliCommand = {
  define(bench, terminal) {
    defineBench(bench, terminal);
    defineDecide(bench, terminal);
    defineSample(bench, terminal);
  },
};

function defineBench(bench: Command, terminal: Terminal): void {
  bench.argument(
    "<fixture>",
    "a fixture (JSON), or a folder with corpus.jsonl, queries.jsonl and qrels; - is stdin",
  );
  decisionOptionsOf(benchOutputsOf(retrievalOptionsOf(fixtureOptionsOf(bench))))
    .option(
      "--modes <names>",
      `such as ${standardModes.join(",")} (default: all that there is a provider for)`,
      (names: string) => names.split(",").map((name) => name.trim()),
    )
    .option(
      "--system <mode=source>",
      "a system of yours as a mode: a run file, or the address of a service; fts_only and " +
        "embedding_only replace the standard ones; may be repeated",
      collect,
    )
    .option(
      "--vectors <file>",
      "vectors of the chunks (JSONL of id and vector) as embedding_only, with --query-vectors",
    )
    .option("--query-vectors <file>", "vectors of the queries")
    .option(
      "--repeats <n>",
      "measurements per case; the latency is their median (default: 3)",
      wholeNumberOption("repeats"),
    )
    .option(
      "--warm-up <n>",
      "cases that each mode answers first, without being measured (default: 10)",
      wholeNumberOption("warm-up", 0),
    )
    .option(
      "--tune",
      "tune the weights of a hybrid as well, and decide by it: each case with those of the others",
    )
    .option("--name <name>", "the name of the runs (default: the fixture's)")
    .option("-s, --store <file>", "keep the run of each mode in a store, for compare", DEFAULT_STORE)
    .option("--no-store", "do not keep the runs")
    .addHelpText(
      "after",
      examples(
        "bench fixture.json --html bench.html",
        "bench beir/scifact --chunker sentences -o bench.json --fail-under hybrid.recall=0.5",
        "bench collection --vectors docs.jsonl --query-vectors queries.jsonl --fusion " +
          '"wsum(weights=0.7/0.3)"',
        "bench fixture.json --embedding-provider openai        # a real provider beside the hash baseline",
        "bench collection --system embedding_only=dense.run",
        "bench sample bench.json --fixture fixture.json -o sheet.csv",
        "bench decide bench.json --margin 0.01 --latency-budget 100 --sample sheet.csv",
      ),
    )
    .action(async (path: string, flags: BenchFlags, called: Command) => {
      const { modes = standardModes, tune, system = [] } = flags;
      refuseIdleRetrieval(called, [...modes, ...(tune ? ["hybrid"] : [])], system.map(modeOfSystem));
      await benchAction(path, flags, terminal);
    });
}

function defineDecide(bench: Command, terminal: Terminal): void {
  decisionOptionsOf(
    benchOutputsOf(
      bench
        .command("decide")
        .description(
          "decide again from a stored report: other settings, or with what people said of the hits",
        )
        .argument("<report>", "what `bench -o` wrote; - is stdin"),
    ),
  )
    .option("--sample <sheet>", "the labelled sheet of `bench sample`")
    .option("--hits <n>", "hits of each mode on the sheet (default: 3)", wholeNumberOption("hits"))
    .addHelpText(
      "after",
      examples(
        "bench decide bench.json --margin 0.01",
        "bench decide bench.json --sample sheet.csv -o decided.json --html decided.html",
      ),
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const flags = subcommandFlags<DecideFlags>(command);
      if (flags.sample === undefined) refuseIdleOptions(command, ["hits"], "without --sample");
      await decideAction(file, flags, terminal);
    });
}

function defineSample(bench: Command, terminal: Terminal): void {
  chunkerOptionsOf(
    fixtureOptionsOf(
      bench
        .command("sample")
        .description("write a sheet of hits for people to label, blind and shuffled; or score one")
        .argument("<report>", "what `bench -o` wrote; - is stdin"),
    ),
  )
    .option("--fixture <path>", "the fixture of the report, for the texts")
    .option(
      "--query-count <n>",
      "queries, spread over the query types (default: 20)",
      wholeNumberOption("query-count"),
    )
    .option("--hits <n>", "hits of each mode (default: 3)", wholeNumberOption("hits"))
    .addOption(seedOption("of queries and order (default: 1)"))
    .addOption(new OutputOption("-o, --output <file>", "write the sheet to a file"))
    .option("--force", "write over a sheet that is there")
    .option("--score <sheet>", "read a labelled sheet: did hits become more relevant, or only more vague?")
    .option("--json", "print the score as JSON")
    .addHelpText(
      "after",
      examples(
        "bench sample bench.json --fixture fixture.json -o sheet.csv",
        "bench sample bench.json --score sheet.csv",
      ),
    )
    .action(async (file: string, _: unknown, command: Command) => {
      const flags = subcommandFlags<SampleFlags>(command);
      if (flags.score === undefined) refuseIdleOptions(command, ["json"], "without --score");
      else refuseIdleOptions(command, FOR_SHEETS, "with --score, which reads a sheet");
      await sampleAction(file, flags, terminal);
    });
}

/** All but how many hits of each mode a sheet has. */
const FOR_SHEETS = [
  "fixture",
  "queryCount",
  "seed",
  "output",
  "force",
  "corpus",
  "queries",
  "qrels",
  "topK",
  "chunker",
  "chunkSize",
  "chunkOverlap",
];

function decisionOptionsOf(command: Command): Command {
  return command
    .option(
      "--margin <x>",
      "by how much nDCG must exceed that of fts_only (default: 0)",
      numberOption("margin"),
    )
    .option(
      "--confidence <x>",
      "confidence level of the intervals (default: 0.95)",
      shareOption("confidence"),
    )
    .option(
      "--latency-budget <ms>",
      "highest 95th percentile of latency (default: 200)",
      numberOption("latency-budget", 0),
    )
    .addOption(seedOption("seed of the resamples (default: 1)"));
}

function decisionOptions({ margin, confidence, latencyBudget, seed }: DecisionFlags): DecisionOptions {
  return { margin, confidence, latencyBudgetMs: latencyBudget, seed };
}

async function benchAction(path: string, flags: BenchFlags, terminal: Terminal): Promise<void> {
  // Whatever can be refused is refused before anything takes time or money.
  const limits = benchLimits(flags);
  checkDecisionOptions(decisionOptions(flags));
  const hybrid = hybridOptions(flags);
  const lexical = await lexicalOptions(flags);
  const live = liveEmbedder(flags, terminal);
  if (flags.store !== false) await (await openStore(flags.store, { create: true })).close();
  terminal.progress(`reading ${path}`);
  const read = await fixtureOf(path, flags);
  const fixture = { ...read, name: checkName(flags.name ?? read.name) };
  if (flags.store !== false) checkKeptGolden(fixture, flags.store);
  const own = await ownSystems(fixture, flags);
  const isKept = live !== undefined && flags.embeddingCache !== false;
  const resumption =
    "; vectors that the provider has made are kept, so the next one begins where this one stopped";
  const { report, runs } = await interruptible(
    terminal,
    `the benchmark was interrupted${isKept ? resumption : ""}`,
    async (signal) => {
      const systems = await standardSystems(fixture, {
        modes: flags.modes,
        embedder: offlineEmbedder(flags),
        liveEmbedder: live,
        lexical,
        hybrid,
        tune: flags.tune,
        own,
        signal,
        onProgress: (what, done, total) => terminal.progress(`${what}: ${done} of ${total}`),
      });
      const modes = systems.map(({ mode }) => mode);
      checkLimitedModes(limits, modes);
      if (flags.store !== false) await checkKeptRuns(fixture, modes, flags.store);
      return runBench(fixture, systems, {
        ...decisionOptions(flags),
        repeats: flags.repeats,
        warmUp: flags.warmUp,
        depth: flags.depth,
        signal,
        onProgress: (mode, done, total) => terminal.progress(`${mode}: ${done} of ${total} questions`),
      });
    },
  );
  await writeBench(report, flags, limits, terminal, async () => {
    if (flags.store !== false) await keepRuns(fixture, runs, flags.store, terminal);
    checkAnswered(report);
  });
}

/** Files are called by it. */
function checkName(name: string): string {
  if (name === "" || /[/\\\0]|^\.+$/.test(name))
    throw new InputError(
      "ARGUMENT",
      `--name must be usable as the name of a file, got \`${plainLine(name)}\``,
    );
  return name;
}

async function readStoredReport(file: string): Promise<BenchReport> {
  const stored = parseResult(decodeText(await contentOf(file), file), file);
  if (stored.kind !== "bench")
    throw new InputError("ARGUMENT", `${file}: is a result of another command; give what \`bench -o\` wrote`);
  return stored.result;
}

async function readSheet(file: string): Promise<ReturnType<typeof parseSampleSheet>> {
  return parseSampleSheet(await contentOf(file), file);
}

async function decideAction(file: string, flags: DecideFlags, terminal: Terminal): Promise<void> {
  const limits = benchLimits(flags);
  const report = await readStoredReport(file);
  const sheet =
    flags.sample === undefined ? undefined : { rows: await readSheet(flags.sample), hits: flags.hits };
  await writeBench(redecide(report, decisionOptions(flags), sheet), flags, limits, terminal);
}

async function sampleAction(file: string, flags: SampleFlags, terminal: Terminal): Promise<void> {
  const report = await readStoredReport(file);
  if (flags.score !== undefined) return scoreAction(report, flags.score, flags, terminal);
  if (flags.fixture === undefined)
    throw new InputError(
      "ARGUMENT",
      "name the fixture of the report with --fixture, for the texts of the hits; or score a " +
        "labelled sheet with --score",
    );
  const { hits, seed, output } = flags;
  // It may contain labels.
  if (output !== undefined && output !== STANDARD_INPUT && flags.force !== true && existsSync(output))
    throw new InputError(
      "FILE_EXISTS",
      `${output}: is there already; choose another name, or write over it with --force`,
      { file: output },
    );
  const rows = sampleSheet(await fixtureOf(flags.fixture, flags), report, {
    queries: flags.queryCount,
    hits,
    seed,
  });
  writeOutput(formatSampleSheet(rows), output, terminal);
  const next = [
    "rankproof",
    "bench",
    "sample",
    file,
    "--score",
    output === undefined || output === STANDARD_INPUT ? "sheet.csv" : output,
    ...(hits === undefined ? [] : ["--hits", String(hits)]),
  ];
  const queries = new Set(rows.map(({ case_id }) => case_id)).size;
  terminal.talk(
    `${countOf(rows.length, "hit")} of ${countOf(queries, "query")}; write grounded, ` +
      `broad or miss into the first column, then: ${plainLine(next.map(shellWord).join(" "))}`,
  );
}

async function scoreAction(
  report: BenchReport,
  sheet: string,
  { hits, json }: SampleFlags,
  terminal: Terminal,
): Promise<void> {
  const pass = samplePass(report, await readSheet(sheet), { hits });
  if (json === true) terminal.out(formatJson(pass));
  else {
    terminal.out(`${plainLine(pass.headline)}\n`);
    for (const { mode, grounded, broad, miss, empty } of pass.modes)
      terminal.out(
        `  ${plainLine(mode)}: ${grounded} grounded, ${broad} broad, ${miss} ` +
          `miss${empty === 0 ? "" : `, ${empty} empty`}\n`,
      );
  }
  if (pass.unlabelled > 0)
    terminal.warn(
      `${pass.unlabelled} of ${countOf(pass.hits + pass.unlabelled, "hit")} are not labelled yet`,
    );
  if (pass.queries < pass.queries_due)
    terminal.warn(`the sheet has ${pass.queries} of ${pass.queries_due} queries; a pass takes all of them`);
}
