export {
  findRestorePoints,
  HEARTBEAT_MS,
  makeRestorePoint,
  readRestorePoint,
  removeRestorePoint,
  restorePointPath,
  touchRestorePoint,
  type FoundRestorePoint,
  type RestorePoint,
} from "./restore-point.js";
