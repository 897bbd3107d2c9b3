import { setTimeout as pause } from "node:timers/promises";
import { InputError, isRankproofError, quote } from "../foundation/errors/index.js";

const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Runs `attempt`, again and again while it fails because another process is using the file, and gives up with
 * the last error.
 *
 * @param attempt leaves nothing behind when it fails.
 */
export async function whenFree<T>(timeoutMs: number, attempt: () => T): Promise<T> {
  if (!(timeoutMs >= 0))
    throw new InputError("ARGUMENT", `lockTimeoutMs must be a number from 0, got ${quote(timeoutMs)}`);
  const deadline = Date.now() + timeoutMs;
  let wait = SHORTEST_PAUSE_MS;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!mayPass(error) || Date.now() >= deadline) throw error;
    }
    await pause(wait);
    wait = Math.min(2 * wait, LONGEST_PAUSE_MS);
  }
}

/**
 * Another program's journal is there while it writes, and stays there when it was killed: only time tells
 * which.
 */
function mayPass(error: unknown): boolean {
  return isRankproofError(error) && (error.code === "STORE_LOCKED" || error.details["mayPass"] === true);
}
