import { formatCount } from "../foundation/numbers/index.js";
import type { Conventions, EvaluationCounts, GivenWarning } from "../records/index.js";

/** What is known of all scores when the last one is there. */
interface SheetFacts {
  readonly counts: EvaluationCounts;
  /** Queries that are judged at all, also in other shards. */
  readonly judgedQueries: number;
  readonly answered: number;
  readonly missing: number;
  readonly scored: number;
  /** The first query of the run that has no judgments. */
  readonly firstUnjudged: string | null;
  /** Whether a metric wants several subtopics, and no query has them. */
  readonly areSubtopicsSought: boolean;
  readonly noRelevant: Conventions["noRelevant"];
}

/** What would be read as a ranking's quality, and is none. */
export function warnOfSheet(facts: SheetFacts): GivenWarning[] {
  const { no_relevant, hits, unjudged_hits } = facts.counts;
  const judged = facts.answered + facts.missing;
  return [
    ...(facts.answered > 0 || judged === 0 ? [] : [warnOfUnanswered(judged, facts.firstUnjudged)]),
    ...(facts.areSubtopicsSought && facts.scored > 0
      ? [
          {
            code: "ONE_SUBTOPIC" as const,
            message:
              "no query has judgments of more than one subtopic, so that metrics of diversity say " +
              "nothing about diversity; the second column of the qrels is the subtopic",
          },
        ]
      : []),
    ...(hits > 0 && unjudged_hits === hits
      ? [
          {
            code: "NOTHING_JUDGED" as const,
            message:
              (hits === 1 ? "the only hit is not" : `none of the ${formatCount(hits)} hits is`) +
              " judged; do the item ids agree, and is the unit right?",
            count: hits,
          },
        ]
      : []),
    ...(facts.judgedQueries === 0
      ? [{ code: "NOTHING_RELEVANT" as const, message: "there are no judgments", count: 0 }]
      : []),
    ...(no_relevant > 0 && no_relevant === judged
      ? [
          {
            code: "NOTHING_RELEVANT" as const,
            message: "no judged query has anything relevant, so that scores say nothing about the ranking",
            count: no_relevant,
          },
        ]
      : no_relevant > 0 && facts.noRelevant === "one"
        ? [
            {
              code: "SCORED_AS_ONE" as const,
              message:
                `${no_relevant} of ${judged} judged queries have nothing relevant and score 1, whatever ` +
                "the run returns",
              count: no_relevant,
            },
          ]
        : []),
  ];
}

/** The warning for a run that answers none of the judged queries, all of which count as missing. */
function warnOfUnanswered(judged: number, unjudged: string | null): GivenWarning {
  return unjudged === null
    ? { code: "RUN_EMPTY", message: "the run has no results at all" }
    : {
        code: "RUN_OUTSIDE_GOLDEN_SET",
        message: `the run answers none of the ${judged} judged queries; do the query ids agree?`,
        query_ids: [unjudged],
      };
}
