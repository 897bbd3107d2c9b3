import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  ACTIONS,
  areKeysChanged,
  areKeysOff,
  changeKey,
  keyOf,
  resetKeys,
  switchKeys,
  type ActionName,
} from "../keymap.js";
import { SCREENS } from "../route.js";

const NAMES = Object.keys(ACTIONS) as ActionName[];

/** What the keys do; they can be changed and switched off here. */
export function HelpDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [areOff, setOff] = useState(areKeysOff());
  const [changing, setChanging] = useState<ActionName | null>(null);
  const [told, setTold] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  const onKey = (event: KeyboardEvent): void => {
    if (changing === null || ["Shift", "Control", "Alt", "Meta", "AltGraph", "Tab"].includes(event.key))
      return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key !== "Escape") {
      const problem = changeKey(changing, event.key);
      setTold(problem ?? `${event.key}: ${ACTIONS[changing].what}`);
      if (problem !== null) return;
    }
    setChanging(null);
  };
  const rows = (group: (typeof ACTIONS)[ActionName]["group"]): JSX.Element => (
    <dl class="keys">
      {NAMES.filter((name) => ACTIONS[name].group === group).map((name) => (
        <div>
          <dt>
            <button
              type="button"
              class="key"
              aria-label={`${ACTIONS[name].what}: ${keyOf(name)}, change`}
              aria-pressed={changing === name}
              onClick={() => {
                setTold("");
                setChanging(changing === name ? null : name);
              }}
            >
              <kbd>{changing === name ? "press a key" : keyOf(name)}</kbd>
            </button>
          </dt>
          <dd>{ACTIONS[name].what}</dd>
        </div>
      ))}
    </dl>
  );
  return (
    <dialog ref={dialog} onClose={onClose} onKeyDown={onKey} aria-labelledby="h-keys">
      <h2 id="h-keys">Keys</h2>
      <p class="quiet">
        A key that is chosen here can be changed. Digits are grades on every keyboard, in the row and on the
        pad.
      </p>
      <p role="status" class="told">
        {told}
      </p>
      {rows("everywhere")}
      <h3>Go to</h3>
      <dl class="keys">
        {Object.values(SCREENS)
          .filter(({ key }) => key !== "")
          .map(({ key, title }) => (
            <div>
              <dt>
                <kbd>{`${keyOf("go")} ${key}`}</kbd>
              </dt>
              <dd>{title}</dd>
            </div>
          ))}
      </dl>
      <h3>Labelling</h3>
      {rows("labelling")}
      <label>
        <input
          type="checkbox"
          checked={areOff}
          onChange={({ currentTarget: { checked } }) => {
            switchKeys(checked);
            setOff(checked);
          }}
        />{" "}
        Single keys are off
      </label>
      <p>
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Close
        </button>{" "}
        {areKeysChanged() && (
          <button
            type="button"
            onClick={() => {
              resetKeys();
              setTold("All keys are the usual ones.");
            }}
          >
            Usual keys
          </button>
        )}
      </p>
    </dialog>
  );
}
