import type { JSX } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { WorkbenchMark, WorkbenchPair, WorkbenchQueue, WorkbenchSaid } from "../../records/index.js";
import { gradeName } from "../parts/beads.js";
import { counted } from "../parts/printed.js";
import { Empty, Loading, Problem } from "../parts/states.js";
import { useKeys } from "../use-keys.js";
import type { ScreenProps } from "./screen.js";

/** With fewer pairs at hand more are asked for. */
const FEW = 25;
const GRADES = [0, 1, 2, 3] as const;
const LETTERS = ["a", "s", "d", "f"] as const;
const RATER_KEY = "rankproof-rater";
/** Between two tries to get more pairs. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 15_000];

/** `#/d/DS/label`: one item after the other, graded with a key. */
export function LabelScreen(props: ScreenProps): JSX.Element {
  const { session } = props;
  const [rater, setRater] = useState(session.rater ?? localStorage.getItem(RATER_KEY) ?? "");
  if (session.is_read_only)
    return <Empty>This workbench is read-only, so that nothing can be labelled.</Empty>;
  if (rater === "")
    return (
      <AskRater
        raters={session.raters}
        onName={(name) => {
          localStorage.setItem(RATER_KEY, name);
          setRater(name);
        }}
      />
    );
  return (
    <Desk
      key={`${props.collection} ${rater} ${props.route.search["query"] ?? ""}`}
      {...props}
      rater={rater}
      onRater={() => setRater("")}
    />
  );
}

function AskRater({
  raters,
  onName,
}: {
  raters: readonly string[];
  onName: (name: string) => void;
}): JSX.Element {
  const [name, setName] = useState("");
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") onName(name.trim());
      }}
    >
      <h2>Who is labelling?</h2>
      <p class="quiet">
        Each label is kept with the name of who gave it. Whoever has the link may give any name; nothing
        checks it.
      </p>
      <label>
        Your name{" "}
        <input
          value={name}
          maxLength={80}
          list="raters"
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <datalist id="raters">
        {raters.map((each) => (
          <option value={each} />
        ))}
      </datalist>{" "}
      <button type="submit" class="button">
        Begin
      </button>
    </form>
  );
}

/** What is on the desk: pairs to come, and what was said, for undoing. */
interface DeskState {
  readonly pairs: readonly WorkbenchPair[];
  readonly at: number;
  readonly left: number;
  readonly done: number;
  readonly said: readonly WorkbenchSaid[];
}

type Act =
  | { readonly act: "loaded"; readonly queue: WorkbenchQueue }
  | { readonly act: "graded"; readonly grade: number | null }
  | { readonly act: "undone"; readonly pair: WorkbenchPair | undefined }
  | { readonly act: "later" }
  | { readonly act: "moved"; readonly by: number }
  | { readonly act: "query"; readonly by: number };

/** A queue as it will be when what waits to be stored is stored. */
function withWaiting(queue: WorkbenchQueue, waiting: readonly WorkbenchMark[]): WorkbenchQueue {
  return waiting.reduce((before, { query_id, item, outcome, grade, is_repeat }): WorkbenchQueue => {
    const isOf = (each: WorkbenchSaid): boolean => each.query_id === query_id && each.item === item;
    const at = before.said.findLastIndex(isOf);
    if (outcome === "withdrawn")
      return at === -1
        ? before
        : { ...before, said: before.said.filter((_, index) => index !== at), done: before.done - 1 };
    if (at !== -1 && !is_repeat) return before;
    const pairs = before.pairs.filter((pair) => pair.query_id !== query_id || pair.item.id !== item);
    return {
      ...before,
      pairs,
      left: before.left - (before.pairs.length - pairs.length),
      done: before.done + 1,
      said: [...before.said, { query_id, item, grade }],
    };
  }, queue);
}

const keyOf = (pair: WorkbenchPair): string => `${pair.query_id}\n${pair.item.id}`;

function next(state: DeskState, act: Act): DeskState {
  const { pairs, at } = state;
  switch (act.act) {
    case "loaded": {
      // What is at hand stays where it is; what was judged meanwhile does not come back.
      const known = new Set(pairs.map(keyOf));
      const judged = new Set(state.said.map(({ query_id, item }) => `${query_id}\n${item}`));
      const fresh = act.queue.pairs.filter(
        (pair) => !known.has(keyOf(pair)) && (pair.is_repeat || !judged.has(keyOf(pair))),
      );
      return {
        ...state,
        pairs: [...pairs, ...fresh],
        left: Math.max(act.queue.left, pairs.length + fresh.length),
        done: Math.max(state.done, act.queue.done),
        said: state.said.length === 0 ? act.queue.said : state.said,
      };
    }
    case "graded": {
      const pair = pairs[at];
      if (pair === undefined) return state;
      const said = { query_id: pair.query_id, item: pair.item.id, grade: act.grade };
      const rest = pairs.filter((_, index) => index !== at);
      return {
        ...state,
        pairs: rest,
        at: at >= rest.length ? 0 : at,
        left: state.left - 1,
        done: state.done + 1,
        said: [...state.said, said],
      };
    }
    case "undone": {
      const said = state.said.slice(0, -1);
      const undone = { ...state, said, done: Math.max(0, state.done - 1) };
      if (act.pair === undefined) return undone;
      const rest = pairs.filter((pair) => keyOf(pair) !== keyOf(act.pair as WorkbenchPair));
      return { ...undone, pairs: [...rest.slice(0, at), act.pair, ...rest.slice(at)], left: state.left + 1 };
    }
    case "later": {
      const pair = pairs[at];
      if (pair === undefined) return state;
      const rest = [...pairs.slice(0, at), ...pairs.slice(at + 1), pair];
      return { ...state, pairs: rest };
    }
    case "moved":
      return { ...state, at: Math.max(0, Math.min(pairs.length - 1, at + act.by)) };
    case "query":
      return { ...state, at: otherQuery(pairs, at, act.by) };
  }
}

