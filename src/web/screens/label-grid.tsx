import { countOf } from "../../foundation/numbers/index.js";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { WorkbenchPair } from "../../records/index.js";
import { Bead } from "../parts/beads.js";
import { foreign } from "../parts/foreign.js";
import { GradeButtons } from "../parts/grade-buttons.js";
import { Marked, wordsOf } from "../parts/marked.js";
import { Empty, Loading, Problem } from "../parts/states.js";
import { routeTo } from "../route.js";
import { useData } from "../use-data.js";
import { useKeys } from "../use-keys.js";
import { useMarks } from "../use-marks.js";
import { withWaiting } from "../waiting-marks.js";
import { keyOf } from "../keymap.js";
import type { ScreenProps } from "./screen.js";

/** A grade that was given here; null for an item that nobody could tell. */
interface Given {
  readonly item: string;
  readonly grade: number | null;
}

/** `#/d/DS/label?query=ID&grid=1`: the items of one query on one screen, each graded with a key. */
export function LabelGrid({
  source,
  collection,
  sender,
  say,
  rater,
  query,
  route,
}: ScreenProps & { rater: string; query: string }): JSX.Element {
  const { data, error, reload } = useData(`grid ${collection} ${rater} ${query}`, async () => {
    const waiting = await sender.waiting(collection, rater);
    const own = waiting.filter(({ query_id }) => query_id === query);
    const queue = await source.queue(collection, rater, query);
    return (await withWaiting(queue, own, ({ item }) => source.pair(collection, query, item))).pairs;
  });
  const [given, setGiven] = useState<readonly Given[]>([]);
  const [at, setAt] = useState(0);
  const current = useRef<HTMLLIElement>(null);
  const send = useMarks(sender, { collection, rater });
  const pairs = data ?? [];
  const gradeOf = (pair: WorkbenchPair): Given | undefined =>
    given.findLast(({ item }) => item === pair.item.id);
  const open = pairs.filter((pair) => gradeOf(pair) === undefined).length;
  const move = (to: number): void => setAt(Math.max(0, Math.min(pairs.length - 1, to)));
  useEffect(() => current.current?.scrollIntoView({ block: "nearest" }), [at]);

  const grade = (value: number | null): void => {
    const pair = pairs[at];
    if (pair === undefined) return;
    const { query_id, is_repeat, item_hash, item } = pair;
    // One who changes a grade takes the one before it back.
    if (gradeOf(pair) !== undefined) send({ query_id, item: item.id }, { outcome: "withdrawn" });
    const outcome = value === null ? "cannot_tell" : "graded";
    send({ query_id, item: item.id }, { outcome, grade: value, is_repeat, item_hash });
    const now = [...given.filter((each) => each.item !== item.id), { item: item.id, grade: value }];
    setGiven(now);
    const isOpen = (each: WorkbenchPair): boolean => !now.some((other) => other.item === each.item.id);
    const next = pairs.findIndex((each, index) => index > at && isOpen(each));
    move(next === -1 ? at + 1 : next);
    say(`${value === null ? "cannot tell" : `graded ${value}`}, ${pairs.filter(isOpen).length} left`);
  };
  const undo = (): void => {
    const last = given.at(-1);
    const place = pairs.findIndex((pair) => pair.item.id === last?.item);
    const pair = pairs[place];
    if (last === undefined || pair === undefined) return;
    send({ query_id: pair.query_id, item: last.item }, { outcome: "withdrawn" });
    setGiven(given.slice(0, -1));
    move(place);
    say(`undone, ${given.length - 1} given`);
  };
  // Back to all pairs, for one who came from there.
  const isOfAll = route.search["from"] === "all";
  const toDesk = (): void => void (location.hash = routeTo("label", collection, isOfAll ? {} : { query }));
  const step = (by: 1 | -1): void => {
    move(at + by);
    const to = pairs[at + by];
    if (to !== undefined) say(`${at + by + 1} of ${pairs.length}: ${to.item.title ?? to.item.id}`);
  };
  const on = (): void => step(1);
  const back = (): void => step(-1);
  useKeys(
    {
      grade0: () => grade(0),
      grade1: () => grade(1),
      grade2: () => grade(2),
      grade3: () => grade(3),
      cannotTell: () => grade(null),
      undo,
      on,
      next: on,
      back,
      previous: back,
      grid: toDesk,
    },
    { ArrowDown: on, ArrowRight: on, ArrowUp: back, ArrowLeft: back },
  );
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (data === null) return <Loading what="Looking for what is not labelled" />;
  const [first] = pairs;
  if (first === undefined)
    return (
      <Empty>
        Everything that came back for this query is judged, by you or by others.{" "}
        <a href={routeTo("label", collection)}>Label others.</a>
      </Empty>
    );
  const words = wordsOf(first.query);
  return (
    <div class="desk wide">
      <p class="asked" {...foreign()}>
        {first.query}
      </p>
      <p class="quiet">
        <strong>{countOf(open, "item")} left</strong> of this query{" "}
        <button type="button" class="link" onClick={toDesk}>
          one after the other <kbd>{keyOf("grid")}</kbd>
        </button>
      </p>
      <ol class="label-grid" aria-label="Items of this query">
        {pairs.map((pair, index) => {
          const own = gradeOf(pair);
          return (
            <li
              key={pair.item.id}
              {...(index === at && { ref: current, class: "current", "aria-current": "true" })}
              data-item={pair.item.id}
              onClick={() => setAt(index)}
            >
              {own === undefined ? <span class="bead g-none">·</span> : <Bead grade={own.grade} />}
              <span class="item-text" {...foreign(pair.item.fields)}>
                <strong>
                  <Marked text={pair.item.title ?? pair.item.id} words={words} />
                </strong>
                {pair.item.fields.map(([name, text]) => (
                  <span class="small">
                    <span class="quiet">{`${name}: `}</span>
                    <Marked text={text} words={words} />
                  </span>
                ))}
              </span>
            </li>
          );
        })}
      </ol>
      <div class="grid-bar">
        <GradeButtons isOff={false} onGrade={grade} />
        <div class="desk-actions">
          <button type="button" onClick={() => grade(null)}>
            Cannot tell <kbd>{keyOf("cannotTell")}</kbd>
          </button>
          <button type="button" disabled={given.length === 0} onClick={undo}>
            Undo <kbd>{keyOf("undo")}</kbd>
          </button>
        </div>
      </div>
    </div>
  );
}
