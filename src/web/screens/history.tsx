import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { WorkbenchBatch } from "../../records/index.js";
import { Jobs } from "../parts/jobs.js";
import { inWords, localTime, printScore, zone } from "../parts/printed.js";
import { plotScale } from "../../report/internal.js";
import { StartWork } from "../parts/start-work.js";
import { Prose } from "../parts/prose.js";
import { Empty, Loading, Problem } from "../parts/states.js";
import { VerdictLine } from "../parts/verdict-line.js";
import { routeTo } from "../route.js";
import { useData } from "../use-data.js";
import { useJobs } from "../use-jobs.js";
import { useStepKeys } from "../use-keys.js";
import { useOverview } from "../use-overview.js";
import type { ScreenProps } from "./screen.js";

/** `#/d/DS/batches`: the primary metric over time, and what was changed. */
export function HistoryScreen({ source, session, collection }: ScreenProps): JSX.Element {
  const { data, error, reload } = useData(`history ${collection}`, () => source.history(collection));
  const overview = useOverview(source, collection);
  const work = useJobs(source, collection, () => {
    reload();
    overview.reload();
  });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  useStepKeys(".batches input:enabled");
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (data === null) return <Loading what="Reading the batches" />;
  const { batches } = data;
  const kind = session.collections.find(({ id }) => id === collection)?.kind;
  const isRunning = work.jobs.some((job) => job.kind === "batch" && job.state === "running");
  const toggle = (id: string): void =>
    setChosen((before) =>
      before.includes(id) ? before.filter((each) => each !== id) : [...before, id].slice(-2),
    );
  // The older one is the baseline.
  const [b, a] = batches.map(({ id }) => id).filter((id) => chosen.includes(id));
  const [latest, before] = batches;
  const [compared, baseline] = batches.filter(({ is_stored }) => is_stored);
  // Whether it is better is said as the comparison says it, once that is there.
  const told = overview.data?.verdict;
  const verdict = told?.run === compared?.id && told?.baseline === baseline?.id ? (told ?? null) : null;
  return (
    <>
      {verdict === null ? (
        <p class="headline" data-painted="history">
          {sentenceOf(latest, before)}
        </p>
      ) : (
        <VerdictLine verdict={verdict} painted="history" />
      )}
      {batches.some(({ mean }) => mean !== null) && <Timeline batches={batches} />}
      <Jobs source={source} work={work} kinds={["batch"]} />
      {kind === "dataset" && source.local === null && !session.is_read_only && !isRunning && (
        <div class="actions">
          <StartWork
            isMain
            plan={null}
            start={() => source.startBatch(collection, { annotate: false })}
            onStarted={work.watch}
          >
            Run a batch
          </StartWork>
          <StartWork
            plan={() => source.plan(collection, { kind: "batch" })}
            start={() => source.startBatch(collection, { annotate: true })}
            onStarted={work.watch}
          >
            Run a batch, and let the model label what has no label…
          </StartWork>
          {data.unfinished !== undefined && (
            <>
              <StartWork
                plan={null}
                start={() =>
                  source.startBatch(collection, { annotate: false, resume: data.unfinished as string })
                }
                onStarted={work.watch}
              >
                Go on with {data.unfinished}
              </StartWork>
              <StartWork
                plan={() => source.plan(collection, { kind: "batch" })}
                start={() =>
                  source.startBatch(collection, { annotate: true, resume: data.unfinished as string })
                }
                onStarted={work.watch}
              >
                Go on with {data.unfinished}, and let the model label what has no label…
              </StartWork>
            </>
          )}
        </div>
      )}
      {batches.length === 0 ? (
        <Empty>
          <Prose
            text={
              source.local !== null
                ? "No run yet: open or drop some."
                : kind === "golden"
                  ? "No run yet: `rankproof run search.mjs` records one."
                  : "No batch yet."
            }
          />
        </Empty>
      ) : (
        <section aria-labelledby="h-list">
          <h2 id="h-list">Batches</h2>
          <p class="quiet">
            Choose two to compare them. Times are in {zone()}.{" "}
            {a !== undefined && b !== undefined && (
              <a class="button" href={routeTo("compare", collection, { a, b })}>
                Compare the two
              </a>
            )}
          </p>
          <ul class="batches">
            {batches.map((batch) => (
              <li key={batch.id}>
                <label>
                  <input
                    type="checkbox"
                    checked={chosen.includes(batch.id)}
                    disabled={!batch.is_stored}
                    onChange={() => toggle(batch.id)}
                  />{" "}
                  <span class="sr">choose </span>
                  {batch.id}
                </label>
                <span class="quiet">{localTime(batch.created_at)}</span>
                <span class="n">
                  {printScore(batch.mean)}
                  {batch.mean !== null && batch.primary !== latest?.primary && (
                    <span class="quiet"> {batch.primary}</span>
                  )}
                  {!batch.is_current && batch.mean !== null && (
                    <span class="quiet"> by the labels of then</span>
                  )}
                </span>
                {batch.corrected !== null && (
                  <span class="quiet">corrected {printScore(batch.corrected)}</span>
                )}
                {batch.failed > 0 && <span class="worse">{batch.failed} failed</span>}
                {batch.is_stored ? (
                  <a href={routeTo("queries", collection, { run: batch.id })}>queries</a>
                ) : (
                  <span class="quiet">its run is no longer in the store</span>
                )}
                {batch.changes.length > 0 && (
                  <details>
                    <summary>
                      {batch.changes.length === 1 ? "1 change" : `${batch.changes.length} changes`}
                    </summary>
                    <ul>
                      {batch.changes.map((change) => (
                        <li>{change}</li>
                      ))}
                    </ul>
                  </details>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function sentenceOf(latest: WorkbenchBatch | undefined, before: WorkbenchBatch | undefined): string {
  if (latest === undefined) return "Nothing is measured yet.";
  const name = inWords(latest.primary ?? "The score");
  if (before?.mean == null || before.primary !== latest.primary || latest.mean === null)
    return `${name} is ${printScore(latest.mean)}.`;
  return `${name}: ${printScore(before.mean)} before, ${printScore(latest.mean)} with the latest batch.`;
}

const [WIDTH, HEIGHT, LEFT, MARGIN, BOTTOM] = [720, 200, 56, 16, 28];
/** Batches in the picture: the latest. */
const DRAWN = 60;

/** The metric over time with its intervals; a mark where the configuration changed. */
function Timeline({ batches }: { batches: readonly WorkbenchBatch[] }): JSX.Element {
  // What was scored by another metric before has no place on its scale.
  const drawn = batches.filter(({ primary }) => primary === batches[0]?.primary);
  const shown = drawn.slice(0, DRAWN).reverse();
  const values = shown
    .flatMap(({ mean, interval }) => [mean, interval?.low, interval?.high])
    .filter((value) => value != null);
  const { low, high, ticks, decimals } = plotScale(values, { hasZero: false, mostTicks: 5 });
  const x = (at: number): number =>
    LEFT + (shown.length < 2 ? 0.5 : at / (shown.length - 1)) * (WIDTH - LEFT - MARGIN);
  const y = (value: number): number =>
    HEIGHT - BOTTOM - ((value - low) / (high - low)) * (HEIGHT - BOTTOM - MARGIN);
  const line = shown.flatMap(({ mean }, at) => (mean === null ? [] : [`${x(at)},${y(mean)}`])).join(" ");
  const ends = [shown[0], shown.at(-1)].map((batch) => printScore(batch?.mean ?? null));
  return (
    <figure class="timeline">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${shown[0]?.primary ?? "score"} of ${shown.length} batches, from ${ends.join(" to ")}`}
      >
        {ticks.map((value) => (
          <g>
            <line class="grid" x1={LEFT - 8} x2={WIDTH} y1={y(value)} y2={y(value)} />
            <text x={0} y={y(value) + 4}>
              {value.toFixed(decimals)}
            </text>
          </g>
        ))}
        {shown.map(({ changes, id }, at) =>
          changes.length === 0 ? null : (
            <line key={id} class="changed" x1={x(at)} x2={x(at)} y1={MARGIN} y2={HEIGHT - BOTTOM}>
              <title>{changes.join("\n")}</title>
            </line>
          ),
        )}
        {shown.map(({ interval, id }, at) =>
          interval === null ? null : (
            <line key={id} class="whisker" x1={x(at)} x2={x(at)} y1={y(interval.low)} y2={y(interval.high)} />
          ),
        )}
        <polyline points={line} />
        {(shown.length < 2 ? [0] : [0, shown.length - 1]).map((at) => (
          <text x={x(at)} y={HEIGHT - 6} text-anchor={at === 0 ? "start" : "end"}>
            {localTime(shown[at]?.created_at ?? "")}
          </text>
        ))}
        {shown.map(({ mean, id }, at) =>
          mean === null ? null : (
            <circle key={id} cx={x(at)} cy={y(mean)} r={3.5}>
              <title>{`${id}: ${printScore(mean)}`}</title>
            </circle>
          ),
        )}
      </svg>
      <figcaption class="quiet small">
        {inWords(shown.at(-1)?.primary ?? "The score")} of{" "}
        {shown.length === 1 ? "one batch" : `${shown.length} batches, the latest on the right`}, with 95 %
        intervals; dotted: the configuration changed.
      </figcaption>
    </figure>
  );
}
