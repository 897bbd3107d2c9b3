import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { holdLock, replaceFile } from "../../files/index.js";
import { AdapterError, isRankproofError, messageOf } from "../../foundation/errors/index.js";
import type { CommandConfig, HealthConfig } from "../../records/index.js";
import { awaitHealth } from "./await-health.js";
import { readRestorePoint, removeRestorePoint, type RestorePoint } from "../restore/index.js";
import { runCommand, type CommandRun } from "./run-command.js";
import { digestOf, placeOfOriginal, readOriginal, removeOriginal } from "./saved-original.js";
import { writtenDigests } from "./tuning-files.js";

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
  /** Files that somebody else had changed in the meantime, and where what they had is kept. */
  readonly kept: readonly string[];
  /** Why the search does not run with its configuration although that is back; null where it does. */
  readonly problem: string | null;
}

/** How {@link restore} goes about it. */
export interface RestoreOptions {
  /** Awaited before the restart, when the files are in their places. */
  readonly whenPutBack?: (() => Promise<void>) | undefined;
  /** The tuning whose restore point it must be; any by default. */
  readonly tuning?: string | undefined;
  /** Who runs the restart; this process by default. */
  readonly run?: ((run: CommandRun) => Promise<void>) | undefined;
}

const NOTHING: Restoration = { state: "none", kept: [], problem: null };
/** The output of commands that are run to restore. */
const LOG = "restore.log";

/**
 * Puts the original configuration of a search back, restarts it, and forgets the restore point. It may be
 * called at any moment and any number of times, by several processes.
 *
 * @param settings null where nobody says how the search is restarted: then only files are put back.
 * @throws AdapterError `TUNING_RESTORE` where a file cannot be put back.
 */
export async function restore(
  path: string,
  settings: RestartSettings | null,
  { whenPutBack, tuning, run }: RestoreOptions = {},
): Promise<Restoration> {
  const found = readRestorePoint(path);
  if (found === null) {
    // Its making was cut short.
    if (existsSync(path)) removeRestorePoint(path);
    return NOTHING;
  }
  if (tuning !== undefined && found.point.tuning !== tuning) return NOTHING;
  const release = holdLock(`${dirname(path)}.lock`);
  if (release === undefined) return { ...NOTHING, state: "busy" };
  try {
    if (readRestorePoint(path) === null) return NOTHING;
    const { point } = found;
    const kept = putBack(point);
    await whenPutBack?.();
    const problem = writtenDigests(point.folder).size === 0 ? null : await restarted(point, settings, run);
    // Kept until the search runs with them: the next command tries again.
    if (problem === null) forget(path, point.files);
    return { state: "restored", kept, problem };
  } finally {
    release();
  }
}

/** Lets the configuration stay as it is now. */
export function forget(path: string, files: readonly string[]): void {
  files.forEach(removeOriginal);
  removeRestorePoint(path);
}

/** @returns where contents are kept that others had written. */
function putBack({ files, folder }: RestorePoint): string[] {
  const written = writtenDigests(folder);
  const kept: string[] = [];
  for (const file of files) {
    try {
      const original = readOriginal(file);
      if (original === null) continue;
      const now = existsSync(file) ? readFileSync(file) : undefined;
      const digest = now && digestOf(now);
      if (digest === original.sha256) continue;
      if (now !== undefined && !written.has(digest ?? "")) kept.push(keep(folder, file, now));
      replaceFile(file, original.content);
      if (digestOf(readFileSync(file)) !== original.sha256) throw new Error("it is not what was written");
    } catch (error) {
      throw new AdapterError(
        "TUNING_RESTORE",
        `${file}: its original cannot be put back: ${messageOf(error)}; it is kept in ` +
          `${placeOfOriginal(file)} ` +
          "(`content`, base64), and `rankproof tune restore` tries again",
        { file },
        error,
      );
    }
  }
  return kept;
}

/** Keeps what neither a tuning nor its original had in a file. */
function keep(folder: string, file: string, content: Uint8Array): string {
  const there = join(folder, "changed-by-others");
  mkdirSync(there, { recursive: true });
  const path = join(there, `${digestOf(content).slice(0, 8)}-${basename(file)}`);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

/** Why the search could not be restarted; null where it was. */
async function restarted(
  point: RestorePoint,
  settings: RestartSettings | null,
  run: RestoreOptions["run"],
): Promise<string | null> {
  if (settings === null) return "nothing says how it is restarted";
  try {
    await restart(
      settings,
      { log: join(point.folder, LOG), tuning: point.tuning, experiment: "original" },
      { run },
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
 * @throws AdapterError `TUNING_COMMAND`, `TUNING_UNHEALTHY`
 */
export async function restart(
  { project, restart: command, commandTimeoutMs, health }: RestartSettings,
  told: { readonly log: string; readonly tuning: string; readonly experiment: string },
  more: {
    readonly run?: RestoreOptions["run"];
    readonly expected?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<void> {
  const { run = runCommand, expected, signal } = more;
  if (command !== undefined)
    await run({
      command,
      folder: project,
      timeoutMs: commandTimeoutMs,
      environment: { RANKPROOF_TUNING: told.tuning, RANKPROOF_EXPERIMENT: told.experiment },
      log: told.log,
    });
  if (health !== undefined) await awaitHealth(health, expected, signal);
}
