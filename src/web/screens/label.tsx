import { countOf, formatCount } from "../../foundation/numbers/index.js";
import type { JSX } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import type { WorkbenchPair, WorkbenchQueue, WorkbenchSaid } from "../../records/index.js";
import { SourceError } from "../data-source.js";
import { keyOf } from "../keymap.js";
import { EMPTY_DESK, nextDesk, type DeskAct } from "../desk-state.js";
import { AsRater } from "../parts/ask-rater.js";
import { DeskEnd, Sheet } from "../parts/desk-sheet.js";
import { GradeButtons } from "../parts/grade-buttons.js";
import { Loading, Problem } from "../parts/states.js";
import { routeTo } from "../route.js";
import { useKeys } from "../use-keys.js";
import { useMarks } from "../use-marks.js";
import { useNote } from "../use-note.js";
import { markKey, pairKey, withWaiting } from "../waiting-marks.js";
import { LabelGrid } from "./label-grid.js";
import type { ScreenProps } from "./screen.js";

/** With fewer pairs at hand more are asked for. */
const FEW = 25;
/** Pairs that the page keeps for undoing; for an older one it asks. */
const MOST_SEEN = 300;
/** How long no grade is taken while what was undone is on its way. */
const HELD_MS = 1500;
/** What is counted as left, with a server and without. */
const PAIR_OF_FILE = "A pair is a query and a hit that no person had judged when this page was written.";
const PAIR =
  "A pair is a query and one of the first 20 hits of the last two batches; those that another person has " +
  "judged are left out, but for a tenth.";
/** Between two tries to get more pairs. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 15_000];

/** `#/d/DS/label`: one item after the other, graded with a key; or all items of one query. */
export function LabelScreen(props: ScreenProps): JSX.Element {
  const { query, grid } = props.route.search;
  return (
    <AsRater session={props.session}>
      {(rater, forget) =>
        query !== undefined && grid === "1" ? (
          <LabelGrid key={`${props.collection} ${rater} ${query}`} {...props} rater={rater} query={query} />
        ) : (
          <Desk
            key={`${props.collection} ${rater} ${query ?? ""}`}
            {...props}
            rater={rater}
            onRater={forget}
          />
        )
      }
    </AsRater>
  );
}

