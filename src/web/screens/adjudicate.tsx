import { countOf, formatCount } from "../../foundation/numbers/index.js";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { WorkbenchDispute } from "../../records/index.js";
import { keyOf } from "../keymap.js";
import { AsRater } from "../parts/ask-rater.js";
import { Bead, gradeName } from "../parts/beads.js";
import { foreign } from "../parts/foreign.js";
import { GradeButtons } from "../parts/grade-buttons.js";
import { localTime } from "../parts/printed.js";
import { Empty, Loading, Problem } from "../parts/states.js";
import { routeTo } from "../route.js";
import { useData } from "../use-data.js";
import { useKeys, useStepKeys } from "../use-keys.js";
import { useMarks } from "../use-marks.js";
import { isWritable, type ScreenProps } from "./screen.js";

/** Disputes that are seen at once. */
const FIRST = 5;

const addressOf = (collection: string, { query_id, item }: WorkbenchDispute): string =>
  routeTo("trust", collection, { query: query_id, item: item.id });

/** Where people and the model, or people among themselves, differ most: a list that leads to each pair. */
export function Disputes({
  source,
  collection,
  canDecide,
}: Pick<ScreenProps, "source" | "collection"> & { canDecide: boolean }): JSX.Element | null {
  const { data, error, reload } = useData(`disputes ${collection}`, () => source.disputes(collection));
  useStepKeys(".disputes a");
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (data === null || (data.count === 0 && data.decided.length === 0)) return null;
  const list = (disputes: readonly WorkbenchDispute[]): JSX.Element => (
    <ul class="disputes">
      {disputes.map((dispute) => (
        <li>
          <a href={addressOf(collection, dispute)}>
            <span {...foreign()}>{dispute.query}</span>:{" "}
            <span {...foreign(dispute.item.fields)}>{dispute.item.title ?? dispute.item.id}</span>
          </a>
          <span class="opinions">
            {dispute.opinions.map(({ who, kind, grade }) => (
              <span>
                <Bead grade={grade} /> <span class="small quiet">{kind === "model" ? "model" : who}</span>
              </span>
            ))}
            {dispute.decision !== null && (
              <span>
                {"→ "}
                <Bead grade={dispute.decision.grade} />{" "}
                <span class="small quiet">decided by {dispute.decision.who}</span>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
  const [first] = data.open;
  return (
    <section aria-labelledby="h-disputes">
      <h2 id="h-disputes">Where they differ</h2>
      {first === undefined ? (
        <p class="quiet">Everything that they differ about is decided.</p>
      ) : (
        <>
          <p>
            {countOf(data.count, "pair has", "pairs have")} grades that differ, of people and the model or of
            several people. What a person decides here counts before all of them.{" "}
            {canDecide && (
              <a class="button" href={addressOf(collection, first)}>
                Decide the worst first
              </a>
            )}
          </p>
          {list(data.open.slice(0, FIRST))}
          {data.open.length > FIRST && (
            <details>
              <summary>The next {data.open.length - FIRST}</summary>
              {list(data.open.slice(FIRST))}
            </details>
          )}
        </>
      )}
      {data.decided.length > 0 && (
        <details>
          <summary>{countOf(data.decided_count, "pair is decided", "pairs are decided")}</summary>
          {list(data.decided)}
        </details>
      )}
    </section>
  );
}

/** `#/d/DS/trust?query=ID&item=ID`: one pair with everybody's grade and reason, to be decided. */
export function AdjudicateScreen(props: ScreenProps): JSX.Element {
  if (!isWritable(props)) return <Empty>Nothing can be decided from this page.</Empty>;
  return <AsRater session={props.session}>{(rater) => <Court {...props} rater={rater} />}</AsRater>;
}

/** A decision of this page, or that one was taken back. */
type Decided = ReadonlyMap<string, number | null>;

const keyOfPair = ({ query_id, item }: WorkbenchDispute): string => `${query_id}\n${item.id}`;

function Court({
  source,
  collection,
  route,
  sender,
  say,
  rater,
}: ScreenProps & { rater: string }): JSX.Element {
  const { data, error, reload } = useData(`court ${collection} ${rater}`, async () => {
    // What waits to be stored is decided, too.
    const waiting = await sender.waiting(collection, rater, true);
    const { open, count, decided } = await source.disputes(collection);
    return {
      further: count - open.length,
      disputes: [...open, ...decided],
      // The latest at the end.
      mine: [...decided].reverse().flatMap((each) => (each.decision?.who === rater ? [keyOfPair(each)] : [])),
      waiting: waiting.map(({ query_id, item, grade }) => [`${query_id}\n${item}`, grade] as const),
    };
  });
  const [decided, setDecided] = useState<Decided>(new Map());
  /** What was decided on this page, the latest at the end; null before anything was. */
  const [acts, setActs] = useState<readonly string[] | null>(null);
  /** Why, as far as it was written, by pair. */
  const [notes, setNotes] = useState<ReadonlyMap<string, string>>(new Map());
  /** Whether everything here is decided, and more is asked for. */
  const [isAwaiting, setAwaiting] = useState(false);
  const send = useMarks(sender, { collection, rater, isAdjudicated: true });
  const { query, item } = route.search;
  const disputes = data?.disputes ?? [];
  const at = disputes.findIndex((each) => each.query_id === query && each.item.id === item);
  const dispute = disputes[at];
  const note = (dispute && notes.get(keyOfPair(dispute))) ?? "";
  const said = new Map([...(data?.waiting ?? []), ...decided]);
  const decisionOf = (each: WorkbenchDispute): number | null => {
    const own = said.get(keyOfPair(each));
    // One's own decision was taken back; that of another stands.
    const before = own === null && each.decision?.who === rater ? null : each.decision;
    return own ?? before?.grade ?? null;
  };
  const stack = acts ?? [...(data?.mine ?? []), ...(data?.waiting ?? []).map(([key]) => key)];
  const open = disputes.filter((each) => decisionOf(each) === null);
  /** With those that do not fit this page. */
  const allOpen = open.length + (data?.further ?? 0);
  const go = (to: WorkbenchDispute | undefined): void => {
    if (to !== undefined) location.hash = addressOf(collection, to);
  };
  const decide = (grade: number): void => {
    if (dispute === undefined) return;
    const of = { query_id: dispute.query_id, item: dispute.item.id };
    const key = keyOfPair(dispute);
    // One who decides anew takes the own decision before it back.
    if (stack.includes(key)) send(of, { outcome: "withdrawn" });
    send(of, {
      outcome: "graded",
      grade,
      reason: note.trim() === "" ? null : note,
      item_hash: dispute.item_hash,
    });
    setDecided(new Map(decided).set(key, grade));
    setActs([...stack.filter((each) => each !== key), key]);
    setNotes(new Map(notes).set(key, ""));
    say(`decided ${grade}, ${allOpen - (open.includes(dispute) ? 1 : 0)} left`);
    const rest = disputes.filter((each) => each !== dispute && decisionOf(each) === null);
    const next = rest.find((each) => disputes.indexOf(each) > at) ?? rest[0];
    go(next);
    if (next === undefined && (data?.further ?? 0) > 0) {
      setAwaiting(true);
      reload();
    }
  };
  // Further ones than fitted this page.
  useEffect(() => {
    const [first] = open;
    if (!isAwaiting || first === undefined) return;
    setAwaiting(false);
    go(first);
  });
  const undo = (): void => {
    const key = stack.at(-1);
    const last = disputes.find((each) => keyOfPair(each) === key);
    if (key === undefined || last === undefined) return;
    send({ query_id: last.query_id, item: last.item.id }, { outcome: "withdrawn" });
    setDecided(new Map(decided).set(key, null));
    setActs(stack.slice(0, -1));
    say("undone");
    go(last);
  };
  const on = (): void => go(disputes[at + 1]);
  const back = (): void => go(disputes[at - 1]);
  useKeys({
    grade0: () => decide(0),
    grade1: () => decide(1),
    grade2: () => decide(2),
    grade3: () => decide(3),
    undo,
    on,
    next: on,
    back,
    previous: back,
  });
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (data === null) return <Loading what="Looking for what they differ about" />;
  if (dispute === undefined)
    return (
      <Empty>
        Nobody differs about this pair any more. <a href={routeTo("trust", collection)}>Back to the list.</a>
      </Empty>
    );
  const decision = decisionOf(dispute);
  return (
    <div class="desk">
      <p class="quiet">
        <a href={routeTo("trust", collection)}>All that they differ about</a>
        {` · ${formatCount(allOpen)} open · ${rater} decides`}
      </p>
      <article class="sheet">
        <p class="asked" {...foreign()}>
          {dispute.query}
        </p>
        <h2 {...foreign(dispute.item.fields)} data-dispute={keyOfPair(dispute)}>
          {dispute.item.title ?? dispute.item.id}
        </h2>
        <dl class="fields">
          {dispute.item.fields.map(([name, text]) => (
            <div>
              <dt>{name}</dt>
              <dd {...foreign(dispute.item.fields)}>{text}</dd>
            </div>
          ))}
        </dl>
      </article>
      <ul class="hits" aria-label="What they say">
        {dispute.opinions.map(({ who, kind, grade, reason }) => (
          <li>
            <Bead grade={grade} />
            <span>
              <strong>{who}</strong> <span class="quiet">{kind === "model" ? "(model)" : ""}</span>{" "}
              {gradeName(grade)}
              {reason !== null && (
                <span class="quiet" {...foreign()}>
                  {" — "}
                  {reason}
                </span>
              )}
            </span>
          </li>
        ))}
        {decision !== null && (
          <li>
            <Bead grade={decision} />
            <span>
              <strong>Decided</strong> {gradeName(decision)}
              {dispute.decision !== null && !said.has(keyOfPair(dispute)) && (
                <span class="quiet">{` by ${dispute.decision.who}, ${localTime(dispute.decision.at)}`}</span>
              )}
            </span>
          </li>
        )}
      </ul>
      <GradeButtons isOff={false} onGrade={decide} />
      <div class="desk-actions">
        <button type="button" disabled={at <= 0} onClick={back}>
          Previous <kbd>{keyOf("previous")}</kbd>
        </button>
        <button type="button" disabled={at >= disputes.length - 1} onClick={on}>
          Next <kbd>{keyOf("next")}</kbd>
        </button>
        <button type="button" disabled={stack.length === 0} onClick={undo}>
          Undo <kbd>{keyOf("undo")}</kbd>
        </button>
      </div>
      <label class="note">
        Why, kept with the decision
        <textarea
          rows={2}
          maxLength={2000}
          value={note}
          onInput={({ currentTarget }) =>
            setNotes(new Map(notes).set(keyOfPair(dispute), currentTarget.value))
          }
        />
      </label>
    </div>
  );
}
