import { groupBy } from "../foundation/columns/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { raterId } from "./rater-id.js";
import type { Assessment } from "./types/index.js";

/**
 * What each rater says now of each pair of query and item, vote by vote: the latest that is not taken back.
 * People and imports have one vote. Of two of the same time the later in the list counts as later.
 */
export function standingAssessments(assessments: readonly Assessment[]): Assessment[] {
  return keepByVote(assessments).flatMap((kept) => kept.slice(-1));
}

/** Everything that is not taken back, earlier assessments of a vote included. */
export function keepAssessments(assessments: readonly Assessment[]): Assessment[] {
  return keepByVote(assessments).flat();
}

function keepByVote(assessments: readonly Assessment[]): Assessment[][] {
  // Most pairs have one assessment.
  if (assessments.length === 1) return [assessments.filter(({ outcome }) => outcome !== "withdrawn")];
  const inTime = eachMarkOnce(assessments).sort((a, b) => compareIds(a.at, b.at));
  const votes = groupBy(inTime, ({ tenant, query, item, rater, vote }) =>
    JSON.stringify([tenant, query, item, raterId(rater), rater.kind === "model" ? vote : 1]),
  );
  return [...votes.values()].map((said) => {
    const kept: Assessment[] = [];
    for (const assessment of said) {
      if (assessment.outcome === "withdrawn") kept.pop();
      else kept.push(assessment);
    }
    return kept;
  });
}

/** As the page of the workbench names what it sends. */
const MARK = /^[0-9a-f]{32}(?:-\d+)?$/;

/** Two servers beside one store may both have been sent a mark, and stored it. */
function eachMarkOnce(assessments: readonly Assessment[]): Assessment[] {
  const seen = new Set<string>();
  return assessments.filter(({ rater, mark }) => {
    if (typeof mark !== "string" || !MARK.test(mark)) return true;
    const key = `${mark}\n${raterId(rater)}`;
    return seen.size < seen.add(key).size;
  });
}

/** A query's text and an item as one key. */
export function pairKey({ query, item }: Pick<Assessment, "query" | "item">): string {
  return JSON.stringify([query, item]);
}

/**
 * Whether an item has changed since it was assessed.
 *
 * @param hash the item's digest now; undefined where it is not known, which tells nothing.
 */
export function isStaleLabel(
  { item_hash }: Pick<Assessment, "item_hash">,
  hash: string | undefined,
): boolean {
  return hash !== undefined && item_hash != null && item_hash !== hash;
}
