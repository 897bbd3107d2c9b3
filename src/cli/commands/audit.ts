import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Command } from "commander";
import { drawSample } from "../../audit/index.js";
import { batchId, labelledRun } from "../../batch/index.js";
import { formatLabelSheet } from "../../formats/index.js";
import { InputError } from "../../index.js";
import { normalizedQuery, type Label } from "../../label/index.js";
import { auditSampleFolder, readAuditSamples, writeAuditSample, type Dataset } from "../../node/index.js";
import type { AuditSample, BackendHit, EvalRun } from "../../records/index.js";
import { loadStoredRun } from "../../runs/index.js";
import {
  artifactsPath,
  datasetFrom,
  datasetOptionsOf,
  labelerOptionOf,
  projectConfig,
  type DatasetFlags,
} from "../dataset-flags.js";
import { labelsOfDataset, type DatasetLabels } from "../dataset-labels.js";
import { wholeNumber } from "../number-flag.js";
import { requiredStore } from "../sources.js";
import { shellWord } from "../shell-word.js";
import { counted, plainLine, type Terminal } from "../terminal.js";
import { writeOutput } from "../write-output.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";

interface Flags extends DatasetFlags {
  size: number;
  seed: number;
  depth: number;
  run?: string[];
  complete?: true;
  output?: string;
  store?: string;
}

export const auditCommand: CliCommand = {
  define(audit, terminal) {
    audit.addHelpText(
      "after",
      examples("audit sample shop --size 40", "audit sample shop --complete --run A --run B"),
    );
    defineSample(audit, terminal);
  },
};

/** `audit sample`. */
function defineSample(audit: Command, terminal: Terminal): void {
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
    .option("--size <n>", "queries that people will label", wholeNumber("size"), 20)
    .option(
      "--seed <n>",
      "of the draw; a larger sample of one seed holds the smaller",
      wholeNumber("seed", 0),
      1,
    )
    .option(
      "--run <batch>",
      "ask for the heads of this batch or run only, in place of all that is labelled; may be repeated",
      (value: string, before: string[] = []) => [...before, value],
    )
    .option("--depth <n>", "hits of each --run from the head", wholeNumber("depth"), 10)
    .option("--complete", "draw nothing: write what people have still to label of the last sample")
    .option("-o, --output <file>", "the sheet (default: beside the sample)")
    .addHelpText(
      "after",
      examples(
        "audit sample shop --size 40 -o sheet.csv",
        "audit sample shop --complete --run 20261122T101500Z-3f9a --run 20261123T090000Z-81c0 -o sheet.csv",
      ),
    )
    .action((given: string | undefined, flags: Flags) => sample(given, flags, terminal));
}

async function sample(given: string | undefined, flags: Flags, terminal: Terminal): Promise<void> {
  const config = await projectConfig();
  const dataset = await datasetFrom(config, given, flags);
  const known = await labelsOfDataset(config, dataset, flags, terminal);
  const runs = await runsOf(flags);
  const artifacts = artifactsPath(config);
  const drawn = flags.complete === true ? lastSample(artifacts, dataset) : newSample(dataset, flags);
  const rows = pairsOf(drawn, dataset, known, runs, flags.depth);
  const queries = counted(drawn.drawn.length, "query");
  if (flags.complete !== true)
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
  const sheet = flags.output ?? join(auditSampleFolder(artifacts, drawn), "sheet.csv");
  writeOutput(formatLabelSheet(rows), sheet, terminal);
  terminal.talk(
    `${counted(rows.length, "pair")} of ${queries} for people to grade; fill in the column grade (0 to 3), ` +
      "save it as CSV, then " +
      `\`rankproof label import ${shellWord(sheet)} ${shellWord(dataset.id)} --rater NAME\``,
  );
}

async function runsOf({ run = [], store: path }: Flags): Promise<EvalRun[]> {
  if (run.length === 0) return [];
  const store = await requiredStore(path);
  const runs: EvalRun[] = [];
  for (const id of run) runs.push(await loadStoredRun(store, id));
  await store.close();
  return runs;
}

function newSample(dataset: Dataset, { size, seed }: Flags): AuditSample {
  return drawSample(
    dataset.queries.map(({ id, query }) => ({ id, query: normalizedQuery(query) })),
    {
      dataset: dataset.id,
      tenant: dataset.tenant,
      size,
      seed,
      sampleId: batchId(Date.now(), randomBytes(2).toString("hex")),
      createdAt: new Date().toISOString(),
    },
  );
}

function lastSample(artifacts: string, { id, tenant }: Dataset): AuditSample {
  const last = readAuditSamples(artifacts, id, tenant).findLast(({ purpose }) => purpose === "estimate");
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
  { queries, items }: Dataset,
  { labels, people, model }: DatasetLabels,
  runs: readonly EvalRun[],
  depth: number,
): { query: string; item: string; fields: Readonly<Record<string, unknown>> }[] {
  const done = new Set(people.map(keyOf));
  const named = runs.map((run) => labelledRun(run, queries, [], items).run);
  const said = new Map(
    named.flatMap(({ results }) =>
      results.flatMap(({ hits_top_k }) =>
        hits_top_k.flatMap((hit: BackendHit) => (hit.fields ? [[hit.chunk_id, hit.fields] as const] : [])),
      ),
    ),
  );
  return drawn.flatMap(({ query_id, query }) => {
    const wanted =
      runs.length === 0
        ? [...labels, ...model].filter((label) => label.query === query).map(({ item }) => item)
        : named.flatMap(({ results }) =>
            (results.find((result) => result.query_id === query_id)?.hits_top_k ?? [])
              .slice(0, depth)
              .map(({ chunk_id }) => chunk_id),
          );
    return [...new Set(wanted)]
      .sort()
      .filter((item) => !done.has(keyOf({ query, item })))
      .map((item) => ({ query, item, fields: items.get(item)?.fields ?? said.get(item) ?? {} }));
  });
}

function keyOf({ query, item }: Pick<Label, "query" | "item">): string {
  return JSON.stringify([query, item]);
}
