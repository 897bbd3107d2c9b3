import type { Command } from "commander";
import { benchGolden, redecided, runBench, samplePass, sampleSheet, standardContenders, standardModes, type BenchFixture, type Contender, type DecisionOptions } from "../../bench/index.js";
import { asScoredRun, decodeText, formatSampleSheet, parseResult, parseSampleSheet, parseVectors } from "../../formats/index.js";
import { AdapterError, InputError } from "../../index.js";
import { contentOf, readAnyRun } from "../../node/evaluate/index.js";
import { openStore, replaceFile } from "../../node/index.js";
import { httpRetriever, runRetriever, storedVectors } from "../../retrieve/index.js";
import { importRun } from "../../runs/index.js";
import type { BenchReport, EvalRun } from "../../schema/index.js";
import { benchLimits, benchOutputsOf, writeBench, type BenchOutputFlags } from "../bench-outputs.js";
import { DEFAULT_STORE } from "../defaults.js";
import { fixtureOf, fixtureOptionsOf, type FixtureFlags } from "../fixture-flags.js";
import { aNumber, wholeNumber } from "../number-flag.js";
import { hybridOptions, lexicalOptions, liveEmbedder, offlineEmbedder, retrievalOptionsOf, type RetrievalFlags } from "../retrieval-flags.js";
import { plainLine, type Terminal } from "../terminal.js";
import { writeOutput } from "../write-output.js";
import { examples, printedJson, type CliCommand } from "./cli-command.js";

interface DecisionFlags {
  margin?: number;
  confidence?: number;
  latencyBudget?: number;
  seed?: number;
}

interface BenchFlags extends RetrievalFlags, Omit<FixtureFlags, "chunker">, DecisionFlags, BenchOutputFlags {
  modes?: string;
  system?: string[];
  vectors?: string;
  queryVectors?: string;
  repeats?: number;
  warmUp?: number;
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
  json?: true;
}

const collected = (value: string, before: string[] = []): string[] => [...before, value];

export const benchCommand: CliCommand = {
  define(program, terminal) {
    const bench = program
      .command("bench")
      .description("do embeddings earn their keep? full text against embeddings against both, on one fixture, and the decision")
      .argument("<fixture>", "a fixture (JSON), or a folder with corpus.jsonl, queries.jsonl and qrels");
    decisionOptionsOf(benchOutputsOf(retrievalOptionsOf(fixtureOptionsOf(bench))))
      .option("--modes <names>", `such as ${standardModes.join(",")} (default: all that there is a provider for)`)
      .option("--system <mode=source>", "a system of yours as a mode: a run file, or the address of a service; fts_only and embedding_only replace the standard ones; may be repeated", collected)
      .option("--vectors <file>", "vectors of the chunks (JSONL of id and vector) as embedding_only, with --query-vectors")
      .option("--query-vectors <file>", "vectors of the queries")
      .option("--repeats <n>", "measured times per case; the latency is their median (default: 3)", wholeNumber("repeats"))
      .option("--warm-up <n>", "cases that each mode answers beforehand, unmeasured (default: 10)", aNumber("warm-up"))
      .option("-s, --store <file>", "keep the run of each mode in a store, for compare", DEFAULT_STORE)
      .option("--no-store", "do not keep the runs")
      .addHelpText(
        "after",
        examples(
          "bench fixture.json --html bench.html",
          "bench beir/scifact --chunker sentences -o bench.json --fail-under hybrid.recall=0.5",
          "bench collection --vectors docs.jsonl --query-vectors queries.jsonl --fusion \"wsum(weights=0.7/0.3)\"",
          "bench fixture.json --embedding-provider openai        # a real provider beside the hash baseline",
          "bench collection --system embedding_only=dense.run",
          "bench sample bench.json --fixture fixture.json -o sheet.csv",
          "bench decide bench.json --margin 0.01 --latency-budget 100 --sample sheet.csv",
        ),
      )
      .action(async (path: string, flags: BenchFlags) => benchAction(path, flags, terminal));
    decisionOptionsOf(benchOutputsOf(bench.command("decide").description("decide again from a stored report: other settings, or with what people said of the hits").argument("<report>", "what `bench -o` wrote; - is stdin")))
      .option("--sample <sheet>", "the labelled sheet of `bench sample`")
      .option("--hits <n>", "hits of each mode on the sheet (default: 3)", wholeNumber("hits"))
      .addHelpText("after", examples("bench decide bench.json --margin 0.01", "bench decide bench.json --sample sheet.csv -o bench.json --html bench.html"))
      .action(async (file: string, _: unknown, command: Command) => decideAction(file, command.optsWithGlobals(), terminal));
    fixtureOptionsOf(bench.command("sample").description("write a sheet of hits for people to label, blind and shuffled; or score one").argument("<report>", "what `bench -o` wrote; - is stdin"))
      .option("--fixture <path>", "the fixture of the report, for the texts")
      .option("--query-count <n>", "queries, spread over the query types (default: 20)", wholeNumber("query-count"))
      .option("--hits <n>", "hits of each mode (default: 3)", wholeNumber("hits"))
      .option("--seed <n>", "of queries and order (default: 1)", aNumber("seed"))
      .option("-o, --output <file>", "write the sheet to a file")
      .option("--score <sheet>", "read a labelled sheet: did hits become more relevant, or only more vague?")
      .option("--json", "print the score as JSON")
      .addHelpText("after", examples("bench sample bench.json --fixture fixture.json -o sheet.csv", "bench sample bench.json --score sheet.csv"))
      .action(async (file: string, _: unknown, command: Command) => sampleAction(file, command.optsWithGlobals(), terminal));
  },
};

