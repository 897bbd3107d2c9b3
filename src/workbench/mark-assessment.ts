import { normalizeQuery, type Assessment, type Rater } from "../label/index.js";
import { keepAssessments, type WorkbenchMark } from "../records/index.js";

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

/**
 * What to store of what a rater says of a pair: a grade that is given anew, in another tab, takes the ones
 * before it back, repeats among them, so that undoing it leaves none. A repeat, which asks whether one says
 * the same again, takes nothing back.
 *
 * @param own what the rater said of the pair so far.
 */
export function withoutGradesBefore(said: Assessment, own: readonly Assessment[]): Assessment[] {
  if (said.outcome === "withdrawn" || said["is_repeat"] === true) return [said];
  const withdraw = (at: string, number: number): Assessment => ({
    ...said,
    at,
    outcome: "withdrawn",
    grade: null,
    reason: null,
    mark: `${String(said["mark"])}-${number}`,
  });
  const before = keepAssessments(own.filter(({ at }) => at <= said.at));
  // One that comes late, from a page that was cut off, was given before what counts.
  const later = keepAssessments(own).find(({ at }) => at > said.at);
  const until = later && new Date(Date.parse(later.at) - 1).toISOString();
  return [
    ...before.map((_, number) => withdraw(said.at, number)),
    said,
    ...(until === undefined ? [] : [withdraw(until > said.at ? until : said.at, before.length)]),
  ];
}
