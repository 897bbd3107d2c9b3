/** How long a program may be busy before it is let do something else. */
const BUSY_MS = 50;

/**
 * A function to be called often, between two pieces of work that may never wait: now and then it lets the
 * program do other things, such as hear Ctrl-C or draw a page. One pause for all callers: a timer of each
 * would always find the next one overdue, and nothing else would be heard. Told by a clock of its own; times
 * that are reported are not touched.
 */
export function pauses(): () => Promise<void> {
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
