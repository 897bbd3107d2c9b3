import { linkController } from "./link-controller.js";

/**
 * Works through a queue, several at once; the first error stops all, and so does the signal. What is being
 * worked on is waited for.
 */
export async function withWorkers<T>(
  queue: Iterable<T> | AsyncIterable<T>,
  count: number,
  signal: AbortSignal | undefined,
  work: (item: T, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const { controller, letGo } = linkController(signal);
  const stop = controller.signal;
  // The workers share one iterator; one of a generator answers in the order in which it was asked.
  const items = Symbol.asyncIterator in queue ? queue[Symbol.asyncIterator]() : queue[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    try {
      for (let next = await items.next(); next.done !== true; next = await items.next()) {
        if (stop.aborted) return;
        await work(next.value, stop);
        if (stop.aborted) return;
      }
    } catch (error) {
      controller.abort(error);
    }
  };
  await Promise.all(Array.from({ length: count }, worker));
  letGo();
  stop.throwIfAborted();
}
