/**
 * What `call` comes to, or the reason of an abort, whichever is first: work that does not heed a signal must
 * not hold up who does.
 */
export function orAborted<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) return abort();
    signal?.addEventListener("abort", abort, { once: true });
    call()
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener("abort", abort));
  });
}
