export {
  findRestorePoints,
  HEARTBEAT_MS,
  makeRestorePoint,
  readRestorePoint,
  removeRestorePoint,
  restorePointOf,
  restorePointPath,
  touchRestorePoint,
  type FoundRestorePoint,
  type RestorePoint,
  type TunedFile,
} from "./restore-point.js";
