export { checkLimit, searchOptions } from "./check-limit.js";
export { checkSeed } from "./check-seed.js";
export { entriesOf, isMap } from "./entries-of.js";
export { isRecord } from "./is-record.js";
export { isSqlite, SQLITE_HEAD } from "./is-sqlite.js";
export { kindOfObject } from "./kind-of-object.js";
export { checkKnownOptions } from "./check-known-options.js";
export { ownValue } from "./own-value.js";
export {
  expectShape,
  optional,
  isA,
  listOf,
  nullish,
  recordOf,
  text,
  type Misfit,
  type Shape,
} from "./shape.js";
export { wholeNumber } from "./whole-number.js";
