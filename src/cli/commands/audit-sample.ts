import { countOf } from "../../foundation/numbers/index.js";
import { join } from "node:path";
import type { Command } from "commander";
import { completeSample, drawSample } from "../../audit/index.js";
import { attachLabels, scorecardMetric } from "../../batch/index.js";
import { parseQueries } from "../../formats/index.js";
import { InputError } from "../../index.js";
import { normalizeQuery } from "../../label/index.js";
import {
  artifactsPath,
  labelsOfDataset,
  listBatches,
  projectConfig,
  readAuditSamples,
  type Dataset,
  type DatasetLabels,
} from "../../node/index.js";
import { auditSampleFolder, writeAuditSample } from "../../node/internal.js";
import { contentOf } from "../../node/evaluate/index.js";
import { metricDepth } from "../../metrics/index.js";
import { pairKey, type AuditSample, type BatchSummary, type EvalRun } from "../../records/index.js";
import { datasetFrom, datasetOptionsOf, labelerOptionOf, type DatasetFlags } from "../dataset-flags.js";
import { seedOption, wholeNumberOption } from "../number-flag.js";
import { newSampleId, nextStep, withFields, writeLabelSheet, type SheetPair } from "../sample-sheet.js";
import { findStoredRuns } from "../sources.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples, storeOption } from "./cli-command.js";
import { collect } from "../collect.js";
import { OutputOption } from "../output-option.js";

/** Hits of each run that a new sample asks for. */
const DEPTH = 10;

interface Flags extends DatasetFlags {
  size: number;
  seed: number;
  stratify?: string;
  depth?: number;
  run?: string[];
  complete?: true;
  output?: string;
  store?: string;
}

/** `audit sample`. */
export function defineSample(audit: Command, terminal: Terminal): void {
  storeOption(
    labelerOptionOf(
      datasetOptionsOf(
        audit
          .command("sample")
          .description("draw queries by chance for people to label, and write them as a sheet")
          .argument("[dataset]", "of the configuration"),
      ),
    ),
  )
    .option("--size <n>", "queries that people will label", wholeNumberOption("size"), 20)
    .addOption(seedOption("of the draw; a larger sample of one seed holds the smaller", 1))
    .option(
      "--stratify <label>",
      "draw of each kind of query by itself: a field of the queries, such as lang",
    )
    .option(
      "--run <batch>",
      "ask for the heads of this batch or run only, in place of all that is labelled; may be repeated",
      collect,
    )
    .option(
      "--depth <n>",
      "hits of each run from the head (default: 10; with --complete what the scorecard looks at)",
      wholeNumberOption("depth"),
    )
    .option(
      "--complete",
      "draw nothing: write what people have still to label of the last sample, in the last two batches or " +
        "--run",
    )
    .addOption(new OutputOption("-o, --output <file>", "the sheet (default: beside the sample)"))
    .addHelpText(
      "after",
      examples(
        "audit sample shop --size 40 -o sheet.csv",
        "audit sample shop --size 40 --stratify lang",
        "audit sample shop --complete --run 20261122T101500Z-3f9a --run 20261123T090000Z-81c0 -o sheet.csv",
      ),
    )
    .action((given: string | undefined, flags: Flags) => sample(given, flags, terminal));
}

async function sample(given: string | undefined, flags: Flags, terminal: Terminal): Promise<void> {
  const config = await projectConfig(terminal);
  const dataset = await datasetFrom(config, given, flags, terminal);
  const known = await labelsOfDataset(config, dataset, flags, terminal.warn);
  const artifacts = artifactsPath(config);
  const isNew = flags.complete !== true;
  if (!isNew && flags.stratify !== undefined)
    throw new InputError("ARGUMENT", "--complete draws nothing, so that there is nothing to --stratify");
  const batches = listBatches(artifacts, dataset.id);
  // The last two are most likely to be compared.
  const ids = flags.run ?? (isNew ? [] : batches.slice(0, 2).map(({ batch_id }) => batch_id));
  const runs = await findStoredRuns(ids, flags.store);
  const depth =
    flags.depth ?? (isNew ? DEPTH : depthOf(batches.filter(({ batch_id }) => ids.includes(batch_id))));
  const drawn = isNew ? await newSample(dataset, flags) : lastSample(artifacts, dataset);
  const earlier = isNew ? lastEstimate(artifacts, dataset) : undefined;
  if (earlier !== undefined)
    terminal.warn(
      `the sample of ${earlier.created_at.slice(0, 10)} ` +
        `(${countOf(earlier.drawn.length, "query")}) no longer counts: corrected numbers are of the latest ` +
        "one; its labels stay, and a larger --size with its --seed keeps its queries",
    );
  const rows = pairsOf(drawn, dataset, known, runs, depth);
  const queries = countOf(drawn.drawn.length, "query");
  if (isNew)
    terminal.talk(
      `${queries} of ${dataset.queries.length} drawn by chance, kept in ` +
        writeAuditSample(artifacts, drawn),
    );
  if (rows.length === 0)
    return terminal.talk(
      known.labels.length === 0 && runs.length === 0
        ? "nothing is labelled of them yet; build labels, or name what people should look at with --run"
        : `people have labelled all of them; nothing is left to do`,
    );
  const kept = isNew ? drawn : completeSample(drawn, rows, newSampleId());
  if (!isNew) writeAuditSample(artifacts, kept);
  const sheet = flags.output ?? join(auditSampleFolder(artifacts, kept), "sheet.csv");
  await writeLabelSheet(rows, sheet, terminal);
  terminal.talk(
    `${countOf(rows.length, "pair")} of ${queries} for people to grade; ${nextStep(sheet, given, flags)}`,
  );
}

