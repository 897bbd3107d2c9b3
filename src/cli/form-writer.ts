import { isRankproofError, type RankproofError } from "../index.js";
import { replaceFile } from "../node/evaluate/index.js";
import type { Terminal } from "./terminal.js";

/** Writes the forms of a result one after the other. */
export interface FormWriter {
  /** What went wrong so far. */
  readonly unwritten: readonly RankproofError[];
  /** Keeps an error of the package in mind; any other goes on its way. */
  readonly note: (error: unknown) => void;
  readonly attempt: (write: () => void) => void;
  readonly write: (file: string | undefined, render: () => string) => void;
}

/**
 * One form that cannot be written takes nothing from the others: it is kept in mind, and the next one is
 * tried.
 */
export function formWriter(terminal: Terminal): FormWriter {
  const unwritten: RankproofError[] = [];
  const note = (error: unknown): void => {
    if (!isRankproofError(error)) throw error;
    unwritten.push(error);
  };
  const attempt = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      note(error);
    }
  };
  const write = (file: string | undefined, render: () => string): void => {
    if (file === undefined) return;
    attempt(() => {
      replaceFile(file, render());
      terminal.talk(`wrote ${file}`);
    });
  };
  return { unwritten, note, attempt, write };
}
