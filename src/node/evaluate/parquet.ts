/** What is loaded where a file is Parquet, and never else. */
export { parquetChunks } from "./parquet-chunks.js";
export { parquetOf } from "./parquet-of.js";
export { parquetQrels, parquetRun } from "./parquet-table.js";
