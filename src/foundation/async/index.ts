export { orAborted } from "./or-aborted.js";
export { pauses } from "./pauses.js";
export { sleep, type Sleep } from "./sleep.js";
