import { basename, dirname } from "node:path";
import { AdapterError, quote } from "../../foundation/errors/index.js";
import { followLinks } from "../../files/index.js";
import { Command } from "commander";
import { compareRuns, computeAggregate, InputError, reportRun, type StatisticsOptions } from "../../index.js";
import { openStore, readGolden, storeName } from "../../node/index.js";
import { holdRecording, stemOf } from "../../node/internal.js";
import { isFile, rawArgsOf, systemToAsk, type AskedSystem } from "../asked-system.js";
import { comparisonOutputs, reportTexts, runOutputCards, type ReportTexts } from "../../report/index.js";
import type { Metric } from "../../metrics/index.js";
import { evidenceFrom, storeAggregate } from "../../runs/index.js";
import {
  checkLabels,
  FEWEST_PAIRS,
  isComparable,
  listKnownQueries,
  type AggregateMetrics,
  type EvalRun,
  type GateReport,
  type GoldenSet,
} from "../../records/index.js";
import type { EvalStore } from "../../storage/index.js";
import { defaultBaseline, failedRule, keepGate } from "../default-baseline.js";
import { DEFAULT_STORE } from "../defaults.js";
import { goldenMetrics, requireMeasured } from "../../compare/index.js";
import { gateOptionsOf, openGate, settleHeld } from "../gate-flags.js";
import type { OpenGate } from "../open-gate.js";
import { wholeNumberOption } from "../number-flag.js";
import { listWantedOutputs } from "../output-flags.js";
import { refuseIdleOptions, refuseIdleUnit } from "../refuse-idle-options.js";
import { reportOptionsOf, writeComparison, type ReportFlags } from "../report-outputs.js";
import { printAggregate, tellAggregateWarnings } from "../aggregate-printer.js";
import {
  isRunFormPrinted,
  runForms,
  wantsRunReport,
  writeRunForms,
  type TextedRunReport,
} from "../run-report-outputs.js";
import { recordSystem, type RecordFlags, type RecordPlace } from "../record-system.js";
import { findRun, requireGolden } from "../sources.js";
import { statisticsOptions, statisticsOptionsOf, type StatisticsFlags } from "../statistics-flags.js";
import type { Watched } from "../watch.js";
import { tellReworded } from "../tell-reworded.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples, goldenFileOptionsOf, furtherMetricOptionsOf, type CliCommand } from "./cli-command.js";
import { stopOptionOf, askingOptionsOf } from "../asking-flags.js";

interface RunFlags extends RecordFlags, ReportFlags, StatisticsFlags {
  golden: string;
  store?: string;
  ignoreCase?: true;
  missing?: "zero" | "skip";
  id?: string;
  suite?: string;
  against?: string;
  compare: boolean;
  watch?: true;
  metrics?: string;
  unit: "chunk" | "doc";
  /** Of the configuration. */
  system?: string;
}

/** The metrics that would decide are measured all the same. */
const FOR_COMPARISONS = [
  "against",
  ...statisticsOptionsOf(new Command())
    .options.map((option) => option.attributeName())
    .filter((name) => !["primary", "guard", "maxFailedShare"].includes(name)),
];

const PROTOCOL = `

A program gets lines {"query_id", "query", "limit"} on its standard input, and answers each, in any
order, with a line {"query_id", "hits", "answer"?, "error"?}. Hits are objects with chunk_id and doc_id
(and chunker_version, where chunks may change), or ids, which then stand for chunk and document.`;

export const runCommand: CliCommand = {
  define(command, terminal) {
    gateOptionsOf(
      statisticsOptionsOf(
        reportOptionsOf(
          goldenFileOptionsOf(
            command.argument(
              "[system...]",
              "a module (.js, .mjs, .ts) that exports `retrieve`, and may export `answer` and `config`; " +
                "or, behind --, a program with its arguments",
            ),
          ),
        ),
      ),
    )
      .option("--id <id>", "the id of the run (default: the system's name and the time)")
      .option(
        "--suite <name>",
        "runs of one suite are compared with each other (default: the golden set's name)",
      )
      .option(
        "--against <run>",
        "the run to compare with, a stored one or a file (default: the one before of the suite)",
      )
      .option("--no-compare", "do not compare with an earlier run")
      .option("--commit <hash>", "the commit to remember (default: that of Git, if there is one)")
      .option("--limit <n>", "how many hits to ask for per query", wholeNumberOption("limit"), 10);
    furtherMetricOptionsOf(stopOptionOf(askingOptionsOf(command)))
      .option("--resume", "go on with the last run of the suite, or with --id: what it has is kept")
      .option("--retry-failed", "with --resume: ask again for the queries that failed")
      .option("--replace", "record over a run of the same id")
      .option("--watch", "run again when the golden set, the module, or what it imports has changed")
      .addHelpText(
        "after",
        `${examples(
          "run search.mjs",
          "run search.ts -g eval/golden.yaml --html report.html",
          "run search.mjs --watch",
          "run -g golden.yaml -- python search.py --index ./index",
        )}${PROTOCOL}`,
      )
      .action(async (given: string[], flags: RunFlags, called: Command) => {
        if (flags.resume !== true) refuseIdleOptions(called, ["retryFailed"], "without --resume");
        if (flags.resume === true)
          refuseIdleOptions(called, ["replace"], "with --resume, which keeps what is there");
        if (!flags.compare) refuseIdleOptions(called, FOR_COMPARISONS, "with --no-compare");
        refuseIdleUnit(called);
        const asked = systemToAsk(
          given.length > 0 || flags.system === undefined ? given : [flags.system],
          called,
          terminal,
        );
        if (flags.watch === true) {
          const { watch } = await import("../watch.js");
          return watch(listWatchedPaths(asked, flags, called), terminal);
        }
        await recordOnce(asked, flags, terminal);
      });
  },
};

