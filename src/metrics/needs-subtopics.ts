import { InputError } from "../foundation/errors/index.js";

/** Judgments without subtopics for a metric that needs them. */
export function needsSubtopics(metric: string): InputError {
  return new InputError(
    "METRIC_SUBTOPICS",
    `${metric} needs judgments by subtopic; give qrels whose second column is the subtopic`,
  );
}
