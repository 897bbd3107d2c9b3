import { normalizeQuery, type Assessment, type Rater } from "../label/index.js";
import type { WorkbenchMark } from "../records/index.js";

/** What a rater did on the page, as label stores keep it. */
export function markAssessment(
  { mark, item, outcome, grade, reason, is_repeat, item_hash, at }: WorkbenchMark,
  rater: Rater,
  { tenant, text }: { readonly tenant: string; readonly text: string },
): Assessment {
  return {
    tenant,
    query: normalizeQuery(text),
    item,
    ...(item_hash !== null && { item_hash }),
    outcome,
    grade,
    rater,
    vote: 1,
    at,
    ...(reason !== null && reason.trim() !== "" && { reason }),
    mark,
    ...(is_repeat && { is_repeat }),
  };
}