/** The first pair of the next query, or of the one before. */
function otherQuery(pairs: readonly WorkbenchPair[], at: number, by: number): number {
  const here = pairs[at]?.query_id;
  if (by > 0) {
    const found = pairs.findIndex((pair, index) => index > at && pair.query_id !== here);
    return found === -1 ? at : found;
  }
  const before = pairs.slice(0, at).findLastIndex((pair) => pair.query_id !== here);
  if (before === -1) return 0;
  const id = pairs[before]?.query_id;
  return pairs.findIndex((pair) => pair.query_id === id);
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
  const [state, act] = useReducer(next, { pairs: [], at: 0, left: 0, done: 0, said: [] });
  const [queue, setQueue] = useState<WorkbenchQueue | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const [areMarksShown, showMarks] = useState(true);
  const isLoading = useRef(false);
  const retry = useRef<{ timer?: ReturnType<typeof setTimeout>; pause: number }>({ pause: FIRST_PAUSE_MS });
  /** Pairs that this page has shown, so that undoing need not ask for them. */
  const seen = useRef(new Map<string, WorkbenchPair>());
  const lastAt = useRef(0);
  const load = (): void => {
    if (isLoading.current) return;
    isLoading.current = true;
    clearTimeout(retry.current.timer);
    // First what waits: if it is stored meanwhile, the queue knows it, too.
    const asked = sender
      .waiting(collection, rater)
      .then(async (waiting) => withWaiting(await source.queue(collection, rater, query), waiting));
    asked.then(
      (given) => {
        isLoading.current = false;
        retry.current = { pause: FIRST_PAUSE_MS };
        setError(null);
        setQueue(given);
        act({ act: "loaded", queue: given });
      },
      (problem: unknown) => {
        isLoading.current = false;
        setError(problem instanceof Error ? problem : new Error(String(problem)));
        const { pause } = retry.current;
        retry.current = { timer: setTimeout(load, pause), pause: Math.min(LONGEST_PAUSE_MS, 2 * pause) };
      },
    );
  };
  useEffect(() => {
    load();
    return () => clearTimeout(retry.current.timer);
  }, []);
  const isLow = queue !== null && state.pairs.length < FEW && state.left > state.pairs.length;
  useEffect(() => {
    if (isLow) load();
  }, [isLow, state.done]);
  const pair = state.pairs[state.at];
  if (pair !== undefined) seen.current.set(keyOf(pair), pair);

  const markFor = (of: { query_id: string; item: string }, said: Partial<WorkbenchMark>): WorkbenchMark => {
    // Marks of one page have times that rise, however fast they come.
    lastAt.current = Math.max(Date.now(), lastAt.current + 1);
    return {
      mark: crypto.randomUUID(),
      query_id: of.query_id,
      item: of.item,
      outcome: "graded",
      grade: null,
      reason: null,
      is_repeat: false,
      item_hash: null,
      at: new Date(lastAt.current).toISOString(),
      ...said,
    };
  };
  const grade = (value: number | null): void => {
    if (pair === undefined) return;
    const outcome = value === null ? "cannot_tell" : "graded";
    const { is_repeat, item_hash } = pair;
    const said = { outcome, grade: value, reason: note, is_repeat, item_hash } as const;
    sender.send(collection, rater, markFor({ query_id: pair.query_id, item: pair.item.id }, said));
    act({ act: "graded", grade: value });
    setNote(null);
    say(`${value === null ? "cannot tell" : `graded ${value}`}, ${state.left - 1} left`);
  };
  const undo = async (): Promise<void> => {
    const last = state.said.at(-1);
    if (last === undefined) return;
    sender.send(collection, rater, markFor(last, { outcome: "withdrawn" }));
    const known = seen.current.get(`${last.query_id}\n${last.item}`);
    const again = known ?? (await source.pair(collection, last.query_id, last.item).catch(() => undefined));
    act({ act: "undone", pair: again });
    say(`undone, ${state.said.length - 1} given`);
  };
  const later = (): void => {
    act({ act: "later" });
    say("put off to the end");
  };
  useKeys(
    {
      a: () => grade(0),
      s: () => grade(1),
      d: () => grade(2),
      f: () => grade(3),
      x: () => grade(null),
      u: () => void undo(),
      l: later,
      n: () => setNote((before) => before ?? ""),
      e: () => showMarks((before) => !before),
      j: () => act({ act: "moved", by: 1 }),
      k: () => act({ act: "moved", by: -1 }),
      "]": () => act({ act: "moved", by: 1 }),
      "[": () => act({ act: "moved", by: -1 }),
      J: () => act({ act: "query", by: 1 }),
      K: () => act({ act: "query", by: -1 }),
    },
    Object.fromEntries(
      GRADES.flatMap((value) => [
        [`Digit${value}`, () => grade(value)],
        [`Numpad${value}`, () => grade(value)],
      ]),
    ),
  );
  if (queue === null)
    return error !== null ? (
      <Problem error={error} onRetry={load} />
    ) : (
      <Loading what="Looking for what is not labelled" />
    );
  const left = Math.max(0, state.left);
  const total = state.done + left;
  return (
    <div class="desk">
      <div class="desk-head">
        <p class="quiet">
          <strong>{counted(left, "pair")} left</strong>
          {` · ${state.done.toLocaleString("en")} done by ${rater} `}
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
        <DeskEnd queue={queue} isAll={state.left <= 0} error={error} onRetry={load} />
      ) : (
        <Sheet pair={pair} areMarksShown={areMarksShown} />
      )}
      <div class="grades" role="group" aria-label="Grades">
        {GRADES.map((value) => (
          <button
            type="button"
            class={`grade-button g-${value}`}
            disabled={pair === undefined}
            onClick={() => grade(value)}
          >
            <span class="grade-digit">{value}</span>
            <span class="grade-name">{gradeName(value)}</span>
            <kbd>{LETTERS[value]}</kbd>
          </button>
        ))}
      </div>
      <div class="desk-actions">
        <button type="button" disabled={pair === undefined} onClick={() => grade(null)}>
          Cannot tell <kbd>x</kbd>
        </button>
        <button type="button" disabled={pair === undefined} onClick={later}>
          Later <kbd>l</kbd>
        </button>
        <button type="button" disabled={state.said.length === 0} onClick={() => void undo()}>
          Undo <kbd>u</kbd>
        </button>
        <button
          type="button"
          onClick={() => setNote((before) => (before === null ? "" : null))}
          aria-expanded={note !== null}
        >
          Note <kbd>n</kbd>
        </button>
        <button type="button" aria-pressed={areMarksShown} onClick={() => showMarks((before) => !before)}>
          Marks <kbd>e</kbd>
        </button>
      </div>
      {note !== null && (
        <label class="note">
          Why, if it is not plain; kept with the next grade
          <textarea
            rows={2}
            maxLength={2000}
            value={note}
            ref={(field) => {
              // A note that was just asked for is what is typed next.
              if (note === "") field?.focus();
            }}
            onInput={(event) => setNote(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (
                event.key === "Escape" ||
                (event.key === "Enter" && !event.shiftKey && !event.isComposing)
              ) {
                event.preventDefault();
                event.currentTarget.blur();
              }
            }}
          />
        </label>
      )}
      <details class="guidelines">
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
          Items come in an order of your own that tells nothing of ranks, systems or models; some come twice,
          so that it can be told how far you agree with yourself.
        </p>
      </details>
    </div>
  );
}

