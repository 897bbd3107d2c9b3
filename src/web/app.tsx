import { countOf } from "../foundation/numbers/index.js";
import { render, type JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { WorkbenchSession } from "../records/index.js";
import type { DataSource, LocalWork } from "./data-source.js";
import { MarkSender, type SenderState } from "./mark-sender.js";
import { IsGolden } from "./parts/beads.js";
import { HelpDialog } from "./parts/help-dialog.js";
import { OpenedFiles, OpenFiles } from "./parts/open-files.js";
import { Prose } from "./parts/prose.js";
import { Empty, Loading, Problem } from "./parts/states.js";
import { parseRoute, routeTo, SCREENS, type Route, type ScreenName } from "./route.js";
import { BuildsScreen } from "./screens/builds.js";
import { HistoryScreen } from "./screens/history.js";
import { LabelScreen } from "./screens/label.js";
import { NothingHere } from "./screens/nothing-here.js";
import { OverviewScreen } from "./screens/overview.js";
import { QueriesScreen } from "./screens/queries.js";
import { QueryScreen } from "./screens/query.js";
import { CompareScreen } from "./screens/report.js";
import type { ScreenProps } from "./screens/screen.js";
import { TrustScreen } from "./screens/trust.js";
import { TuneScreen } from "./screens/tune.js";
import { useData } from "./use-data.js";
import { areKeysOff, keyOf } from "./keymap.js";
import { isTaken } from "./use-keys.js";

/** Puts the workbench into the page. */
export function startApp(source: DataSource): void {
  const root = document.getElementById("app");
  if (root !== null) render(<App source={source} />, root);
}

function App({ source }: { source: DataSource }): JSX.Element {
  const { data: session, error, reload } = useData("session", () => source.session());
  const [turn, setTurn] = useState(0);
  const onOpened = (): void => {
    // Screens ask again, since what they are about may have changed; the latest file is looked at first.
    setTurn((before) => before + 1);
    if (parseRoute(location.hash).collection !== null) location.hash = "#/";
    reload();
  };
  if (error !== null)
    return (
      <main id="main">
        <Problem error={error} onRetry={reload} />
      </main>
    );
  if (session === null)
    return (
      <main id="main">
        <Loading what="Opening the project" />
      </main>
    );
  if (session.collections.length === 0)
    return <NothingHere source={source} session={session} onBegun={reload} onOpened={onOpened} />;
  return <House source={source} session={session} turn={turn} onOpened={onOpened} />;
}

const SHOWN_IN_NAV: readonly ScreenName[] = [
  "overview",
  "queries",
  "label",
  "batches",
  "compare",
  "trust",
  "builds",
  "tune",
];
/** Screens that only a dataset has. */
const OF_DATASETS: readonly ScreenName[] = ["label", "trust", "builds", "tune"];

function House({
  source,
  session,
  turn,
  onOpened,
}: {
  source: DataSource;
  session: WorkbenchSession;
  /** Another one whenever files were opened. */
  turn: number;
  onOpened: () => void;
}): JSX.Element {
  const firstHash = useRef(location.hash);
  const [route, setRoute] = useState<Route>(() => parseRoute(location.hash));
  const [sending, setSending] = useState<SenderState>({
    waiting: 0,
    problem: null,
    isRefused: false,
    refused: 0,
  });
  const [isHelpShown, showHelp] = useState(false);
  const [said, setSaid] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  const sender = useMemo(
    () => new MarkSender(source, session.project, setSending),
    [source, session.project],
  );
  // What is said again is another text, or it would not be read out.
  const say = useCallback(
    (text: string) => setSaid((before) => (before === text ? `${text}\u00a0` : text)),
    [],
  );
  const collection = chooseCollection(session, route);
  const kind = kindOf(session, collection);
  const isUnknown = route.collection !== null && route.collection !== collection;

  useEffect(() => {
    // What an earlier page could not store goes first.
    void sender.flush();
    const onOnline = (): void => void sender.flush();
    addEventListener("online", onOnline);
    return () => removeEventListener("online", onOnline);
  }, [sender]);
  useEffect(() => {
    const onHash = (): void => {
      const next = parseRoute(location.hash);
      setRoute((before) => {
        // A screen that was gone to begins at its head, for the eyes and for readers of screens.
        if (before.screen !== next.screen || before.query !== next.query) {
          scrollTo(0, 0);
          heading.current?.focus();
        }
        // The head is the same for every query.
        if (before.screen === "query" && next.query !== null && before.query !== next.query)
          say(`query ${next.query}`);
        return next;
      });
      // So does what takes the place of that which had the focus.
      const hadFocus = document.activeElement !== document.body;
      requestAnimationFrame(() => {
        if (hadFocus && document.activeElement === document.body)
          heading.current?.focus({ preventScroll: true });
      });
    };
    addEventListener("hashchange", onHash);
    // The address may have changed since the first look at it, before anybody listened.
    if (location.hash !== firstHash.current) onHash();
    return () => removeEventListener("hashchange", onHash);
  }, []);
  useEffect(() => {
    const query = route.screen === "query" && route.query !== null ? `${route.query} · ` : "";
    document.title = `${query}${SCREENS[route.screen].title} · ${collection} · rankproof`;
    // On a telephone not all of them are in view.
    document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [route.screen, route.query, collection]);
  useGoKeys(
    (screen) => (location.hash = routeTo(screenFor(session, collection, screen), collection)),
    () => showHelp(true),
    say,
  );

  const props: ScreenProps = { source, session, collection, route, sender, say };
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), heading.current?.focus())}>
        Skip to the content
      </a>
      <nav aria-label="Screens">
        <div>
          {session.collections.length > 1 ? (
            <label class="choose-collection">
              <span class="sr">Dataset</span>
              <select
                value={collection}
                onChange={(event) =>
                  (location.hash = routeTo(
                    screenFor(session, event.currentTarget.value, route.screen),
                    event.currentTarget.value,
                  ))
                }
              >
                {session.collections.map(({ id }) => (
                  <option value={id}>{id}</option>
                ))}
              </select>
            </label>
          ) : (
            <strong class="collection-name">{collection}</strong>
          )}
          {SHOWN_IN_NAV.filter((name) => kind === "dataset" || !OF_DATASETS.includes(name)).map((name) => (
            <a
              href={routeTo(name, collection)}
              aria-current={
                route.screen === name || (name === "queries" && route.screen === "query") ? "page" : undefined
              }
            >
              {SCREENS[name].title}
            </a>
          ))}
        </div>
        <span>
          {source.local === null ? (
            <SendingState state={sending} sender={sender} />
          ) : (
            <KeptLabels local={source.local} sender={sender} count={sending.waiting} />
          )}
          {source.local !== null && <OpenFiles local={source.local} onOpened={onOpened} />}
          <button type="button" onClick={() => showHelp(true)} aria-label="Keys" title="Keys ?">
            ?
          </button>
        </span>
      </nav>
      <header>
        <h1 tabIndex={-1} ref={heading}>
          {SCREENS[route.screen].question}
        </h1>
      </header>
      <main id="main">
        {session.problems.map((problem) => (
          <Problem error={new Error(problem)} />
        ))}
        {source.local !== null && <OpenedFiles local={source.local} />}
        {isUnknown && !session.problems.some((each) => each.startsWith(`dataset ${route.collection}:`)) && (
          <Problem error={new Error(`There is no dataset \`${route.collection}\` here.`)} />
        )}
        {isUnknown ? (
          <p>
            <a href={routeTo("overview", collection)}>See {collection}</a>
          </p>
        ) : kind !== "dataset" && OF_DATASETS.includes(route.screen) ? (
          <Empty>
            <Prose text={`\`${collection}\` has no labels of its own to look at here.`} />{" "}
            <a href={routeTo("queries", collection)}>See its queries.</a>
          </Empty>
        ) : (
          // Nothing of a dataset is left when another one is looked at, such as a question whether to begin.
          <IsGolden.Provider value={kind === "golden"}>
            <Screen key={`${turn} ${collection}`} {...props} />
          </IsGolden.Provider>
        )}
      </main>
      <div class="sr" role="status" aria-live="polite">
        {said}
      </div>
      {isHelpShown && <HelpDialog onClose={() => showHelp(false)} />}
    </>
  );
}

