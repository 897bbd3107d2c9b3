import { orAborted } from "./or-aborted.js";

/** Waits; an abort ends it at once, and rejects with its reason. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Waits by the clock. */
export const sleep: Sleep = async (milliseconds, signal) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await orAborted(
      () => new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds))),
      signal,
    );
  } finally {
    // A timer that nobody waits for would keep the program from ending.
    clearTimeout(timer);
  }
};
