export {
  flushFolderOf,
  makeFolderFor,
  makeFolders,
  refuseReadOnly,
  removeTemporaries,
  replaceFile,
  temporaryFor,
  type FileContent,
  type ReplacementLooks,
} from "./replace-file.js";
export { followLinks } from "./follow-links.js";
export { isSqliteFile } from "./is-sqlite-file.js";
export { lookAt } from "./look-at.js";
export { isLiving, processName, type ProcessName } from "./living-process.js";
export { noSuchFile, readError, systemCode, writeError } from "./file-errors.js";
export { readBytes, readText } from "./read-bytes.js";
export { STANDARD_INPUT, stemOf } from "./stem-of.js";
export { whenFree } from "./when-free.js";
export { holdLock, lockHolder, withStoreLock, withWriteLock } from "./write-lock.js";
export { processSurroundings, type Surroundings } from "./surroundings.js";
