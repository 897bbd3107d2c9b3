import { accessSync, constants, existsSync } from "node:fs";
import { basename, join } from "node:path";
import { readBytes, readError, readText, replaceFile } from "../../files/index.js";
import { AdapterError, InputError, quote } from "../../foundation/errors/index.js";
import { CURRENT, fillConfiguration, fillNames, type Experiment } from "../../formats/index.js";
import type { TuningConfig } from "../../records/index.js";
import { Guard } from "./guard.js";
import {
  forget,
  restart,
  restorePatiently,
  runningIn,
  type Restoration,
  type RestartSettings,
} from "./restore.js";
import type { CommandRun } from "./run-command.js";
import { makeRestorePoint, restorePointPath, type RestorePoint, type TunedFile } from "../restore/index.js";
import { digestOf, saveOriginal, resolveTunedFile, type SavedOriginal } from "./saved-original.js";
import {
  forgetKept,
  forgetWritten,
  noteHealth,
  noteKept,
  noteWritten,
  type TuningFiles,
} from "./tuning-files.js";

const COMMAND_TIMEOUT_MS = 120_000;
/** A digest that nothing has: what comes is written by a hook. */
const BY_HOOK = "by hook";
/** The output of commands. */
const LOG = "commands.log";

/** What is tuned, and where it is written down. */
export interface TunedBackendOptions {
  /** Name of the search in the project's configuration. */
  readonly backend: string;
  readonly config: TuningConfig;
  /** The folder of the project's configuration, in which commands are run. */
  readonly project: string;
  /** Id of the tuning. */
  readonly tuning: string;
  /** The folder of the tuning. */
  readonly folder: string;
}

/** How the search of a configuration is restarted. */
export function restartSettings(config: TuningConfig, project: string): RestartSettings {
  const { restart: command, commandTimeoutMs = COMMAND_TIMEOUT_MS, health } = config;
  return { project, restart: command, commandTimeoutMs, health };
}

/**
 * A live search whose configuration may be changed. Its original one is saved before the first change, and
 * comes back whatever happens: by {@link TunedBackend.restore}, by a process of its own when this one is
 * gone, or by {@link restore} when that is gone, too.
 */
export class TunedBackend {
  readonly #options: TunedBackendOptions;
  readonly #settings: RestartSettings;
  readonly #path: string;
  readonly #files: readonly TunedFile[];
  /** Read once: an experiment must not get another one than those before. */
  readonly #template: string;
  readonly #guard: Guard;
  readonly #since = new Date().toISOString();
  readonly #originals = new Map<string, SavedOriginal>();
  /** What the files should have at the moment. */
  readonly #expected = new Map<string, string>();

  private constructor(options: TunedBackendOptions, template: string, guard: Guard) {
    this.#options = options;
    this.#settings = restartSettings(options.config, options.project);
    this.#path = restorePointPath(options.project, options.backend);
    this.#files = options.config.files.map(resolveTunedFile);
    this.#template = template;
    this.#guard = guard;
  }

  /**
   * Saves the original configuration; nothing is changed yet.
   *
   * @throws InputError `CONFIG`, `FILE_NOT_FOUND`; AdapterError `TUNING_BUSY` where another tuning goes on,
   * `TUNING_COMMAND`, `FILE_UNWRITABLE`
   */
  static async open(options: TunedBackendOptions): Promise<TunedBackend> {
    checkConfig(options);
    const { template } = options.config;
    const text = template === undefined ? "" : readText(template);
    const tuned = new TunedBackend(options, text, await Guard.start(options.folder));
    try {
      await tuned.#save();
    } catch (error) {
      await tuned.#guard.letGo();
      throw error;
    }
    return tuned;
  }

  get #point(): Omit<RestorePoint, "owner"> {
    const { backend, tuning, folder } = this.#options;
    return { backend, tuning, folder, files: this.#files, since: this.#since };
  }

