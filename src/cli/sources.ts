import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { InputError, isRankproofError } from "../index.js";
import { STANDARD_INPUT } from "../node/evaluate/index.js";
import { isPostgresUrl, readCorpus, readGolden, readRun } from "../node/index.js";
import { stemOf } from "../node/internal.js";
import { evidenceFrom, loadStoredRun, type Evidence } from "../runs/index.js";
import type { CompareOptions } from "../index.js";
import type { EvalRun, GoldenSet } from "../records/index.js";
import type { EvalStore } from "../storage/index.js";
import { DEFAULT_GOLDEN, DEFAULT_STORE } from "./defaults.js";
import { metricsBeside } from "../compare/index.js";
import { isReadable } from "./is-readable.js";
import { isScoredRunFile, scoredRunError } from "./scored-run-file.js";
import { refuseUnanswered } from "./refuse-unanswered.js";
import { tellReworded } from "./tell-reworded.js";
import { plainLine, type Terminal } from "./terminal.js";

/** Options of every command that scores runs, as commander gives them. */
export interface ScoringFlags {
  golden: string;
  store?: string;
  isUsualStore?: true;
  corpus?: string;
  missing?: "zero" | "skip";
  ignoreCase?: boolean;
  metrics?: string;
  unit?: "chunk" | "doc";
  allowEmpty?: true;
}

/** A run, and the store that it came from, if it was not a file. */
export interface RunSource {
  readonly run: EvalRun;
  readonly store: EvalStore | null;
}

/** The golden set, the runs and the knowledge that a command was pointed at. */
export interface Sources {
  readonly golden: GoldenSet;
  readonly runs: readonly RunSource[];
  readonly evidence: Evidence;
}

/** @throws InputError `ARGUMENT` where more than one input is the standard input. */
export function checkOneStdin(inputs: readonly (string | undefined)[]): void {
  if (inputs.filter((input) => input === STANDARD_INPUT).length > 1)
    throw new InputError("ARGUMENT", "stdin (-) was given for several inputs; name files for the others");
}

/**
 * The store that was named, or the one at the usual place if there is one.
 *
 * @param isUsual whether nobody named it for this command: it is the one of the project.
 */
export async function storeFor(
  path: string | undefined,
  isUsual = path === undefined,
): Promise<EvalStore | null> {
  const place = path ?? DEFAULT_STORE;
  return isUsual && !isPostgresUrl(place) && !existsSync(place) ? null : requireStore(path);
}

/** The store that was named, or the one at the usual place, which must be there. */
export async function requireStore(path: string | undefined): Promise<EvalStore> {
  // Files are compared without a store, whose engine takes longer to load.
  const { openStore } = await import("../node/index.js");
  return openStore(path ?? DEFAULT_STORE);
}

/** Runs of the store by their ids. */
export async function findStoredRuns(
  ids: readonly string[] = [],
  path: string | undefined,
): Promise<EvalRun[]> {
  if (ids.length === 0) return [];
  const store = await requireStore(path);
  try {
    const runs: EvalRun[] = [];
    for (const id of ids) runs.push(await loadStoredRun(store, id));
    return runs;
  } finally {
    await store.close();
  }
}

/** @throws InputError `FILE_NOT_FOUND` where nobody named a golden set and the usual one is not there. */
export function requireGolden(path: string): void {
  if (path === DEFAULT_GOLDEN && !existsSync(path))
    throw new InputError(
      "FILE_NOT_FOUND",
      `there is no ${DEFAULT_GOLDEN} here; name the golden set with --golden, or write one with ` +
        "`rankproof init`",
    );
}

