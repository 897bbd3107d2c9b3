import { AdapterError } from "../index.js";
import type { Terminal } from "./terminal.js";

/**
 * Work that Ctrl-C may end.
 *
 * @param message what is said then.
 * @throws AdapterError `RUN_INCOMPLETE` when it was interrupted; else whatever the work throws.
 */
export async function interruptible<T>(
  { signal }: Terminal,
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await work(signal);
  } catch (error) {
    if (signal.aborted) throw new AdapterError("RUN_INCOMPLETE", message, {}, error);
    throw error;
  }
}
