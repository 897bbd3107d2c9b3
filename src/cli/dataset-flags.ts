import type { Command } from "commander";
import type { Surroundings } from "../files/index.js";
import { Option } from "commander";
import { InputError } from "../index.js";
import { labelsPath, openLabelStore, projectConfig, readWholeDataset, type Dataset } from "../node/index.js";
import { DEFAULT_LABELS, stemOf } from "../node/internal.js";
import type { Config, DatasetConfig } from "../records/index.js";
import type { LabelStore } from "../storage/index.js";
import { shellWord } from "./shell-word.js";
import { plainLine } from "./terminal.js";

/** The flags that say which dataset is meant. */
export interface DatasetFlags {
  queries?: string;
  corpus?: string;
  tenant?: string;
  language?: string;
  labels?: string;
  labeler?: string;
}

/** `--labels`, for commands that look into a label store. */
export function labelsOption(command: Command): Command {
  return command.option(
    "--labels <file>",
    `the label store: an SQLite file, or postgresql://… (default: ${DEFAULT_LABELS})`,
  );
}

/** The options of every command about a dataset. */
export function datasetOptionsOf(command: Command): Command {
  return labelsOption(command)
    .option(
      "--queries <file>",
      "its queries, in place of those of the configuration: lines, TSV, CSV, JSONL, golden set",
    )
    .option("--corpus <file>", "its items: JSONL, CSV or TSV with an id and any fields")
    .option("--tenant <name>", "whose labels they are")
    .option("--language <name>", "of queries and items, for the built-in search and `overlap`");
}

/** `--labeler`, for commands that take one's labels. */
export function labelerOptionOf(command: Command): Command {
  return command.addOption(
    new Option("--labeler <name>", "one of the configuration, or overlap (default: that of the dataset)"),
  );
}

/** Whose labels are meant; undefined where nothing is said. */
export function tenantOf({ tenant }: DatasetFlags, { env }: Surroundings): string | undefined {
  return tenant ?? (env["RANKPROOF_TENANT"] || undefined);
}

/** The id of the dataset that is meant, and what the configuration says of it. */
export function findDataset(
  { datasets = {} }: Config,
  given: string | undefined,
  { queries, corpus }: DatasetFlags,
  { env }: Surroundings,
): { readonly id: string; readonly named: DatasetConfig | undefined } {
  const ids = Object.keys(datasets);
  const asked = given ?? (env["RANKPROOF_DATASET"] || undefined);
  const own = queries !== undefined && corpus !== undefined && asked === undefined;
  const id = asked ?? (own ? stemOf(queries) : ids.length === 1 ? ids[0] : undefined);
  // Files that are named by themselves are no dataset of the configuration, whatever they are called.
  const named = own || id === undefined || !Object.hasOwn(datasets, id) ? undefined : datasets[id];
  if (id === undefined || (named === undefined && (queries === undefined || corpus === undefined)))
    throw new InputError(
      "ARGUMENT",
      (id === undefined ? "name a dataset" : `there is no dataset ${plainLine(id)}`) +
        (ids.length > 0 ? ` (${ids.map(plainLine).join(", ")})` : "") +
        ", give --queries and --corpus, or write one into rankproof.config.yaml; `rankproof init --search` " +
        "in an empty folder writes an example",
    );
  return { id, named };
}

/** The dataset that is meant: the named one, the only one, or that of the flags alone. */
export async function datasetFrom(
  config: Config,
  given: string | undefined,
  flags: DatasetFlags,
  around: Surroundings,
): Promise<Dataset> {
  const { id, named } = findDataset(config, given, flags, around);
  const { queries, corpus, ...more } = flags;
  const tenant = tenantOf(more, around);
  return readWholeDataset(
    config,
    id,
    {
      ...named,
      queries: queries ?? (named?.queries as string),
      corpus: corpus ?? named?.corpus,
      ...(tenant !== undefined && { tenant }),
      ...(more.language !== undefined && { language: more.language }),
    },
    labelsPath(config, more.labels),
  );
}

/** The dataset that is meant for a batch: where none is named, its own. */
export function datasetOfBatch(
  config: Config,
  suite: string,
  given: string | undefined,
  flags: DatasetFlags,
  around: Surroundings,
): Promise<Dataset> {
  const isOwn = given === undefined && Object.hasOwn(config.datasets ?? {}, suite);
  return datasetFrom(config, isOwn ? suite : given, flags, around);
}

/** The label store, which has to be there. */
export async function requireLabels(
  flag: string | undefined,
  around: Surroundings,
  config?: Config,
): Promise<LabelStore> {
  return openLabelStore(labelsPath(config ?? (await projectConfig(around)), flag));
}

/** How a command names the dataset that another one was given. */
export function datasetWords(
  given: string | undefined,
  { queries, corpus, tenant, labels }: DatasetFlags,
): string {
  const flags = Object.entries({ queries, corpus, tenant, labels }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(value)}`],
  );
  return [...(given === undefined ? [] : [given]), ...flags].map((word) => ` ${word}`).join("");
}
