import { useLayoutEffect, useReducer, useRef } from "preact/hooks";
import type { WorkbenchPair, WorkbenchSaid } from "../records/index.js";
import { tabTexts } from "./kept-texts.js";
import { markKey, pairKey } from "./waiting-marks.js";

/** What is written of the item that is looked at, and kept with it until it is graded. */
interface Note {
  /** Null where nothing is, and the field is not open. */
  readonly text: string | null;
  readonly write: (text: string | null) => void;
  /** What is kept with a grade, which ends it; it comes back with the item where the grade is undone. */
  readonly give: () => string | null;
  readonly takeBack: (of: WorkbenchSaid) => void;
  /** Opens the field where it is not, and leads to it. */
  readonly open: () => void;
  /** Of the field. */
  readonly field: { readonly current: HTMLTextAreaElement | null };
}

/** A note of its own for every item, which the tab keeps: nothing that was written is of the next item. */
export function useNote(desk: string, pair: WorkbenchPair | undefined): Note {
  const keyOf = (item: string): string => `rankproof-note ${desk} ${item}`;
  const key = pair === undefined ? null : keyOf(pairKey(pair));
  const given = useRef(new Map<string, string | null>());
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const field = useRef<HTMLTextAreaElement>(null);
  /** Whose empty field is open. */
  const opened = useRef<string | null>(null);
  const isWanted = useRef(false);
  // At once: what is typed next is of the field.
  useLayoutEffect(() => {
    if (isWanted.current) field.current?.focus();
    isWanted.current = false;
  });
  const text = key === null ? null : (tabTexts.get(key) ?? (opened.current === key ? "" : null));
  const write = (text: string | null): void => {
    if (key === null) return;
    opened.current = text === null ? null : key;
    tabTexts.set(key, text === "" ? null : text);
    redraw(undefined);
  };
  return {
    text,
    write,
    give() {
      if (key !== null) given.current.set(key, text);
      write(null);
      return text;
    },
    takeBack(of) {
      const item = keyOf(markKey(of));
      tabTexts.set(item, given.current.get(item) ?? null);
    },
    open() {
      opened.current = key;
      isWanted.current = true;
      redraw(undefined);
    },
    field,
  };
}