function decisionOptionsOf(command: Command): Command {
  return command
    .option("--margin <x>", "what nDCG must gain by over fts_only (default: 0)", aNumber("margin"))
    .option("--confidence <x>", "share of the intervals (default: 0.95)", aNumber("confidence"))
    .option("--latency-budget <ms>", "highest 95th percentile of latency (default: 200)", aNumber("latency-budget"))
    .option("--seed <n>", "of the resamples (default: 1)", aNumber("seed"));
}

function decisionOptions({ margin, confidence, latencyBudget, seed }: DecisionFlags): DecisionOptions {
  return { margin, confidence, latencyBudgetMs: latencyBudget, seed };
}

async function benchAction(path: string, flags: BenchFlags, terminal: Terminal): Promise<void> {
  const limits = benchLimits(flags);
  const { signal } = terminal;
  const lexical = await lexicalOptions(flags);
  const live = liveEmbedder(flags, process.env);
  terminal.progress(`reading ${path}`);
  const fixture = await fixtureOf(path, flags);
  const own = await ownSystems(fixture, flags);
  try {
    const contenders = await standardContenders(fixture, {
      modes: flags.modes?.split(",").map((mode) => mode.trim()),
      embedder: offlineEmbedder(flags),
      liveEmbedder: live,
      lexical,
      hybrid: hybridOptions(flags),
      own,
      signal,
      onProgress: (what, done, total) => terminal.progress(`${what}: ${done} of ${total} chunks`),
    });
    const { report, runs } = await runBench(fixture, contenders, {
      ...decisionOptions(flags),
      repeats: flags.repeats,
      warmUp: flags.warmUp,
      depth: flags.depth,
      signal,
      onProgress: (mode, done, total) => terminal.progress(`${mode}: ${done} of ${total} questions`),
    });
    if (flags.store !== false) await keepRuns(fixture, runs, flags.store, terminal);
    writeBench(report, flags, limits, terminal);
  } catch (error) {
    if (signal.aborted) throw new AdapterError("RUN_INCOMPLETE", "the benchmark was interrupted; vectors that a provider has made are kept, so the next one begins where this one stopped", {}, error);
    throw error;
  }
}

