import { InputError, quote } from "../foundation/errors/index.js";
import type { BuildKey, LabelStore } from "../storage/index.js";
import { digestOf } from "./content-hash.js";
import { normalizeQuery } from "./query-text.js";

/** What is kept of a build, so that the next one knows whether it goes on with it. */
interface BuildRecord {
  /** SHA-256 of the queries. */
  readonly queries: string;
  readonly started_at: string;
  /** `running`: it was killed, interrupted or failed. `ended`: by its budget. */
  readonly state: "running" | "ended" | "done";
  /** The last forced build: labels before `since` are asked for again, until it is done. */
  readonly forced?: { readonly since: string; readonly is_done: boolean } | undefined;
}

/** What a build is about. */
export interface BeginBuildOptions {
  readonly queries: Iterable<{ readonly id: string; readonly query: string }>;
  /** Whether what was labelled before this build is asked for again. Default false. */
  readonly isForced?: boolean | undefined;
  /** Whether it goes on though the queries have changed since the last one was interrupted. Default false. */
  readonly takesNewQueries?: boolean | undefined;
  /** The time in milliseconds since 1970; for tests. */
  readonly now?: (() => number) | undefined;
}

/** A build that goes on with one that was interrupted, or is new. */
export interface BegunBuild {
  /** As that of `LabelingOptions`: of a forced build that was interrupted, the time when it began. */
  readonly since: string | undefined;
  /** Keeps that it has begun; to be called before its first answer is kept, and as often as one likes. */
  markBegun(): Promise<void>;
  /** Keeps that it has ended. */
  markEnded(isDone: boolean): Promise<void>;
}

/**
 * Looks at the last build of a dataset by a labeler, and goes on with it where it did not end.
 *
 * @throws InputError `BUILD_RESUME` where the queries have changed since it was interrupted.
 */
export async function beginBuild(
  store: LabelStore,
  key: BuildKey,
  { queries, isForced = false, takesNewQueries = false, now = Date.now }: BeginBuildOptions,
): Promise<BegunBuild> {
  const digest = digestOf([...queries].map(({ id, query }) => [id, normalizeQuery(query)]));
  const last = (await store.build(key)) as BuildRecord | undefined;
  if (last?.state === "running" && last.queries !== digest && !takesNewQueries)
    throw new InputError(
      "BUILD_RESUME",
      `the queries of dataset ${quote(key.dataset)} have changed since a build of ${last.started_at} was ` +
        "interrupted; put them back, or go on with the new ones: --new-queries",
      { started_at: last.started_at },
    );
  const started_at = new Date(now()).toISOString();
  const unfinished = last?.forced?.is_done === false ? last.forced.since : undefined;
  const since = isForced ? (unfinished ?? started_at) : undefined;
  const keep = (state: BuildRecord["state"]): Promise<void> => {
    const forced = isForced ? { since: since as string, is_done: state === "done" } : last?.forced;
    return store.keepBuild(key, { queries: digest, started_at, state, ...(forced && { forced }) });
  };
  let isKept = false;
  return {
    since,
    async markBegun() {
      if (isKept) return;
      isKept = true;
      await keep("running");
    },
    markEnded: (isDone) => keep(isDone ? "done" : "ended"),
  };
}
