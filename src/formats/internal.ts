/** What other rooms need of this one, and users do not. */
export { locateBenchFixture } from "./bench-fixture.js";
export { qrelsOfRows, runOfRows } from "./qrels-and-runs.js";
export { columnsRead, RowCollector, type NamedRow, type Role } from "./rows.js";
export { runReader } from "./run-file.js";
