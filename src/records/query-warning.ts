import { compareIds } from "../foundation/ids/index.js";
import type { Warning } from "./types/index.js";
import type { WarningCode } from "./warning-codes.js";

/** A warning that this version gives; stored ones may be of another version. */
export interface GivenWarning extends Warning {
  readonly code: WarningCode;
}

/** The others are counted. */
const IDS_NAMED = 5;

/** What can mislead about some queries, with the first of them; nothing where there are none. */
export function queryWarning(
  code: WarningCode,
  message: string,
  queryIds: readonly string[],
  count = queryIds.length,
): GivenWarning[] {
  return count === 0 ? [] : [{ code, message, count, query_ids: firstIds(queryIds) }];
}

/** The first few ids, sorted. */
export function firstIds(ids: readonly string[]): string[] {
  return [...ids].sort(compareIds).slice(0, IDS_NAMED);
}
