import type { BuildLabelsOptions, BuildSummary } from "./build-options.js";
import { LabelingSession } from "./labeling-session.js";

/**
 * Labels what has no label of this rater yet, in batches. Every answer is in the store before the next
 * request for its query, so that a build that is killed or ends goes on where it was and no answer is
 * asked for twice; of two builds at once, one labels a query. An answer that cannot be used is asked for
 * once more, alone, and then kept as `invalid`; it is never guessed.
 *
 * @returns what was done.
 * @throws InputError `ARGUMENT` for settings that are not possible.
 * @throws AdapterError `LABELER_FAILED` where the labeler rejects with an error of its own; errors of this
 * package, such as `CHAT_UNAVAILABLE`, as they are. An abort rejects with its own reason.
 */
export async function buildLabels({ targets, ...options }: BuildLabelsOptions): Promise<BuildSummary> {
  const session = new LabelingSession(options);
  await session.each(targets, ({ items }, labels, stop) => session.label(labels, items, stop));
  return session.summary();
}
