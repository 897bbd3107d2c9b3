import { ascending, countOf, formatCount, scoreDifference } from "../../foundation/numbers/index.js";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { WorkbenchRow } from "../../records/index.js";
import { Legend, Strip } from "../parts/beads.js";
import { foreign } from "../parts/foreign.js";
import { inWords, printDifference, printScore } from "../parts/printed.js";
import { RunChoice } from "../parts/run-choice.js";
import { Empty, Loading, Problem } from "../parts/states.js";
import { VirtualList } from "../parts/virtual-list.js";
import { parseRoute, routeTo, type Route } from "../route.js";
import { useData } from "../use-data.js";
import { useKeys } from "../use-keys.js";
import type { ScreenProps } from "./screen.js";

const FILTERS: Readonly<Record<string, { name: string; fits: (row: WorkbenchRow) => boolean }>> = {
  all: { name: "All", fits: () => true },
  worse: { name: "Worse", fits: (row) => lossOf(row) < 0 },
  better: { name: "Better", fits: (row) => lossOf(row) > 0 },
  missed: { name: "Useful item missing", fits: ({ missed }) => missed > 0 },
  unjudged: { name: "Hits without a label", fits: ({ judged, returned }) => judged < returned },
  empty: { name: "No hits", fits: ({ returned, failed }) => returned === 0 && !failed },
  failed: { name: "Failed", fits: ({ failed }) => failed },
};

/** Which queries are looked at. */
interface Look {
  readonly filter: string;
  readonly slice: string;
  readonly words: string;
}

function lookOf({ search: { show = "all", slice = "", find = "" } }: Route): Look {
  return { filter: Object.hasOwn(FILTERS, show) ? show : "all", slice, words: find };
}

/** `#/d/DS`: every query, the one that lost most first. */
export function QueriesScreen({ source, session, collection, route, say }: ScreenProps): JSX.Element {
  const kind = session.collections.find(({ id }) => id === collection)?.kind;
  const { run, baseline } = route.search;
  const { data, error, reload } = useData(`queries ${collection} ${run} ${baseline}`, () =>
    source.queries(collection, { run, baseline }),
  );
  const [{ filter, slice, words }, setLook] = useState(() => lookOf(route));
  const look = {
    show: filter === "all" ? undefined : filter,
    slice: slice || undefined,
    find: words || undefined,
  };
  /** The row that is marked, which is of these rows alone. */
  const [current, setCurrent] = useState(-1);
  // Whoever is led here sees what the address says; what is chosen here stands in it, for who comes back.
  const led = useRef(route);
  if (led.current !== route) {
    led.current = route;
    setLook(lookOf(route));
    setCurrent(-1);
  }
  const choose = (chosen: Partial<Look>): void => {
    setCurrent(-1);
    setLook((before) => ({ ...before, ...chosen }));
  };
  useEffect(() => {
    // Another dataset is shown than the address says, or somebody is on the way elsewhere.
    if (route.collection !== collection || parseRoute(location.hash).screen !== "queries") return;
    const address = routeTo("queries", collection, { run, baseline, ...look });
    history.replaceState(history.state, "", address);
  }, [filter, slice, words]);
  const rows = useMemo(() => {
    const wanted = words.trim().toLowerCase();
    const isCompared = data?.baseline != null;
    return (data?.rows ?? [])
      .filter((row) => FILTERS[filter]?.fits(row) === true && isInSlice(row, slice))
      .filter(({ id, query }) => wanted === "" || `${id} ${query ?? ""}`.toLowerCase().includes(wanted))
      .sort((a, b) => ascending(orderOf(a, isCompared), orderOf(b, isCompared)));
  }, [data, filter, slice, words]);
  // Not while it is typed.
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) return void (isFirst.current = false);
    const timer = setTimeout(() => say(countOf(rows.length, "query", "queries")), 500);
    return () => clearTimeout(timer);
  }, [filter, slice, words]);
  const slices = useMemo(() => slicesOf(data?.rows ?? [], slice), [data, slice]);
  const most = (data?.rows ?? []).reduce((so, row) => Math.max(so, Math.abs(lossOf(row))), 0);
  const address = (row: WorkbenchRow): string =>
    routeTo(
      "query",
      collection,
      { run: data?.run ?? undefined, baseline: data?.baseline ?? undefined },
      row.id,
    );
  const mark = (by: 1 | -1): void => {
    // Enter is for the row from now on, not for what was pressed before.
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.matches("a, button")) activeElement.blur();
    const to = Math.max(0, Math.min(rows.length - 1, current + by));
    setCurrent(to);
    say(`${to + 1} of ${rows.length}: ${rows[to]?.query ?? rows[to]?.id ?? ""}`);
  };
  const open = (): void => {
    const row = rows[current];
    if (row !== undefined) location.hash = address(row);
  };
  useKeys({ previous: () => mark(-1), next: () => mark(1) }, current < 0 ? {} : { Enter: open, " ": open });
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (data === null) return <Loading what="Scoring every query" />;
  if (data.run === null)
    return (
      <Empty>
        No batch yet, so that no query has a score.{" "}
        {source.local === null && <a href={routeTo("batches", collection)}>Run the first one.</a>}
      </Empty>
    );
  const metric = inWords(`by ${data.metric ?? "no metric"}`);
  const all = countOf(data.rows.length, "query");
  const worse = data.rows.filter((row) => lossOf(row) < 0).length;
  return (
    <>
      <p class="headline" data-painted="queries">
        {data.baseline === null
          ? `${all} ${metric}, the lowest first.`
          : `${worse === 0 ? "None" : formatCount(worse)} of ${all} got worse ${metric}.`}
      </p>
      <RunChoice collection={collection} screen="queries" data={data} search={look} />
      <div class="filters" role="group" aria-label="Which queries are shown">
        <span class="quiet small" aria-hidden="true">
          Queries:
        </span>
        {Object.entries(FILTERS)
          .filter(([key]) => kind !== "golden" || key !== "unjudged")
          .map(([key, { name, fits }]) => (
            <button
              type="button"
              class="chip"
              aria-pressed={filter === key}
              onClick={() => choose({ filter: key })}
            >
              {name} <span class="quiet">{formatCount(data.rows.filter(fits).length)}</span>
            </button>
          ))}
        {slices.length > 0 && (
          <label>
            <span class="sr">Slice</span>
            <select value={slice} onChange={(event) => choose({ slice: event.currentTarget.value })}>
              <option value="">every slice</option>
              {slices.map((each) => (
                <option value={each}>{each}</option>
              ))}
            </select>
          </label>
        )}
        <label class="search">
          <span class="sr">Search in queries</span>
          <input
            type="search"
            placeholder="Search ( / )"
            value={words}
            data-search
            onInput={(event) => choose({ words: event.currentTarget.value })}
          />
        </label>
      </div>
      <Legend hasUseful />
      {rows.length === 0 ? (
        <Empty>No query fits.</Empty>
      ) : (
        <VirtualList
          count={rows.length}
          label="Queries"
          current={current}
          head={<Columns hasBaseline={data.baseline !== null} />}
          row={(index) => (
            <Row
              row={rows[index] as WorkbenchRow}
              address={address(rows[index] as WorkbenchRow)}
              most={most}
              isCurrent={index === current}
            />
          )}
        />
      )}
    </>
  );
}

