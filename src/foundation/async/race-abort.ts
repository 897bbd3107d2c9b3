import { onAbort } from "./on-abort.js";

/**
 * Resolves with the result of `call`, or rejects with `signal.reason` as soon as it aborts, even if `call`
 * ignores the signal.
 */
export function raceAbort<T>(call: () => Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) return abort();
    const letGo = signal == null ? undefined : onAbort(signal, abort);
    void (async () => call())()
      .then(resolve, reject)
      .finally(() => letGo?.());
  });
}
