import { Option, type Command } from "commander";
import {
  AdapterError,
  aggregatePartial,
  computeAggregate,
  InputError,
  isRankproofError,
  type Shard,
} from "../../index.js";
import type { AggregateMetrics, EvalRun } from "../../records/index.js";
import type { EvalStore } from "../../storage/index.js";
import { formatPartial } from "../../formats/index.js";
import { renderRunScoreRows } from "../../report/index.js";
import { storeAggregate } from "../../runs/index.js";
import { printAggregate, tellAggregateWarnings } from "../aggregate-printer.js";
import { DEFAULT_STORE } from "../defaults.js";
import { gateOptionsOf, openGate, settleHeld, type GateFlags } from "../gate-flags.js";
import {
  isRunFormPrinted,
  refuseFormsWithoutGate,
  runOutputsOf,
  wantsRunForm,
  wantsRunReport,
  writeRunForms,
  type TextFlags,
} from "../run-report-outputs.js";
import { refuseIdleUnit } from "../refuse-idle-options.js";
import { oneRunOptions, reportSource, withoutIntervals } from "../report-source.js";
import { sourcesFor, type RunSource, type ScoringFlags } from "../sources.js";
import { storeName } from "../../node/index.js";
import { plainLine, type Terminal } from "../terminal.js";
import { writeOutput } from "../write-output.js";
import { examples, scoringOptionsOf, type CliCommand } from "./cli-command.js";
import { shardOptionsOf } from "../shard-options.js";

interface AggregateFlags extends ScoringFlags, GateFlags, TextFlags {
  json?: true;
  perQuery?: true;
  write: boolean;
  match: "exact" | "doc-span";
  shard?: Shard;
  partial?: string;
}

export const aggregateCommand: CliCommand = {
  define(command, terminal) {
    shardOptionsOf(
      gateOptionsOf(
        runOutputsOf(
          scoringOptionsOf(
            command.argument("<run>", "id of a stored run, or a run file, plain or gzip; - is stdin"),
          ),
        ),
      ),
      "score",
      "write what the shard adds for `rankproof merge`, and print and store no scores; - is stdout",
    )
      .addOption(
        new Option("--match <how>", "find expected chunks by id, or by document and span")
          .choices(["exact", "doc-span"])
          .default("exact"),
      )
      .option("-q, --per-query", "also the scores of every query, a line each")
      .option("--json", "print the aggregate as JSON")
      .option("--no-write", "do not write the scores into the store")
      .addHelpText(
        "after",
        examples(
          "aggregate baseline",
          "aggregate run.jsonl -g golden.yaml -m nDCG@10,AP --unit doc",
          "aggregate run.jsonl --html run.html",
          "aggregate baseline --json --no-write | jq .mrr",
          "aggregate run.jsonl --shard 3/16 --partial p3.json    # and then: rankproof merge p*.json",
        ),
      )
      .action(async (name: string, flags: AggregateFlags, called: Command) => {
        refuseIdleUnit(called);
        if (flags.json === true && flags.perQuery === true)
          throw new InputError(
            "ARGUMENT",
            "--per-query does nothing with --json; `rankproof report RUN --json` has the scores of queries",
          );
        if (flags.partial !== undefined || flags.shard !== undefined)
          return writePartial(name, flags, terminal);
        const gate = await openGate(flags);
        refuseFormsWithoutGate(flags, gate);
        const sources = await sourcesFor([name], flags, terminal);
        const [{ run, store }] = sources.runs as [RunSource];
        const aggregate = computeAggregate(run, sources.golden, oneRunOptions(sources, flags));
        const held = gate?.holdAgainst(aggregate) ?? null;
        const reported = wantsRunReport(flags)
          ? reportSource(sources, flags)
          : flags.perQuery === true
            ? reportSource(sources, flags, withoutIntervals)
            : null;
        const settle = writeRunForms(reported, flags, terminal, held);
        // Scores that cannot be kept are printed all the same.
        const unkept =
          store === null || !flags.write ? null : await keep(aggregate, run, store, flags, terminal);
        if (!isRunFormPrinted(flags)) {
          printAggregate(aggregate, flags.json === true, terminal);
          if (reported !== null && flags.perQuery === true)
            terminal.out(`\n${renderRunScoreRows(reported.report)}`);
        }
        tellAggregateWarnings(aggregate, terminal);
        await settleHeld(held, terminal, (more) => {
          settle(more);
          if (unkept === null) return;
          more?.();
          throw unkept;
        });
      });
  },
};

/** Keeps the scores with their run. @returns what is wrong where they cannot be kept */
async function keep(
  aggregate: AggregateMetrics,
  run: EvalRun,
  store: EvalStore,
  flags: AggregateFlags,
  terminal: Terminal,
): Promise<AdapterError | null> {
  try {
    const before = await store.loadAggregate(run.run_id);
    await storeAggregate(store, run.run_id, aggregate);
    const gone = Object.keys(before?.metrics ?? {}).filter(
      (metric) => !Object.hasOwn(aggregate.metrics ?? {}, metric),
    );
    terminal.talk(
      `wrote the scores into ${plainLine(storeName(flags.store ?? DEFAULT_STORE))}` +
        (gone.length === 0
          ? ""
          : `, in place of those with ${plainLine(gone.join(", "))}; -m computes these again`),
    );
    return null;
  } catch (error) {
    // By name: a store in PostgreSQL has the classes of another file.
    if (!isRankproofError(error) || error.name !== "AdapterError") throw error;
    return new AdapterError(
      error.code,
      `${error.message}; --no-write does not keep scores`,
      error.details,
      error,
    );
  }
}

/** Scores one shard of a run and writes what it adds for `merge`. */
async function writePartial(name: string, flags: AggregateFlags, terminal: Terminal): Promise<void> {
  if (flags.partial === undefined)
    throw new InputError(
      "ARGUMENT",
      "--shard scores a part for `rankproof merge`; name a file with --partial",
    );
  if (flags.json === true || flags.perQuery === true || flags.gate || flags.failUnder || wantsRunForm(flags))
    throw new InputError(
      "ARGUMENT",
      "--partial writes what a shard adds for `rankproof merge`, with which --json and gates go; -q, --md " +
        "and --html take a whole run",
    );
  const sources = await sourcesFor([name], flags, terminal);
  const [{ run }] = sources.runs as [RunSource];
  const options = { ...oneRunOptions(sources, flags), shard: flags.shard };
  writeOutput(formatPartial(aggregatePartial(run, sources.golden, options)), flags.partial, terminal);
}
