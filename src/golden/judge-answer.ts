import { checksText, passesTextChecks, shouldRefuse, type TextMatch } from "../records/index.js";
import { citesOnlyRealChunks, type CitationResolver, type Matcher } from "../matching/index.js";
import type { JudgedQuery } from "./judge-run.js";

/** What an answer got right; null where there is nothing to judge. */
export interface AnswerVerdict {
  /** The query should be refused, and was. */
  readonly refusal: boolean | null;
  /** The answer has what it must contain and nothing that is forbidden. */
  readonly text: boolean | null;
  /** The answer has citations, and every one resolves. */
  readonly citations: boolean | null;
}

/** What is needed to judge the answers of one run. */
export interface AnswerJudge {
  /** Whether the run has any answers at all; one without is not judged on its refusals. */
  readonly hasAnswers: boolean;
  /** Null where there is no knowledge base to resolve citations in. */
  readonly resolves: CitationResolver | null;
  readonly textMatch: TextMatch | undefined;
  /** Where chunks of the run lie, if its hits are matched by place. */
  readonly placeOf: Matcher["placeOf"];
}

/**
 * Judges the answer of one query. An answer of a failed result was cut short: it neither says nor refuses
 * anything.
 */
export function judgeAnswer(
  { query, result }: JudgedQuery,
  { hasAnswers, resolves, textMatch, placeOf }: AnswerJudge,
): AnswerVerdict {
  const answer = result === null || result.error != null ? null : (result.answer ?? null);
  return {
    refusal: hasAnswers && shouldRefuse(query) ? answer?.grounded === false : null,
    text: answer !== null && checksText(query) ? passesTextChecks(answer.answer, query, textMatch) : null,
    citations:
      answer?.grounded === true && resolves !== null
        ? citesOnlyRealChunks(answer, resolves, (id) => placeOf?.(id, result?.hits_top_k ?? []))
        : null,
  };
}