function Screen(props: ScreenProps): JSX.Element {
  switch (props.route.screen) {
    case "overview":
      return <OverviewScreen {...props} />;
    case "queries":
      return <QueriesScreen {...props} />;
    case "query":
      return <QueryScreen {...props} />;
    case "label":
      return <LabelScreen {...props} />;
    case "batches":
      return <HistoryScreen {...props} />;
    case "compare":
      return <CompareScreen {...props} />;
    case "trust":
      return <TrustScreen {...props} />;
    case "builds":
      return <BuildsScreen {...props} />;
    case "tune":
      return <TuneScreen {...props} />;
  }
}

/** Labels of a page without a server: they stay in the browser, and can be taken along as a file. */
function KeptLabels({
  local,
  sender,
  count,
}: {
  local: LocalWork;
  sender: MarkSender;
  count: number;
}): JSX.Element | null {
  if (count === 0) return null;
  const download = async (): Promise<void> => {
    const text = local.labelFile(await sender.entriesOfAll());
    const address = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = "labels.jsonl";
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
  return (
    <button
      type="button"
      title="They are in this browser only; `rankproof label import labels.jsonl` stores them"
      onClick={() => void download()}
    >
      Download {countOf(count, "label")}
    </button>
  );
}

/** What waits to be stored, and why. */
function SendingState({
  state: { waiting, problem, isRefused, refused },
  sender,
}: {
  state: SenderState;
  sender: MarkSender;
}): JSX.Element {
  if (waiting === 0) return <span class="quiet small sending" />;
  return (
    <span
      class={`small sending ${problem === null ? "quiet" : "worse"}`}
      role={problem === null ? undefined : "alert"}
    >
      {problem === null
        ? `storing ${waiting}`
        : `${waiting} not stored yet, kept in this browser: ${problem}${isRefused ? "" : " Trying again."}`}
      {refused > 0 && (
        <button
          type="button"
          class="link"
          title="They can never be stored as things are"
          onClick={() => confirm(`Discard ${countOf(refused, "label")}?`) && void sender.discardRefused()}
        >
          Discard
        </button>
      )}
    </span>
  );
}

function kindOf(session: WorkbenchSession, collection: string): string {
  return session.collections.find(({ id }) => id === collection)?.kind ?? "golden";
}

/** The same screen for another collection, or its queries where it has none of that name. */
function screenFor(session: WorkbenchSession, collection: string, screen: ScreenName): ScreenName {
  const isThere = kindOf(session, collection) === "dataset" || !OF_DATASETS.includes(screen);
  return isThere && screen !== "query" ? screen : "queries";
}

function chooseCollection(session: WorkbenchSession, route: Route): string {
  const known = session.collections.some(({ id }) => id === route.collection);
  return (known ? route.collection : session.collections[0]?.id) ?? "";
}

/** So long a letter after `g` is that of a screen. */
const GO_MS = 3000;
const MODIFIERS: readonly string[] = ["Shift", "CapsLock", "AltGraph", "Alt", "Control", "Meta"];

/** `?` and `g` with a letter, everywhere. */
function useGoKeys(
  onGo: (screen: ScreenName) => void,
  onHelp: () => void,
  say: (text: string) => void,
): void {
  /** When a key was pressed that waits for a letter. */
  const goingSince = useRef(-Infinity);
  const latest = useRef({ onGo, onHelp, say });
  latest.current = { onGo, onHelp, say };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTaken(event) || areKeysOff()) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const { key } = event;
      if (MODIFIERS.includes(key) || event.repeat) return;
      if (Date.now() - goingSince.current < GO_MS) {
        goingSince.current = -Infinity;
        const screen = (Object.keys(SCREENS) as ScreenName[]).find((name) => SCREENS[name].key === key);
        // Keys such as Tab are of no screen.
        if (screen === undefined && key.length > 1) return;
        // Any letter is taken, so that it grades nothing.
        event.preventDefault();
        event.stopImmediatePropagation();
        if (screen === undefined) latest.current.say(`no screen has the key ${key}`);
        else latest.current.onGo(screen);
        return;
      }
      if (key === keyOf("go")) goingSince.current = Date.now();
      else if (key === keyOf("help")) latest.current.onHelp();
      else if (key === keyOf("search")) document.querySelector<HTMLInputElement>("[data-search]")?.focus();
      else return;
      event.preventDefault();
    };
    const onPointer = (): void => void (goingSince.current = -Infinity);
    document.addEventListener("keydown", onKey, { capture: true });
    document.addEventListener("pointerdown", onPointer);
    return () => {
      document.removeEventListener("keydown", onKey, { capture: true });
      document.removeEventListener("pointerdown", onPointer);
    };
  }, []);
}
