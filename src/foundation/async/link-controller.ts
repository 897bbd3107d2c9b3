import { onAbort } from "./on-abort.js";

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
    .map((source) => {
      const abort = (): void => controller.abort(source.reason);
      if (source.aborted) abort();
      return onAbort(source, abort);
    });
  return {
    controller,
    letGo: () => links.forEach((letGo) => letGo()),
  };
}
