import { useEffect, useRef } from "preact/hooks";

/** What keys do, by `event.key`. */
export type Keys = Readonly<Record<string, () => void>>;

/** Whether keys belong to something that is typed into, or to the browser. */
export function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  const isField =
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
  return (
    event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isField || event.defaultPrevented
  );
}

/** Where the user has switched keys off. */
export const KEYS_OFF = "rankproof-keys-off";

/** Single keys of a screen, while it is shown. They can be switched off. */
export function useKeys(keys: Keys, byCode: Keys = {}): void {
  const latest = useRef({ keys, byCode });
  latest.current = { keys, byCode };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTaken(event) || document.querySelector("dialog[open]") !== null) return;
      if (localStorage.getItem(KEYS_OFF) === "1") return;
      const { keys: named, byCode: coded } = latest.current;
      const isLink = event.target instanceof HTMLElement && event.target.closest("a, button") !== null;
      // Enter on a link or a button is theirs.
      if (isLink && event.key === "Enter") return;
      const act = Object.hasOwn(named, event.key)
        ? named[event.key]
        : Object.hasOwn(coded, event.code)
          ? coded[event.code]
          : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