/** What stands in which column of {@link Row}. */
function Columns({ hasBaseline }: { hasBaseline: boolean }): JSX.Element {
  return (
    <span class="row">
      <span>query</span>
      <span class="row-facts">
        {hasBaseline && <span class="difference" />}
        {hasBaseline && <span class="n">difference</span>}
        <span class="n row-score">score</span>
        <span class="n judged">judged</span>
        <span class="strip">first ten hits</span>
      </span>
    </span>
  );
}

function Row({
  row,
  address,
  most,
  isCurrent,
}: {
  row: WorkbenchRow;
  address: string;
  most: number;
  isCurrent: boolean;
}): JSX.Element {
  const loss = row.baseline === null ? null : lossOf(row);
  return (
    <a class={`row${isCurrent ? " current" : ""}`} aria-current={isCurrent || undefined} href={address}>
      <span class="row-name">
        <span class="row-text" {...foreign(Object.entries(row.labels))}>
          {row.query ?? row.id}
        </span>
        {row.failed && <span class="tag worse">failed</span>}
        {row.missed > 0 && (
          <span class="tag" title={`${countOf(row.missed, "useful item")} that did not come back`}>
            {row.missed} missing
          </span>
        )}
      </span>
      <span class="row-facts">
        {loss !== null && <DifferenceBar difference={loss} most={most} />}
        {loss !== null && (
          <span class={`n ${loss === 0 ? "quiet" : loss < 0 ? "worse" : "better"}`}>
            {printDifference(loss)}
          </span>
        )}
        <span class={`n quiet${loss === null ? "" : " row-score"}`}>{printScore(row.score)}</span>
        <span
          class="n quiet judged"
          title="of the first ten hits, those that people or the model have judged"
        >
          {row.judged}/{row.returned}
        </span>
        <Strip strip={row.strip} />
      </span>
    </a>
  );
}

/** A difference as a bar from the middle: to the left it lost. */
function DifferenceBar({ difference, most }: { difference: number; most: number }): JSX.Element {
  const width = most === 0 ? 0 : (Math.abs(difference) / most) * 50;
  return (
    <svg
      class={`difference ${difference < 0 ? "worse" : "better"}`}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <line x1="50" x2="50" y1="0" y2="10" />
      <rect x={difference < 0 ? 50 - width : 50} y="2" width={width} height="6" />
    </svg>
  );
}

/** What a query gained; below 0 it lost. */
function lossOf({ score, baseline }: WorkbenchRow): number {
  return score === null || baseline === null ? 0 : scoreDifference(score, baseline);
}

/** The one that lost most first; without a baseline the lowest score. Without a score: last. */
function orderOf(row: WorkbenchRow, isCompared: boolean): number {
  if (row.score === null || (isCompared && row.baseline === null)) return Infinity;
  return isCompared ? lossOf(row) : row.score;
}

/** A label of more values than that, or of a value for each query, says who a query is, not of what kind. */
const MOST_VALUES = 50;

/** So few may well be of a kind each. */
const FEW_QUERIES = 10;

/** The slices to choose from, and the one that is chosen, wherever that came from. */
function slicesOf(rows: readonly WorkbenchRow[], chosen: string): string[] {
  const values = new Map<string, Set<string>>();
  /** By which two queries are alike. */
  const shared = new Set<string>();
  for (const { labels } of rows)
    for (const [by, value] of Object.entries(labels)) {
      const slices = values.get(by) ?? new Set();
      if (slices.has(`${by}: ${value}`)) shared.add(by);
      values.set(by, slices.add(`${by}: ${value}`));
    }
  const few = [...values]
    .filter(([by, { size }]) => size <= MOST_VALUES && (shared.has(by) || rows.length < FEW_QUERIES))
    .flatMap(([, slices]) => [...slices]);
  return [...new Set(chosen === "" ? few : [...few, chosen])].sort();
}

function isInSlice({ labels }: WorkbenchRow, slice: string): boolean {
  return slice === "" || Object.entries(labels).some(([by, value]) => `${by}: ${value}` === slice);
}
