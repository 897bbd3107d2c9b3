export { batchesOf } from "./batches-of.js";
export { groupedBy } from "./grouped-by.js";
export { grown } from "./grown.js";
