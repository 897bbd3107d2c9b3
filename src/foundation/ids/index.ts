export { compareIds } from "./compare-ids.js";
export { nearestIds } from "./nearest-ids.js";
export { repeatedPositions } from "./repeated-ids.js";
