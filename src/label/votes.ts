import { medianGrade } from "./median-grade.js";

/** What several votes of one rater on one pair come to. */
export interface VoteSummary {
  /** The median, the lower of the two middle ones for an even number; null without a valid vote. */
  readonly label: number | null;
  /** Votes with a grade. */
  readonly valid: number;
  /** Largest minus smallest grade; null without a valid vote. */
  readonly spread: number | null;
  /** Whether all valid votes agree; null for fewer than two. */
  readonly isUnanimous: boolean | null;
}

/** How steady a rater is over the pairs that it voted on at least twice. */
export interface VoteAgreement {
  readonly pairs: number;
  readonly unanimous: number;
  /** Share of unanimous pairs, from 0 to 1; null for no pairs. */
  readonly unanimousShare: number | null;
  /** Mean spread of the votes, in grades; null for no pairs. */
  readonly meanSpread: number | null;
}

/**
 * The votes of one rater on one pair as one label.
 *
 * @param votes grades; null for a vote that is not valid.
 */
export function voteSummary(votes: readonly (number | null)[]): VoteSummary {
  const valid = votes.filter((vote) => vote !== null);
  const spread = valid.length === 0 ? null : Math.max(...valid) - Math.min(...valid);
  return {
    label: medianGrade(valid),
    valid: valid.length,
    spread,
    isUnanimous: valid.length < 2 ? null : spread === 0,
  };
}

/** Over pairs, those with at least two valid votes. */
export function voteAgreement(pairs: Iterable<VoteSummary>): VoteAgreement {
  const counted = [...pairs].filter(({ isUnanimous }) => isUnanimous !== null);
  const unanimous = counted.filter(({ isUnanimous }) => isUnanimous === true).length;
  const spreads = counted.reduce((sum, { spread }) => sum + (spread ?? 0), 0);
  const per = (sum: number): number | null => (counted.length === 0 ? null : sum / counted.length);
  return {
    pairs: counted.length,
    unanimous,
    unanimousShare: per(unanimous),
    meanSpread: per(spreads),
  };
}
