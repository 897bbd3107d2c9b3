import { countOf } from "../../foundation/numbers/index.js";
import { InputError } from "../../index.js";
import {
  openStore,
  readCorpus,
  readGolden,
  readRun,
  runFolder,
  storeName,
  writePerQuery,
} from "../../node/index.js";
import { stemOf } from "../../node/internal.js";
import { importRun } from "../../runs/index.js";
import type { EvalRun } from "../../records/index.js";
import { checkRun, type EvalStore } from "../../storage/index.js";
import { DEFAULT_STORE } from "../defaults.js";
import { plainLine } from "../terminal.js";
import { isScoredRunFile, scoredRunError } from "../scored-run-file.js";
import { checkOneStdin } from "../sources.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";

/** The suite of a run of which its file does not say one. */
const NO_SUITE = "default";

interface ImportFlags {
  store?: string;
  id?: string;
  suite?: string;
  replace?: true;
  allowEmpty?: true;
  golden?: string;
  corpus?: string;
  runsDir?: string;
}

export const importCommand: CliCommand = {
  define(command, terminal) {
    storeOption(
      command.argument(
        "[files...]",
        "runs: JSONL with one query result a line, or one JSON run, plain or gzip; - is stdin",
      ),
    )
      .option("--id <id>", "the id of the run (default: the file's own, else its name without the extension)")
      .option("--suite <name>", "the suite of the run (default: the file's own, or the golden set's name)")
      .option("--replace", "overwrite a run of the same id")
      .option("-g, --golden <file>", "also keep the places of this golden set's chunks")
      .option(
        "--corpus <file>",
        "make these chunks (JSONL) the store's knowledge base; ids and citations are checked against it",
      )
      .option("--allow-empty", "import runs without results, too")
      .option("--runs-dir <dir>", "also write DIR/<run id>/per_query.jsonl")
      .addHelpText(
        "after",
        examples(
          "import run.jsonl",
          "import before.jsonl after.jsonl --store eval.sqlite",
          "import --corpus chunks.jsonl",
        ),
      )
      .action(async (files: string[], flags: ImportFlags) => {
        if (files.length === 0 && flags.corpus === undefined)
          throw new InputError(
            "ARGUMENT",
            "nothing to import; name run files, or a knowledge base with --corpus",
          );
        if (files.length > 1 && flags.id !== undefined)
          throw new InputError(
            "ARGUMENT",
            "--id names one run; import several files without it, each under its own name",
          );
        const path = flags.store ?? DEFAULT_STORE;
        // Everything is read before anything is written, so a mistake in the last file leaves the store as it
        // was.
        checkOneStdin([...files, flags.golden, flags.corpus]);
        const golden = flags.golden === undefined ? undefined : await readGolden(flags.golden);
        const corpus = flags.corpus === undefined ? undefined : await readCorpus(flags.corpus);
        const runs: EvalRun[] = [];
        for (const file of files) {
          if (await isScoredRunFile(file)) throw scoredRunError(file);
          const run = await readRun(file);
          // `run` looks for a baseline among those of its golden set.
          const suite =
            flags.golden !== undefined && run.suite === NO_SUITE ? stemOf(flags.golden) : run.suite;
          runs.push({ ...run, run_id: flags.id ?? run.run_id, suite: flags.suite ?? suite });
        }
        // What is left of a search that died would take the place of a run, or become a baseline.
        const empty = runs.findIndex(({ results }) => results.length === 0);
        if (empty !== -1 && flags.allowEmpty !== true)
          throw new InputError(
            "RUN_EMPTY",
            `${files[empty] as string}: has no results at all; --allow-empty imports it all the same`,
          );
        if (flags.runsDir !== undefined) for (const { run_id } of runs) runFolder(flags.runsDir, run_id);
        const store = await openStore(path, { create: true });
        await checkIds(runs, store, flags.replace === true);
        for (const run of runs) checkRun(run);
        if (corpus !== undefined) {
          await store.saveChunks(corpus.chunks);
          terminal.talk(
            `the knowledge base in ${storeName(path)} has ${countOf(corpus.chunks.length, "chunk")}`,
          );
        }
        for (const run of runs) {
          await importRun(store, run, { golden, replace: flags.replace });
          terminal.out(`${plainLine(run.run_id)}\n`);
          terminal.talk(
            `imported ${countOf(run.results.length, "result")} into ${storeName(path)}, ` +
              `suite ${plainLine(run.suite)}`,
          );
          if (flags.runsDir !== undefined) terminal.talk(`wrote ${writePerQuery(flags.runsDir, run)}`);
        }
      });
  },
};

/**
 * Two files that would become one run, or a run that is there already, are told before anything is written.
 */
async function checkIds(runs: readonly EvalRun[], store: EvalStore, mayReplace: boolean): Promise<void> {
  const ids = new Set<string>();
  for (const { run_id } of runs) {
    if (ids.has(run_id))
      throw new InputError(
        "STORE_RUN_EXISTS",
        `two of the files are run \`${plainLine(run_id)}\`; import one of them by itself, with --id`,
        { runId: run_id },
      );
    ids.add(run_id);
  }
  const taken = mayReplace ? undefined : (await store.listRuns()).find(({ run_id }) => ids.has(run_id));
  if (taken !== undefined)
    throw new InputError(
      "STORE_RUN_EXISTS",
      `run \`${plainLine(taken.run_id)}\` is in the store already; choose another id with --id, or ` +
        "overwrite it with --replace",
      { runId: taken.run_id },
    );
}
