import type { Command } from "commander";
import { Option } from "commander";
import {
  fusionCatalog,
  isTrainedFusion,
  normalizerCatalog,
  parseFusion,
  trainedFusionCatalog,
  readsDistances,
  type FusionDefinition,
  type ScoredRun,
} from "../../fusion/index.js";
import { tuneFusion, type SearchedMethod, type TuneFusionOptions } from "../../fusion-tuning/index.js";
import { InputError, type FusionTuning } from "../../index.js";
import { loadQrels, type NamedRun } from "../../node/evaluate/index.js";
import { groupsOf } from "../../node/internal.js";
import { renderTuningText, tuningOutputs } from "../../report/index.js";
import { catalogNames } from "../catalog-names.js";
import { collect } from "../collect.js";
import { applyFusion, checkApplicable, findConfiguredFusion } from "../find-configured-fusion.js";
import { formWriter } from "../form-writer.js";
import {
  checkHoldOut,
  checkIsBetter,
  forceNote,
  holdOutOptionsOf,
  validationOf,
  type HoldOutFlags,
} from "../hold-out-flags.js";
import { isFormPrinted, outputOptionsOf, listWantedOutputs } from "../output-flags.js";
import { poolText } from "../pool-text.js";
import { anyRunsByName, tellRunWarnings } from "../runs-by-name.js";
import { refuseDistances, runsToFuse, withRunNames } from "../runs-to-fuse.js";
import { type Terminal } from "../terminal.js";
import { examples, storeOption } from "./cli-command.js";
import { formatJson } from "../format-json.js";
import { OutputOption } from "../output-option.js";

interface TuneFusionFlags extends HoldOutFlags {
  qrels?: string;
  golden?: string;
  unit: "chunk" | "doc";
  subtopics?: true;
  metric: string;
  method?: string[];
  normalize?: string[];
  current?: string;
  currentNormalize?: string;
  choice: "one-standard-error" | "plateau";
  pool?: string;
  apply?: true;
  json?: true;
  store?: string;
}

/** `tune fusion`. */
export function defineTuneFusion(tune: Command, terminal: Terminal): void {
  const command = storeOption(
    tune
      .command("fusion")
      .description("the best weights for fusing runs, found exactly, and whether they hold")
      .argument("<runs...>", "two runs or more, of any known format, or ids of stored ones"),
  )
    .option("--qrels <file>", "judgments of any known format")
    .option("-g, --golden <file>", "a golden set in place of judgments; paraphrases are held out together")
    .addOption(
      new Option("--unit <unit>", "which ids of recorded runs and of the golden set")
        .choices(["chunk", "doc"])
        .default("doc"),
    )
    .option("--subtopics", "the second column of qrels.txt is the subtopic, for metrics of diversity")
    .option("-m, --metric <name>", "what is tuned for: a mean of which higher is better", "nDCG@10")
    .option(
      "--method <name>",
      "what is searched (default: wsum); repeat it to search several: " +
        `${catalogNames(fusionCatalog)}; learned from the other queries: ` +
        `${catalogNames(trainedFusionCatalog)}; with parameters, as in rrf(k=60), that setting alone`,
      collect,
    )
    .option(
      "-n, --normalize <name>",
      "make scores comparable first; repeat it to search several: " +
        `${catalogNames(normalizerCatalog)} (default: what the method needs)`,
      collect,
    )
    .option(
      "--current <setting>",
      "what is there: w=0.5 (weight of the second run), or a method as in wsum(weights=0.7/0.3) (default: " +
        "that of the configuration, else equal weights)",
    )
    .option("--current-normalize <name>", "its normalizer (default: the first that is searched)")
    .addOption(
      new Option("--choice <rule>", "the middle of the widest interval within one standard error, or plateau")
        .choices(["one-standard-error", "plateau"])
        .default("one-standard-error"),
    );
  holdOutOptionsOf(command)
    .addOption(
      new OutputOption(
        "--pool <file>",
        "write the unjudged items that some setting brings into view, as JSON lines",
      ),
    )
    .option("--apply", "write the setting into the configuration, if it holds for queries held out")
    .option("--force", "with --apply: write it though it does not hold")
    .option("--json", "print JSON");
  outputOptionsOf(command, tuningOutputs)
    .addHelpText(
      "after",
      examples(
        "tune fusion bm25.run dense.run --qrels qrels.txt",
        "tune fusion bm25.run dense.run --qrels qrels.txt --current w=0.3 --html tuning.html",
        "tune fusion a.run b.run -g golden.yaml --method wsum --method rrf -n min-max -n zmuv --apply",
      ),
    )
    .action((paths: string[], flags: TuneFusionFlags) => runTuneFusion(paths, flags, terminal));
}

