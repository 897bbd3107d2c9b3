/**
 * A controller that is aborted with its sources, until it lets go of them. `AbortSignal.any` leaves something
 * of every call with a source that lives on, in Node 20 for good.
 */
export function linkController(...sources: readonly (AbortSignal | undefined)[]): {
  readonly controller: AbortController;
  readonly letGo: () => void;
} {
  const controller = new AbortController();
  const links = sources
    .filter((source) => source !== undefined)
    .map((source) => ({ source, abort: (): void => controller.abort(source.reason) }));
  for (const { source, abort } of links) {
    if (source.aborted) abort();
    source.addEventListener("abort", abort, { once: true });
  }
  return {
    controller,
    letGo() {
      for (const { source, abort } of links) source.removeEventListener("abort", abort);
    },
  };
}
