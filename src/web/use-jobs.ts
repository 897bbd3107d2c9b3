import { useEffect, useRef, useState } from "preact/hooks";
import type { WorkbenchJob } from "../records/index.js";
import { SourceError, type DataSource } from "./data-source.js";

/** Between two tries to hear of work again, and between two looks whether others began any. */
const [PAUSE_MS, IDLE_MS] = [2000, 5000];

/** Work on a collection, as it goes on. */
export interface WatchedJobs {
  /** The latest first. */
  readonly jobs: readonly WorkbenchJob[];
  /** Why nothing is known of them any more; null while the server tells. */
  readonly problem: Error | null;
  /** To be called after work was started, or stopped. */
  readonly watch: () => void;
  /** How often it was. */
  readonly turn: number;
}

/** What is known of jobs, by id. */
type KnownJobs = ReadonlyMap<string, WorkbenchJob["state"]>;

/**
 * Whether work has ended since it was last told of any: also work that began and ended meanwhile.
 *
 * @param known null where nothing was told before.
 */
export function hasEnded(known: KnownJobs | null, told: readonly WorkbenchJob[]): boolean {
  if (known === null) return false;
  const running = new Set(told.flatMap(({ id, state }) => (state === "running" ? [id] : [])));
  const wasGoingOn = [...known].flatMap(([id, state]) => (state === "running" ? [id] : []));
  const isNew = told.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  return [...wasGoingOn, ...isNew].some((id) => !running.has(id));
}

/**
 * Watches the work on a collection, whoever started it and from whichever page. A page that nobody sees does
 * not: a browser has six connections to a server, and a seventh page would wait for one for ever.
 *
 * @param onEnd called when work has ended.
 */
export function useJobs(source: DataSource, collection: string, onEnd: () => void): WatchedJobs {
  const [jobs, setJobs] = useState<readonly WorkbenchJob[]>([]);
  const [problem, setProblem] = useState<Error | null>(null);
  const [turn, setTurn] = useState(0);
  const known = useRef<KnownJobs | null>(null);
  useEffect(() => {
    known.current = null;
  }, [source, collection]);
  useEffect(() => {
    if (source.local !== null) return;
    let closed = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (told: readonly WorkbenchJob[]): void => {
      const before = known.current;
      known.current = new Map(told.map(({ id, state }) => [id, state]));
      setJobs(told);
      setProblem(null);
      if (hasEnded(before, told)) onEnd();
    };
    const listen = (): void => {
      const { signal } = closed;
      const again = (ms: number): void => {
        if (!signal.aborted) timer = setTimeout(listen, ms);
      };
      source.watchJobs(collection, take, signal).then(
        () => again(IDLE_MS),
        (error: unknown) => {
          if (signal.aborted) return;
          setProblem(error instanceof Error ? error : new Error(String(error)));
          // An earlier start's key does not become good again.
          if (!(error instanceof SourceError && error.status === 401)) again(PAUSE_MS);
        },
      );
    };
    const close = (): void => {
      closed.abort();
      clearTimeout(timer);
    };
    const begin = (): void => {
      close();
      closed = new AbortController();
      if (!document.hidden) listen();
    };
    begin();
    document.addEventListener("visibilitychange", begin);
    return () => {
      document.removeEventListener("visibilitychange", begin);
      close();
    };
  }, [source, collection, turn]);
  return { jobs, problem, watch: () => setTurn((before) => before + 1), turn };
}
