/** So long a computation may run before it yields. */
const BUSY_MS = 50;

/**
 * A function to call often between steps that never wait: now and then it yields to the event loop, so that
 * Ctrl-C is heard and pages are drawn. All callers share one timer; separate timers would starve I/O. It does
 * not affect reported latencies.
 */
export function createYielder(): () => Promise<void> {
  let began = performance.now();
  let pause: Promise<void> | null = null;
  return async () => {
    if (pause === null && performance.now() - began < BUSY_MS) return;
    pause ??= new Promise<void>((resolve) => setTimeout(resolve, 0)).then(() => {
      pause = null;
      began = performance.now();
    });
    await pause;
  };
}
