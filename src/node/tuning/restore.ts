import { existsSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { holdLock, makeFolders } from "../../files/index.js";
import { sleep } from "../../foundation/async/index.js";
import { isRankproofError } from "../../foundation/errors/index.js";
import type { CommandConfig, HealthConfig } from "../../records/index.js";
import { readRestorePoint, removeRestorePoint, type RestorePoint } from "../restore/index.js";
import { awaitHealth, type RightAnswer } from "./await-health.js";
import { endLeftover, runCommand, type CommandRun } from "./run-command.js";
import { digestOf, putOriginalBack, readOriginal, removeOriginal, takeContent } from "./saved-original.js";
import { isKept, sayingOfExperiment, listWrittenDigests } from "./tuning-files.js";

/** How a search takes up its configuration. */
export interface RestartSettings {
  /** The folder of the project, in which commands are run. */
  readonly project: string;
  readonly restart?: CommandConfig | undefined;
  readonly commandTimeoutMs: number;
  readonly health?: HealthConfig | undefined;
}

/** What came of restoring. */
export interface Restoration {
  /** `busy` where another process restores at the moment, `none` where there was nothing to do. */
  readonly state: "restored" | "busy" | "none";
  /** Files that another program changed in the meantime, and where their version is kept. */
  readonly kept: readonly string[];
  /** Why the search does not run with its configuration although that is back; null where it does. */
  readonly problem: string | null;
}

/** How {@link restore} goes about it. */
export interface RestoreOptions {
  /** The tuning whose configuration it is, also where the restore point was deleted. Any by default. */
  readonly point?: Omit<RestorePoint, "owner"> | undefined;
  /** Commands of the tuning that still run. Without it those that are left over are ended. */
  readonly running?: (() => Promise<unknown>) | undefined;
  /** Who runs the restart; this process by default. */
  readonly run?: ((run: CommandRun) => Promise<void>) | undefined;
}

const NOTHING: Restoration = { state: "none", kept: [], problem: null };
/** The output of commands that are run to restore. */
const LOG = "restore.log";
const BUSY_MS = 100;

/** The lock of whoever restores; not in the folder of restore points, which is gone when there is none. */
export function lockOf(path: string): string {
  return join(dirname(dirname(path)), `restore-${basename(path)}.lock`);
}

/** The file of a tuning that names the command that runs. */
export function runningIn(folder: string): string {
  return join(folder, "running.json");
}

/**
 * Puts the original configuration of a search back, restarts it, and forgets the restore point. It may be
 * called at any moment and any number of times, by several processes.
 *
 * @param path of the restore point.
 * @param settings null where no restart is configured: then only files are restored.
 * @throws AdapterError `TUNING_RESTORE` where a file cannot be put back.
 */
export async function restore(
  path: string,
  settings: RestartSettings | null,
  options: RestoreOptions = {},
): Promise<Restoration> {
  const found = readRestorePoint(path)?.point;
  const point = options.point ?? found;
  if (point === undefined) {
    // Its making was cut short.
    if (existsSync(path)) removeRestorePoint(path);
    return NOTHING;
  }
  const release = holdLock(lockOf(path));
  if (release === undefined) return { ...NOTHING, state: "busy" };
  try {
    const isLeft = point.files.some((file) => readOriginal(file, point) !== null);
    const isOwn = found === undefined || found.tuning === point.tuning;
    if (isLeft && isKept(point.folder)) {
      forget(path, point);
      return NOTHING;
    }
    if (!isLeft) {
      if (isOwn) removeRestorePoint(path);
      return NOTHING;
    }
    return await restorePoint(path, point, settings, options);
  } finally {
    release();
  }
}

/** As {@link restore}, and waits while another process is at it: that one may be killed, too. */
export async function restorePatiently(...given: Parameters<typeof restore>): Promise<Restoration> {
  let restored = await restore(...given);
  for (; restored.state === "busy"; restored = await restore(...given)) await sleep(BUSY_MS);
  return restored;
}

async function restorePoint(
  path: string,
  point: Omit<RestorePoint, "owner">,
  settings: RestartSettings | null,
  { running, run }: RestoreOptions,
): Promise<Restoration> {
  if (running === undefined) endLeftover(runningIn(point.folder));
  const kept = putBack(point);
  // What runs may write yet, as a hook does; files are put back before all the same, should nothing follow.
  await running?.();
  kept.push(...putBack(point));
  // Without its folder nobody knows whether anything was changed.
  const isUnchanged = existsSync(point.folder) && listWrittenDigests(point.folder).size === 0;
  const problem = isUnchanged ? null : await restartProblem(point, settings, run);
  // Kept until the search runs with them: the next command tries again.
  if (problem === null) forget(path, point);
  return { state: "restored", kept, problem };
}

/** Lets the configuration stay as it is now. */
export function forget(path: string, point: Omit<RestorePoint, "owner">): void {
  for (const file of point.files) removeOriginal(file, point);
  const found = readRestorePoint(path);
  if (found === null || found.point.tuning === point.tuning) removeRestorePoint(path);
}

/** @returns where contents are kept that others had written. */
function putBack(point: Pick<RestorePoint, "files" | "folder" | "tuning">): string[] {
  const written = listWrittenDigests(point.folder);
  return point.files.flatMap((file) => {
    const original = readOriginal(file, point);
    if (original === null) return [];
    const { content, aside } = takeContent(file);
    const digest = content && digestOf(content);
    const isOthers = content !== undefined && digest !== original.sha256 && !written.has(digest ?? "");
    const kept = isOthers ? keep(point.folder, file.path, content) : aside;
    putOriginalBack(file, original);
    return kept ?? [];
  });
}

/** Keeps what neither a tuning nor its original had in a file. */
function keep(folder: string, file: string, content: Uint8Array): string {
  const there = join(folder, "changed-by-others");
  makeFolders(there);
  const path = join(there, `${digestOf(content).slice(0, 8)}-${basename(file)}`);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

/** Why the search could not be restarted; null where it was. */
async function restartProblem(
  { folder, tuning }: Pick<RestorePoint, "folder" | "tuning">,
  settings: RestartSettings | null,
  run: RestoreOptions["run"],
): Promise<string | null> {
  if (settings === null) return "the configuration of the project does not say how it is restarted";
  try {
    await restart(
      settings,
      { log: join(folder, LOG), folder, tuning, experiment: "original" },
      { run, right: { unexpected: sayingOfExperiment(folder) } },
    );
    return null;
  } catch (error) {
    if (!isRankproofError(error)) throw error;
    return error.message;
  }
}

/**
 * Restarts a search, and waits until it is healthy.
 *
 * @returns what it says of its health; null where it is not asked.
 * @throws AdapterError `TUNING_COMMAND`, `TUNING_UNHEALTHY`
 */
export async function restart(
  { project, restart: command, commandTimeoutMs, health }: RestartSettings,
  told: {
    readonly log: string;
    /** Of the tuning. */
    readonly folder: string;
    readonly tuning: string;
    readonly experiment: string;
  },
  more: {
    readonly run?: RestoreOptions["run"];
    readonly right?: RightAnswer | undefined;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<string | null> {
  const { run = runCommand, right, signal } = more;
  if (command !== undefined)
    await run({
      command,
      folder: project,
      timeoutMs: commandTimeoutMs,
      environment: { RANKPROOF_TUNING: told.tuning, RANKPROOF_EXPERIMENT: told.experiment },
      log: told.log,
      running: runningIn(told.folder),
    });
  return health === undefined ? null : awaitHealth(health, right, signal);
}
