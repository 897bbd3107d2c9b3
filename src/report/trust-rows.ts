import { formatShare } from "../foundation/numbers/index.js";
import { oneLine } from "../foundation/text/index.js";
import { knownWorth, type CorrectedScore, type LabelTrust } from "../records/index.js";
import { formatScoreOf } from "./printed-statistics.js";

const STATES: Readonly<Record<LabelTrust["status"], string>> = {
  people: "Labels of people",
  audited: "Labels audited",
  not_audited: "Labels not audited",
  unknown: "Judgments of unknown origin",
};

/** Whose labels a result rests on, in a few words. */
export function trustTitle({ status, labels }: LabelTrust): string {
  const isEmpty = labels !== null && labels.people + labels.model === 0;
  return isEmpty ? "No labels" : STATES[status];
}

/** Whether a page has a section on labels: where nothing is known of them, the settings say so. */
export function hasTrustSection<T extends { readonly trust?: LabelTrust | null | undefined }>(
  result: T,
): result is T & { readonly trust: LabelTrust } {
  return result.trust != null && result.trust.status !== "unknown";
}

/** How far labels carry, in sentences: what is so, what to do, which runs were judged by their own model. */
export function trustLines({ sentence, next, self_judged }: LabelTrust): string[] {
  return [
    sentence,
    ...(next === null ? [] : [next]),
    ...(self_judged.length === 0
      ? []
      : [`${self_judged.join(", ")}: searched with the model that labelled, and a judge likes its own.`]),
  ].map(oneLine);
}

/** What an ideal was over, where that is not all that is labelled. */
export function poolLine({ pool }: LabelTrust): string[] {
  return pool === "viewed"
    ? ["People have not labelled all that the model has: ideals are over the items in view of the runs here."]
    : [];
}

/** The heads of {@link listCorrectedRows}. */
export function listCorrectedHeads(confidence: number): string[] {
  return [
    "metric",
    "by the model",
    "corrected",
    `${formatShare(confidence)} interval`,
    "by people alone",
    "worth",
  ];
}

/**
 * The three numbers of each score that rests on a model's labels: what the model says, what people's labels
 * make of it, and where it lies.
 *
 * @param printed how a score, or a difference, is printed.
 */
export function listCorrectedRows(
  scores: readonly CorrectedScore[],
  printed: (value: number) => string = formatScoreOf,
): string[][] {
  return scores.map((score) => [
    oneLine(score.metric),
    printed(score.raw),
    printed(score.corrected),
    score.interval === null ? "—" : `${printed(score.interval.low)} to ${printed(score.interval.high)}`,
    printed(score.people.mean),
    `${score.queries} → ${knownWorth(score) ?? "—"}`,
  ]);
}
