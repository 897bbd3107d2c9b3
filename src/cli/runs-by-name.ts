import { existsSync } from "node:fs";
import type { Surroundings } from "../files/index.js";
import type { RunReadOptions } from "../formats/index.js";
import { readAnyRun, type NamedRun } from "../node/evaluate/index.js";
import type { EvalRun } from "../records/index.js";
import { DEFAULT_STORE } from "./defaults.js";
import { disambiguateNames } from "./disambiguate-names.js";
import { isReadable } from "./is-readable.js";
import { plainLine, type Terminal } from "./terminal.js";

/**
 * A stored run, where no file has the name; null where there is one, or no store to look in. Only then a
 * store is opened, which takes longer than to score a small run.
 *
 * @throws InputError for a name that is neither a file nor a stored run.
 */
export async function findStoredRun(
  name: string,
  storePath: string | undefined,
  around: Surroundings,
): Promise<EvalRun | null> {
  if (isReadable(name)) return null;
  const path = storePath ?? (await (await import("./config-flags.js")).findConfiguredStore(around));
  if (path === undefined && !existsSync(DEFAULT_STORE)) return null;
  const { findRun, requireStore } = await import("./sources.js");
  const { run } = await findRun(name, await requireStore(path), path);
  return run;
}

/** A run of any format by its file, else a stored one by its id. */
export async function anyRunByName(
  name: string,
  storePath: string | undefined,
  around: Surroundings,
  options?: RunReadOptions,
): Promise<NamedRun> {
  const run = await findStoredRun(name, storePath, around);
  return run === null
    ? readAnyRun(name, options)
    : { format: "rankproof", run, name: run.run_id, warnings: [] };
}

/** Says what can mislead about runs, where no report does. */
export function tellRunWarnings(runs: readonly NamedRun[], terminal: Terminal): void {
  for (const { name, warnings } of runs)
    for (const { message } of warnings) terminal.warn(`${plainLine(name)}: ${message}`);
}

/** Several runs, as `anyRunByName` finds each, under names that tell them apart. */
export async function anyRunsByName(
  paths: readonly string[],
  storePath: string | undefined,
  terminal: Terminal,
  options?: RunReadOptions,
): Promise<NamedRun[]> {
  const runs: NamedRun[] = [];
  for (const path of paths) {
    terminal.progress(`reading ${path}`);
    runs.push(await anyRunByName(path, storePath, terminal, options));
  }
  return disambiguateNames(runs, paths);
}
