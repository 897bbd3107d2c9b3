import { compareIds } from "../foundation/ids/index.js";
import type { Warning } from "./schema/aggregate.js";

/** The others are counted. */
const IDS_NAMED = 5;

/** What can mislead about some queries, with the first of them; nothing where there are none. */
export function queryWarning(
  code: string,
  message: string,
  queryIds: readonly string[],
  count = queryIds.length,
): Warning[] {
  return count === 0 ? [] : [{ code, message, count, query_ids: firstIds(queryIds) }];
}

/** The first few ids, sorted. */
export function firstIds(ids: readonly string[]): string[] {
  return [...ids].sort(compareIds).slice(0, IDS_NAMED);
}
