import type { Surroundings } from "../files/index.js";
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { configPath, isPostgresUrl, readConfig } from "../node/index.js";
import { DEFAULT_STORE, FROM_CONFIG } from "./defaults.js";
import { isCalledAsRules } from "./is-called-as-rules.js";
import { InputError, isRankproofError } from "../foundation/errors/index.js";
import type { GateRuleLine } from "../formats/index.js";
import type { Config } from "../records/index.js";
import type { Terminal } from "./terminal.js";

/** A part of the configuration that a command may take. */
export type ConfigPart = "store" | "scoring" | "gates" | "fusion" | "system";

/** What of the project's configuration a command takes. */
export interface Configured {
  /** They fill the options that it has and nobody gave. */
  readonly configured?: readonly ConfigPart[];
  /** Whether it makes a store where there is none. */
  readonly makesStore?: boolean;
}

type Given = (config: Config, env: Surroundings["env"], path: string | undefined) => unknown;

/** Whether a rule of a configuration is a file of rules. */
function isFileOf(rule: string, path: string): boolean {
  return isCalledAsRules(rule) || existsSync(resolve(dirname(path), rule));
}

/** What each part says, by the names that commander gives the flags. */
const FLAGS: Readonly<Record<Exclude<ConfigPart, "system">, Readonly<Record<string, Given>>>> = {
  store: { store: ({ store }, env) => env["RANKPROOF_STORE"] || store },
  scoring: {
    golden: ({ golden }) => golden,
    primary: ({ primary }) => primary,
    guard: ({ guards }) => guards,
    slice: ({ slices }) => slices?.join(","),
    maxFailedShare: ({ maxFailedShare }) => maxFailedShare,
    stopAfterFailures: ({ stopAfterFailures }) => stopAfterFailures,
    metrics: ({ metrics }) => metrics?.join(","),
  },
  gates: {
    gate: ({ gates }, _, path = "") =>
      gates?.map((rule, at): GateRuleLine => ({
        // A file of rules is found from the configuration that names it.
        text: isFileOf(rule, path) ? resolve(dirname(path), rule) : rule,
        where: `${path}: gates[${at}]`,
        line: 1,
      })),
  },
  fusion: { fusion: ({ fusion }) => fusion?.method, normalize: ({ fusion }) => fusion?.normalize },
};

/** The usual store beside a configuration, where it is not the one below the working folder. */
function storeBeside(path: string, makesStore: boolean, cwd: string): string | undefined {
  if (resolve(cwd, dirname(path)) === cwd) return undefined;
  const store = relative(cwd, join(dirname(path), DEFAULT_STORE));
  // A store that is here already stays in use until there is one beside the configuration.
  const isNew = makesStore && !existsSync(resolve(cwd, DEFAULT_STORE));
  return isNew || existsSync(resolve(cwd, store)) ? store : undefined;
}

/** The store that the project's configuration leads to, for commands that look at it only when they must. */
export async function findConfiguredStore(around: Surroundings): Promise<string | undefined> {
  const path = configPath(around);
  const own =
    path === undefined
      ? undefined
      : ((await readConfig(path, around)).store ?? storeBeside(path, false, around.cwd));
  return around.env["RANKPROOF_STORE"] || own;
}

/**
 * Gives a command what the project's configuration says, wherever the user said nothing: the nearest
 * `rankproof.config.*` upwards, or that of `RANKPROOF_CONFIG`.
 */
export async function applyConfig(
  command: Command,
  { configured: parts = [], makesStore = false }: Configured,
  around: Surroundings & Pick<Terminal, "warn">,
): Promise<void> {
  const path = configPath(around);
  const config = path === undefined ? {} : await readConfig(path, around);
  if (path !== undefined) config.store ??= storeBeside(path, makesStore, around.cwd);
  // Judgments of files have nothing to do with the project's golden set.
  const isAside = command.getOptionValue("qrels") !== undefined;
  const { fusion, gates = [] } = config;
  if (isAside && parts.includes("gates") && gates.length > 0 && command.getOptionValue("gate") === undefined)
    around.warn(
      `${path ?? ""}: its gates are for its golden set, and not held with --qrels; name rules with --gate`,
    );
  if (parts.includes("fusion") && fusion !== undefined) await checkFusesTwo(fusion.method, path, command);
  for (const part of parts) {
    if (part === "system" || (isAside && (part === "scoring" || part === "gates"))) continue;
    for (const [flag, value] of Object.entries(FLAGS[part]))
      fillOption(command, flag, value(config, around.env, path));
  }
  if (parts.includes("scoring") && path !== undefined) await checkScoring(config, path, command);
  if (config.system !== undefined && parts.includes("system") && command.args.length === 0) {
    if (!existsSync(config.system))
      throw new InputError("FILE_NOT_FOUND", `${path ?? ""}: system: ${config.system}: no such file`);
    command.setOptionValueWithSource("system", config.system, FROM_CONFIG);
  }
  const isNamed = around.env["RANKPROOF_STORE"] || command.getOptionValueSource("store") !== FROM_CONFIG;
  if (!isNamed) command.setOptionValue("isUsualStore", true);
  // A database that has the runs has the labels, too, unless they are elsewhere.
  const store: unknown = command.getOptionValue("store");
  const isShared = typeof store === "string" && isPostgresUrl(store) && config.labels === undefined;
  if (isShared && command.getOptionValue("labels") === undefined)
    command.setOptionValueWithSource("labels", store, FROM_CONFIG);
}

/**
 * Reads what the configuration says of scores before it passes for what flags say.
 *
 * @throws InputError `CONFIG`, `FILE_NOT_FOUND` with the file that has the mistake.
 */
async function checkScoring(config: Config, path: string, command: Command): Promise<void> {
  const { golden, metrics = [], primary, guards = [] } = config;
  const isTaken = (flag: string): boolean => command.getOptionValueSource(flag) === FROM_CONFIG;
  const { metricsBeside, goldenMetrics } = await import("../compare/index.js");
  const { statisticsOptions } = await import("./statistics-flags.js");
  const read = (key: string, work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      if (!isRankproofError(error)) throw error;
      const message = error.message.replace(/^--\w+:? /, "");
      throw new InputError("CONFIG", `${path}: ${key}: ${message}`, error.details, error);
    }
  };
  if (isTaken("golden") && golden !== undefined && !existsSync(golden))
    throw new InputError("FILE_NOT_FOUND", `${path}: golden: ${golden}: no such file; check the path`);
  if (isTaken("metrics")) read("metrics", () => metricsBeside(metrics.join(",")));
  if (isTaken("primary")) read("primary", () => goldenMetrics(undefined, { primary }));
  if (isTaken("guard"))
    for (const [at, guard] of guards.entries())
      read(`guards[${at}]`, () => goldenMetrics(undefined, statisticsOptions({ guard: [guard] })));
}

/** Gives an option its value from the configuration, unless the command has no such option or a value. */
function fillOption(command: Command, flag: string, value: unknown): void {
  const isThere = command.options.some((each) => each.attributeName() === flag);
  const source = command.getOptionValueSource(flag);
  if (value === undefined || !isThere || (source !== undefined && source !== "default")) return;
  // A normalizer belongs to its method.
  if (flag === "normalize" && command.getOptionValueSource("fusion") !== FROM_CONFIG) return;
  command.setOptionValueWithSource(flag, value, FROM_CONFIG);
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
