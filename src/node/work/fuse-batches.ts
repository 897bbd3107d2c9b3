import { labelGradesOf, attachLabels } from "../../batch/index.js";
import { asScoredRun } from "../../formats/index.js";
import { parseFusion, readsDistances } from "../../fusion/index.js";
import { tuneFusion, type TunedFusion } from "../../fusion-tuning/index.js";
import type { Label } from "../../label/index.js";
import type { Metric } from "../../metrics/index.js";
import type { Config, EvalRun, FusionTuning } from "../../records/index.js";
import { tuningOutputs } from "../../report/index.js";
import type { Dataset } from "../datasets/dataset.js";
import { groupsOfDataset } from "../datasets/query-groups.js";
import { tuningFiles } from "../tuning/tuning-files.js";

/** Batches of a dataset that are fused, and what for. */
export interface FusedBatches {
  readonly config: Config;
  readonly dataset: Dataset;
  readonly labels: readonly Label[];
  /** Two or more. */
  readonly runs: readonly EvalRun[];
  readonly metric: Metric;
  /** False where the labels are a model's, and people have not checked them. */
  readonly areLabelsAudited: boolean;
  /** Called as the search goes on: what is being done, and how much of it is. */
  readonly onProgress: (what: string, done: number, total: number) => void;
}

/**
 * The best weights for fusing batches of a dataset by its labels, and whether they hold.
 *
 * @throws InputError `ARGUMENT` for a metric that cannot be tuned for, and where nothing is labelled.
 */
export async function tuneBatches(batches: FusedBatches): Promise<TunedFusion> {
  const { config, dataset, labels, metric, areLabelsAudited, onProgress } = batches;
  const labelled = batches.runs.map((run) => attachLabels(run, dataset.queries, labels, dataset.items));
  const grades = new Map(labelled.flatMap((each) => [...labelGradesOf(each.labels)]));
  const { fusion } = config;
  const fits =
    fusion !== undefined && (parseFusion(fusion.method).runs ?? labelled.length) === labelled.length;
  const normalize = fits ? fusion.normalize : undefined;
  const isOfDistances = readsDistances(normalize);
  return tuneFusion(
    labelled.map(({ run }) => asScoredRun(run, "doc", isOfDistances ? "distances" : "level")),
    grades,
    metric,
    {
      names: labelled.map(({ run }) => run.run_id),
      ...(fits && { current: fusion }),
      ...(isOfDistances && { search: [{ method: "wsum", normalize }] }),
      groups: await groupsOfDataset(dataset),
      areLabelsAudited,
      onProgress,
    },
  );
}

/**
 * Keeps a tuning of fusion in all its forms, below `tuning_runs/`.
 *
 * @param folder of this tuning.
 */
export function writeFusionTuning(folder: string, dataset: string, report: FusionTuning): void {
  const files = tuningFiles(folder);
  const told = { ...report, dataset };
  for (const output of tuningOutputs) files.write(`report.${output.name}`, output.render(told));
  // Last: what has it has all the others.
  files.write("report.json", `${JSON.stringify(told, null, 2)}\n`);
}