function DeskEnd({
  queue,
  isAll,
  error,
  onRetry,
}: {
  queue: WorkbenchQueue;
  isAll: boolean;
  error: Error | null;
  onRetry: () => void;
}): JSX.Element {
  return (
    <div class="sheet">
      {error !== null && <Problem error={error} onRetry={onRetry} />}
      <p class="headline">
        {isAll
          ? queue.done === 0 && queue.said.length === 0
            ? "Nothing came back that could be labelled."
            : "All done: everything that came back has your label."
          : "More is on its way…"}
      </p>
    </div>
  );
}

function Sheet({ pair, areMarksShown }: { pair: WorkbenchPair; areMarksShown: boolean }): JSX.Element {
  const words = useMemo(() => wordsOf(pair.query), [pair.query]);
  const shown = (text: string): JSX.Element =>
    areMarksShown ? <Marked text={text} words={words} /> : <>{text}</>;
  const { item } = pair;
  return (
    <article class="sheet" aria-live="off">
      <p class="asked" dir="auto">
        {pair.query}
      </p>
      <h2 dir="auto" data-pair={`${pair.query_id} ${item.id}`}>
        {shown(item.title ?? item.id)}
      </h2>
      {item.image !== null && <img src={item.image} alt="" loading="lazy" referrerpolicy="no-referrer" />}
      <dl class="fields">
        {item.fields.map(([name, text]) => (
          <div>
            <dt>{name}</dt>
            <dd dir="auto">{shown(text)}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

/** Words of a query that are worth marking in an item. */
function wordsOf(query: string): string[] {
  return [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])];
}

/** A text with the query's words marked. */
function Marked({ text, words }: { text: string; words: readonly string[] }): JSX.Element {
  if (words.length === 0) return <>{text}</>;
  const any = new RegExp(
    `(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`,
    "giu",
  );
  return <>{text.split(any).map((part, at) => (at % 2 === 1 ? <mark>{part}</mark> : part))}</>;
}