function Desk({
  source,
  session,
  collection,
  route,
  sender,
  say,
  rater,
  onRater,
}: ScreenProps & { rater: string; onRater: () => void }): JSX.Element {
  const query = route.search["query"] ?? null;
  const [state, act] = useReducer(nextDesk, EMPTY_DESK);
  const [queue, setQueue] = useState<WorkbenchQueue | null>(null);
  const [error, setError] = useState<Error | null>(null);
  /** Why what was undone is not back yet. */
  const [problem, setProblem] = useState<Error | null>(null);
  /** Items that are on their way back: no grade may be given by a key that was meant for another. */
  const [returning, setReturning] = useState(0);
  const isOpen = useRef(true);
  const [areMarksShown, showMarks] = useState(true);
  const latest = useRef(state);
  latest.current = state;
  const isLoading = useRef(false);
  const noteButton = useRef<HTMLButtonElement>(null);
  const retry = useRef<{ timer?: ReturnType<typeof setTimeout>; pause: number }>({ pause: FIRST_PAUSE_MS });
  /** The latest pairs that this page has shown, so that undoing need not ask for them. */
  const seen = useRef(new Map<string, WorkbenchPair>());
  /** What is looked at was judged in another tab: no key that was meant for it is of the next. */
  const takeAway = (): void => {
    say("judged in another tab");
    setReturning((before) => before + 1);
    setTimeout(() => setReturning((before) => before - 1), HELD_MS);
  };
  const load = (): void => {
    if (isLoading.current) return;
    isLoading.current = true;
    clearTimeout(retry.current.timer);
    const asked = latest.current;
    // First what waits: if it is stored meanwhile, the queue knows it, too.
    const coming = sender.waiting(collection, rater).then(async (waiting) => {
      const own = waiting.filter(({ query_id }) => query === null || query_id === query);
      return withWaiting(await source.queue(collection, rater, query), own, ({ query_id, item }) =>
        source.pair(collection, query_id, item),
      );
    });
    coming.then(
      (given) => {
        if (!isOpen.current) return;
        isLoading.current = false;
        retry.current = { pause: FIRST_PAUSE_MS };
        setError(null);
        setQueue(given);
        const loaded = { act: "loaded", queue: given, asked } as const;
        const { pairs, at } = latest.current;
        const shown = pairs[at];
        if (shown !== undefined && !nextDesk(latest.current, loaded).pairs.includes(shown)) takeAway();
        act(loaded);
      },
      (problem: unknown) => {
        if (!isOpen.current) return;
        isLoading.current = false;
        setError(problem instanceof Error ? problem : new Error(String(problem)));
        const { pause } = retry.current;
        retry.current = { timer: setTimeout(load, pause), pause: Math.min(LONGEST_PAUSE_MS, 2 * pause) };
      },
    );
  };
  useEffect(() => {
    load();
    const onVisible = (): void => void (document.visibilityState === "visible" && load());
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      isOpen.current = false;
      clearTimeout(retry.current.timer);
    };
  }, []);
  const isLow = queue !== null && state.pairs.length < FEW && state.left > state.pairs.length;
  useEffect(() => {
    if (isLow) load();
  }, [isLow, state.done]);
  const pair = state.pairs[state.at];
  const note = useNote(`${collection} ${rater}`, pair);
  if (pair !== undefined) {
    seen.current.set(pairKey(pair), pair);
    const [oldest] = seen.current.keys();
    if (seen.current.size > MOST_SEEN && oldest !== undefined) seen.current.delete(oldest);
  }

  const send = useMarks(sender, { collection, rater });
  const grade = (value: number | null): void => {
    if (pair === undefined || returning > 0) return;
    const outcome = value === null ? "cannot_tell" : "graded";
    const { is_repeat, item_hash } = pair;
    const said = { outcome, grade: value, reason: note.give(), is_repeat, item_hash } as const;
    send({ query_id: pair.query_id, item: pair.item.id }, said);
    act({ act: "graded", grade: value });
    say(`${value === null ? "cannot tell" : `graded ${value}`}, ${state.left - 1} left`);
  };
  /**
   * Puts what was undone back on the desk, sooner or later, since the mark is withdrawn already. For a moment
   * no grade is taken, which could be one for what comes.
   */
  const bringBack = async (last: WorkbenchSaid): Promise<void> => {
    setReturning((before) => before + 1);
    let isLate = false;
    const letGo = (): void => {
      if (!isLate) setReturning((before) => before - 1);
      isLate = true;
    };
    const timer = setTimeout(letGo, HELD_MS);
    for (let pause = FIRST_PAUSE_MS; isOpen.current; pause = Math.min(LONGEST_PAUSE_MS, 2 * pause))
      try {
        const pair = await source.pair(collection, last.query_id, last.item);
        act({ act: "returned", pair, isLate });
        setProblem(null);
        break;
      } catch (error) {
        letGo();
        const status = error instanceof SourceError ? error.status : null;
        // What has left the dataset does not come back.
        if (status === null || (status >= 400 && status < 500 && status !== 401)) {
          act({ act: "gone" });
          break;
        }
        setProblem(error as SourceError);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    clearTimeout(timer);
    letGo();
  };
  const undo = (): void => {
    const last = state.said.at(-1);
    if (last === undefined) return;
    send(last, { outcome: "withdrawn" });
    note.takeBack(last);
    // At once: a second undo is of the one before.
    act({ act: "undone" });
    say(`undone, ${state.said.length - 1} given`);
    const known = seen.current.get(markKey(last));
    if (known !== undefined) act({ act: "returned", pair: known, isLate: false });
    else void bringBack(last);
  };
  const later = (): void => {
    act({ act: "later" });
    say("put off to the end");
  };
  const toGrid = (): void => {
    const id = query ?? pair?.query_id;
    if (id !== undefined)
      location.hash = routeTo("label", collection, {
        query: id,
        grid: "1",
        from: query === null ? "all" : undefined,
      });
  };
  const go = (asked: Extract<DeskAct, { readonly by: number }>): void => {
    act(asked);
    const { pairs, at } = nextDesk(state, asked);
    const to = pairs[at];
    if (to !== undefined)
      say(`${at + 1} of ${pairs.length}: ${to.item.title ?? to.item.id}, for ${to.query}`);
  };
  const forward = (): void => go({ act: "moved", by: 1 });
  const backward = (): void => go({ act: "moved", by: -1 });
  useKeys({
    grade0: () => grade(0),
    grade1: () => grade(1),
    grade2: () => grade(2),
    grade3: () => grade(3),
    cannotTell: () => grade(null),
    undo,
    later,
    note: note.open,
    evidence: () => showMarks((before) => !before),
    on: forward,
    next: forward,
    back: backward,
    previous: backward,
    nextQuery: () => go({ act: "query", by: 1 }),
    previousQuery: () => go({ act: "query", by: -1 }),
    grid: toGrid,
  });
  if (queue === null)
    return error !== null ? (
      <Problem error={error} onRetry={load} />
    ) : (
      <Loading what="Looking for what is not labelled" />
    );
  const left = Math.max(0, state.left);
  // Beside the item there is room for what the grades mean.
  const isWide = matchMedia("(min-width: 72rem)").matches;
  const total = state.done + left;
  const pairMeaning = source.local === null ? PAIR : PAIR_OF_FILE;
  return (
    <div class="desk">
      <div class="desk-head">
        <p class="quiet">
          <strong title={pairMeaning}>{countOf(left, "pair")} left</strong>
          {` for ${rater} to judge · ${formatCount(state.done)} judged `}
          {session.rater === null && (
            <button type="button" class="link" onClick={onRater}>
              not you?
            </button>
          )}
          {queue.own_kappa !== null && ` · you agree with yourself: kappa ${queue.own_kappa.toFixed(2)}`}
        </p>
        <progress value={state.done} max={Math.max(1, total)} aria-label="how much is labelled" />
      </div>
      {pair === undefined ? (
        <DeskEnd isAll={state.left <= 0} hasJudged={state.done > 0} error={error} onRetry={load} />
      ) : (
        <Sheet pair={pair} areMarksShown={areMarksShown} />
      )}
      {problem !== null && <Problem error={problem} />}
      <GradeButtons isOff={pair === undefined || returning > 0} onGrade={grade} />
      <div class="desk-actions">
        <button type="button" disabled={pair === undefined || returning > 0} onClick={() => grade(null)}>
          Cannot tell <kbd>{keyOf("cannotTell")}</kbd>
        </button>
        <button type="button" disabled={pair === undefined} onClick={later}>
          Later <kbd>{keyOf("later")}</kbd>
        </button>
        <button type="button" disabled={state.said.length === 0} onClick={undo}>
          Undo <kbd>{keyOf("undo")}</kbd>
        </button>
        <button
          type="button"
          ref={noteButton}
          onClick={() => (note.text === "" ? note.write(null) : note.open())}
          aria-expanded={note.text !== null}
        >
          Note <kbd>{keyOf("note")}</kbd>
        </button>
        <button
          type="button"
          title="Marks the query's words in the item"
          aria-pressed={areMarksShown}
          onClick={() => showMarks((before) => !before)}
        >
          Mark words <kbd>{keyOf("evidence")}</kbd>
        </button>
        <button type="button" disabled={pair === undefined && query === null} onClick={toGrid}>
          All of this query <kbd>{keyOf("grid")}</kbd>
        </button>
      </div>
      {note.text !== null && (
        <label class="note">
          Why, if it is not plain; kept with the grade
          <textarea
            rows={2}
            maxLength={2000}
            value={note.text}
            ref={note.field}
            onInput={(event) => note.write(event.currentTarget.value)}
            onBlur={() => note.text === "" && note.write(null)}
            onKeyDown={(event) => {
              if (
                event.key === "Escape" ||
                (event.key === "Enter" && !event.shiftKey && !event.isComposing)
              ) {
                event.preventDefault();
                event.currentTarget.blur();
                noteButton.current?.focus();
              }
            }}
          />
        </label>
      )}
      <details class="guidelines" open={isWide}>
        <summary>What the grades mean</summary>
        <dl class="fields">
          {[...queue.guidelines].reverse().map(({ grade: value, name, meaning }) => (
            <div>
              <dt>
                {value} {name}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <p class="quiet">
          {pairMeaning} Items come in an order of your own that tells nothing of ranks, systems or models
          {source.local === null &&
            "; some come twice, so that it can be told how far you agree with yourself"}
          .
        </p>
      </details>
    </div>
  );
}
