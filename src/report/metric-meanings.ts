import { ownValue } from "../foundation/checks/index.js";
import type { MetricCard } from "../records/index.js";

/** What the fields of every aggregate say, by their labels without a cutoff. */
const FIXED: Readonly<Record<string, string>> = {
  hit: "Of how many queries is an expected chunk among the first k hits?",
  MRR: "How high does the first expected chunk stand? 1 over its rank, 0 below the cutoff, averaged.",
  "doc recall": "Which share of the expected documents is among the first k hits?",
  precision: "Which share of the first k hits are expected chunks?",
  "citation coverage": "Which share of the answers cites only what the knowledge base holds?",
  "text checks":
    "Which share of the answers has every text that it must contain, and none that is forbidden?",
  "refusal correctness": "Which share of the questions that should be refused was refused?",
  "empty results": "Which share of the results has no hit at all?",
};

/** What each metric asks, as far as it is known: the question of its card, or that of the fixed fields. */
export function metricMeanings(
  metrics: readonly string[],
  cards: Readonly<Record<string, MetricCard>>,
): readonly (readonly [metric: string, meaning: string])[] {
  return metrics.flatMap((metric) => {
    const meaning = ownValue(cards, metric)?.question ?? ownValue(FIXED, metric.replace(/@\d+$/, "")) ?? null;
    return meaning === null ? [] : [[metric, meaning] as const];
  });
}
