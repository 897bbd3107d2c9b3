import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { StartWork } from "../parts/start-work.js";
import { Problem } from "../parts/states.js";
import { useData } from "../use-data.js";
import { ReportScreen } from "./report.js";
import { isWritable, type ScreenProps } from "./screen.js";

/** `#/d/DS/tune`: which setting is the best, and whether it holds; a search for one is started here. */
export function TuneScreen(props: ScreenProps): JSX.Element {
  return (
    <ReportScreen
      {...props}
      name="tune"
      first={["summary", "curve"]}
      kinds={["fusion", "backend"]}
      empty="No tuning yet."
      head={({ work: { jobs, watch }, report }) => {
        if (!isWritable(props)) return null;
        const runs = (wanted: string): boolean =>
          jobs.some(({ kind, state }) => kind === wanted && state === "running");
        return (
          <div class="starts">
            {!runs("fusion") && <FusionStart {...props} onStarted={watch} />}
            {!runs("backend") && (
              <BackendStart {...props} unfinished={report?.unfinished} onStarted={watch} />
            )}
          </div>
        );
      }}
    />
  );
}

/** Starts a search for the weights of two batches. */
function FusionStart({
  source,
  collection,
  onStarted,
}: ScreenProps & { onStarted: () => void }): JSX.Element | null {
  const history = useData(`history ${collection}`, () => source.history(collection));
  const [chosen, setChosen] = useState<readonly [string?, string?]>([]);
  const [metric, setMetric] = useState("");
  const ids = history.data?.batches.flatMap(({ id, is_stored }) => (is_stored ? [id] : [])) ?? [];
  const [a = ids[1], b = ids[0]] = chosen;
  if (history.error !== null) return <Problem error={history.error} onRetry={history.reload} />;
  if (history.data === null) return null;
  if (a === undefined || b === undefined)
    return <p class="quiet">A search for the best fusion needs two batches to fuse.</p>;
  const select = (value: string, at: 0 | 1, name: string): JSX.Element => (
    <label>
      {name}{" "}
      <select
        value={value}
        onChange={({ currentTarget }) =>
          setChosen(at === 0 ? [currentTarget.value, b] : [a, currentTarget.value])
        }
      >
        {ids.map((id) => (
          <option value={id}>{id}</option>
        ))}
      </select>
    </label>
  );
  return (
    <div class="actions">
      {select(a, 0, "Fuse")}
      {select(b, 1, "with")}
      <label>
        for{" "}
        <input
          class="metric"
          value={metric}
          placeholder={history.data?.batches[0]?.primary ?? "nDCG@10"}
          onInput={(event) => setMetric(event.currentTarget.value)}
        />
      </label>
      <StartWork
        isMain
        plan={null}
        start={() =>
          source.startWork(collection, {
            kind: "fusion",
            runs: [a, b],
            metric: metric.trim() === "" ? null : metric.trim(),
          })
        }
        onStarted={onStarted}
      >
        Search for the best weight
      </StartWork>
    </div>
  );
}

/** Starts a tuning of the live search, which changes its configuration and restarts it. */
function BackendStart({
  source,
  session,
  collection,
  unfinished,
  onStarted,
}: ScreenProps & { unfinished: string | undefined; onStarted: () => void }): JSX.Element {
  if (!session.may_run_commands)
    return (
      <p class="quiet">
        Settings of the search itself are tried from here, too, where the page may restart it:{" "}
        <code>rankproof ui --allow-run</code>
      </p>
    );
  const start = (resume: boolean, text: string): JSX.Element => (
    <StartWork
      plan={() => source.plan(collection, { kind: "backend", resume })}
      start={() => source.startWork(collection, { kind: "backend", resume })}
      onStarted={onStarted}
    >
      {text}
    </StartWork>
  );
  return (
    <div class="actions">
      {start(false, "Try the settings of the configuration")}
      {unfinished !== undefined && start(true, `Go on with ${unfinished}`)}
    </div>
  );
}
