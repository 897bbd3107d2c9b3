import { useLayoutEffect, useReducer, useRef } from "preact/hooks";
import type { WorkbenchPair } from "../records/index.js";
import { tabTexts } from "./kept-texts.js";
import { pairKey } from "./waiting-marks.js";

/** What is written of the item that is looked at, and kept with it until it is graded. */
interface Note {
  /** Null where nothing is, and the field is not open. */
  readonly text: string | null;
  readonly write: (text: string | null) => void;
  /** Opens the field where it is not, and leads to it. */
  readonly open: () => void;
  /** Of the field. */
  readonly field: { readonly current: HTMLTextAreaElement | null };
}

/** A note of its own for every item, which the tab keeps: nothing that was written is of the next item. */
export function useNote(desk: string, pair: WorkbenchPair | undefined): Note {
  const key = pair === undefined ? null : `rankproof-note ${desk} ${pairKey(pair)}`;
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
  return {
    text: key === null ? null : (tabTexts.get(key) ?? (opened.current === key ? "" : null)),
    write(text) {
      if (key === null) return;
      opened.current = text === null ? null : key;
      tabTexts.set(key, text === "" ? null : text);
      redraw(undefined);
    },
    open() {
      opened.current = key;
      isWanted.current = true;
      redraw(undefined);
    },
    field,
  };
}
