import { raceAbort } from "./race-abort.js";

/**
 * Calls a listener, and waits for it until nobody waits for what it is told of. What it throws is thrown;
 * once `until` is aborted, the reason of that.
 */
export async function tell(listener: () => unknown, until: AbortSignal): Promise<void> {
  const told = (async () => listener())();
  // Nobody may hear of it any more when it rejects.
  told.catch(() => undefined);
  await raceAbort(async () => told, until);
}
