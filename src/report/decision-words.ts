import type { BenchDecision, BenchReport, ChecklistItem } from "../records/index.js";
import { intervalMethods } from "../stats/index.js";

/** The decision in a few words: `keep hybrid`. */
export function decisionWords({ outcome, run }: BenchDecision): string {
  switch (outcome) {
    case "keep_hybrid":
    case "keep_embedding_only":
      return `keep ${run}`;
    case "fall_back_to_fts_only":
      return `fall back to ${run}`;
    case "inconclusive":
      return "inconclusive";
  }
  return outcome satisfies never;
}

/** What a report says that has no decision. */
export const NO_DECISION =
  "Nothing was decided: that takes fts_only and a mode with embeddings, side by side.";

/** The rule that fired, and what it asks for. */
export function ruleInWords({ rule, margin, confidence, latency_budget_ms }: BenchDecision): string {
  const budget = `the latency budget of ${latency_budget_ms} ms`;
  const improves =
    `A mode improves where the ${Number((100 * confidence).toFixed(2))} % interval of its nDCG ` +
    `minus that of fts_only lies above ${margin}, and that of the hit rate not below 0; ` +
    `${intervalMethods.wider.label}.`;
  switch (rule) {
    case "hybrid_improves":
      return `Rule 1: hybrid improves and is within ${budget}. ${improves}`;
    case "embedding_improves":
      return `Rule 2: embedding_only improves, is within ${budget}, and hybrid does not beat it. ${improves}`;
    case "latency":
      return `Rule 3: a mode improves, but only over ${budget}. ${improves}`;
    case "no_gain":
      return `Rule 4: no interval of nDCG minus that of fts_only reaches above ${margin}.`;
    case "undecided":
      return `Rule 5: none of the rules before it holds. ${improves}`;
  }
  return rule satisfies never;
}

/** The items of the checklist, as people call them. */
export const CHECKLIST: Readonly<Record<ChecklistItem["item"], string>> = {
  judged_dataset: "fixed judged dataset",
  side_by_side: "side-by-side results",
  metrics: "reported metrics",
  manual_sampling: "manual sampling pass",
  rollback: "rollback decision",
};

/** What there is of an item, or what to do; the rollback itself stands above the list already. */
export function checklistNote({ item, is_done, note }: ChecklistItem): string {
  return item === "rollback" && is_done ? "as above" : note;
}

/** Whether embeddings may be promoted, and if not, why. */
export function promotionInWords({ decision, checklist, may_promote }: BenchReport): string {
  if (may_promote)
    return "Embeddings may be promoted: the decision keeps them, and nothing of the checklist is missing.";
  if (decision === null) return "Embeddings may not be promoted: there is no decision.";
  if (decision.outcome !== "keep_hybrid" && decision.outcome !== "keep_embedding_only")
    return "Embeddings may not be promoted: the decision does not keep them.";
  return `Embeddings may not be promoted yet; still open: ${checklist
    .filter(({ is_done }) => !is_done)
    .map(({ item }) => CHECKLIST[item])
    .join(", ")}.`;
}
