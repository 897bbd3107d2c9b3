import { randomBytes } from "node:crypto";
import { batchId } from "../../batch/index.js";

/** The id of what is made now, which nobody else has made. */
export function newBatchId(now: number = Date.now()): string {
  return batchId(now, randomBytes(2).toString("hex"));
}
