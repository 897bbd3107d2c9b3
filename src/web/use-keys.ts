import { useLayoutEffect, useRef } from "preact/hooks";
import { areKeysOff, keyOf, type ActionName } from "./keymap.js";

/** What is done by a key: an action of the keymap, or a key that is always the same, by `event.key`. */
export type Keys = Readonly<Partial<Record<ActionName, () => void>>>;

/** What a key that is held down does again and again; anything else wants a press each. */
const HELD: ReadonlySet<ActionName> = new Set([
  "on",
  "next",
  "nextQuery",
  "back",
  "previous",
  "previousQuery",
]);

const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select";

/** Whether keys belong to something that is typed into, or to the browser. */
export function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  const isField = target instanceof HTMLElement && (target.isContentEditable || target.matches(TYPED_INTO));
  return (
    event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isField || event.defaultPrevented
  );
}

/** Grades go by the place of the digit, so that every keyboard layout has them. */
const DIGIT = /^(?:Digit|Numpad)([0-3])$/;

/**
 * Single keys of a screen, while it is shown. They can be changed and switched off.
 *
 * @param fixed keys that are always the same and there, such as Enter.
 */
export function useKeys(keys: Keys, fixed: Readonly<Record<string, () => void>> = {}): void {
  const latest = useRef({ keys, fixed });
  latest.current = { keys, fixed };
  // Not after the next frame: what is shown can be typed at.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTaken(event) || document.querySelector("dialog[open]") !== null) return;
      const { keys, fixed: same } = latest.current;
      const named = areKeysOff() ? {} : keys;
      const isControl = event.target instanceof HTMLElement && event.target.closest("a, button") !== null;
      // Enter and the space bar on a link or a button are theirs.
      if (isControl && (event.key === "Enter" || event.key === " ")) return;
      const actions = Object.keys(named) as ActionName[];
      const digit = DIGIT.exec(event.code)?.[1];
      const name =
        actions.find((action) => keyOf(action) === event.key) ??
        actions.find((action) => action === `grade${digit}`);
      const act =
        name === undefined ? (Object.hasOwn(same, event.key) ? same[event.key] : undefined) : named[name];
      if (act === undefined) return;
      event.preventDefault();
      if (!event.repeat || name === undefined || HELD.has(name)) act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/**
 * Keys for the next and the previous entry of a list: they lead the focus on, from what has it.
 *
 * @param entries a selector of what has the focus in an entry: a link, a field.
 */
export function useStepKeys(entries: string): void {
  const step = (by: 1 | -1): void => {
    const all = [...document.querySelectorAll<HTMLElement>(entries)].filter((each) => each.checkVisibility());
    const at = all.findIndex((each) => each === document.activeElement);
    all[at === -1 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]?.focus();
  };
  useKeys({ next: () => step(1), previous: () => step(-1) });
}
