import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { WorkbenchSession } from "../../records/index.js";
import { browserTexts, tabTexts } from "../kept-texts.js";
import { Empty } from "./states.js";

const RATER_KEY = "rankproof-rater";

/** Who labels in this tab, which is whoever named themselves last in this browser until it is said here. */
function raterOfTab(): string {
  const inBrowser = browserTexts.get(RATER_KEY);
  return tabTexts.get(RATER_KEY) ?? (inBrowser === null ? "" : keepRater(inBrowser));
}

/** For as long as the tab, whatever is said in others. */
function keepRater(name: string): string {
  tabTexts.set(RATER_KEY, name);
  return name;
}

/** Asks who is there, once, and shows what that person is to do. */
export function AsRater({
  session,
  children,
}: {
  session: WorkbenchSession;
  /** @param forget asks again who is there. */
  children: (rater: string, forget: () => void) => ComponentChildren;
}): JSX.Element {
  const [rater, setRater] = useState(() => session.rater ?? raterOfTab());
  const isAskedAgain = useRef(false);
  if (session.is_read_only)
    return <Empty>This workbench is read-only, so that nothing can be labelled.</Empty>;
  const forget = (): void => {
    isAskedAgain.current = true;
    setRater(keepRater(""));
  };
  if (rater !== "") return <>{children(rater, forget)}</>;
  return (
    <AskRater
      raters={session.raters}
      isAskedAgain={isAskedAgain.current}
      onName={(name) => {
        browserTexts.set(RATER_KEY, name);
        setRater(keepRater(name));
        // What was typed into is gone, and with it the focus.
        requestAnimationFrame(() => document.querySelector("h1")?.focus({ preventScroll: true }));
      }}
    />
  );
}

function AskRater({
  raters,
  isAskedAgain,
  onName,
}: {
  raters: readonly string[];
  /** Whether the button that had the focus has gone for this. */
  isAskedAgain: boolean;
  onName: (name: string) => void;
}): JSX.Element {
  const [name, setName] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAskedAgain) field.current?.focus();
  }, []);
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
          ref={field}
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
