import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  makeFolders,
  readText,
  replaceFile,
  type FileContent,
  type Surroundings,
} from "../../files/index.js";
import { InputError, quote } from "../../foundation/errors/index.js";
import { didYouMean, nearestIds } from "../../foundation/ids/index.js";
import { isSecretKey, parseJson, REDACTED, redactSecrets } from "../../foundation/text/index.js";
import { confidentialValues, type SentSettings } from "../../services/index.js";
import type { BatchSummary, Config } from "../../records/index.js";
import type { Dataset } from "./dataset.js";
import { datasetFolder } from "./dataset-folder.js";

/** The file that says of every batch what a list shows, a line each. */
const INDEX = "index.jsonl";
const SUMMARY = "summary.json";

/** What was written of a batch, by the name of the file. */
export interface BatchFiles {
  readonly folder: string;
  /** @returns the path. */
  write(name: string, content: FileContent): string;
  /** Puts it into the list; last of all, so that what is listed is whole. */
  list(summary: BatchSummary): void;
}

/**
 * Where a batch is written: `datasets/<dataset>/batch_reports/<batch>/` below the folder of artifacts.
 *
 * @throws InputError `RUN_ID` for an id that would lead out of it, such as `../../x`.
 */
export function batchFiles(artifacts: string, dataset: string, batch: string): BatchFiles {
  if (!isFolderName(batch))
    throw new InputError(
      "RUN_ID",
      `the id of a batch must be letters, digits, lines and underscores, got ${quote(batch)}`,
      { runId: batch },
    );
  const all = batchesFolder(artifacts, dataset);
  const folder = join(all, batch);
  const write = (name: string, content: FileContent): string => {
    const path = join(folder, name);
    replaceFile(path, content);
    return path;
  };
  return {
    folder,
    write,
    list(summary) {
      makeFolders(all);
      // A line of its own, whatever a killed process left behind it; the list is first, since it is believed.
      appendFileSync(join(all, INDEX), `\n${JSON.stringify(summary)}\n`);
      write(SUMMARY, `${JSON.stringify(summary, null, 2)}\n`);
    },
  };
}

/**
 * What a batch was made of, as it was then: secrets of the configuration and of the search's own settings
 * are left out.
 */
export function writeSnapshots(
  files: Pick<BatchFiles, "write">,
  {
    config,
    dataset,
    backend,
  }: {
    readonly config: Config;
    readonly dataset: Dataset;
    /** What the search says of its settings; undefined where it says nothing. */
    readonly backend: unknown;
  },
): void {
  const formatBatch = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  files.write(
    "config.json",
    formatBatch({
      configuration: withoutSent(config),
      backend: withoutSecrets(backend ?? null),
    }),
  );
  const { id, tenant, queries, items } = dataset;
  files.write(
    "dataset.json",
    formatBatch({
      id,
      tenant,
      queries: queries.length,
      items: items.size,
      config: withoutSent(dataset.config),
    }),
  );
  files.write("queries.jsonl", queries.map((query) => `${JSON.stringify(query)}\n`).join(""));
}

/** Shorter values stand in other texts by chance. */
const SHORTEST_SECRET = 6;

/**
 * Settings with nothing in them that is a secret. What is sent with every request may be a key, whatever it
 * is called: headers, and parameters as they stand. So is what the environment has under the name of one,
 * wherever it stands.
 */
export function withoutSent(settings: unknown, env: Surroundings["env"] = process.env): unknown {
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && isSecretKey(name) ? [value] : [],
  );
  // The longest first: others may be a part of it.
  const masked = [...secrets, ...findSecretsSent(settings)]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  return maskSent(withoutSecrets(settings), "", masked);
}

