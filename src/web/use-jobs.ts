import { useEffect, useState } from "preact/hooks";
import type { WorkbenchJob } from "../records/index.js";
import type { DataSource } from "./data-source.js";

/** Between two tries to hear of work again. */
const PAUSE_MS = 2000;

/** Work on a collection, as it goes on. */
export interface WatchedJobs {
  /** The latest first. */
  readonly jobs: readonly WorkbenchJob[];
  /** To be called after work was started. */
  readonly watch: () => void;
}

/**
 * Watches the work on a collection, whoever started it and from whichever page.
 *
 * @param onEnd called when work that was running has ended.
 */
export function useJobs(source: DataSource, collection: string, onEnd: () => void): WatchedJobs {
  const [jobs, setJobs] = useState<readonly WorkbenchJob[]>([]);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (source.local !== null) return;
    const closed = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running = new Set<string>();
    const take = (told: readonly WorkbenchJob[]): void => {
      const now = new Set(told.filter(({ state }) => state === "running").map(({ id }) => id));
      setJobs(told);
      const hasEnded = [...running].some((id) => !now.has(id));
      running = now;
      if (hasEnded) onEnd();
    };
    const listen = (): void =>
      void source.watchJobs(collection, take, closed.signal).catch(() => {
        if (!closed.signal.aborted) timer = setTimeout(listen, PAUSE_MS);
      });
    listen();
    return () => {
      closed.abort();
      clearTimeout(timer);
    };
  }, [source, collection, turn]);
  return { jobs, watch: () => setTurn((before) => before + 1) };
}
