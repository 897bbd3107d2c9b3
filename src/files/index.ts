export {
  flushFolderOf,
  makeFolderFor,
  refuseReadOnly,
  removeTemporaries,
  replaceFile,
  temporaryFor,
  type FileContent,
} from "./replace-file.js";
export { followLinks } from "./follow-links.js";
export { readError, systemCode, writeError } from "./file-errors.js";
export { STANDARD_INPUT, stemOf } from "./stem-of.js";
export { whenFree } from "./when-free.js";
export { withStoreLock, withWriteLock } from "./write-lock.js";
