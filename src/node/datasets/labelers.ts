import { parse } from "yaml";
import { InputError, messageOf, quote } from "../../foundation/errors/index.js";
import {
  chatSettingsFrom,
  checkPrompt,
  functionLabeler,
  labelPrompts,
  openaiLabeler,
  overlapLabeler,
  promptWordings,
  raterId,
  type GradeFunction,
  type Labeler,
  type LabelPrompt,
  type OpenaiLabelerOptions,
  type Rater,
} from "../../label/index.js";
import { languageAnalyzer } from "../../retrieve/index.js";
import type { LabelerConfig, OpenaiLabelerConfig } from "../../records/index.js";
import { readText, type Surroundings } from "../../files/index.js";
import type { Dataset } from "./dataset.js";
import { functionOf } from "./function-of.js";

/** A labeler, and how it is asked. */
export interface OpenLabeler {
  readonly labeler: Labeler;
  readonly batchSize: number | undefined;
  readonly votes: number | undefined;
  readonly concurrency: number;
  /** Of its price; undefined where no money is counted. */
  readonly currency: string | undefined;
}

/** How a labeler is opened. */
export interface LabelerOptions {
  /** In place of that of the configuration. */
  readonly mode?: "simple" | "complex" | undefined;
  /** Has the key and the address where the configuration has none; default: that of the process. */
  readonly env?: Surroundings["env"] | undefined;
  /** Told, before a request is sent again, why and when; for progress. */
  readonly onRetry?: ((message: string) => void) | undefined;
}

const CONCURRENCY = 4;
const DEFAULT_PROMPT = "product";

/**
 * Opens a labeler of a configuration.
 *
 * @param name its name there, and as a rater.
 * @throws InputError `CONFIG`, `CHAT_CONFIG`, `FILE_NOT_FOUND`
 */
export async function openLabeler(
  name: string,
  config: LabelerConfig,
  { items, config: { language = "english" } }: Dataset,
  { mode, env = process.env, onRetry }: LabelerOptions = {},
): Promise<OpenLabeler> {
  const asked = { batchSize: undefined, votes: undefined, concurrency: CONCURRENCY, currency: undefined };
  switch (config.kind) {
    case "overlap": {
      const analyzer = await languageAnalyzer(language);
      return { ...asked, labeler: overlapLabeler(items.values(), { analyzer }), concurrency: 1 };
    }
    case "module":
      return { ...asked, labeler: await moduleLabeler(name, config.path, config.version) };
    case "openai": {
      const { batchSize, votes, concurrency = CONCURRENCY, price } = config;
      const labeler = openaiLabeler({ ...openaiOptions(name, config, mode, env), onRetry });
      return { labeler, batchSize, votes, concurrency, currency: price?.currency };
    }
  }
}

/**
 * Whose labels are meant by a labeler's name: those of the labeler as it is set up now, where it has said
 * anything; else of the one of its name who spoke last, with another prompt, model or setting.
 *
 * @param raters of a label store, who spoke last at the end.
 * @param env may have the model where the configuration has none.
 * @returns `rater` by `raterId`, undefined where none of the name has said anything.
 */
export async function raterNamed(
  name: string,
  config: LabelerConfig,
  dataset: Dataset,
  raters: readonly Rater[],
  env: Surroundings["env"] = process.env,
): Promise<{ readonly rater: string | undefined; readonly isCurrent: boolean }> {
  const labeler = await idleLabeler(name, config, dataset, env);
  labeler.recall?.(raters);
  // A labeler may have a name of its own, whatever the configuration calls it.
  const names = [name, labeler.rater.name];
  const ofName = raters.filter((rater) => rater.kind === "model" && names.includes(rater.name)).map(raterId);
  const now = raterId(labeler.rater);
  const isCurrent = ofName.includes(now);
  return { rater: isCurrent ? now : ofName.at(-1), isCurrent };
}

