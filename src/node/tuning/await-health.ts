import { sleep } from "../../foundation/async/index.js";
import { AdapterError, shown } from "../../foundation/errors/index.js";
import { askService } from "../../services/index.js";
import type { HealthConfig } from "../../records/index.js";

const TIMEOUT_MS = 60_000;
const BETWEEN_MS = 200;
const LONGEST_ANSWER_MS = 5_000;

/**
 * Waits until a search says that it is healthy, and still says so when it has settled.
 *
 * @param expected a text that the answer must have, to tell the search from one that was there before.
 * @throws AdapterError `TUNING_UNHEALTHY`
 */
export async function awaitHealth(
  { url, timeoutMs = TIMEOUT_MS, settleMs = 0 }: HealthConfig,
  expected?: string,
  signal?: AbortSignal,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  let problem = await problemOf(url, expected, signal);
  while (problem !== null && performance.now() < end) {
    await sleep(BETWEEN_MS, signal);
    problem = await problemOf(url, expected, signal);
  }
  if (problem === null && settleMs > 0) {
    await sleep(settleMs, signal);
    const after = await problemOf(url, expected, signal);
    if (after !== null) problem = `was healthy, and ${settleMs / 1000} s later is not: ${after}`;
  } else if (problem !== null) problem = `was not healthy within ${timeoutMs / 1000} s: ${problem}`;
  if (problem !== null) throw new AdapterError("TUNING_UNHEALTHY", `${url} ${problem}`);
}

/** What is wrong; null where nothing is. */
async function problemOf(
  url: string,
  expected: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const reply = await askService(url, {
    method: "GET",
    headers: {},
    timeoutMs: LONGEST_ANSWER_MS,
    signal,
    fetch: globalThis.fetch,
  });
  if ("failure" in reply) return reply.reason;
  if (reply.status < 200 || reply.status >= 300) return `status ${reply.status}`;
  return expected === undefined || reply.body.includes(expected)
    ? null
    : `its answer ${shown(reply.body)} has no ${shown(expected)}; does another process answer there?`;
}
