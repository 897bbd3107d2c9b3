import { ownValue } from "../../foundation/checks/index.js";
import { dirname, resolve } from "node:path";
import { InputError, quote } from "../../foundation/errors/index.js";
import type { BackendConfig, Config, LabelerConfig, RerankerConfig } from "../../records/index.js";
import { processSurroundings, type Surroundings } from "../../files/index.js";
import { configPath, readConfig } from "../read-config.js";
import { isPostgresUrl } from "../store-name.js";
import type { Dataset } from "./dataset.js";

/** Where labels are kept when nothing else is said. */
export const DEFAULT_LABELS = ".rankproof/labels.sqlite";
/** Where everything else is. */
const DEFAULT_ARTIFACTS = ".rankproof";

/** The configuration of the project; empty where there is none. */
export async function projectConfig(around: Surroundings = processSurroundings()): Promise<Config> {
  const path = configPath(around);
  const store = around.env["RANKPROOF_STORE"];
  if (path === undefined) return shareLabels(store);
  const folder = dirname(path);
  const beside = (name: string): string =>
    folder === process.cwd() ? name : resolve(around.cwd, folder, name);
  const config = await readConfig(path, around);
  return {
    ...config,
    labels: beside(DEFAULT_LABELS),
    ...shareLabels(store || config.store),
    ...(config.labels !== undefined && { labels: config.labels }),
    artifacts: config.artifacts ?? beside(DEFAULT_ARTIFACTS),
  };
}

/** A database that has the runs has the labels, too, unless they are elsewhere. */
function shareLabels(store: string | undefined): Pick<Config, "labels"> {
  return store !== undefined && isPostgresUrl(store) ? { labels: store } : {};
}

/** The name and settings of the labeler that is meant. */
export function labelerFrom(
  { labelers = {} }: Config,
  { config }: Dataset,
  flag: string | undefined,
): { readonly name: string; readonly settings: LabelerConfig } {
  const name = flag ?? config.labeler ?? "overlap";
  const settings = ownValue(labelers, name);
  if (settings !== undefined) return { name, settings };
  if (name === "overlap") return { name, settings: { kind: "overlap" } };
  const known = [...new Set([...Object.keys(labelers), "overlap"])];
  throw new InputError(
    "ARGUMENT",
    `there is no labeler ${quote(name)}; known are ${known.map(quote).join(", ")}`,
  );
}

/** The settings of a dataset's search; undefined for the built-in one. */
export function backendFrom({ backends = {} }: Config, { config }: Dataset): BackendConfig | undefined {
  const name = config.backend;
  if (name === undefined) return undefined;
  const settings = ownValue(backends, name);
  if (settings === undefined)
    throw new InputError("CONFIG", `there is no backend ${quote(name)} in the configuration`);
  return settings;
}

/** The reranker of a dataset; undefined for none. */
export function rerankerFrom(
  { rerankers = {} }: Config,
  { config }: Dataset,
): { readonly name: string; readonly settings: RerankerConfig } | undefined {
  const name = config.reranker;
  if (name === undefined) return undefined;
  const settings = ownValue(rerankers, name);
  if (settings !== undefined) return { name, settings };
  if (name === "overlap") return { name, settings: { kind: "overlap" } };
  const known = [...new Set([...Object.keys(rerankers), "overlap"])].map(quote).join(", ");
  throw new InputError("CONFIG", `there is no reranker ${quote(name)}; known are ${known}`);
}

/** The folder of what commands write besides the stores. */
export function artifactsPath({ artifacts }: Config): string {
  return artifacts ?? DEFAULT_ARTIFACTS;
}

/** The path of the label store that is meant. */
export function labelsPath(config: Config, flag: string | undefined): string {
  return flag ?? config.labels ?? DEFAULT_LABELS;
}
