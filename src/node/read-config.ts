import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { lookAt, processSurroundings, readBytes, type Surroundings } from "../files/index.js";
import { InputError, messageOf } from "../foundation/errors/index.js";
import type { Config } from "../records/index.js";
import { importFile } from "./import-file.js";
import { isAddress } from "./store-name.js";

const NAMES = ["mjs", "js", "ts", "json", "yaml", "yml"].map((extension) => `rankproof.config.${extension}`);
const PATHS: readonly string[] = ["golden", "store", "labels", "system", "artifacts"];

/** The configuration of the nearest folder upwards that has one; undefined where none has. */
export function findConfig(folder: string): string | undefined {
  const here = NAMES.map((name) => join(folder, name)).find(isFileAt);
  const above = dirname(folder);
  return here ?? (above === folder ? undefined : findConfig(above));
}

/** What is not there, or in a folder that nobody may look into, is none; nor is a folder of such a name. */
function isFileAt(path: string): boolean {
  return existsSync(path) && lookAt(path)?.isDirectory() === false;
}

/** The configuration that `RANKPROOF_CONFIG` names, or the nearest one upwards. */
export function configPath({ env, cwd }: Surroundings): string | undefined {
  return env["RANKPROOF_CONFIG"] || findConfig(cwd);
}

/**
 * Reads a configuration of any kind. Its paths come out as they lead from the folder of the process, which
 * opens them.
 *
 * @throws InputError `FILE_NOT_FOUND`, `FILE_UNREADABLE`, `CONFIG`
 */
export async function readConfig(
  path: string,
  { env, cwd }: Surroundings = processSurroundings(),
): Promise<Config> {
  if (!existsSync(path)) {
    const named = path === env["RANKPROOF_CONFIG"] ? "; RANKPROOF_CONFIG names it" : "";
    throw new InputError("FILE_NOT_FOUND", `${path}: no such file${named}`, { path });
  }
  // Most projects have none, and readers of YAML take longer to load than a small run to compare.
  const { checkConfig, parseConfig } = await import("../formats/index.js");
  const config = /\.(?:json|ya?ml)$/i.test(path)
    ? parseConfig(readBytes(path), path, env)
    : checkConfig(await importConfig(path), path, env);
  const folder = dirname(path);
  const fromHere = (given: string): string =>
    folder === process.cwd() || isAddress(given) ? given : resolve(cwd, folder, given);
  /** A record whose members' paths lead from here, too. */
  const members = <T extends object>(record: Record<string, T> | undefined, names: readonly string[]) =>
    record &&
    Object.fromEntries(Object.entries(record).map(([name, member]) => [name, movePaths(member, names)]));
  const movePaths = <T extends object>(record: T, names: readonly string[]): T => ({
    ...record,
    ...Object.fromEntries(
      Object.entries(record).flatMap(([name, given]: [string, unknown]) =>
        names.includes(name) && typeof given === "string" ? [[name, fromHere(given)]] : [],
      ),
    ),
  });
  const datasets = members(config.datasets, ["queries", "corpus"]);
  const backends = members(config.backends, ["path"]);
  const labelers = members(config.labelers, ["path"]);
  const rerankers = members(config.rerankers, ["path"]);
  const tuning = members(config.tuning, ["template", "experiments"]);
  return {
    ...movePaths(config, PATHS),
    ...(datasets && { datasets }),
    ...(backends && { backends }),
    ...(rerankers && { rerankers }),
    ...(tuning && { tuning: withMovedFiles(tuning, fromHere) }),
    ...(labelers && { labelers: withPromptFiles(labelers, fromHere) }),
  };
}

function withMovedFiles(
  tuning: NonNullable<Config["tuning"]>,
  fromHere: (given: string) => string,
): NonNullable<Config["tuning"]> {
  return Object.fromEntries(
    Object.entries(tuning).map(([name, each]) => [name, { ...each, files: each.files.map(fromHere) }]),
  );
}

/** A prompt is a file where its name is that of one. */
function withPromptFiles(
  labelers: NonNullable<Config["labelers"]>,
  fromHere: (given: string) => string,
): NonNullable<Config["labelers"]> {
  return Object.fromEntries(
    Object.entries(labelers).map(([name, labeler]) => [
      name,
      labeler.kind === "openai" && labeler.prompt?.includes(".")
        ? { ...labeler, prompt: fromHere(labeler.prompt) }
        : labeler,
    ]),
  );
}

async function importConfig(path: string): Promise<unknown> {
  // A module is read once for each address: what has changed since needs another one.
  const module = await importFile(path, `?${statSync(path).mtimeMs}`).catch((cause: unknown) => {
    throw new InputError("CONFIG", `${path}: cannot be imported: ${messageOf(cause)}`, { path }, cause);
  });
  const config = module["default"];
  if (config === undefined || typeof config === "function")
    throw new InputError(
      "CONFIG",
      `${path}: ${config === undefined ? "has no default export" : "its default export is a function"}; ` +
        "write `export default { … }`",
      { path },
    );
  return config;
}
