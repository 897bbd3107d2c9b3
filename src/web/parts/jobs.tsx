import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { WorkbenchJob } from "../../records/index.js";
import type { DataSource } from "../data-source.js";
import { counted, printedSeconds } from "./printed.js";

/** Work that runs for a dataset, as it goes on; nothing where there is none. */
export function Jobs({
  source,
  collection,
  jobs: given,
  onEnd,
}: {
  source: DataSource;
  collection: string;
  jobs: readonly WorkbenchJob[];
  /** Called when the last one has ended. */
  onEnd: () => void;
}): JSX.Element | null {
  const [jobs, setJobs] = useState(given);
  useEffect(() => setJobs(given), [given]);
  const isRunning = jobs.some(({ state }) => state === "running");
  useEffect(() => {
    if (!isRunning) return;
    const closed = new AbortController();
    source.watchJobs(collection, setJobs, closed.signal).then(onEnd, () => undefined);
    return () => closed.abort();
  }, [isRunning, collection]);
  const [latest] = jobs;
  if (latest === undefined) return null;
  const share = latest.total === null || latest.total === 0 ? null : latest.done / latest.total;
  return (
    <section class="job" aria-labelledby="h-job">
      <h2 id="h-job">{HEADS[latest.state]}</h2>
      {latest.state === "running" && (
        <progress value={share ?? undefined} max={1} aria-label="how much of it is done" />
      )}
      <p>
        {latest.total === null
          ? latest.message
          : `${latest.done.toLocaleString("en")} of ${counted(latest.total, "query", "queries")}`}
        {latest.failed > 0 && <span class="worse"> · {latest.failed} failed</span>}
        {latest.calls > 0 && ` · ${counted(latest.calls, "call")} to the model`}
        {latest.price !== null && ` · ${latest.price}`}
        {` · ${printedSeconds(latest.seconds)}`}
        {latest.state === "running" &&
          latest.seconds_left !== null &&
          `, ${printedSeconds(latest.seconds_left)} left`}
      </p>
      {latest.message !== "" && latest.total !== null && <p class="quiet">{latest.message}</p>}
      {source.local === null && latest.state === "running" && (
        <button type="button" onClick={() => void source.stopJob(latest.id)}>
          Stop
        </button>
      )}
      {source.local === null &&
        (latest.state === "stopped" || latest.state === "failed") &&
        latest.result !== null && (
          <button
            type="button"
            onClick={() =>
              void source
                .startBatch(collection, { annotate: false, resume: latest.result ?? "" })
                .then(onEnd, onEnd)
            }
          >
            Go on
          </button>
        )}
    </section>
  );
}

const HEADS: Readonly<Record<WorkbenchJob["state"], string>> = {
  running: "A batch is running",
  done: "The batch is done",
  failed: "The batch failed",
  stopped: "The batch was stopped; what it has is kept",
};
