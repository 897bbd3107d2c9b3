import { join } from "node:path";
import { scorecardMetric } from "../batch/index.js";
import { artifactsPath, tuneBatches, tuningsFolder } from "../node/index.js";
import { writeFusionTuning } from "../node/internal.js";
import type { EvalRun } from "../records/index.js";
import type { Project } from "./project.js";
import { collectionIn, datasetOf } from "./readings.js";

/** A search for the best weights of batches. */
export interface FusionSearch {
  readonly collection: string;
  /** Two batches or more. */
  readonly runs: readonly string[];
  /** Null: the metric that decides. */
  readonly metric: string | null;
  /** The id of this tuning. */
  readonly tuning: string;
}

/**
 * Searches, and keeps what it finds. It computes without a pause, so that it belongs into a thread.
 *
 * @returns whether what was found holds, as a sentence.
 */
export async function fuseInThread(
  project: Project,
  { collection: id, runs: ids, metric, tuning }: FusionSearch,
  onProgress: (what: string, done: number, total: number) => void,
): Promise<string> {
  const collection = datasetOf(collectionIn(project, id));
  const { config } = project.places;
  const dataset = await collection.dataset();
  const runs: EvalRun[] = [];
  for (const run of ids) runs.push(await collection.recorded.run(run));
  const [first = "", ...others] = ids;
  let areLabelsAudited = true;
  for (const other of others)
    areLabelsAudited &&= (await collection.comparison(first, other)).trust?.status !== "not_audited";
  const { report } = await tuneBatches({
    config,
    dataset,
    labels: (await collection.labels()).labels,
    runs,
    metric: metric === null ? collection.primary : scorecardMetric(metric),
    areLabelsAudited,
    onProgress,
  });
  writeFusionTuning(join(tuningsFolder(artifactsPath(config)), tuning), id, report);
  return report.verdict.sentence;
}