/**
 * The same labeler with its prompt in other words, as probes of a judge try it; undefined where there are
 * none.
 *
 * @param wording a prompt by its id or file; without it the other wording of a prompt that ships.
 * @throws InputError `ARGUMENT` where it would be no other wording.
 */
export async function openReworded(
  name: string,
  config: LabelerConfig,
  dataset: Dataset,
  { wording, ...options }: Omit<LabelerOptions, "mode"> & { readonly wording?: string | undefined } = {},
): Promise<Labeler | undefined> {
  const prompt = config.kind === "openai" ? (config.prompt ?? DEFAULT_PROMPT) : undefined;
  if (config.kind !== "openai" || prompt === wording) {
    if (wording === undefined) return undefined;
    throw new InputError(
      "ARGUMENT",
      config.kind === "openai"
        ? `the second wording must be another prompt than ${quote(prompt)}`
        : `the labeler ${quote(name)} has no prompt that could be worded differently`,
    );
  }
  const own = Object.hasOwn(promptWordings, prompt ?? "") ? promptWordings[prompt ?? ""] : undefined;
  const other = wording ?? own?.id;
  if (other === undefined) return undefined;
  return (await openLabeler(name, { ...config, prompt: other }, dataset, options)).labeler;
}

/** A labeler for its identity alone, for which neither a key, nor the module, nor the corpus is needed. */
async function idleLabeler(
  name: string,
  config: LabelerConfig,
  { config: { language = "english" } }: Dataset,
  env: Surroundings["env"],
): Promise<Labeler> {
  switch (config.kind) {
    case "overlap":
      return overlapLabeler([], { analyzer: await languageAnalyzer(language) });
    case "module":
      return functionLabeler({ name, version: config.version, grade: () => null });
    case "openai": {
      const model = config.model ?? env["RANKPROOF_CHAT_MODEL"] ?? env["OPENAI_MODEL"];
      const nowhere = { baseUrl: "http://localhost", apiKey: undefined, model: model ?? "unknown" };
      return openaiLabeler(openaiOptions(name, { ...config, ...nowhere }, undefined, env));
    }
  }
}

function openaiOptions(
  name: string,
  { kind: _, baseUrl, apiKey, model, prompt, parameters, ...config }: OpenaiLabelerConfig,
  mode: LabelerOptions["mode"],
  env: Surroundings["env"],
): OpenaiLabelerOptions {
  // Key and address are one pair: either both are of the configuration, or both of the environment.
  const isOwn = baseUrl !== undefined || apiKey !== undefined;
  const settings = isOwn ? { baseUrl, apiKey } : chatSettingsFrom(env);
  const ofEnvironment = "model" in settings ? settings.model : env["RANKPROOF_CHAT_MODEL"];
  return {
    ...settings,
    ...config,
    name,
    model: model ?? ofEnvironment ?? "",
    parameters: parameters ?? { temperature: 0 },
    prompt: promptOf(prompt),
    mode: mode ?? config.mode,
  };
}

/** One that ships by its id, or a file. */
function promptOf(prompt = DEFAULT_PROMPT): string | LabelPrompt {
  if (labelPrompts.some(({ id }) => id === prompt)) return prompt;
  const wording = Object.values(promptWordings).find(({ id }) => id === prompt);
  if (wording !== undefined) return wording;
  if (!/\.(?:ya?ml|json)$/i.test(prompt))
    throw new InputError(
      "CONFIG",
      `prompt must be ${labelPrompts.map(({ id }) => id).join(", ")}, or a .yaml or .json file, got ` +
        quote(prompt),
    );
  const text = readText(prompt);
  try {
    // JSON is YAML, too.
    return checkPrompt(parse(text), prompt);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError("CONFIG", `${prompt}: ${messageOf(error)}`, { path: prompt }, error);
  }
}

async function moduleLabeler(name: string, path: string, version: string): Promise<Labeler> {
  const grade = await functionOf<GradeFunction>(path, "grade", "grade(query, item)", "0 to 3, or null");
  return functionLabeler({ name, version, grade });
}
