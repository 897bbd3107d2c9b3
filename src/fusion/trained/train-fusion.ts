import { checkKnownOptions } from "../../foundation/checks/index.js";
import { InputError, quote } from "../../foundation/errors/index.js";
import { prepareQrels, type QrelsInput, type ScoredRun } from "../../records/index.js";
import type { FusionMethod } from "../define-fusion.js";
import type { FuseOptions } from "../fuse.js";
import { checkRunsToFuse } from "../made-pool.js";
import { settleNormalizer } from "../settle-normalizer.js";
import { listOrder, trainingRanking, type TrainableFusion } from "./define-trained-fusion.js";

/**
 * Teaches a fusion method what the places of each run are worth.
 *
 * The runs that it fuses later must stand in the same order, and their queries must be others: what the
 * training queries score with it is too good. `tuneFusion` teaches within folds.
 *
 * @param runs answers to the training queries.
 * @param qrels a grade from 1 is relevant, and unjudged items are not.
 * @param options the normalizer with which the method will fuse, where one will be named: lists are learned
 * from in the order in which it puts them.
 * @throws InputError `ARGUMENT` for no runs, and for judgments of no query.
 */
export function trainFusion(
  method: TrainableFusion,
  runs: readonly ScoredRun[],
  qrels: QrelsInput,
  options: Pick<FuseOptions, "normalize"> = {},
): FusionMethod {
  const { normalize } = checkKnownOptions(options, ["normalize"]);
  checkRunsToFuse(runs);
  if (typeof (method as Partial<TrainableFusion> | null)?.learn !== "function")
    throw new InputError(
      "ARGUMENT",
      `a method that learns is made by its function or by parseTrainedFusion, got ${quote(method)}`,
    );
  const { queries } = prepareQrels(qrels);
  if (runs.length === 0)
    throw new InputError("ARGUMENT", "there are no runs to learn from; give at least one");
  if (queries.size === 0)
    throw new InputError("ARGUMENT", `${quote(method.name)} has no judged query to learn from; judge some`);
  const order = listOrder(
    method.definition.reads,
    normalize === undefined ? null : settleNormalizer(normalize),
  );
  return method.learn(
    runs.map((run, at) =>
      [...queries].map(([queryId, { grades }]) =>
        trainingRanking(queryId, run.get(queryId), at, grades, order),
      ),
    ),
  );
}
