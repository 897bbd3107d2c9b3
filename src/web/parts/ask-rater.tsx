import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
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
  if (session.is_read_only)
    return <Empty>This workbench is read-only, so that nothing can be labelled.</Empty>;
  if (rater !== "") return <>{children(rater, () => setRater(keepRater("")))}</>;
  return (
    <AskRater
      raters={session.raters}
      onName={(name) => {
        browserTexts.set(RATER_KEY, name);
        setRater(keepRater(name));
      }}
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
