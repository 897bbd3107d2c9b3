import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders, replaceFile, writeError, type FileContent } from "../../files/index.js";

/** What is written of a tuning: `tuning_runs/<id>/` below the folder of artifacts. */
export interface TuningFiles {
  readonly folder: string;
  /** @returns the path. */
  write(name: string, content: FileContent): string;
  /** As {@link write}, for its owner only. */
  writeSecret(name: string, content: Uint8Array): void;
  /** Undefined where there is no such file. */
  read(name: string): string | undefined;
}

/**
 * Where a tuning, or one of its experiments, is written.
 *
 * @param folder of one tuning, below {@link tuningsFolder}.
 */
export function tuningFiles(folder: string): TuningFiles {
  return {
    folder,
    write(name, content) {
      const path = join(folder, name);
      replaceFile(path, content);
      return path;
    },
    writeSecret(name, content) {
      const path = join(folder, name);
      try {
        makeFolders(dirname(path));
        writeFileSync(path, content, { mode: 0o600 });
      } catch (error) {
        throw writeError(path, error);
      }
    },
    read(name) {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, "utf8") : undefined;
    },
  };
}

/** The folder of all tunings. */
export function tuningsFolder(artifacts: string): string {
  return join(artifacts, "tuning_runs");
}

/** The digests of the original configuration, by file; there from the first change on. */
const ORIGINALS = "originals.json";

/** Notes the digests of the original configuration. */
export function noteOriginals(folder: string, digests: ReadonlyMap<string, string>): void {
  replaceFile(join(folder, ORIGINALS), JSON.stringify(Object.fromEntries(digests)));
}

/** Whether a tuning has changed anything. */
export function hasBegun(folder: string): boolean {
  return existsSync(join(folder, ORIGINALS));
}

/** The digests that were noted; undefined before that. */
export function readOriginals(folder: string): ReadonlyMap<string, string> | undefined {
  if (!hasBegun(folder)) return undefined;
  const digests = JSON.parse(readFileSync(join(folder, ORIGINALS), "utf8")) as Record<string, string>;
  return new Map(Object.entries(digests));
}

/** Whether these are the digests that were noted. */
export function areNotedOriginals(folder: string, digests: ReadonlyMap<string, string>): boolean {
  const noted = readOriginals(folder);
  return noted?.size === digests.size && [...digests].every(([file, digest]) => noted.get(file) === digest);
}

/**
 * The digests of all that a tuning wrote into configuration files, so that what others wrote is told from it.
 */
const WRITTEN = "written.txt";

/**
 * Notes a digest, before that content is written; `by hook` before a hook writes it for the tuning.
 */
export function noteWritten(folder: string, digest: string): void {
  try {
    makeFolders(folder);
    appendFileSync(join(folder, WRITTEN), `${digest}\n`);
  } catch (error) {
    throw writeError(join(folder, WRITTEN), error);
  }
}

/** Says that the configuration files are as somebody else left them. */
export function forgetWritten(folder: string): void {
  rmSync(join(folder, WRITTEN), { force: true });
}

/** Every digest that was noted. */
export function listWrittenDigests(folder: string): ReadonlySet<string> {
  const path = join(folder, WRITTEN);
  return new Set(existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : []);
}

/** Says that the configuration stays as it is now, all files of it or none. */
const KEPT = "kept";

/** Lets the configuration of an experiment stay, all files of it or none: this is the moment. */
export function noteKept(folder: string, experiment: string): void {
  replaceFile(join(folder, KEPT), experiment);
}

/** The configuration changes again. */
export function forgetKept(folder: string): void {
  rmSync(join(folder, KEPT), { force: true });
}

/** Whether the configuration of an experiment was to stay. */
export function isKept(folder: string): boolean {
  return existsSync(join(folder, KEPT));
}

/** The experiment whose configuration was to stay; null for none. */
export function readKeptExperiment(folder: string): string | null {
  return (isKept(folder) && readFileSync(join(folder, KEPT), "utf8")) || null;
}

/** What tells the search with the original configuration from one with that of the last experiment. */
interface HealthNotes {
  /** What the search said of its health with the original configuration. */
  readonly original?: string;
  /** What it had to say with the last experiment's. */
  readonly expected?: string;
}

const HEALTH = "health.json";

/** Notes some of it; the rest stays. */
export function noteHealth(folder: string, notes: HealthNotes): void {
  replaceFile(join(folder, HEALTH), JSON.stringify({ ...healthNotes(folder), ...notes }));
}

/** A text that says that the search still has the last experiment's configuration; undefined for none. */
export function sayingOfExperiment(folder: string): string | undefined {
  const { original, expected } = healthNotes(folder);
  return original === undefined || expected === undefined || original.includes(expected)
    ? undefined
    : expected;
}

function healthNotes(folder: string): HealthNotes {
  try {
    return JSON.parse(readFileSync(join(folder, HEALTH), "utf8")) as HealthNotes;
  } catch {
    return {};
  }
}
