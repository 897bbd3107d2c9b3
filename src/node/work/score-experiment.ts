import { countOf } from "../../foundation/numbers/index.js";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { measureExperiment, type MeasuredExperiment } from "../../batch/index.js";
import { jsonParts } from "../../formats/index.js";
import { AdapterError } from "../../foundation/errors/index.js";
import { areMoreFailed, type EvalRun } from "../../records/index.js";
import { renderRunHtml } from "../../report/index.js";
import { writeSnapshots } from "../datasets/batch-files.js";
import { backendNamed, reportBatch } from "../datasets/batch-work.js";
import type { DatasetLabels } from "../datasets/dataset-labels.js";
import { newBatchId } from "../datasets/new-batch-id.js";
import { backendFrom } from "../datasets/project-config.js";
import { tuningFiles, type TuningFiles } from "../tuning/index.js";
import type { Tuning } from "./tuning-plan.js";

const RUN = "batch.json";
/** Share of failed queries above which a configuration is not scored. */
const MOST_FAILED = 0.2;

/** The run of an experiment, which is decided before it is begun, so that it can go on. */
export function runIdFor(files: TuningFiles): { readonly runId: string; readonly isBegun: boolean } {
  const known = files.read(RUN);
  if (known !== undefined)
    return { runId: (JSON.parse(known) as { batch_id: string }).batch_id, isBegun: true };
  const runId = newBatchId();
  files.write(RUN, `${JSON.stringify({ batch_id: runId }, null, 2)}\n`);
  return { runId, isBegun: false };
}

/** The runs of all experiments: they are asked of settings that the search does not have any more. */
export function experimentRuns(all: string): ReadonlySet<string> {
  const foldersIn = (folder: string): string[] =>
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => join(folder, name))
      : [];
  const known = foldersIn(all)
    .flatMap(foldersIn)
    .flatMap((folder) => tuningFiles(folder).read(RUN) ?? []);
  return new Set(known.map((text) => (JSON.parse(text) as { batch_id: string }).batch_id));
}

/**
 * Scores what a configuration answered, and writes its report, its score and what it was made of.
 *
 * @param own what the search says of its settings.
 * @throws AdapterError `RUN_FAILING` where the search failed for too many queries.
 */
export function scoreExperiment(
  { dataset, config, scorecard, metric, plan }: Tuning,
  run: EvalRun,
  judgments: DatasetLabels,
  files: TuningFiles,
  { seed, own }: { readonly seed: number; readonly own?: unknown },
): MeasuredExperiment & { readonly mean: number | null } {
  const backend = backendNamed(dataset, backendFrom(config, dataset));
  const report = reportBatch(run, dataset, judgments, { backend, topK: plan.top_k, scorecard, seed });
  const { queries, items } = dataset;
  const measured = measureExperiment(report, metric, { run, queries, judgments, items });
  const { maxFailedShare = MOST_FAILED } = config;
  if (areMoreFailed({ failed: measured.failed.size, results: queries.length }, maxFailedShare))
    throw new AdapterError(
      "RUN_FAILING",
      `the search failed for ${measured.failed.size} of ${countOf(queries.length, "query")}, more than a ` +
        `share of ${maxFailedShare} (\`maxFailedShare\`)`,
    );
  const mean = report.metrics.find(({ metric: name }) => name === metric.name)?.mean ?? null;
  if (own !== undefined) writeSnapshots(files, { config, dataset, backend: own });
  files.write("report.json", jsonParts(report));
  files.write("report.html", renderRunHtml(report, { gate: null }));
  const score = { metric: metric.name, mean, failed: measured.failed.size };
  files.write("score.json", `${JSON.stringify(score, null, 2)}\n`);
  return { ...measured, mean };
}