/** What to watch: of a program those of its words that are files. */
function listWatchedPaths({ words }: AskedSystem, flags: RunFlags, called: Command): Watched {
  const args = rawArgsOf(called);
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return {
    golden: flags.golden,
    files: words.filter(isFile),
    args: args.filter((argument, at) => argument !== "--watch" || at > end),
    hasId: flags.id !== undefined,
  };
}

/**
 * What a comparison would refuse, said before anything is asked: most of it is refused of runs without
 * results, too, and of few queries.
 *
 * @throws InputError `ARGUMENT`
 */
function checkAsked(
  { compare, unit }: RunFlags,
  statistics: StatisticsOptions,
  metrics: readonly Metric[],
  golden: GoldenSet,
): void {
  if (!compare) return;
  const { primary, guards = [], slices = [] } = statistics;
  if (typeof primary === "string") requireMeasured("--primary", primary, metrics);
  for (const guard of guards)
    requireMeasured("--guard", typeof guard === "string" ? guard : guard.metric, metrics);
  const nothing: EvalRun = { run_id: "", suite: "", created_at: "", config_snapshot: {}, results: [] };
  const few = { ...golden, queries: golden.queries.slice(0, FEWEST_PAIRS) };
  compareRuns(nothing, nothing, few, { metrics, unit, statistics: { ...statistics, slices: [] } });
  checkLabels(
    slices,
    Array.from(listKnownQueries(golden).values(), ({ labels = {} }) => labels),
  );
}

async function recordOnce(asked: AskedSystem, flags: RunFlags, terminal: Terminal): Promise<void> {
  const gate = await openGate(flags);
  // What is wrong with the question is said before anything is asked.
  const { metrics, statistics } = goldenMetrics(flags.metrics, statisticsOptions(flags));
  requireGolden(flags.golden);
  const golden = await readGolden(flags.golden);
  checkAsked(flags, statistics, metrics, golden);
  const path = flags.store ?? DEFAULT_STORE;
  const store = await openStore(path, { create: true });
  const suite = flags.suite ?? stemOf(flags.golden);
  const against = flags.against === undefined ? undefined : (await findRun(flags.against, store, path)).run;
  const runId = await idOfRun(asked, store, suite, flags, terminal);
  const place = { golden, store, suite, path, runId, awaitsGate: gate !== null };
  const release = await holdRun(store, path, runId);
  try {
    await recordInto(place, asked, { gate, metrics, statistics, against }, flags, terminal);
  } finally {
    await release();
  }
}

/**
 * Each of two processes with one id would save over what the other has. A build that was killed may go on in
 * another container, whose store comes from a cache.
 */
async function holdRun(store: EvalStore, name: string, runId: string): Promise<() => unknown> {
  if (store.claim !== undefined) {
    const giveBack = await store.claim(`recording ${runId}`);
    if (giveBack !== undefined) return giveBack;
    throw new AdapterError(
      "STORE_LOCKED",
      `${quote(runId)} is being recorded by another process; wait for it`,
    );
  }
  const path = followLinks(name);
  const key = `${basename(path)} ${runId}`;
  const release = holdRecording(dirname(path), runId, { key, mindsOthers: false });
  // A module may end the process.
  process.once("exit", release);
  return () => {
    process.off("exit", release);
    release();
  };
}

