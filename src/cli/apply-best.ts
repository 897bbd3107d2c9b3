import { GateError, InputError, type BackendTuning } from "../index.js";
import {
  experimentFiles,
  restoreTuned,
  TunedBackend,
  type RunExperimentsOptions,
  type Tuning,
} from "../node/index.js";
import { areNotedOriginals } from "../node/internal.js";

/** @throws GateError `NOT_BETTER` where the original configuration is the best. */
export function checkAppliable({ chosen }: BackendTuning): void {
  if (chosen.parameters === null)
    throw new GateError(
      "NOT_BETTER",
      "there is nothing to apply: no experiment has a higher mean than what is there",
    );
}

/**
 * Gives the search the best configuration, for good. Until the search is healthy with it, the original one
 * comes back whatever happens.
 *
 * @returns the files that were changed.
 */
export async function applyBest(
  { backend, experiments, config }: Tuning,
  { chosen }: BackendTuning,
  { onProgress, onWarning }: Pick<RunExperimentsOptions, "onProgress" | "onWarning">,
): Promise<readonly string[]> {
  const at = experiments.findIndex(({ name }) => name === chosen.name);
  const experiment = experiments[at];
  if (experiment === undefined) throw new InputError("ARGUMENT", `there is no experiment ${chosen.name}`);
  const tuned = await TunedBackend.open(backend);
  try {
    if (!areNotedOriginals(backend.folder, tuned.originals))
      throw new InputError(
        "TUNING_RESUME",
        "the configuration has changed since it was tuned, and would be overwritten; tune again",
      );
    await tuned.configure(experiment, experimentFiles(backend.folder, experiment, at + 1));
    await tuned.keep(experiment);
  } catch (error) {
    await restoreTuned(tuned, { onProgress, onWarning }, error);
    throw error;
  }
  return config.tuning?.[backend.backend]?.files ?? [];
}
