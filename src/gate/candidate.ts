import { quote } from "../foundation/errors/index.js";
import { formatChange } from "../foundation/numbers/index.js";
import {
  areFewUnits,
  FEWEST_PAIRS,
  intentsInWords,
  type ComparisonSettings,
  type LabelTrust,
  type MetricDifference,
  type RunComparison,
  type ScoreComparison,
  type Verdict,
} from "../records/index.js";

/**
 * Something that was looked for in a result, or why it is not there, in words that follow the name:
 * `was not measured`.
 */
export type Sought<T> = { readonly found: T } | { readonly missing: string };

/** A number of a result, under the name that the result has for it. */
export interface NamedValue {
  readonly name: string;
  /** At 4 decimals. */
  readonly value: number;
  /** False where nothing says so. */
  readonly isLowerBetter: boolean;
}

/** How far a metric is from the baseline's. */
export interface Difference {
  readonly metric: string;
  /** Candidate minus baseline over the queries that both have a score for, at 4 decimals. */
  readonly difference: number;
  /** The same of the two scores as the result states them, each over the queries that it has. */
  readonly ofScores: number;
  readonly higherIsBetter: boolean;
  /** How far apart two scores can be; Infinity where there is no bound, or none is known. */
  readonly widest: number;
  /** What the statistics say of it; null where nothing was tested. */
  readonly tested: MetricDifference | null;
  /** The same over the queries that the baseline answered, where there are others. */
  readonly answeredByBoth?: Difference | undefined;
}

/** How many queries got worse. */
export interface Fallen {
  /** Queries that lost everything: what was found is not found any more. */
  readonly regressions: number;
  /** Queries that got worse and still have something. */
  readonly losses: number;
  /** What may mislead in the counts. */
  readonly warning?: string | undefined;
}

/** How many answers got worse. */
export interface WorseAnswers {
  readonly answers: number;
  /** What may mislead in the count. */
  readonly warning?: string | undefined;
}

/** What a run can be held against. */
export interface Baseline {
  readonly run: string;
  /** How the runs compare; null where nothing was tested. */
  readonly tested: {
    readonly comparison: RunComparison;
    readonly settings: ComparisonSettings;
    readonly result: ScoreComparison;
  } | null;
  /** The difference of a metric, by any of its names. */
  difference(metric: string): Sought<Difference>;
  /** How many queries got worse. */
  countFallen(): Sought<Fallen>;
  /** How many answers got worse, or are missing where the baseline's was right. */
  countWorseAnswers(): Sought<WorseAnswers>;
}

/** A run that rules are held against. */
export interface Candidate {
  /** Null where the result does not name it. */
  readonly run: string | null;
  /** A number by any of its names, or by its path in the result. */
  measured(name: string): Sought<NamedValue>;
  /** Null where there is only the run itself. */
  readonly baseline: Baseline | null;
  /** Whose labels it rests on; null where the result does not say. */
  readonly trust: LabelTrust | null;
}

/** What a rule finds in a run. */
export interface Finding {
  /** Null where there was nothing to find; then the rule has not passed. */
  readonly value: number | string | null;
  readonly passed: boolean;
  readonly why: string;
  /** What may mislead in it, and what to do about it. */
  readonly warning?: string | undefined;
}

/** What a rule finds where there is nothing to find: absence is not a pass. */
export function absent(why: string): Finding {
  return { value: null, passed: false, why };
}

/** What a rule about the baseline finds; nothing where there is none, or where the two cannot be compared. */
export function againstBaseline({ baseline }: Candidate, check: (baseline: Baseline) => Finding): Finding {
  if (baseline === null) return absent("needs a baseline: this is the result of one run, not a comparison");
  const verdict = baseline.tested?.comparison.verdict;
  return verdict?.kind === "not_comparable" ? absent(verdictWords(verdict)) : check(baseline);
}

/** A verdict in words. */
export function verdictWords({ kind, headline }: Verdict): string {
  return `the verdict is ${kind}: ${headline}`;
}

/** What a rule finds in the statistics of a comparison; nothing where there are none. */
export function inStatistics(
  candidate: Candidate,
  check: (tested: NonNullable<Baseline["tested"]>) => Finding,
): Finding {
  return againstBaseline(candidate, ({ tested }) =>
    tested === null ? absent("the report has no statistics") : check(tested),
  );
}

/**
 * What a rule finds in how far a metric is from the baseline's; nothing where that is not known, or where no
 * difference could be larger than what is allowed.
 */
export function inDifference(
  candidate: Candidate,
  { metric, allowed = 0 }: { readonly metric: string; readonly allowed?: number },
  check: (difference: Difference) => Finding,
): Finding {
  return againstBaseline(candidate, (baseline) => {
    const sought = baseline.difference(metric);
    if ("missing" in sought) return absent(`${quote(metric)} ${sought.missing}`);
    const { metric: name, widest, answeredByBoth } = sought.found;
    if (allowed >= widest)
      return absent(
        `two scores of ${name} are never further apart than ${widest}, so ${allowed} allows anything`,
      );
    const whole = check(sought.found);
    const undecided = whole.passed ? whyUndecided(sought.found.tested) : undefined;
    if (undecided !== undefined) return absent(undecided);
    if (answeredByBoth === undefined || !whole.passed) return whole;
    const ofBoth = check(answeredByBoth);
    const why = `over the queries that the baseline answered, ${ofBoth.why}`;
    if (!ofBoth.passed) return { ...ofBoth, why };
    return {
      ...whole,
      ...(ofBoth.why !== whole.why && { why: `${whole.why}; ${why}` }),
      ...(ofBoth.warning !== undefined && { warning: ofBoth.warning }),
    };
  });
}

/** That queries are wordings of too few intents, in words; undefined where they are not. */
export function fewIntents(row: MetricDifference): string | undefined {
  return row.by_group !== undefined && areFewUnits(row)
    ? `over wordings of ${intentsInWords(row.by_group)}; at least ${FEWEST_PAIRS} are needed`
    : undefined;
}

/** Why it says nothing that a metric got no worse; undefined where it does. */
export function whyUndecided(tested: MetricDifference | null | undefined): string | undefined {
  return tested?.undecided?.but === "better" ? undefined : tested?.undecided?.why;
}

/** A difference in words: both that there are where the runs have scores for different queries. */
export function describeDifference({ metric, difference, ofScores, tested }: Difference): string {
  const differs = `${metric} differs by ${formatChange(ofScores)}`;
  return ofScores === difference
    ? differs
    : `${differs}, and by ${formatChange(difference)} over the ${tested?.pairs ?? 0} queries that ` +
        "were compared";
}