  async #save(): Promise<void> {
    const { project, folder } = this.#options;
    // The guard first: this process may be gone a moment after the restore point is made.
    await this.#guard.guard(this.#path, this.#point, this.#settings);
    const point = makeRestorePoint(this.#path, this.#point);
    // From here on the folder is this process' own. What an earlier call wrote is over.
    forgetWritten(folder);
    try {
      for (const file of this.#files) {
        const original = saveOriginal(file, { ...point, project });
        this.#originals.set(file.path, original);
        this.#expected.set(file.path, original.sha256);
      }
    } catch (error) {
      forget(this.#path, this.#point);
      throw error;
    }
  }

  /** Whether the process still lives that restores when this one is gone. */
  get isGuarded(): boolean {
    return this.#guard.isAlive;
  }

  /** The digests of the original configuration, by file. */
  get originals(): ReadonlyMap<string, string> {
    return new Map([...this.#originals].map(([file, { sha256 }]) => [file, sha256]));
  }

  /**
   * Gives the search the configuration of an experiment, and waits until it is healthy; null is the original
   * one.
   *
   * @param files where the configuration and the output of commands are kept.
   * @returns the digest of the configuration.
   * @throws InputError `EXPERIMENTS`; AdapterError `TUNING_COMMAND`, `TUNING_UNHEALTHY`, `TUNING_CHANGED`
   * where another program changed a file.
   */
  async configure(experiment: Experiment | null, files: TuningFiles, signal?: AbortSignal): Promise<string> {
    const { config, tuning } = this.#options;
    this.checkUnchanged();
    // Not before: what was applied earlier holds until something else is written.
    forgetKept(this.#options.folder);
    await this.#change(experiment, files);
    for (const [at, { path }] of this.#files.entries()) {
      const content = readBytes(path);
      this.#expected.set(path, digestOf(content));
      const name = this.#files.length > 1 ? `${at + 1}-${basename(path)}` : basename(path);
      files.writeSecret(join("configuration", name), content);
    }
    signal?.throwIfAborted();
    const { folder } = this.#options;
    const expect = config.health?.expect;
    const expected =
      experiment === null || expect === undefined ? undefined : fillNames(expect, experiment.parameters);
    if (expected !== undefined) noteHealth(folder, { expected });
    const original = await restart(
      this.#settings,
      { log: join(files.folder, LOG), folder, tuning, experiment: experiment?.name ?? CURRENT },
      { run: (run) => this.#guard.run(run), right: { expected }, signal },
    );
    if (experiment === null && original !== null) noteHealth(folder, { original });
    return digestOf(Buffer.from([...this.#expected.values()].join()));
  }

  async #change(experiment: Experiment | null, { folder }: TuningFiles): Promise<void> {
    const { config, project, tuning } = this.#options;
    const { template, hook, commandTimeoutMs = COMMAND_TIMEOUT_MS } = config;
    if (experiment !== null && template !== undefined) {
      const target = this.#files[0]?.path ?? "";
      this.#write(
        target,
        Buffer.from(fillConfiguration({ text: this.#template, file: template, target }, experiment)),
      );
      return;
    }
    // Every experiment begins with the original files, whatever the one before made of them.
    for (const [file, { content, sha256 }] of this.#originals)
      if (digestNow(file) !== sha256) this.#write(file, content);
    if (experiment === null || hook === undefined) return;
    noteWritten(this.#options.folder, BY_HOOK);
    const { name, parameters } = experiment;
    try {
      await this.#guard.run({
        command: hook,
        folder: project,
        timeoutMs: commandTimeoutMs,
        input: JSON.stringify({ experiment: name, parameters, files: this.#files.map(({ path }) => path) }),
        environment: { RANKPROOF_TUNING: tuning, RANKPROOF_EXPERIMENT: name },
        log: join(folder, LOG),
        running: runningIn(this.#options.folder),
      });
    } finally {
      for (const { path } of this.#files) {
        const digest = digestNow(path);
        noteWritten(this.#options.folder, digest);
        this.#expected.set(path, digest);
      }
    }
  }

  #write(file: string, content: Buffer): void {
    const digest = digestOf(content);
    noteWritten(this.#options.folder, digest);
    this.#expected.set(file, digest);
    replaceFile(file, content);
  }

  /** @throws AdapterError `TUNING_CHANGED` where another program changed a file. */
  checkUnchanged(): void {
    const changed = this.#files.find(({ path }) => digestNow(path) !== this.#expected.get(path))?.path;
    if (changed !== undefined)
      throw new AdapterError(
        "TUNING_CHANGED",
        `${changed}: another program changed it during the tuning; tune again when the file stays as it is`,
        { file: changed },
      );
  }

  /**
   * Puts the original configuration back and restarts the search.
   *
   * @throws AdapterError `TUNING_RESTORE`
   */
  async restore(): Promise<Restoration> {
    try {
      const run = (command: CommandRun): Promise<void> => this.#guard.run(command);
      const restored = await restorePatiently(this.#path, this.#settings, { point: this.#point, run });
      await this.#guard.letGo();
      return restored;
    } catch (error) {
      // It tries again.
      this.#guard.end();
      throw error;
    }
  }

  /** Lets the configuration stay as it is now, that of an experiment. */
  async keep({ name }: Experiment): Promise<void> {
    noteKept(this.#options.folder, name);
    forget(this.#path, this.#point);
    await this.#guard.letGo();
  }
}

/** The digest of what a file has; `none` where a hook removed it. */
function digestNow(path: string): string {
  return existsSync(path) ? digestOf(readBytes(path)) : "none";
}

function checkConfig({ backend, config }: TunedBackendOptions): void {
  const { files, template, hook, restart: command, health } = config;
  const where = `tuning.${backend}`;
  if ((template === undefined) === (hook === undefined))
    throw new InputError(
      "CONFIG",
      `${where} must have a template or a hook${hook === undefined ? "" : ", not both"}`,
    );
  if (template !== undefined && files.length > 1)
    throw new InputError(
      "CONFIG",
      `${where} has a template, which is for one file, and ${files.length} files; use a hook`,
    );
  if (command === undefined && health === undefined)
    throw new InputError(
      "CONFIG",
      `${where} says neither how the search is restarted nor when it is healthy; give \`restart\` or ` +
        `\`health\``,
    );
  if (new Set(files.map((file) => resolveTunedFile(file).real)).size < files.length)
    throw new InputError("CONFIG", `${where} names a file twice: ${files.map(quote).join(", ")}`);
  for (const file of files)
    try {
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw readError(file, error);
    }
}
