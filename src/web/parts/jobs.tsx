import { countOf, formatCount } from "../../foundation/numbers/index.js";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { WorkbenchJob } from "../../records/index.js";
import type { DataSource } from "../data-source.js";
import type { WatchedJobs } from "../use-jobs.js";
import { printSeconds } from "./printed.js";
import { Prose } from "./prose.js";
import { Problem } from "./states.js";

/** Work on a collection: all that runs, and of each kind what ended last. */
export function Jobs({
  source,
  work: { jobs, problem, watch, turn },
  kinds = KINDS,
  isDoneShown = true,
}: {
  source: DataSource;
  work: WatchedJobs;
  kinds?: readonly WorkbenchJob["kind"][];
  isDoneShown?: boolean;
}): JSX.Element | null {
  const shown = kinds
    .flatMap((kind) => jobs.find((job) => job.kind === kind) ?? [])
    .filter(({ state }) => isDoneShown || state !== "done");
  if (shown.length === 0) return null;
  return (
    <>
      {shown.map((job) => (
        <Job key={job.id} source={source} job={job} problem={problem} turn={turn} onChange={watch} />
      ))}
    </>
  );
}

function Job({
  source,
  job,
  problem,
  turn,
  onChange,
}: {
  source: DataSource;
  job: WorkbenchJob;
  /** Why it is not known how it goes on. */
  problem: Error | null;
  turn: number;
  onChange: () => void;
}): JSX.Element {
  const { id, kind, state, unit, done, total, failed, calls, price, seconds, seconds_left, message } = job;
  const [refusal, setRefusal] = useState<Error | null>(null);
  const act = (work: Promise<void>): void => {
    setRefusal(null);
    work
      .catch((error: unknown) => setRefusal(error instanceof Error ? error : new Error(String(error))))
      .finally(onChange);
  };
  useEffect(() => setRefusal(null), [state, problem === null]);
  const name = useRef<HTMLHeadingElement>(null);
  // Whoever began or stopped it pressed a button that has gone.
  useLayoutEffect(() => {
    if (turn > 0 && document.activeElement === document.body) name.current?.focus({ preventScroll: true });
  }, [state, turn]);
  const isKnown = state !== "running" || problem === null;
  const heading = `h-job-${kind}`;
  const [one, many] = UNITS[unit];
  // Steps are of different lengths, and tell nobody how far it is.
  const isCounted = total !== null && unit !== "step";
  return (
    <section class="job" aria-labelledby={heading}>
      <h2 id={heading} ref={name} tabIndex={-1}>
        <span role="status">
          {NAMES[kind]}{" "}
          {!isKnown
            ? "was running; how it goes on is not known"
            : state === "stopped" && kind !== "fusion"
              ? "was stopped; what it has is kept"
              : STATES[state]}
        </span>
      </h2>
      {state === "running" && (
        <progress
          value={total === null || total === 0 ? undefined : done / total}
          max={1}
          aria-label={`how much of it is done: ${NAMES[kind]}`}
        />
      )}
      <p>
        {!isCounted ? <Prose text={message} /> : `${formatCount(done)} of ${countOf(total, one, many)}`}
        {failed > 0 && <span class="worse"> · {failed} failed</span>}
        {calls > 0 && ` · ${countOf(calls, "call")} to the model`}
        {price !== null && ` · ${price}`}
        {` · ${printSeconds(seconds)}`}
        {state === "running" && isKnown && seconds_left !== null && `, ${printSeconds(seconds_left)} left`}
      </p>
      {message !== "" && isCounted && (
        <p class="quiet job-message">
          <Prose text={message} />
        </p>
      )}
      {source.local === null && state === "running" && (
        <button type="button" onClick={() => act(source.stopJob(id))}>
          Stop
        </button>
      )}
      {source.local === null && (state === "stopped" || state === "failed") && (
        <button type="button" onClick={() => act(source.resumeJob(id))}>
          Go on
        </button>
      )}
      {!isKnown && problem !== null && <Problem error={problem} />}
      {refusal !== null && (isKnown || refusal.message !== problem?.message) && <Problem error={refusal} />}
    </section>
  );
}

const NAMES: Readonly<Record<WorkbenchJob["kind"], string>> = {
  batch: "A batch",
  labels: "A label build",
  probe: "An audit of the labeler",
  fusion: "A search for the best fusion",
  backend: "A tuning of the search",
};
const KINDS = Object.keys(NAMES) as WorkbenchJob["kind"][];
const STATES: Readonly<Record<WorkbenchJob["state"], string>> = {
  running: "is running",
  done: "is done",
  failed: "failed",
  stopped: "was stopped",
};
const UNITS: Readonly<Record<WorkbenchJob["unit"], readonly [string, string]>> = {
  query: ["query", "queries"],
  request: ["request", "requests"],
  step: ["step", "steps"],
  configuration: ["configuration", "configurations"],
};
