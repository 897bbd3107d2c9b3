/** What hits say is cut here. */
export const LONGEST_PASSAGE = 300;

/**
 * What the page's script reads: the queries, with every id that repeats replaced by its number in a list.
 * Names are keys of nothing.
 */
export interface PageData {
  /** The baseline first. */
  readonly runs: readonly string[];
  readonly metrics: readonly PageMetric[];
  /** The metric to begin with. */
  readonly metric: number;
  /** A query whose scores differ by no more is equal. */
  readonly tolerance: number;
  readonly relevantFrom: number;
  /** Hits below it count as not found: the cutoff of the metric to begin with. */
  readonly cutoff: number;
  readonly items: readonly string[];
  /** Titles and texts, each once; null where none is shown. */
  readonly passages: readonly (readonly [title: string, text: string])[] | null;
  readonly channels: readonly string[];
  readonly labels: readonly (readonly [by: string, value: string])[];
  readonly queries: readonly PageQuery[];
}

/** A metric, and which direction is better. */
export interface PageMetric {
  readonly name: string;
  readonly higherIsBetter: boolean;
}

/** A query in every run. */
export interface PageQuery {
  readonly id: string;
  readonly text: string | null;
  readonly labels: readonly number[];
  /** By run, then by metric. */
  readonly scores: readonly (readonly (number | null)[])[];
  /** By run: item and grade in turn, best hit first; a grade of null is unjudged. */
  readonly rankings: readonly (readonly (number | null)[])[] | null;
  /** By run and hit the number of its passage, null where it is not known; null where no texts are shown. */
  readonly said: readonly (readonly (number | null)[])[] | null;
  /** By run: how alike its ranking is to the baseline's. */
  readonly overlap: readonly number[] | null;
  readonly expected: readonly PageExpected[] | null;
  /** By run the rank of its first relevant hit. */
  readonly firsts: readonly (number | null)[] | null;
  /** By run what its result failed with. */
  readonly errors: readonly (string | null)[] | null;
  /** By run, where texts are shown and any answered. */
  readonly answers: readonly (PageAnswer | null)[] | null;
  readonly wanted: PageWanted | null;
  /** Of a report on one run. */
  readonly single: PageSingle | null;
  /** What became of the first expected hit, of a report of two runs. */
  readonly outcome: PageOutcome | null;
}

/** A relevant item: its number, its grade, its fate by run, and the number of its passage. */
export type PageExpected = readonly [
  item: number,
  grade: number,
  fates: readonly PageFate[],
  passage?: number,
];

/** The fates in the order of their numbers. */
export const FATES = ["found", "cut_off", "lost_by_fusion", "never_retrieved", "not_in_index"] as const;

/**
 * Number of the fate, rank, then the rank in each channel: null where the channel had it not, 0 where the run
 * does not tell.
 */
export type PageFate = readonly [fate: number, rank: number | null, ...channels: (number | null)[]];

/** `win`, `draw`, `loss` or `regression`, with the ranks behind it. */
export interface PageOutcome {
  readonly kind: string;
  readonly rankA: number | null;
  readonly rankB: number | null;
  readonly note: string;
  /** What the answer got right in one run only: refusal, text, citations. */
  readonly answerGained: readonly string[];
  readonly answerLost: readonly string[];
}

/** What is known of a query in a report on one run. */
export interface PageSingle {
  /** What the answer got wrong: refusal, text, citations. */
  readonly wrong: readonly string[];
  readonly milliseconds: number | null;
}

/** Found within the cutoff in the baseline, and not in the run; by ranks where outcomes are not known. */
export function isRegression({ cutoff }: PageData, { outcome, firsts }: PageQuery, run: number): boolean {
  if (outcome !== null) return outcome.kind === "regression";
  const isFound = (rank: number | null | undefined): boolean => typeof rank === "number" && rank <= cutoff;
  return firsts !== null && isFound(firsts[0]) && !isFound(firsts[run]);
}

/** Whether anything is relevant, and no hit within the cutoff is. */
export function isMissed({ cutoff }: PageData, { firsts, expected }: PageQuery): boolean {
  const rank = firsts?.[0] ?? null;
  return firsts !== null && expected?.length !== 0 && (rank === null || rank > cutoff);
}

/** How a stretch of an answer is marked: not at all, as asked for, as forbidden, as a citation. */
export const MARKS = ["", "wanted", "forbidden", "citation"] as const;

/** What a run answered, and what of it was asked for. */
export interface PageAnswer {
  /** The text in stretches, each with the number of its mark. */
  readonly parts: readonly (readonly [text: string, mark: number])[];
  readonly isRefusal: boolean;
  /** Why it refused; empty where it does not say. */
  readonly reason: string;
  /** What it must contain and does not. */
  readonly lacks: readonly string[];
  /** What is forbidden and stands in it. */
  readonly has: readonly string[];
  readonly citations: readonly (readonly [marker: string, target: string])[];
}

/** What the golden set asks of an answer. */
export interface PageWanted {
  readonly contain: readonly string[];
  readonly forbidden: readonly string[];
  readonly isRefusal: boolean;
}
