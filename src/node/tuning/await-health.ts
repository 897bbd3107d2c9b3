import { sleep } from "../../foundation/async/index.js";
import { AdapterError, quote } from "../../foundation/errors/index.js";
import { askService } from "../../services/index.js";
import type { HealthConfig } from "../../records/index.js";

const TIMEOUT_MS = 60_000;
const BETWEEN_MS = 200;
const LONGEST_ANSWER_MS = 5_000;

/** What the answer of a search must have, or must not have, to be that of the right one. */
export interface RightAnswer {
  /** A text of the new configuration. */
  readonly expected?: string | undefined;
  /** A text of the configuration before, whose search may still answer. */
  readonly unexpected?: string | undefined;
}

/**
 * Waits until a search says that it is healthy, and still says so when it has settled.
 *
 * @returns what it said.
 * @throws AdapterError `TUNING_UNHEALTHY`
 */
export async function awaitHealth(
  { url, timeoutMs = TIMEOUT_MS, settleMs = 0 }: HealthConfig,
  right: RightAnswer = {},
  signal?: AbortSignal,
): Promise<string> {
  const end = performance.now() + timeoutMs;
  let said = await answerOf(url, right, signal);
  while (said.problem !== null && performance.now() < end) {
    await sleep(BETWEEN_MS, signal);
    said = await answerOf(url, right, signal);
  }
  if (said.problem !== null)
    throw unhealthy(url, `was not healthy within ${timeoutMs / 1000} s: ${said.problem}`);
  if (settleMs === 0) return said.body;
  await sleep(settleMs, signal);
  said = await answerOf(url, right, signal);
  if (said.problem !== null)
    throw unhealthy(url, `was healthy, and ${settleMs / 1000} s later is not: ${said.problem}`);
  return said.body;
}

function unhealthy(url: string, problem: string): AdapterError {
  return new AdapterError("TUNING_UNHEALTHY", `${url} ${problem}`);
}

/** What it says, and why that is refused; null where it is not. */
async function answerOf(
  url: string,
  { expected, unexpected }: RightAnswer,
  signal: AbortSignal | undefined,
): Promise<{ readonly body: string; readonly problem: string | null }> {
  const reply = await askService(url, {
    method: "GET",
    headers: {},
    timeoutMs: LONGEST_ANSWER_MS,
    signal,
    fetch: globalThis.fetch,
  });
  if ("failure" in reply) return { body: "", problem: reply.reason };
  const { status, body } = reply;
  const wrong = (what: string): string =>
    `its answer ${quote(body)} ${what}; does another process answer there?`;
  const problem =
    status < 200 || status >= 300
      ? `status ${status}`
      : expected !== undefined && !body.includes(expected)
        ? wrong(`has no ${quote(expected)}`)
        : unexpected !== undefined && body.includes(unexpected)
          ? wrong(`has still ${quote(unexpected)}`)
          : null;
  return { body, problem };
}