async function recordInto(
  place: Omit<RecordPlace, "earlier">,
  asked: AskedSystem,
  {
    gate,
    metrics,
    statistics,
    against,
  }: ReturnType<typeof goldenMetrics> & {
    readonly gate: OpenGate | null;
    readonly against: EvalRun | undefined;
  },
  flags: RunFlags,
  terminal: Terminal,
): Promise<void> {
  const { golden, store, suite, path, runId } = place;
  // What another process records meanwhile is no baseline of this one.
  const before = flags.compare
    ? (against ??
      (await defaultBaseline(
        { runId, isResumed: flags.resume === true, suite, store, golden },
        flags.maxFailedShare,
        terminal,
      )))
    : null;
  const earlier = flags.resume === true ? await store.loadRun(runId) : null;
  if (earlier !== null && earlier.suite !== suite)
    throw new InputError(
      "ARGUMENT",
      `${plainLine(runId)} is of the suite ${plainLine(earlier.suite)}, not of ${plainLine(suite)}; ` +
        `--suite ${plainLine(earlier.suite)} goes on with it`,
    );
  const { run, isAsked } = await recordSystem(asked, { ...place, earlier }, flags, terminal);
  // Only a gate takes back what a gate has said.
  const hasFailed = earlier?.gate_failed === true;
  const scoring = {
    ...(await evidenceFrom(store, before === null ? [run] : [before, run], golden)),
    metrics,
    unit: flags.unit,
    missingQueries: flags.missing,
    textMatch: flags.ignoreCase === true ? ("caseInsensitive" as const) : undefined,
  };
  const aggregate = computeAggregate(run, golden, scoring);
  await storeAggregate(store, run.run_id, aggregate);
  terminal.talk(
    isAsked
      ? `recorded ${plainLine(run.run_id)} into ${storeName(path)}`
      : `nothing was asked: ${plainLine(run.run_id)} has a result of every query (--replace asks anew)`,
  );
  const texts = (): ReportTexts =>
    reportTexts({
      runs: before === null ? [run] : [before, run],
      golden,
      chunks: scoring.corpus?.chunks,
      textMatch: scoring.textMatch,
    });
  if (before === null) {
    const makeReport = (): TextedRunReport => ({ report: reportRun(run, golden, scoring), texts });
    const failed = failedRule(run, golden, flags.maxFailedShare);
    const held = holdAlone(aggregate, gate, failed);
    // A gate that was not held, since nothing may be compared, has said nothing.
    const isHeld = gate !== null && (held !== null || flags.compare);
    const isKept = held === null ? hasFailed : !held.passed;
    if (isHeld) await keepGate(store, run, aggregate, isKept);
    if (failed !== null && held === null) terminal.warn(plainLine(failed.why));
    const isBaseline = failed === null && !isKept && (isHeld || run.gate_pending !== true);
    if (isBaseline && flags.compare)
      terminal.talk(
        `there is no earlier run of the suite ${plainLine(suite)} to compare with; the next one is ` +
          "compared with this one",
      );
    return printScores(aggregate, makeReport, { gate, held }, flags, terminal);
  }
  tellReworded([before], golden, terminal);
  const comparison = compareRuns(before, run, golden, { ...scoring, statistics });
  const isHeld = gate?.holdAgainst(comparison).passed === true && isComparable(comparison);
  if (gate !== null) await keepGate(store, run, aggregate, !isHeld);
  await writeComparison(comparison, flags, gate, terminal, texts);
}

/** What is said of a run that there is nothing to compare with. */
async function printScores(
  aggregate: AggregateMetrics,
  reported: () => TextedRunReport,
  { gate, held }: { readonly gate: OpenGate | null; readonly held: GateReport | null },
  flags: RunFlags,
  terminal: Terminal,
): Promise<void> {
  if (!isRunFormPrinted(flags)) printAggregate(aggregate, flags.json === true, terminal);
  tellAggregateWarnings(aggregate, terminal);
  const unheld = gate?.ofBaselines() ?? [];
  if (unheld.length > 0)
    terminal.warn(
      `there is no run to compare with, so that the gate does not hold ${unheld.map(quote).join(", ")}` +
        (flags.compare
          ? " yet; keep the store from build to build, or import a run first, with --suite or -g as here"
          : "; it does without --no-compare"),
    );
  const settle = writeRunForms(wantsRunReport(flags) ? reported() : null, flags, terminal, held);
  const written = held === null ? runOutputCards : runForms;
  const ofComparisons = comparisonOutputs.filter(({ name }) => !written.some((one) => one.name === name));
  for (const { output } of listWantedOutputs(flags, ofComparisons))
    terminal.talk(
      `--${output.name} writes a comparison, and there is nothing to compare with` +
        (flags.compare ? " yet" : " with --no-compare"),
    );
  await settleHeld(held, terminal, settle);
}

/** What a gate says of a run that there is nothing to compare with; null where it says nothing. */
function holdAlone(
  aggregate: AggregateMetrics,
  gate: OpenGate | null,
  failed: GateReport["rules"][number] | null,
): GateReport | null {
  const held = gate?.ofScores()?.holdAgainst(aggregate) ?? null;
  if (gate === null || failed === null) return held;
  return { schema_version: 1, passed: false, rules: [...(held?.rules ?? []), failed] };
}

/** The id that a run is recorded under: with --resume that of the last one of its suite. */
async function idOfRun(
  asked: AskedSystem,
  store: EvalStore,
  suite: string,
  flags: RunFlags,
  terminal: Terminal,
): Promise<string> {
  const fresh = `${asked.name}-${timestamp()}`;
  if (flags.id !== undefined || flags.resume !== true) return flags.id ?? fresh;
  const last = (await store.listRuns()).filter((run) => run.suite === suite).at(-1);
  if (last === undefined)
    terminal.talk(`there is no run of the suite ${plainLine(suite)} to go on with; recording a new one`);
  return last?.run_id ?? fresh;
}

/** Sortable, without characters that a shell or a file system minds. */
function timestamp(): string {
  return new Date().toISOString().replaceAll(":", "");
}
