import type { Sleep } from "../foundation/async/index.js";

const MINUTE_MS = 60_000;

/**
 * A gate that lets at most `perMinute` callers through in any minute, in the order they came; the others
 * wait.
 *
 * @param now milliseconds.
 */
export function rateLimit(
  perMinute: number | undefined,
  now: () => number,
  sleep: Sleep,
): (signal: AbortSignal) => Promise<void> {
  /** When the latest callers went through or will, ascending, at most `perMinute` of them. */
  const starts: number[] = [];
  return async (signal) => {
    if (perMinute === undefined) return;
    const current = now();
    const earliest = starts.length < perMinute ? current : (starts.shift() as number) + MINUTE_MS;
    const start = Math.max(current, earliest);
    starts.push(start);
    if (start > current) await sleep(start - current, signal);
  };
}
