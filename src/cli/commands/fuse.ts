import { countOf } from "../../foundation/numbers/index.js";
import { Option } from "commander";
import { docsOfChunks, findWrittenFormatOfFile, runParts, writtenFormats } from "../../formats/index.js";
import {
  fuse,
  fusionCatalog,
  isTrainedFusion,
  normalizerCatalog,
  parseFusion,
  parseNormalizer,
  parseTrainedFusion,
  trainedFusionCatalog,
  trainFusion,
  readsDistances,
  type FusionMethod,
  type Normalizer,
  type ScoredRun,
  type TrainableFusion,
} from "../../fusion/index.js";
import { InputError } from "../../index.js";
import { loadQrels, type NamedRun } from "../../node/evaluate/index.js";
import { catalogNames } from "../catalog-names.js";
import { wholeNumberOption } from "../number-flag.js";
import { isParquetName, writeOutput } from "../write-output.js";
import { plainLine, type Terminal } from "../terminal.js";
import { anyRunsByName, tellRunWarnings } from "../runs-by-name.js";
import { runsToFuse, withRunNames } from "../runs-to-fuse.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";
import { OutputOption } from "../output-option.js";

interface FuseFlags {
  method: string;
  normalize?: string;
  k?: string;
  gamma?: string;
  sigma?: string;
  phi?: string;
  train?: string;
  weights?: string;
  depth?: number;
  to?: string;
  name?: string;
  output?: string;
  store?: string;
  unit: "chunk" | "doc";
}

/** The format to write: that of the output's name, unless another is asked for. */
function formatOf({ to, output = "" }: FuseFlags): string {
  if (isParquetName(output.replace(/\.gz$/i, "")))
    throw new InputError(
      "ARGUMENT",
      `${plainLine(output)}: fuse writes no Parquet; write another file, and make that of it by ` +
        "`rankproof convert`",
    );
  return to ?? findWrittenFormatOfFile(output)?.name ?? "trec";
}

/** The method with the parameters that have flags of their own. */
function methodName({ method, k, gamma, sigma, phi, weights }: FuseFlags): string {
  const given = Object.entries({ k, gamma, sigma, phi, weights: weights?.replaceAll(",", "/") }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length === 0) return method;
  if (method.includes("("))
    throw new InputError("ARGUMENT", `give the parameters of ${method} in its name or by flags, not both`);
  return `${method}(${given.map(([name, value]) => `${name}=${value ?? ""}`).join(",")})`;
}

/** @throws InputError `ARGUMENT` for judgments without a method that learns, and the other way round. */
function checkTrained(name: string, { train }: FuseFlags): void {
  if (isTrainedFusion(name) === (train !== undefined)) return;
  throw new InputError(
    "ARGUMENT",
    train === undefined
      ? `${name} has to learn first; give --train QRELS with judgments of queries that the runs answer`
      : `${name} learns nothing; leave --train out, or name one of ${catalogNames(trainedFusionCatalog)}`,
  );
}

/** A method that has learned from the judged queries of the runs. */
async function teach(
  trainable: TrainableFusion,
  runs: readonly ScoredRun[],
  normalize: Normalizer,
  { train = "", unit }: FuseFlags,
  terminal: Terminal,
): Promise<FusionMethod> {
  const { queries } = (await loadQrels(train, { unit })).qrels();
  const answered = [...queries].filter(([query]) => runs.some((run) => run.has(query)));
  if (answered.length === 0)
    throw new InputError("ARGUMENT", `${train}: the runs answer no judged query, so nothing can be learned`);
  const method = trainFusion(
    trainable,
    runs,
    new Map(answered.map(([query, { grades }]) => [query, grades])),
    { normalize },
  );
  terminal.talk(
    `learned from ${countOf(answered.length, "query")}, whose own scores are now too good; \`tune fusion\` ` +
      "says what the method is worth for others",
  );
  return method;
}