const OUTSIDE = "RUN_OUTSIDE_GOLDEN_SET";

async function runTuneFusion(
  paths: readonly string[],
  flags: TuneFusionFlags,
  terminal: Terminal,
): Promise<void> {
  checkFlags(flags);
  if (flags.apply === true) await checkApplicable(terminal);
  const search = searchOf(flags);
  if (paths.length < 2)
    throw new InputError("ARGUMENT", "there must be two runs or more to fuse; name another one");
  const current = await currentOf(flags, search, paths.length, terminal);
  const { runs, named } = await loadRuns(paths, flags, { search, current }, terminal);
  const qrels = await loadQrels(flags.qrels ?? flags.golden ?? "", {
    unit: flags.unit,
    ...(flags.subtopics === true && { subtopics: true }),
  });
  for (const { message } of qrels.warnings) terminal.warn(message);
  const groups = flags.golden === undefined ? undefined : await groupsOf(flags.golden);
  const { report, unjudged } = withRunNames(named, () =>
    tuneFusion(runs, qrels.qrels(), flags.metric, {
      names: named.map(({ name }) => name),
      search,
      current,
      choice: flags.choice === "plateau" ? "plateau" : "one_standard_error",
      validation: validationOf(flags),
      groups,
      margin: flags.margin,
      confidence: flags.confidence,
      seed: flags.seed,
      areLabelsAudited: (qrels.evidence.counts?.model ?? 0) === 0,
      onProgress: (what, done, total) => terminal.progress(total > 1 ? `${what}: ${done} of ${total}` : what),
    }),
  );
  const outside = report.warnings.find(({ code }) => code === OUTSIDE);
  if (outside !== undefined) throw new InputError(OUTSIDE, outside.message);
  const { write, attempt, settle } = formWriter(terminal);
  for (const { output, file } of listWantedOutputs(flags, tuningOutputs))
    write(file, () => output.render(report));
  write(flags.pool, () => poolText(unjudged));
  if (flags.pool !== "-" && !isFormPrinted(flags, tuningOutputs))
    terminal.out(flags.json === true ? formatJson(report) : renderTuningText(report, terminal));
  if (flags.apply === true) attempt(() => applyWeights(report, flags, terminal));
  settle();
}

function checkFlags(flags: TuneFusionFlags): void {
  const { qrels, golden, apply } = flags;
  if ((qrels === undefined) === (golden === undefined))
    throw new InputError(
      "ARGUMENT",
      qrels === undefined
        ? "nothing says what is relevant; give --qrels FILE or --golden FILE"
        : "give --qrels or --golden, not both",
    );
  checkHoldOut(flags, [apply === true, "--apply"]);
}

async function loadRuns(
  paths: readonly string[],
  { store, unit }: TuneFusionFlags,
  { search, current }: { search: readonly SearchedMethod[]; current: CurrentSetting | undefined },
  terminal: Terminal,
): Promise<{ runs: ScoredRun[]; named: readonly NamedRun[] }> {
  const readsScores = search.some(({ method }) => definitionOf(method)?.reads === "scores");
  const turn = [...search, ...(current === undefined ? [] : [current])].map(({ normalize }) =>
    readsDistances(normalize),
  );
  const named = await anyRunsByName(paths, store, terminal);
  if (!turn.includes(true)) tellRunWarnings(named, terminal);
  const asked = { named, unit, readsDistances: turn.includes(true), readsScores };
  if (asked.readsDistances && turn.includes(false)) refuseDistances(asked);
  return { runs: runsToFuse(asked, terminal), named };
}

