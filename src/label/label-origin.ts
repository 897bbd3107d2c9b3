import { groupBy } from "../foundation/columns/index.js";
import { raterId, type LabelOrigin, type Rater } from "../records/index.js";
import type { Label } from "./label-view.js";

/**
 * Where judgments come from that are made of these labels, so that a model's are known as such wherever they
 * go.
 *
 * @param raters those whose assessments are among them.
 */
export function labelOrigin(
  labels: readonly Label[],
  raters: readonly Rater[],
  about: Pick<LabelOrigin, "digest" | "dataset" | "tenant" | "licence">,
): LabelOrigin {
  const countDecided = (by: Label["by"]): number => labels.filter((label) => label.by === by).length;
  const known = new Map(raters.map((rater) => [raterId(rater), rater]));
  const byRater = groupBy(
    labels.flatMap((label) => label.raters),
    (rater) => rater,
  );
  const perQuery = [...groupBy(labels, ({ query }) => query).values()].map(({ length }) => length);
  return {
    schema_version: 1,
    kind: "label_origin",
    ...about,
    queries: perQuery.length,
    labels: {
      adjudicator: countDecided("adjudicator"),
      people: countDecided("people"),
      labeler: countDecided("labeler"),
    },
    stale: labels.filter(({ isStale }) => isStale).length,
    per_query: rangeOf(perQuery),
    votes: rangeOf(labels.map(({ votes }) => votes)),
    raters: [...byRater].flatMap(([id, said]) => {
      const rater = known.get(id);
      return rater === undefined ? [] : [{ rater, labels: said.length }];
    }),
  };
}

function rangeOf(counts: readonly number[]): { fewest: number; most: number } {
  const [first = 0] = counts;
  return {
    fewest: counts.reduce((least, count) => Math.min(least, count), first),
    most: counts.reduce((most, count) => Math.max(most, count), first),
  };
}
