import { groupBy } from "../foundation/columns/index.js";
import { AdapterError, isRankproofError, messageOf, quote } from "../foundation/errors/index.js";
import { isLabelGrade, type LabelItem } from "../records/index.js";
import type { ItemVerdict, Labeler, LabelReply, LabelRequest } from "./labeler.js";

/**
 * What a labeler answers.
 *
 * @throws AdapterError `LABELER_FAILED` for what it throws that is no error of ours.
 */
export async function answerOf(labeler: Labeler, request: LabelRequest): Promise<LabelReply> {
  const { query, signal } = request;
  try {
    return await labeler.label(request);
  } catch (error) {
    signal?.throwIfAborted();
    if (isRankproofError(error)) throw error;
    throw new AdapterError(
      "LABELER_FAILED",
      `the labeler ${quote(labeler.rater.name)} failed for query ${quote(query)}: ${messageOf(error)}`,
      { query },
      error,
    );
  }
}

/**
 * One verdict for each item, in the order of the items: `invalid` where there is not exactly one that is
 * good.
 */
export function checkVerdicts(items: readonly LabelItem[], reply: LabelReply): ItemVerdict[] {
  const given: unknown = (reply as { verdicts?: unknown } | null | undefined)?.verdicts;
  const said = groupBy(Array.isArray(given) ? (given as ItemVerdict[]) : [], (verdict) => verdict?.id);
  const invalid = (id: string, reason: string): ItemVerdict => ({
    id,
    outcome: "invalid",
    grade: null,
    reason,
  });
  return items.map(({ id }) => {
    const [verdict, ...others] = said.get(id) ?? [];
    if (verdict === undefined) return invalid(id, "the answer does not name it");
    if (others.length > 0) return invalid(id, `the answer names it ${others.length + 1} times`);
    const { outcome, grade } = verdict;
    if (outcome === "graded") return isLabelGrade(grade) ? verdict : invalid(id, wrongGrade(grade));
    if (outcome === "cannot_tell" || outcome === "refused" || outcome === "invalid")
      return { ...verdict, grade: null };
    return invalid(id, `its outcome is ${quote(outcome)}`);
  });
}

/** What is wrong with a grade that is none; a text looks like a number where it is quoted. */
export function wrongGrade(grade: unknown): string {
  const kind = typeof grade === "string" ? "the text " : "";
  return `its grade is ${kind}${quote(grade)}, not 0, 1, 2 or 3`;
}
