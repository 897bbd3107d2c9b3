import { browserTexts } from "./kept-texts.js";

/** Clocks that are closer are taken as they are: an answer tells its second alone, and takes a while. */
const CLOSE_MS = 10_000;
/** An answer that took longer does not tell the time. */
const SLOW_MS = 5000;
/** By how much the server's clock is ahead of this browser's: the same for all its tabs. */
const AHEAD = "rankproof-clock";

const ahead = (): number => Number(browserTexts.get(AHEAD) ?? 0) || 0;

/**
 * The time by the server's clock, as far as its answers tell: of two people the one decides who decides last,
 * whatever the clocks of their machines say.
 */
export function serverNow(): number {
  return Date.now() + ahead();
}

/** Reads the server's clock off an answer. @param asked when it was asked for, by this browser's clock. */
export function readServerClock({ headers }: Response, asked: number): void {
  const now = Date.now();
  const by = Date.parse(headers.get("date") ?? "") - now;
  if (Number.isNaN(by) || now - asked > SLOW_MS || Math.abs(by - ahead()) < CLOSE_MS) return;
  browserTexts.set(AHEAD, Math.abs(by) < CLOSE_MS ? null : String(by));
}
