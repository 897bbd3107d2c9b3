import { countOf } from "../../foundation/numbers/index.js";
import type { Surroundings } from "../../files/index.js";
import { join } from "node:path";
import type { Command } from "commander";
import { InputError } from "../../index.js";
import { artifactsPath, batchFolder, listBatches, projectConfig, readBatchFile } from "../../node/index.js";
import { isBatchReport, type BatchReport, type BatchSummary, type Config } from "../../records/index.js";
import { renderBatchCaseText, renderRunReportText, renderTable } from "../../report/index.js";
import { findDataset, type DatasetFlags } from "../dataset-flags.js";
import { wholeNumberOption } from "../number-flag.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples } from "./cli-command.js";
import { formatJson } from "../format-json.js";

/** `batch list`. */
export function defineList(batch: Command, terminal: Terminal): void {
  datasetFilesOf(
    batch
      .command("list")
      .description("the batches of a dataset with their scores, the latest first")
      .argument("[dataset]", "of the configuration"),
  )
    .option("--limit <n>", "so many of them", wholeNumberOption("limit"), 20)
    .option("--json", "print JSON: all of them")
    .addHelpText("after", examples("batch list shop", "batch list shop --json | jq '.[0].metrics'"))
    .action(async (given: string | undefined, flags: DatasetFlags & { limit: number; json?: true }) => {
      const config = await projectConfig(terminal);
      const { id } = findDataset(config, given, flags, terminal);
      const all = listBatches(artifactsPath(config), id);
      if (flags.json === true) return terminal.out(formatJson(all));
      if (all.length === 0)
        return terminal.talk(`${plainLine(id)} has no batches yet; \`rankproof batch run\` makes one`);
      terminal.out(
        renderTable(
          ["batch", "queries", "failed", "search", ...columnsOf(all), "labels", "corrected"],
          rowsOf(all, flags.limit),
        ),
      );
      const hidden = all.length - flags.limit;
      if (hidden > 0)
        terminal.talk(`and ${countOf(hidden, "more batch", "more batches")}; --limit shows them`);
    });
}

/** The metric that decides, and what most batches have besides. */
function columnsOf([latest]: readonly BatchSummary[]): string[] {
  if (latest === undefined) return [];
  return [...new Set([latest.primary, ...Object.keys(latest.metrics)])].slice(0, 4);
}

function rowsOf(all: readonly BatchSummary[], limit: number): string[][] {
  const columns = columnsOf(all);
  return all
    .slice(0, limit)
    .map(({ batch_id, queries, failed, backend, metrics, trust, corrected }) => [
      batch_id,
      String(queries),
      String(failed),
      backend,
      ...columns.map((name) => (Object.hasOwn(metrics, name) ? (metrics[name]?.toFixed(4) ?? "—") : "—")),
      trust?.replace("_", " ") ?? "—",
      corrected?.toFixed(4) ?? "—",
    ]);
}

/** `--queries` and `--corpus`, where only the name of a dataset is wanted. */
function datasetFilesOf(command: Command): Command {
  return command
    .option("--queries <file>", "of a dataset that the configuration does not have")
    .option("--corpus <file>", "of it");
}

/** `batch show`. */
export function defineShow(batch: Command, terminal: Terminal): void {
  datasetFilesOf(
    batch
      .command("show")
      .description("what was written of a batch; with --query one query of it")
      .argument("<batch>", "its id")
      .argument("[dataset]", "of the configuration"),
  )
    .option("--query <id>", "one query, by its id or its words")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      examples("batch show 20261122T101500Z-3f9a", "batch show 20261122T101500Z-3f9a shop --query q-17"),
    )
    .action(
      async (
        batchId: string,
        given: string | undefined,
        flags: DatasetFlags & { query?: string; json?: true },
      ) => {
        const report = await batchOf(batchId, given, flags, terminal);
        const query = flags.query === undefined ? undefined : queryOf(report, flags.query);
        if (flags.json === true) return terminal.out(formatJson(query ?? report));
        terminal.out(
          query === undefined
            ? renderRunReportText(report, terminal)
            : renderBatchCaseText(query, report, terminal),
        );
      },
    );
}

/** A batch as it was written. */
async function batchOf(
  batchId: string,
  given: string | undefined,
  flags: DatasetFlags,
  around: Surroundings,
): Promise<BatchReport> {
  const config = await projectConfig(around);
  const dataset = datasetWithBatch(config, batchId, given, flags, around);
  const folder = batchFolder(artifactsPath(config), dataset, batchId);
  const { parseResult } = await import("../../formats/index.js");
  const { kind, result } = parseResult(readBatchFile(folder, "report.json"), join(folder, "report.json"));
  if (kind !== "run" || !isBatchReport(result))
    throw new InputError("RESULT_SHAPE", `${join(folder, "report.json")} is no report of a batch`);
  return result;
}

/** The dataset that is named, or the one of the configuration that has the batch. */
function datasetWithBatch(
  config: Config,
  batchId: string,
  given: string | undefined,
  flags: DatasetFlags,
  around: Surroundings,
): string {
  const artifacts = artifactsPath(config);
  const having = Object.keys(config.datasets ?? {}).filter((id) =>
    listBatches(artifacts, id).some(({ batch_id }) => batch_id === batchId),
  );
  return given === undefined && having[0] !== undefined
    ? having[0]
    : findDataset(config, given, flags, around).id;
}

function queryOf({ per_query, batch_id }: BatchReport, given: string): BatchReport["per_query"][number] {
  const found =
    per_query.find(({ query_id }) => query_id === given) ?? per_query.find(({ query }) => query === given);
  if (found === undefined)
    throw new InputError(
      "ARGUMENT",
      `batch ${batch_id} has no query ${plainLine(given)}, neither by its id nor by its words`,
    );
  return found;
}
