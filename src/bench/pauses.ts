/** How long a program may be busy before it is let do something else. */
const BUSY_MS = 50;

/**
 * A function to be called often, between two pieces of work that may never wait: now and then it lets the program do other things, such as notice that it
 * is to stop, or draw a page. Told by a clock of its own; times that are reported are not touched.
 */
export function pauses(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < BUSY_MS) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    last = performance.now();
  };
}