/** What the searches within some settings send in confidence. */
function findSecretsSent(settings: unknown): string[] {
  if (typeof settings !== "object" || settings === null) return [];
  const { variables, list, configuration } = settings as Partial<Record<string, object | null>>;
  const isSearch = "kind" in settings && "url" in settings;
  // Their parts are sent with the variables of the whole.
  const own = isSearch
    ? [settings, list, configuration].flatMap((part) =>
        confidentialValues({ ...part, variables: variables ?? {} } as SentSettings),
      )
    : [];
  return [...own, ...Object.values(settings).flatMap(findSecretsSent)];
}

function maskSent(value: unknown, key: string, secrets: readonly string[]): unknown {
  if (typeof value === "string") {
    if (key === "headers" || (key === "params" && !value.includes("{"))) return REDACTED;
    return secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), value);
  }
  if (Array.isArray(value)) return value.map((member) => maskSent(member, key, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const under = typeof member === "string" && (key === "headers" || key === "params") ? key : name;
      return [name, maskSent(member, under, secrets)];
    }),
  );
}

/** A value as JSON has it, with nothing in it that is a secret. */
export function withoutSecrets(value: unknown): unknown {
  return redactSecrets(parseJson(JSON.stringify({ value })) as Record<string, unknown>).config["value"];
}

/**
 * The batches of a dataset, the latest first. The list is a file of its own; a batch that is not in it, since
 * its process was killed in between, is looked up.
 */
export function listBatches(artifacts: string, dataset: string): BatchSummary[] {
  const all = batchesFolder(artifacts, dataset);
  if (!existsSync(all)) return [];
  const there = new Set(
    readdirSync(all, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])),
  );
  const index = join(all, INDEX);
  const lines = existsSync(index) ? readFileSync(index, "utf8").split("\n") : [];
  const listed = new Map(
    lines.flatMap((line) => {
      const summary = line === "" ? undefined : summaryOf(line);
      return summary !== undefined && there.has(summary.batch_id)
        ? [[summary.batch_id, summary] as const]
        : [];
    }),
  );
  for (const batch of there) {
    const path = join(all, batch, SUMMARY);
    if (listed.has(batch) || !existsSync(path)) continue;
    const summary = summaryOf(readFileSync(path, "utf8"));
    if (summary !== undefined) listed.set(batch, summary);
  }
  // Two of one second differ in their milliseconds.
  const order = ({ created_at, batch_id }: BatchSummary): string => `${created_at} ${batch_id}`;
  return [...listed.values()].sort((a, b) => (order(a) < order(b) ? 1 : -1));
}

/** Undefined for what a killed process or another hand left there. */
function summaryOf(text: string): BatchSummary | undefined {
  try {
    const summary = JSON.parse(text) as Partial<BatchSummary> | null;
    return summary?.kind === "batch_summary" &&
      typeof summary.batch_id === "string" &&
      typeof summary.metrics === "object"
      ? (summary as BatchSummary)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The folder of a batch that was written.
 *
 * @throws InputError `ARGUMENT` where there is none of that id.
 */
export function batchFolder(artifacts: string, dataset: string, batch: string): string {
  const folder = join(batchesFolder(artifacts, dataset), batch);
  if (isFolderName(batch) && existsSync(join(folder, SUMMARY))) return folder;
  const known = listBatches(artifacts, dataset).map(({ batch_id }) => batch_id);
  const hint =
    known.length === 0
      ? "it has none yet; `rankproof batch run` makes one"
      : (didYouMean(nearestIds(batch, known)) ?? `the latest is ${quote(known[0])}`);
  throw new InputError("ARGUMENT", `dataset ${quote(dataset)} has no batch ${quote(batch)}; ${hint}`);
}

/** The report of a batch, as JSON. */
export function readBatchFile(folder: string, name: string): string {
  return readText(join(folder, name));
}

function isFolderName(batch: string): boolean {
  return /^[\w-]+$/.test(batch);
}

function batchesFolder(artifacts: string, dataset: string): string {
  return join(datasetFolder(artifacts, dataset), "batch_reports");
}
