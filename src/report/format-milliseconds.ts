/** Below it a clock tells little. */
const SHORTEST = 0.01;

/** A time as people read it: `0.12 ms`, `86.7 ms`, `1,450 ms`. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds < SHORTEST) return `< ${SHORTEST} ms`;
  const text = milliseconds < 10 ? milliseconds.toFixed(2) : String(Number(milliseconds.toFixed(1)));
  return `${text.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",")} ms`;
}
