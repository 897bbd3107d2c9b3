import { isRankproofError, type RankproofError } from "../index.js";
import type { Terminal } from "./terminal.js";
import { writeOutput } from "./write-output.js";

/** Writes the forms of a result one after the other. */
export interface FormWriter {
  /** Whether something went wrong so far. */
  readonly hasFailed: () => boolean;
  /** Keeps an error of the package in mind; any other goes on its way. */
  readonly note: (error: unknown) => void;
  readonly attempt: (write: () => void) => void;
  /** To a file, packed where its name ends in `.gz`; to stdout where it is `-`. */
  readonly write: (file: string | undefined, render: () => string) => void;
  /**
   * Throws the first of what went wrong; of the others, and of what else there is to say, it tells. Whoever
   * lets a build go on after a failed gate does not mean it to go on without its reports, so the code of this
   * error wins: to be called before a gate's.
   */
  readonly settle: (more?: () => void) => void;
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
  return {
    hasFailed: () => unwritten.length > 0,
    note,
    attempt,
    write(file, render) {
      if (file === undefined) return;
      attempt(() => writeOutput(render(), file, terminal));
    },
    settle(more) {
      const [first, ...others] = unwritten;
      if (first === undefined) return;
      more?.();
      for (const { message } of others) terminal.error(message);
      throw first;
    },
  };
}