/** What answers queries of its own is put beside the others, not fused with them. */
function warnOfStrangers(named: readonly NamedRun[], runs: readonly ScoredRun[], terminal: Terminal): void {
  const answers = new Map<string, number>();
  for (const run of runs) for (const id of run.keys()) answers.set(id, (answers.get(id) ?? 0) + 1);
  const strangers = named.filter(
    (_, at) => ![...(runs[at]?.keys() ?? [])].some((id) => (answers.get(id) ?? 0) > 1),
  );
  const names = strangers.map(({ name }) => plainLine(name));
  const ask = "do the query ids agree?";
  if (runs.length === 2 && names.length === 2)
    terminal.warn(`${names.join(" and ")} have no query in common; ${ask}`);
  else if (runs.length > 2)
    for (const name of names) terminal.warn(`${name} has no query in common with the other runs; ${ask}`);
}

export const fuseCommand: CliCommand = {
  define(command, terminal) {
    storeOption(command)
      .argument("<runs...>", "runs of any known format, plain or gzip, or ids of stored ones")
      .option(
        "-m, --method <name>",
        `one of ${catalogNames(fusionCatalog)}; with --train one of ${catalogNames(trainedFusionCatalog)}`,
        "rrf",
      )
      .option(
        "-n, --normalize <name>",
        `make scores comparable first: ${catalogNames(normalizerCatalog)} (default: what the method needs)`,
      )
      .option("--k <n>", "the constant of rrf")
      .option("--weights <list>", "one weight for each run, such as 0.7,0.3")
      .option("--gamma <x>", "the exponent of gmnz")
      .option("--sigma <x>", "the constant of logn_isr")
      .option("--phi <x>", "the persistence of rbc")
      .option("--train <qrels>", "judgments that the method learns from, of queries that the runs answer")
      .option("--depth <n>", "keep the top n of each query (default: all)", wholeNumberOption("depth"))
      .addOption(
        new Option(
          "--to <format>",
          "format of the fused run (default: by the extension of the output, else trec)",
        ).choices(writtenFormats.map(({ name }) => name)),
      )
      .option("--name <tag>", "name of the fused run (default: the method)")
      .addOption(new OutputOption("-o, --output <file>", "write to a file instead of stdout; .gz packs it"))
      .addOption(
        new Option("--unit <unit>", "which ids of recorded runs").choices(["chunk", "doc"]).default("doc"),
      )
      .addHelpText(
        "after",
        examples(
          "fuse bm25.run dense.run --method rrf --k 60 -o hybrid.run",
          "fuse bm25.run dense.run --method probfuse --train judged.txt -o hybrid.run",
          "fuse bm25.run dense.run --method wsum --weights 0.7,0.3 --normalize min-max | rankproof " +
            "evaluate qrels.txt -",
        ),
      )
      .action(async (paths: string[], flags: FuseFlags) => {
        const format = formatOf(flags);
        const name = methodName(flags);
        checkTrained(name, flags);
        const wanted = flags.train === undefined ? parseFusion(name) : parseTrainedFusion(name);
        const { reads, normalizer } = wanted.definition;
        const normalize = parseNormalizer(flags.normalize ?? normalizer);
        const { depth = Infinity } = flags;
        const named = await anyRunsByName(paths, flags.store, terminal);
        if (!readsDistances(normalize)) tellRunWarnings(named, terminal);
        const runs = runsToFuse(
          {
            named,
            unit: flags.unit,
            readsDistances: readsDistances(normalize),
            readsScores: reads === "scores",
          },
          terminal,
        );
        warnOfStrangers(named, runs, terminal);
        const method = "learn" in wanted ? await teach(wanted, runs, normalize, flags, terminal) : wanted;
        const fused = withRunNames(named, () => fuse(runs, { method, normalize }));
        const cut =
          depth === Infinity
            ? fused
            : new Map(
                [...fused].map(([id, { ids, scores }]) => [
                  id,
                  { ids: ids.slice(0, depth), scores: Array.from(scores).slice(0, depth) },
                ]),
              );
        const docs = flags.unit === "chunk" ? docsOfChunks(named.map(({ run }) => run)) : undefined;
        writeOutput(runParts(cut, format, flags.name ?? method.name, docs), flags.output, terminal);
        terminal.talk(
          `fused ${countOf(runs.length, "run")} over ${countOf(fused.size, "query")} by ${method.name}`,
        );
      });
  },
};