/** Finds runs by stored id, else by file, and gathers what scoring them needs. */
export async function sourcesFor(
  names: readonly string[],
  flags: ScoringFlags,
  terminal: Terminal,
): Promise<Sources> {
  for (const name of names) if (await isScoredRunFile(name)) throw scoredRunError(name);
  requireGolden(flags.golden);
  checkOneStdin([...names, flags.golden, flags.corpus]);
  const golden = await readGolden(flags.golden);
  const store =
    (flags.store === undefined || flags.isUsualStore === true) && names.every(isReadable)
      ? await usableStore(flags.store, terminal)
      : await storeFor(flags.store);
  const found = await Promise.all(names.map((name) => findRun(name, store, flags.store)));
  if (flags.allowEmpty !== true) {
    const asked = new Map(golden.queries.map((query) => [query.id, query]));
    for (const [at, { run }] of found.entries())
      refuseUnanswered(
        { run: names[at] as string, source: flags.golden },
        run.results.map(({ query_id }) => query_id),
        asked,
      );
  }
  const runs = apart(names, found);
  tellReworded(
    runs.map(({ run }) => run),
    golden,
    terminal,
  );
  const stored =
    store === null
      ? {}
      : await evidenceFrom(
          store,
          runs.map(({ run }) => run),
          golden,
        );
  return {
    golden,
    runs,
    evidence: {
      ...stored,
      ...(flags.corpus === undefined ? {} : { corpus: await readCorpus(flags.corpus) }),
    },
  };
}

/** The store of the project, if it can be used: files can be compared without one. */
async function usableStore(path: string | undefined, terminal: Terminal): Promise<EvalStore | null> {
  try {
    return await storeFor(path, true);
  } catch (error) {
    if (!isRankproofError(error)) throw error;
    terminal.talk(`going on without a store: ${error.message}`);
    return null;
  }
}

/** Files of one stem in two folders have one id; then the folders tell them apart, or else their paths. */
function apart(names: readonly string[], found: readonly RunSource[]): RunSource[] {
  const clash =
    new Set(found.map(({ run }) => run.run_id)).size < found.length && new Set(names).size === names.length;
  if (!clash) return [...found];
  const ids = found.map(({ run: { run_id }, store }, index) =>
    store === null ? `${basename(dirname(resolve(names[index] as string)))}-${run_id}` : run_id,
  );
  const areApart = new Set(ids).size === ids.length;
  return found.map(({ run, store }, index) => {
    const run_id = (areApart || store !== null ? ids : names)[index] as string;
    return { run: { ...run, run_id }, store };
  });
}

/** One run by its id in the store, else by its file. */
export async function findRun(
  name: string,
  store: EvalStore | null,
  storePath: string | undefined,
): Promise<RunSource> {
  const stored = await store?.loadRun(name);
  if (stored != null) return { run: stored, store };
  // The file's stem is the id, also of a JSON run that names another: two files must not turn into one run.
  if (isReadable(name)) {
    const run = await readRun(name, { toldTime: true });
    return { run: { ...run, run_id: stemOf(name) }, store: null };
  }
  if (store !== null) throw await neitherFileNorRun(name, store);
  throw new InputError(
    "FILE_NOT_FOUND",
    `${name}: no such file, and there is no store at ${storePath ?? DEFAULT_STORE} to look in; give a ` +
      "run file, or name a store with --store",
    { name },
  );
}

/** The error of the store, which knows the nearest ids, together with the missing file. */
async function neitherFileNorRun(name: string, store: EvalStore): Promise<unknown> {
  try {
    return await loadStoredRun(store, name);
  } catch (error) {
    return isRankproofError(error)
      ? new InputError(
          error.code,
          `there is no file \`${plainLine(name)}\`, and ${error.message}`,
          error.details,
          error,
        )
      : error;
  }
}

/** The scoring options that the flags stand for. */
export function scoringOptions({
  missing,
  ignoreCase,
  metrics,
  unit,
}: ScoringFlags): Pick<CompareOptions, "missingQueries" | "textMatch" | "metrics" | "unit"> {
  return {
    missingQueries: missing,
    textMatch: ignoreCase === true ? "caseInsensitive" : undefined,
    metrics: metricsBeside(metrics),
    unit,
  };
}