/** The modes that the user brings: runs, services, vectors. */
async function ownSystems(fixture: BenchFixture, { system = [], vectors, queryVectors }: BenchFlags): Promise<Contender[]> {
  const own: Contender[] = [];
  if ((vectors === undefined) !== (queryVectors === undefined)) throw new InputError("ARGUMENT", "--vectors and --query-vectors go together: chunks and questions must be embedded by one model");
  if (vectors !== undefined && queryVectors !== undefined) own.push({ mode: "embedding_only", isRecorded: true, description: `cosine of the vectors in ${vectors}`, retriever: storedVectors(fixture.chunks, parseVectors(await contentOf(vectors), vectors), parseVectors(await contentOf(queryVectors), queryVectors)) });
  for (const given of system) {
    const [, mode, source] = /^([^=]+)=(.+)$/.exec(given) ?? [];
    if (mode === undefined || source === undefined) throw new InputError("ARGUMENT", `--system must look like \`embedding_only=dense.run\` or \`mine=http://localhost:8080/search\`, got \`${plainLine(given)}\``);
    if (/^https?:\/\//.test(source)) own.push({ mode, description: `the service at ${new URL(source).origin}`, retriever: httpRetriever(source) });
    else own.push({ mode, isRecorded: true, description: `the run ${source}`, retriever: runRetriever(asRun((await readAnyRun(source)).run, fixture)) });
  }
  return own;
}

/** Recorded runs have chunks and documents; other formats name whatever is judged. */
function asRun(run: Parameters<typeof asScoredRun>[0], { unit }: BenchFixture): Parameters<typeof runRetriever>[0] {
  return run instanceof Map ? asScoredRun(run, unit) : run;
}

/** Keeps the runs in the store, and the cases beside it, so that `compare` can be called. */
async function keepRuns({ name, ...rest }: BenchFixture, runs: readonly EvalRun[], path: string, terminal: Terminal): Promise<void> {
  const store = await openStore(path, { create: true });
  for (const run of runs) await importRun(store, run, { replace: true });
  const golden = `${path.replace(/[^/\\]*$/, "")}${name}.golden.json`;
  replaceFile(golden, printedJson(benchGolden({ name, ...rest })));
  const ids = runs.map(({ run_id }) => plainLine(run_id));
  terminal.talk(`kept ${ids.join(", ")} in ${path}, and the cases in ${golden}`);
  if (ids.length > 1) terminal.talk(`compare them: rankproof compare ${ids[0] ?? ""} ${ids.at(-1) ?? ""} -g ${golden} --unit ${rest.unit} -m nDCG@10`);
}

async function storedReport(file: string): Promise<BenchReport> {
  const stored = parseResult(decodeText(await contentOf(file), file), file);
  if (stored.kind !== "bench") throw new InputError("ARGUMENT", `${file}: is a result of another command; give what \`bench -o\` wrote`);
  return stored.result;
}

async function readSheet(file: string): Promise<ReturnType<typeof parseSampleSheet>> {
  return parseSampleSheet(await contentOf(file), file);
}

async function decideAction(file: string, flags: DecideFlags, terminal: Terminal): Promise<void> {
  const limits = benchLimits(flags);
  const report = await storedReport(file);
  const sampling = flags.sample === undefined ? undefined : samplePass(report, await readSheet(flags.sample), { hits: flags.hits });
  writeBench(redecided(report, decisionOptions(flags), sampling), flags, limits, terminal);
}

async function sampleAction(file: string, flags: SampleFlags, terminal: Terminal): Promise<void> {
  const report = await storedReport(file);
  const { hits, seed } = flags;
  if (flags.score !== undefined) {
    const pass = samplePass(report, await readSheet(flags.score), { hits, seed });
    if (flags.json === true) terminal.out(printedJson(pass));
    else {
      terminal.out(`${pass.headline}\n`);
      for (const { mode, grounded, broad, miss } of pass.modes) terminal.out(`  ${plainLine(mode)}: ${grounded} grounded, ${broad} broad, ${miss} miss\n`);
    }
    if (pass.unlabelled > 0) terminal.talk(`${terminal.paint("warning:", "strong")} ${pass.unlabelled} of ${pass.hits + pass.unlabelled} hits are not labelled yet`);
    return;
  }
  if (flags.fixture === undefined) throw new InputError("ARGUMENT", "name the fixture of the report with --fixture, for the texts of the hits; or score a labelled sheet with --score");
  const rows = sampleSheet(await fixtureOf(flags.fixture, flags), report, { queries: flags.queryCount, hits, seed });
  writeOutput(formatSampleSheet(rows), flags.output, terminal);
  terminal.talk(`${rows.length} hits of ${new Set(rows.map(({ case_id }) => case_id)).size} queries; write grounded, broad or miss into the first column, then: rankproof bench sample ${plainLine(file)} --score ${flags.output ?? "sheet.csv"}`);
}
