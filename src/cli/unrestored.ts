import type { Surroundings } from "../files/index.js";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isRankproofError } from "../index.js";
import {
  configPath,
  findConfig,
  readConfig,
  restore,
  type FoundRestorePoint,
  type RestartSettings,
} from "../node/index.js";
import {
  lockOf,
  originalsLeft,
  restartSettings,
  restorePointOf,
  restorePointPath,
} from "../node/internal.js";
import { plainLine, type Terminal } from "./terminal.js";

/** Says that a restart failed, so that not every command tries it again. */
const FAILED = "restart-failed.txt";

/**
 * Puts back the configurations of tunings that were killed together with their guards. What cannot be done is
 * said, and the command goes on.
 */
export async function restoreLeftovers(
  found: readonly FoundRestorePoint[],
  terminal: Terminal,
): Promise<void> {
  for (const each of distinct(found)) {
    const { point, isUnderWay, isGenuine } = each;
    const name = plainLine(point.backend);
    if (!isGenuine)
      terminal.warn(
        `${plainLine(each.path)} says that the configuration of ${name} is to be put back, but is a ` +
          "copy; if it is yours, call `rankproof tune restore`, else delete it",
      );
    else if (isUnderWay)
      terminal.warn(
        `${name} is being tuned by process ${point.owner.pid} since ${point.since}: it may answer as an ` +
          "experiment",
      );
    else await restoreOne(each, { terminal, isAsked: false });
  }
}

/**
 * Puts one configuration back, and says what it does.
 *
 * @param isAsked whether the user asked for it: then a restart that failed before is tried again.
 * @returns whether all is well.
 */
export async function restoreOne(
  { path, point }: FoundRestorePoint,
  { terminal, isAsked }: { readonly terminal: Terminal; readonly isAsked: boolean },
): Promise<boolean> {
  const name = plainLine(point.backend);
  const failed = join(point.folder, FAILED);
  const files = point.files.map(({ path: file }) => plainLine(relative(terminal.cwd, file))).join(", ");
  try {
    const mayRestart = isAsked || !existsSync(failed);
    if (mayRestart)
      terminal.talk(
        `a tuning of ${name} is not restored: putting its original configuration back into ${files}`,
      );
    const settings = mayRestart ? await settingsOf(path, point.backend, terminal) : null;
    const { state, kept, problem } = await restore(path, settings, { point });
    if (state === "busy") {
      terminal.talk(
        `another process puts it back, or held ${plainLine(lockOf(path))} when it was killed: then ` +
          "delete that",
      );
      return false;
    }
    for (const each of kept)
      terminal.talk(
        `another program had changed the configuration; its version is kept in ${plainLine(each)}`,
      );
    if (problem !== null && mayRestart) writeFileSync(failed, `${problem}\n`);
    if (problem !== null)
      terminal.warn(
        `the original configuration of ${name} is back, but the ` +
          `search does not run with it${mayRestart ? `: ${problem}` : ""}; fix that, then call ` +
          "`rankproof tune restore`",
      );
    else terminal.talk(`${name} is as it was before`);
    return problem === null;
  } catch (error) {
    if (!isRankproofError(error)) throw error;
    terminal.error(error.message);
    return false;
  }
}

/**
 * How a search is restarted, by the configuration as it is now: what a restore point says makes nothing run.
 */
async function settingsOf(
  path: string,
  backend: string,
  around: Surroundings,
): Promise<RestartSettings | null> {
  const project = dirname(dirname(dirname(path)));
  const named = around.env["RANKPROOF_CONFIG"];
  const file = named && resolve(around.cwd, dirname(named)) === project ? named : findConfig(project);
  try {
    const tuning = file === undefined ? undefined : (await readConfig(file, around)).tuning?.[backend];
    return tuning === undefined ? null : restartSettings(tuning, project);
  } catch (error) {
    // Files are put back all the same.
    if (isRankproofError(error)) return null;
    throw error;
  }
}

/** What is left of tunings whose restore points were deleted. */
export async function findLeftWithoutPoint(
  found: readonly FoundRestorePoint[],
  around: Surroundings,
): Promise<FoundRestorePoint[]> {
  const file = configPath(around);
  if (file === undefined) return [];
  const project = resolve(around.cwd, dirname(file));
  const known = new Set(found.map(({ point }) => point.tuning));
  const left = Object.values((await readConfig(file, around)).tuning ?? {}).flatMap(({ files }) =>
    originalsLeft(project, files),
  );
  return distinct(
    left
      .filter(({ tuning }) => !known.has(tuning))
      .map((point) => restorePointOf(restorePointPath(project, point.backend), point)),
  );
}

function distinct(found: readonly FoundRestorePoint[]): FoundRestorePoint[] {
  return [...new Map(found.map((each) => [each.path, each])).values()];
}
