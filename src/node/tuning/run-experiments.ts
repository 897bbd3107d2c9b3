import { join } from "node:path";
import { readText } from "../../files/index.js";
import type { TriedExperiment } from "../../batch/index.js";
import {
  AdapterError,
  InputError,
  isRankproofError,
  messageOf,
  quote,
} from "../../foundation/errors/index.js";
import { CURRENT, fillConfiguration, fillNames, namesTaken, type Experiment } from "../../formats/index.js";
import { TunedBackend, type TunedBackendOptions } from "./tuned-backend.js";
import {
  areNotedOriginals,
  readOriginals,
  noteOriginals,
  tuningFiles,
  type TuningFiles,
} from "./tuning-files.js";

/** How experiments are run. */
export interface RunExperimentsOptions extends TunedBackendOptions {
  readonly experiments: readonly Experiment[];
  /**
   * Asks the search, which is healthy; what it throws is why the experiment failed.
   *
   * @returns how many queries failed.
   */
  readonly measure: (name: string, files: TuningFiles) => Promise<number>;
  /** So many that fail one after another end the tuning. Default 5. */
  readonly stopAfterFailures?: number | undefined;
  /** Those that failed before are tried again. */
  readonly retryFailed?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Told what is done at the moment. */
  readonly onProgress: (what: string) => void;
  /** Told how many configurations are done, the original one and those of an earlier call among them. */
  readonly onCount?: ((done: number, total: number) => void) | undefined;
  /** Told of experiments that failed, and of what others had written into configuration files. */
  readonly onWarning: (message: string) => void;
}

/** What came of it. */
export interface RanExperiments {
  /** The original configuration, then every experiment. */
  readonly tried: readonly TriedExperiment[];
  /** Digests of the original configuration, by file. */
  readonly originals: ReadonlyMap<string, string>;
}

const STOP_AFTER = 5;
/** What became of an experiment, in its folder. */
const STATE = "state.json";

/**
 * Measures the original configuration, then every experiment, one after another, and puts the original
 * configuration back, whatever happens. What an earlier call has finished is kept.
 *
 * @throws what ends the whole tuning: it cannot be opened or restored, the original configuration cannot be
 * measured, another program changes a file, too many experiments fail in a row, the signal is aborted.
 */
export async function runExperiments(options: RunExperimentsOptions): Promise<RanExperiments> {
  const { experiments, folder, retryFailed = false } = options;
  checkTemplate(options);
  const all = [null, ...experiments];
  const known = all.map((experiment, at) => stateIn(experimentFiles(folder, experiment, at)));
  const left = all.flatMap((experiment, at) => {
    const state = known[at];
    const hasFailed = state !== undefined && (state.error !== null || (state.failed ?? 0) > 0);
    return state === undefined || (hasFailed && retryFailed) ? [{ experiment, at }] : [];
  });
  const noted = readOriginals(folder);
  if (left.length === 0)
    return {
      tried: known.filter((state) => state !== undefined),
      originals: noted ?? new Map<string, string>(),
    };
  const tuned = await TunedBackend.open(options);
  let failure: unknown;
  try {
    if (noted !== undefined && !areNotedOriginals(folder, tuned.originals))
      throw new InputError(
        "TUNING_RESUME",
        "the configuration has changed since this tuning was begun; begin a new one without --resume",
      );
    noteOriginals(folder, tuned.originals);
    await runEach(tuned, left, known, options);
  } catch (error) {
    failure = error;
  }
  await restoreTuned(tuned, options, failure);
  if (failure !== undefined) throw failure as Error;
  return { tried: known.filter((state) => state !== undefined), originals: tuned.originals };
}

/**
 * Puts the original configuration back.
 *
 * @param cause what went wrong before; undefined for nothing.
 * @throws AdapterError `TUNING_RESTORE`, which matters more than that.
 */
