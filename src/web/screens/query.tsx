import { ownValue } from "../../foundation/checks/index.js";
import { countOf, formatCount } from "../../foundation/numbers/index.js";
import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { WorkbenchAnswer, WorkbenchItem, WorkbenchLive, WorkbenchQuery } from "../../records/index.js";
import { Bead, Legend } from "../parts/beads.js";
import { foreign, scrollAttributes } from "../parts/foreign.js";
import { MetricCards } from "../parts/metric-cards.js";
import { inWords, printScore } from "../parts/printed.js";
import { Prose } from "../parts/prose.js";
import { Empty, Loading, Problem } from "../parts/states.js";
import { routeTo } from "../route.js";
import { useData } from "../use-data.js";
import { useKeys } from "../use-keys.js";
import { isWritable, type ScreenProps } from "./screen.js";

/** What came of asking the search now. */
interface Live {
  /** Id of the query that it is about. */
  readonly of: string | null;
  readonly isAsked: boolean;
  readonly found: WorkbenchLive | null;
  readonly problem: Error | null;
}

const NOT_ASKED: Live = { of: null, isAsked: false, found: null, problem: null };
/** Ranks that are written above the beads, of as many as there are at most. */
const [RANKS, EVERY] = [20, 5];

/** `#/d/DS/q/ID`: what came back in each batch, what is missing, and the best that could be. */
export function QueryScreen(props: ScreenProps): JSX.Element {
  const { source, session, collection, route, say } = props;
  const { run, baseline } = route.search;
  const id = route.query ?? "";
  const { data, error, reload } = useData(`query ${collection} ${id} ${run} ${baseline}`, () =>
    source.query(collection, id, { run, baseline }),
  );
  const [pointed, setPointed] = useState<string | null>(null);
  const [live, setLive] = useState<Live>(NOT_ASKED);
  const asking = useRef<AbortController | null>(null);
  const stopAsking = (): void => {
    asking.current?.abort();
    setLive((known) => (known.isAsked ? NOT_ASKED : known));
  };
  // A search that never answers would hold one of the few connections of a browser.
  useEffect(() => stopAsking, [collection, id]);
  const go = (to: string | null | undefined): void => {
    if (to != null) location.hash = routeTo("query", collection, { run, baseline }, to);
  };
  useKeys({ previous: () => go(data?.previous), next: () => go(data?.next) });
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (data === null) return <Loading what="Looking at the query" />;
  const kind = session.collections.find((each) => each.id === collection)?.kind;
  const [first] = data.answers;
  const now = live.of === id ? live : NOT_ASKED;
  const ask = (): void => {
    const { signal } = (asking.current = new AbortController());
    const show = (what: Partial<Live>): void => {
      if (!signal.aborted) setLive({ ...NOT_ASKED, of: id, ...what });
    };
    show({ isAsked: true });
    source.live(collection, id, signal).then(
      (found) => {
        show({ found });
        const { hits, error } = found.answer;
        if (!signal.aborted) say(error ?? `${hits.length} hits came back`);
      },
      (problem: unknown) => show({ problem: problem as Error }),
    );
  };
  return (
    <>
      <div class="title-line">
        <h2 {...scrollAttributes(data.query)} {...foreign(Object.entries(data.labels))}>
          {data.query ?? data.id}
        </h2>
        <span class="steps">
          <button
            type="button"
            disabled={data.previous === null}
            onClick={() => go(data.previous)}
            title="previous query ["
          >
            ‹ previous
          </button>
          <button
            type="button"
            disabled={data.next === null}
            onClick={() => go(data.next)}
            title="next query ]"
          >
            next ›
          </button>
        </span>
      </div>
      <p class="quiet small">
        id: <bdi>{data.id}</bdi>
        {Object.entries(data.labels).map(([by, value]) => (
          <>
            {" · "}
            <bdi>{by}</bdi>: <bdi>{value}</bdi>
          </>
        ))}
      </p>
      {first === undefined ? (
        <Empty>No batch yet, so that nothing came back.</Empty>
      ) : (
        <p class="headline">{sentenceOf(data, first)}</p>
      )}
      {now.problem !== null && <Problem error={now.problem} />}
      {(first !== undefined || now.found !== null) && (
        <section class="beads-section" aria-label="What came back, by rank">
          <div class="bead-row" aria-hidden="true">
            <span class="bead-name">rank</span>
            <span class="beads">
              {Array.from({ length: RANKS }, (_, at) => (
                <span class="rank-mark">{at === 0 || (at + 1) % EVERY === 0 ? at + 1 : ""}</span>
              ))}
            </span>
          </div>
          {now.found !== null && (
            <BeadRow
              answer={now.found.answer}
              isFirst
              pointed={pointed}
              onPoint={setPointed}
              items={now.found.items}
            />
          )}
          {data.answers.map((answer, at) => (
            <BeadRow
              answer={answer}
              isFirst={at === 0}
              pointed={pointed}
              onPoint={setPointed}
              items={data.items}
            />
          ))}
          {data.ideal.length > 0 && (
            <div class="bead-row">
              <span class="bead-name">best possible order</span>
              <span class="beads">
                {data.ideal.map(({ id: item, grade }) => (
                  <span
                    class={pointed === item ? "pointed" : ""}
                    onMouseEnter={() => setPointed(item)}
                    onMouseLeave={() => setPointed(null)}
                  >
                    <Bead grade={grade} of={ownValue(data.items, item)?.title ?? item} />
                  </span>
                ))}
              </span>
            </div>
          )}
          <Legend hasUseful />
        </section>
      )}
      {kind === "dataset" && isWritable(props) && (
        <div class="actions">
          <a class="button" href={routeTo("label", collection, { query: data.id })}>
            Label what came back
          </a>
          <button type="button" onClick={now.isAsked ? stopAsking : ask}>
            {now.isAsked ? "Stop asking" : "Run it live"}
          </button>
          <span class="quiet small">What comes back now is shown here, and is not stored.</span>
        </div>
      )}
      {first !== undefined && (
        <MetricCards answers={now.found === null ? data.answers : [now.found.answer, ...data.answers]} />
      )}
      {now.found !== null && (
        <Hits
          title="What came back now"
          answer={now.found.answer}
          before={first}
          items={now.found.items}
          pointed={pointed}
          onPoint={setPointed}
        />
      )}
      {data.missed.length > 0 && (
        <section aria-labelledby="h-missed">
          <h3 id="h-missed">
            Useful items that did not come back
            {data.missed.length < data.missed_count &&
              `: the best ${data.missed.length} of ${formatCount(data.missed_count)}`}
          </h3>
          <ul class="hits">
            {data.missed.map(({ id: item, grade, baseline_rank }) => (
              <li class={pointed === item ? "pointed" : ""}>
                <Bead grade={grade} />
                <ItemText id={item} item={ownValue(data.items, item)} />
                {baseline_rank !== null && (
                  <span class="quiet small">rank {baseline_rank} in the baseline</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {first !== undefined && (
        <Hits
          title="What came back"
          answer={first}
          before={data.answers[1]}
          items={data.items}
          pointed={pointed}
          onPoint={setPointed}
        />
      )}
      {first !== undefined && first.tips.length > 0 && (
        <section aria-labelledby="h-tips">
          <h3 id="h-tips">What would make this surer</h3>
          <ul>
            {first.tips.map((tip) => (
              <li>
                <Prose text={tip} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** What happened to the query, and what is missing. */
function sentenceOf({ answers, missed_count, ideal }: WorkbenchQuery, answer: WorkbenchAnswer): string {
  if (answer.error !== null) return "The search failed for this query.";
  const [metric = "score"] = Object.keys(answer.scores);
  const [score, was] = [answer, answers[1]].map((each) => each?.scores[metric] ?? null);
  const moved =
    score === null || score === undefined
      ? `${metric} is undefined here`
      : was === null || was === undefined
        ? `${metric} is ${printScore(score)}`
        : score === was
          ? `${metric} stayed at ${printScore(score)}`
          : `${metric} ${score < was ? "fell" : "rose"} from ${printScore(was)} to ${printScore(score)}`;
  const lacking =
    missed_count > 0
      ? `${countOf(missed_count, "useful item")} did not come back`
      : ideal.length === 0
        ? "no item is known to be useful"
        : "no useful item that is known is missing";
  return inWords(`${moved}; ${lacking}.`);
}

function BeadRow({
  answer,
  isFirst,
  pointed,
  onPoint,
  items,
}: {
  answer: WorkbenchAnswer;
  isFirst: boolean;
  pointed: string | null;
  onPoint: (id: string | null) => void;
  items: WorkbenchQuery["items"];
}): JSX.Element {
  return (
    <div class="bead-row">
      <span class="bead-name">
        {answer.run === "now" ? "now (live)" : isFirst ? "this batch" : "baseline"}
        {answer.run !== "now" && <span class="batch-id">{answer.run}</span>}
      </span>
      {answer.error !== null ? (
        <span class="worse">failed: {answer.error}</span>
      ) : answer.hits.length === 0 ? (
        <span class="quiet">nothing came back</span>
      ) : (
        <span class="beads">
          {answer.hits.map(({ id, grade, rank }) => (
            <span
              class={pointed === id ? "pointed" : ""}
              onMouseEnter={() => onPoint(id)}
              onMouseLeave={() => onPoint(null)}
            >
              <Bead grade={grade} of={`${rank}. ${ownValue(items, id)?.title ?? id}`} />
            </span>
          ))}
        </span>
      )}
    </div>
  );
}

function Hits({
  title,
  answer,
  before: other,
  items,
  pointed,
  onPoint,
}: {
  title: string;
  answer: WorkbenchAnswer;
  /** What it is held against. */
  before: WorkbenchAnswer | undefined;
  items: WorkbenchQuery["items"];
  pointed: string | null;
  onPoint: (id: string | null) => void;
}): JSX.Element {
  const before = new Map(other?.hits.map(({ id, rank }) => [id, rank]));
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <ol class="hits">
        {answer.hits.map(({ id, rank, grade, features }) => (
          <li
            class={pointed === id ? "pointed" : ""}
            onMouseEnter={() => onPoint(id)}
            onMouseLeave={() => onPoint(null)}
          >
            <span class="rank quiet">{rank}</span>
            <Bead grade={grade} />
            <ItemText id={id} item={ownValue(items, id)} />
            <span class="quiet small">
              {other !== undefined && (before.has(id) ? `was ${before.get(id)}` : "new")}
              {Object.entries(features).map(([name, value]) => ` · ${name} ${Number(value.toPrecision(4))}`)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function ItemText({ id, item }: { id: string; item: WorkbenchItem | undefined }): JSX.Element {
  return (
    <span class="item-text" {...foreign(item?.fields)}>
      <strong>{item?.title ?? id}</strong>
      {item !== undefined && item.fields.length > 0 && (
        <details>
          <summary class="quiet small">{id}</summary>
          <dl class="fields">
            {item.fields.map(([name, text]) => (
              <div>
                <dt>{name}</dt>
                <dd {...foreign(item.fields)}>{text}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </span>
  );
}
