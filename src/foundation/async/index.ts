export { raceAbort } from "./race-abort.js";
export { createYielder } from "./create-yielder.js";
export { sleep, type Sleep } from "./sleep.js";
