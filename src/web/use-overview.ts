import { useRef } from "preact/hooks";
import type { WorkbenchOverview } from "../records/index.js";
import type { DataSource } from "./data-source.js";
import { useData, type Asked } from "./use-data.js";

/** The overview of a collection: at once as it was made last, then by the labels and batches of now. */
export function useOverview(
  source: DataSource,
  collection: string,
): Asked<WorkbenchOverview> & { readonly isRenewing: boolean } {
  const soon = useData(`overview ${collection}`, () => source.overview(collection));
  const isOutdated = soon.data?.is_outdated === true;
  // Each answer that is outdated is followed by a question of its own.
  const answers = useRef({ last: soon.data, count: 0 });
  if (answers.current.last !== soon.data)
    answers.current = { last: soon.data, count: answers.current.count + 1 };
  const fresh = useData(`overview now ${collection} ${answers.current.count}`, async () =>
    isOutdated ? source.overview(collection, true) : null,
  );
  const error = soon.error ?? fresh.error;
  return {
    ...soon,
    error,
    // What cannot be made any more is no longer said.
    data: error === null ? (fresh.data ?? soon.data) : null,
    isRenewing: isOutdated && fresh.data === null && fresh.error === null,
  };
}
