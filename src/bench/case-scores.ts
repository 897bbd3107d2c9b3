import type { BenchCaseResult } from "../records/index.js";
import { evaluate } from "../evaluate/index.js";
import type { Fraction } from "../foundation/numbers/index.js";
import { recallFraction, reciprocalRankFraction, successFraction } from "../metrics/internal.js";
import type { BenchCase } from "./bench-fixture.js";

/** The scores of one case. */
export interface CaseScores extends Pick<BenchCaseResult, "recall" | "mrr" | "ndcg" | "is_hit"> {
  /** Recall and reciprocal rank as they were counted, so that a mean is rounded once. */
  readonly exact: Readonly<Record<"recall" | "mrr", Fraction>>;
}

/** The score of a case without anything relevant. */
const ONE: Fraction = { numerator: 1, denominator: 1 };

/** The metrics of the report's fields, at a cutoff, as the metrics room names them. */
export function metricNames(topK: number | string): readonly [ndcg: string, mrr: string, recall: string] {
  return [`nDCG(dcg='exp-log2')@${topK}`, `RR@${topK}`, `R@${topK}`];
}

/**
 * Scores rankings by the conventions of PaperBot (profile `paperbot`), each case at its own `top_k`:
 * exponential gain, a case without anything relevant scores 1 (but is no hit), and something that is found
 * twice counts twice. In full precision.
 *
 * @param ranked by case id, best first; a case that is not there found nothing.
 */
export function caseScores(
  cases: readonly BenchCase[],
  ranked: ReadonlyMap<string, readonly string[]>,
): Map<string, CaseScores> {
  const scores = new Map<string, CaseScores>();
  for (const topK of new Set(cases.map(({ top_k }) => top_k))) {
    const group = cases.filter(({ top_k }) => top_k === topK);
    const rankings = new Map(group.map(({ case_id }) => [case_id, ranked.get(case_id) ?? []]));
    const qrels = new Map(group.map(({ case_id, grades }) => [case_id, grades]));
    const names = metricNames(topK);
    const counted = new Map<string, Pick<CaseScores, "exact" | "is_hit">>();
    const evaluation = evaluate(rankings, qrels, names, {
      profile: "paperbot",
      onQuery: (id, judged) => {
        const hasRelevant = (judged.pool[0] ?? 0) > 0;
        counted.set(id, {
          exact: {
            recall: hasRelevant ? recallFraction(judged, topK) : ONE,
            mrr: hasRelevant ? reciprocalRankFraction(judged, topK) : ONE,
          },
          is_hit: successFraction(judged, topK).numerator > 0,
        });
      },
    });
    for (const id of evaluation.queryIds) {
      const [ndcg, mrr, recall] = names.map((name) => evaluation.score(id, name)) as [number, number, number];
      scores.set(id, { recall, mrr, ndcg, ...(counted.get(id) as Pick<CaseScores, "exact" | "is_hit">) });
    }
  }
  return scores;
}