export async function restoreTuned(
  tuned: TunedBackend,
  { onProgress, onWarning }: Pick<RunExperimentsOptions, "onProgress" | "onWarning">,
  cause: unknown,
): Promise<void> {
  onProgress("restoring the original configuration");
  const { kept, problem } = await tuned.restore();
  for (const path of kept)
    onWarning(`another program had changed the configuration; its version is kept in ${path}`);
  if (problem !== null)
    throw new AdapterError(
      "TUNING_RESTORE",
      `the original configuration is back, but the search does not run with it: ${problem}; fix that, ` +
        "then call `rankproof tune restore`" +
        (cause === undefined ? "" : `; before that: ${messageOf(cause)}`),
      {},
      cause,
    );
}

async function runEach(
  tuned: TunedBackend,
  left: readonly { readonly experiment: Experiment | null; readonly at: number }[],
  states: (TriedExperiment | undefined)[],
  options: RunExperimentsOptions,
): Promise<void> {
  const { folder, measure, signal, stopAfterFailures = STOP_AFTER, onProgress, onWarning } = options;
  let failures = 0;
  const total = options.experiments.length + 1;
  options.onCount?.(total - left.length, total);
  for (const [done, { experiment, at }] of left.entries()) {
    const files = experimentFiles(folder, experiment, at);
    const name = experiment?.name ?? CURRENT;
    const state: TriedExperiment = { name, parameters: experiment?.parameters ?? null, error: null };
    const told = `${done + 1} of ${left.length}: ${name}`;
    try {
      signal.throwIfAborted();
      onProgress(`${told}, restarting the search`);
      const configuration = await tuned.configure(experiment, files, signal);
      onProgress(told);
      const failed = await measure(name, files);
      tuned.checkUnchanged();
      states[at] = { ...state, configuration, failed };
      failures = 0;
    } catch (error) {
      const isOver =
        experiment === null ||
        !isRankproofError(error) ||
        error.code === "TUNING_CHANGED" ||
        !tuned.isGuarded;
      if (signal.aborted || isOver) throw error;
      states[at] = { ...state, error: error.message };
      onWarning(`${name} was not measured: ${error.message}`);
      if (++failures === stopAfterFailures)
        throw new AdapterError(
          "TUNING_COMMAND",
          `${failures} experiments failed one after another, the last with: ${messageOf(error)}; fix ` +
            "that, and go on with --resume --retry-failed",
          {},
          error,
        );
    } finally {
      if (states[at] !== undefined) {
        files.write(STATE, `${JSON.stringify(states[at], null, 2)}\n`);
        options.onCount?.(total - left.length + done + 1, total);
      }
    }
  }
}

/** Where an experiment is written: `02-boost-2` is the second. */
export function experimentFiles(folder: string, experiment: Experiment | null, at: number): TuningFiles {
  const words = (experiment?.name ?? CURRENT).replace(/[^\w.]+/g, "-").replace(/^[-.]+|[-.]+$/g, "");
  return tuningFiles(join(folder, `${String(at).padStart(2, "0")}-${words.slice(0, 60)}`));
}

function stateIn(files: TuningFiles): TriedExperiment | undefined {
  const text = files.read(STATE);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as TriedExperiment);
  } catch {
    // Cut short: it is measured again.
    return undefined;
  }
}

/** A template that does not fit is found before anything is changed. */
function checkTemplate({ config, experiments }: RunExperimentsOptions): void {
  const { template, files, health } = config;
  for (const experiment of experiments) {
    const [unknown] =
      health?.expect === undefined ? [] : namesTaken(fillNames(health.expect, experiment.parameters));
    if (unknown !== undefined)
      throw new InputError(
        "EXPERIMENTS",
        `${experiment.where}: ${quote(experiment.name)} has no value for ${quote(unknown)}, which ` +
          `\`health.expect\` ` +
          "takes",
      );
  }
  if (template === undefined) return;
  const text = readText(template);
  for (const experiment of experiments)
    fillConfiguration({ text, file: template, target: files[0] ?? "" }, experiment);
}
