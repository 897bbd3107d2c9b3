export { batchesOf } from "./batches-of.js";
export { firstIndex } from "./first-index.js";
export { groupedBy } from "./grouped-by.js";
export { grown } from "./grown.js";
