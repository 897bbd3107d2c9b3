import { messageOf } from "../foundation/errors/index.js";
import { AdapterError } from "../index.js";
import type { RecordedSystem } from "../node/index.js";

/**
 * A module that is broken once it throws where nobody catches: what was answered before is kept. One that
 * catches such errors itself is left alone.
 */
export async function untilUncaught(
  path: string,
  open: () => Promise<RecordedSystem>,
  onWarning: (message: string) => void,
): Promise<RecordedSystem> {
  const broken = new AbortController();
  let isClosing = false;
  const onUncaught = (error: unknown): void => {
    if (process.listenerCount("uncaughtException") > 1) return;
    const why = `${path}: threw where nothing catches it, as in a timer or a promise that nobody awaits: `;
    const problem = new AdapterError("SYSTEM_MODULE", `${why}${messageOf(error)}`, {}, error);
    if (isClosing && !broken.signal.aborted) onWarning(problem.message);
    broken.abort(problem);
  };
  process.on("uncaughtException", onUncaught);
  const rest = (): void => {
    // What throws once goes on throwing, until the process has said what it has to.
    if (!broken.signal.aborted) process.off("uncaughtException", onUncaught);
  };
  try {
    const system = await open();
    return {
      ...system,
      broken: broken.signal,
      async close() {
        isClosing = true;
        await system.close().finally(rest);
      },
    };
  } catch (error) {
    rest();
    throw error;
  }
}
