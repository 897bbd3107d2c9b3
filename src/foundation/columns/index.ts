export { batchesOf } from "./batches-of.js";
export { ownMemory, ReusedMemory, type ColumnMemory } from "./column-memory.js";
export { firstIndex } from "./first-index.js";
export { groupBy } from "./group-by.js";
export { growColumn } from "./grow-column.js";
export { selectTop } from "./select-top.js";
