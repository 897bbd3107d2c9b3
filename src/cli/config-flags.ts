import type { Surroundings } from "../files/index.js";
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { configPath, isPostgresUrl, readConfig } from "../node/index.js";
import { DEFAULT_STORE, FROM_CONFIG } from "./defaults.js";
import { InputError } from "../foundation/errors/index.js";
import type { GateRuleLine } from "../formats/index.js";
import type { Config } from "../records/index.js";

/** The flags that a key of the configuration stands for, by the names that commander gives them. */
const FLAGS: Readonly<
  Record<string, (config: Config, env: Surroundings["env"], path: string | undefined) => unknown>
> = {
  golden: ({ golden }) => golden,
  store: ({ store }, env) => env["RANKPROOF_STORE"] ?? store,
  primary: ({ primary }) => primary,
  guard: ({ guards }) => guards,
  gate: ({ gates }, _, path) =>
    gates?.map((text, at): GateRuleLine => ({ text, where: `${path}: gates[${at}]`, line: 1 })),
  slice: ({ slices }) => slices?.join(","),
  maxFailedShare: ({ maxFailedShare }) => maxFailedShare,
  stopAfterFailures: ({ stopAfterFailures }) => stopAfterFailures,
  metrics: ({ metrics }) => metrics?.join(","),
  fusion: ({ fusion }) => fusion?.method,
  normalize: ({ fusion }) => fusion?.normalize,
};

/** Commands that hold runs against a golden set; the others take the store only. */
const SCORING = new Set(["run", "compare", "aggregate", "report", "paraphrases"]);
/** These fuse, and take nothing else. */
const FUSING = new Set(["bench", "search"]);
const FUSION_FLAGS = new Set(["fusion", "normalize"]);
/** Only these fail by rules that nobody gave them. */
const GATED = new Set(["run", "compare"]);
/** These make a store where there is none. */
const WRITING = new Set(["run", "import", "bench", "batch", "tune"]);

/** The usual store beside a configuration, where it is not the one below the working folder. */
function storeBeside(path: string, command: string, cwd: string): string | undefined {
  if (resolve(cwd, dirname(path)) === cwd) return undefined;
  const store = relative(cwd, join(dirname(path), DEFAULT_STORE));
  // A store that is here already stays in use until there is one beside the configuration.
  const isNew = WRITING.has(command) && !existsSync(DEFAULT_STORE);
  return isNew || existsSync(store) ? store : undefined;
}

/** The store that the project's configuration leads to, for commands that look at it only when they must. */
export async function findConfiguredStore(around: Surroundings): Promise<string | undefined> {
  const path = configPath(around);
  const own =
    path === undefined
      ? undefined
      : ((await readConfig(path, around)).store ?? storeBeside(path, "evaluate", around.cwd));
  return around.env["RANKPROOF_STORE"] ?? own;
}

/**
 * Gives a command what the project's configuration says, wherever the user said nothing: the nearest
 * `rankproof.config.*` upwards, or that of `RANKPROOF_CONFIG`.
 *
 * @param name of the command; `command` itself may be one of its parts.
 */
export async function applyConfig(command: Command, name: string, around: Surroundings): Promise<void> {
  const path = configPath(around);
  const config = path === undefined ? {} : await readConfig(path, around);
  if (path !== undefined) config.store ??= storeBeside(path, name, around.cwd);
  // Judgments of files have nothing to do with the project's golden set.
  const isAside = command.getOptionValue("qrels") !== undefined;
  const { fusion } = config;
  if (FUSING.has(name) && fusion !== undefined) await checkFusesTwo(fusion.method, path, command);
  for (const [flag, value] of Object.entries(FLAGS)) {
    const option = command.options.find((each) => each.attributeName() === flag);
    const source = command.getOptionValueSource(flag);
    const given = value(config, around.env, path);
    if (option === undefined || given === undefined || (isAside && flag !== "store" && !FUSING.has(name)))
      continue;
    if (source !== undefined && source !== "default") continue;
    if (FUSING.has(name) ? !FUSION_FLAGS.has(flag) : !isTaken(flag, name)) continue;
    // A normalizer belongs to its method.
    if (flag === "normalize" && command.getOptionValueSource("fusion") !== FROM_CONFIG) continue;
    command.setOptionValueWithSource(flag, given, FROM_CONFIG);
  }
  if (config.system !== undefined && name === "run" && command.args.length === 0)
    command.setOptionValueWithSource("system", config.system, FROM_CONFIG);
  // A database that has the runs has the labels, too, unless they are elsewhere.
  const store: unknown = command.getOptionValue("store");
  const isShared = typeof store === "string" && isPostgresUrl(store) && config.labels === undefined;
  if (isShared && command.getOptionValue("labels") === undefined)
    command.setOptionValueWithSource("labels", store, FROM_CONFIG);
}

/** Whether a command that is no fusing one takes a flag from the configuration. */
function isTaken(flag: string, name: string): boolean {
  return flag === "store" || (!FUSION_FLAGS.has(flag) && (flag === "gate" ? GATED : SCORING).has(name));
}

/** Hybrids fuse two channels; the weights of a configuration may be for more runs. */
async function checkFusesTwo(method: string, path: string | undefined, command: Command): Promise<void> {
  const { parseFusion } = await import("../fusion/index.js");
  const { runs = 2 } = parseFusion(method);
  if (runs !== 2 && command.getOptionValueSource("fusion") === "default")
    throw new InputError(
      "CONFIG",
      `${path ?? ""}: fusion ${method} is for ${runs} runs, and a hybrid fuses two; say how with --fusion`,
    );
}
