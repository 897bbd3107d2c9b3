import { raceAbort } from "./race-abort.js";

/** Waits; an abort ends it at once, and rejects with its reason. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** The longest time that a timer can wait. */
export const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Waits by the clock. */
export const sleep: Sleep = async (milliseconds, signal) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await raceAbort(
      () => new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds))),
      signal,
    );
  } finally {
    // A pending timer would keep the program from ending.
    clearTimeout(timer);
  }
};
