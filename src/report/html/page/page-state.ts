import { scoreDifference } from "../../../foundation/numbers/index.js";
import { isMissed, isRegression, type PageData, type PageQuery } from "../page-model.js";

/** What became of a query by one metric. */
export type QueryOutcome = "improved" | "equal" | "worse" | "unscored";

/** What the reader has chosen; the same in every part of the page. */
export interface PageState {
  readonly data: PageData;
  metric: number;
  /** Number of the run that is set against the baseline: 1 or more. */
  run: number;
  search: string;
  outcome: string;
  label: number | null;
}

/** The run's score minus the baseline's; null where either has none. */
export function differenceOf({ metric, run }: PageState, { scores }: PageQuery): number | null {
  const [a, b] = [scores[0]?.[metric], scores[run]?.[metric]];
  return a === null || b === null || a === undefined || b === undefined ? null : scoreDifference(b, a);
}

/** Improved or worse by the direction of the metric. */
export function outcomeOf(state: PageState, difference: number | null): QueryOutcome {
  if (difference === null) return "unscored";
  if (Math.abs(difference) <= state.data.tolerance) return "equal";
  return difference > 0 === (state.data.metrics[state.metric]?.higherIsBetter ?? true) ? "improved" : "worse";
}

/** What became of a query: by its scores, or where there are none by its ranks. */
export function outcomeKind(state: PageState, query: PageQuery): string {
  return state.data.metrics.length === 0
    ? (query.outcome?.kind ?? "")
    : outcomeOf(state, differenceOf(state, query));
}

/** Whether a query is what the reader has asked for. */
export function isLike(state: PageState, query: PageQuery, wanted: string): boolean {
  const { data, run } = state;
  switch (wanted) {
    case "":
      return true;
    case "regression":
      return isRegression(data, query, run);
    case "answer-worse":
      return (query.outcome?.answerLost.length ?? 0) > 0;
    case "missed":
      return isMissed(data, query);
    case "answer-wrong":
      return (query.single?.wrong.length ?? 0) > 0;
    case "failed":
      return query.errors?.some((error) => error !== null) === true;
    default:
      return outcomeKind(state, query) === wanted;
  }
}

/** How each outcome looks: its sign, and the colour of its class. */
export const OUTCOME_SIGNS: Readonly<Record<string, readonly [sign: string, tone: string]>> = {
  improved: ["▲", "better"],
  equal: ["=", "quiet"],
  worse: ["▼", "worse"],
  unscored: ["—", "quiet"],
  win: ["▲", "better"],
  draw: ["=", "quiet"],
  loss: ["▼", "worse"],
  regression: ["▼", "worse"],
};