/** What the metrics of batches look at: a corrected number wants labels for all of that. */
function depthOf(batches: readonly BatchSummary[]): number {
  const depths = batches.flatMap(({ metrics }) =>
    Object.keys(metrics).map((name) => metricDepth(scorecardMetric(name))),
  );
  return Math.max(0, ...depths.filter(Number.isFinite)) || DEPTH;
}

async function newSample(dataset: Dataset, { size, seed, stratify }: Flags): Promise<AuditSample> {
  const strata = stratify === undefined ? undefined : await strataBy(stratify, dataset);
  return drawSample(
    dataset.queries.map(({ id, query }) => ({
      id,
      query: normalizeQuery(query),
      ...(strata && { stratum: strata.get(id) }),
    })),
    { dataset: dataset.id, tenant: dataset.tenant, size, seed, ...newSampleId() },
  );
}

/** What queries are by one of their fields, which the file of the queries has. */
async function strataBy(label: string, { config }: Dataset): Promise<ReadonlyMap<string, string>> {
  const known = parseQueries(await contentOf(config.queries), config.queries);
  const fields = new Set<string>();
  const strata = new Map<string, string>();
  for (const [id, { labels = {} }] of known) {
    for (const name of Object.keys(labels)) fields.add(name);
    const value = Object.hasOwn(labels, label) ? labels[label] : undefined;
    strata.set(id, value === undefined ? `no ${label}` : String(value));
  }
  if (!fields.has(label))
    throw new InputError(
      "ARGUMENT",
      `${config.queries}: no query has the field ${plainLine(label)}; ` +
        (fields.size === 0
          ? "queries in JSONL or a golden set have fields, lines of text have none"
          : `they have ${[...fields].map(plainLine).join(", ")}`),
    );
  return strata;
}

function lastEstimate(artifacts: string, { id, tenant }: Dataset): AuditSample | undefined {
  return readAuditSamples(artifacts, id, tenant).findLast(
    ({ purpose, unit }) => purpose === "estimate" && unit === "query",
  );
}

function lastSample(artifacts: string, dataset: Dataset): AuditSample {
  const { id } = dataset;
  const last = lastEstimate(artifacts, dataset);
  if (last === undefined)
    throw new InputError(
      "ARGUMENT",
      `dataset ${plainLine(id)} has no sample yet; \`rankproof audit sample\` draws one, without --complete`,
    );
  return last;
}

/** What people have not labelled of the drawn queries, by query and id: in no order that tells anything. */
function pairsOf(
  { drawn }: AuditSample,
  dataset: Dataset,
  { labels, people, model }: DatasetLabels,
  runs: readonly EvalRun[],
  depth: number,
): SheetPair[] {
  const named = runs.map((run) => attachLabels(run, dataset.queries, [], dataset.items).run);
  // Labels are by words, runs by id.
  const keyOf = ({ query, query_id }: (typeof drawn)[number]): string =>
    runs.length === 0 ? query : query_id;
  const wanted = new Map(drawn.map((each) => [keyOf(each), new Set<string>()]));
  if (runs.length === 0) for (const { query, item } of [...labels, ...model]) wanted.get(query)?.add(item);
  for (const { query_id, hits_top_k } of named.flatMap(({ results }) => results))
    for (const { chunk_id } of hits_top_k.slice(0, depth)) wanted.get(query_id)?.add(chunk_id);
  const pairs = drawn.flatMap((each) =>
    [...(wanted.get(keyOf(each)) ?? [])]
      .sort()
      .map((item) => ({ queryId: each.query_id, query: each.query, item })),
  );
  // Of queries with the same words one is graded for all.
  const open = new Map(pairs.map((pair) => [pairKey(pair), pair]));
  for (const pair of people) open.delete(pairKey(pair));
  return withFields([...open.values()], dataset, named);
}