/** What is there: a method, and its normalizer. */
type CurrentSetting = NonNullable<TuneFusionOptions["current"]>;

/** Every method with every normalizer; what reads ranks needs none but those that turn lists round. */
function searchOf({ method = ["wsum"], normalize = [] }: TuneFusionFlags): SearchedMethod[] {
  return method.flatMap((name): SearchedMethod[] => {
    const wanted = definitionOf(name)?.reads === "ranks" ? normalize.filter(readsDistances) : normalize;
    return wanted.length === 0
      ? [{ method: name }]
      : wanted.map((each) => ({ method: name, normalize: each }));
  });
}

/** What a method is, by its name or an alias, with parameters or without. */
function definitionOf(method: string): FusionDefinition | undefined {
  const base = method.split("(")[0]?.trim() ?? method;
  return [...fusionCatalog, ...trainedFusionCatalog].find(({ definition }) =>
    [definition.name, ...(definition.aliases ?? [])].includes(base),
  )?.definition;
}

/** Undefined for what a search takes by itself: its first method, untuned. */
async function currentOf(
  { current, currentNormalize, apply, force }: TuneFusionFlags,
  search: readonly SearchedMethod[],
  runs: number,
  terminal: Terminal,
): Promise<CurrentSetting | undefined> {
  const first = search[0] as SearchedMethod;
  const searched = definitionOf(first.method);
  // Distances are none of what is searched alone.
  const turning = search.every(({ normalize }) => readsDistances(normalize)) ? first.normalize : undefined;
  if (current === undefined) {
    const configured = await findConfiguredFusion(terminal);
    const fits = configured !== null && (parseFusion(configured.method).runs ?? runs) === runs;
    if (configured !== null && !fits) {
      const other = `the configured fusion \`${configured.method}\` is not for ${runs} runs`;
      if (apply === true && force !== true)
        throw new InputError("ARGUMENT", `${other}, and --apply would replace it; add --force if it may`);
      terminal.warn(`${other}, and is not what the search is held against`);
    }
    if (fits)
      return { ...configured, ...(currentNormalize !== undefined && { normalize: currentNormalize }) };
    const normalize = currentNormalize ?? turning;
    if (normalize === undefined) return undefined;
    const method = searched === undefined || isTrainedFusion(first.method) ? "wsum" : first.method;
    return { method, normalize };
  }
  const weight = /^(?:w=)?([\d.]+(?:e-?\d+)?)$/i.exec(current.trim())?.[1];
  if (weight === undefined) {
    // A normalizer that is searched for another method says nothing of this one.
    const own = definitionOf(current) === searched ? first.normalize : undefined;
    return { method: current, normalize: currentNormalize ?? own ?? turning };
  }
  const share = Number(weight);
  if (!(share <= 1) || runs !== 2 || searched === undefined || !("weights" in searched.parameters))
    throw new InputError(
      "ARGUMENT",
      `--current w=${weight} must be the weight of the second of two runs, from 0 to 1, in a method with ` +
        "weights; else give the method, as in wsum(weights=0.5/0.3/0.2) or rrf(k=60)",
    );
  const other = Number((1 - share).toFixed(12));
  return {
    method: `${searched.name}(weights=${other}/${share})`,
    normalize: currentNormalize ?? first.normalize,
  };
}

function applyWeights(report: FusionTuning, flags: TuneFusionFlags, terminal: Terminal): void {
  const { verdict, chosen } = report;
  if (isTrainedFusion(chosen.method))
    throw new InputError(
      "ARGUMENT",
      `not applied: ${chosen.method} is learned, which a configuration cannot say; fuse with it by ` +
        `\`rankproof fuse --method ${definitionOf(chosen.method)?.name ?? chosen.method} --train QRELS\``,
    );
  checkIsBetter(verdict, flags);
  const file = applyFusion({ method: chosen.method, normalize: chosen.normalize }, terminal);
  terminal.talk(`wrote ${chosen.method} of ${chosen.normalize} scores to ${file}${forceNote(report)}`);
}
