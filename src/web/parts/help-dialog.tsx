import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { SCREENS } from "../route.js";
import { KEYS_OFF } from "../use-keys.js";

const EVERYWHERE: readonly (readonly [string, string])[] = [
  ["?", "these keys"],
  ["[ ]", "previous and next, in any list"],
  ["/", "search"],
];
const LABELLING: readonly (readonly [string, string])[] = [
  ["0 1 2 3 or a s d f", "grade"],
  ["x", "cannot tell"],
  ["l", "later"],
  ["u", "undo"],
  ["n", "note"],
  ["e", "marks of the query's words"],
  ["j k", "on and back without a grade"],
  ["J K", "next and previous query"],
];

/** What the keys do; they can be switched off here. */
export function HelpDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [areOff, setOff] = useState(localStorage.getItem(KEYS_OFF) === "1");
  useEffect(() => dialog.current?.showModal(), []);
  const rows = (keys: readonly (readonly [string, string])[]): JSX.Element => (
    <dl class="keys">
      {keys.map(([key, what]) => (
        <div>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
  const go = Object.values(SCREENS)
    .filter(({ key }) => key !== "")
    .map(({ key, title }) => [`g ${key}`, title] as const);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="h-keys">
      <h2 id="h-keys">Keys</h2>
      {rows(EVERYWHERE)}
      <h3>Go to</h3>
      {rows(go)}
      <h3>Labelling</h3>
      {rows(LABELLING)}
      <label>
        <input
          type="checkbox"
          checked={areOff}
          onChange={(event) => {
            const { checked } = event.currentTarget;
            localStorage.setItem(KEYS_OFF, checked ? "1" : "0");
            setOff(checked);
          }}
        />{" "}
        Single keys are off
      </label>
      <p>
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </p>
    </dialog>
  );
}
