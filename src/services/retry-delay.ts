const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 60_000;

/**
 * How long to wait before a request is tried again, in milliseconds: from 0.5 s on twice as long each time,
 * and a random half less, so that clients that failed together do not come back together; at least what the
 * server asks for; a minute at most.
 *
 * @param tries that failed, from 1.
 * @param retryAfter the header of the answer: seconds or a date.
 * @param random from 0 (included) to 1 (excluded).
 * @param now milliseconds since 1970.
 */
export function retryDelay(
  tries: number,
  retryAfter: string | undefined,
  random: () => number,
  now: () => number,
): number {
  const backOff = FIRST_DELAY_MS * 2 ** (tries - 1) * (1 - random() / 2);
  return Math.min(LONGEST_DELAY_MS, Math.max(backOff, readDelay(retryAfter?.trim() ?? "", now)));
}

/** What `Retry-After` asks for; 0 where it says nothing that can be read. */
function readDelay(retryAfter: string, now: () => number): number {
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0 : date - now();
}
