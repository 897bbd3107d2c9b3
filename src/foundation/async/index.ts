export { onAbort } from "./on-abort.js";
export { raceAbort } from "./race-abort.js";
export { tell } from "./tell.js";
export { linkController } from "./link-controller.js";
export { createYielder } from "./create-yielder.js";
export { withWorkers } from "./with-workers.js";
export { semaphore } from "./semaphore.js";
export { LONGEST_WAIT_MS, sleep, type Sleep } from "./sleep.js";
