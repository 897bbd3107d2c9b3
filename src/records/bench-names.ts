/**
 * The name of a score in a benchmark's report: `recall_at_5`; `recall_at_k` where cases have different
 * cutoffs.
 */
export function scoreField(score: "recall" | "mrr" | "ndcg", topK: number | null): string {
  return `${score}_at_${topK ?? "k"}`;
}

/** The name of a standard mode in a tier of a benchmark: `hybrid`, `hybrid@live`. */
export function modeIn(tier: "offline" | "live_shadow", mode: string): string {
  return tier === "offline" ? mode : `${mode}@live`;
}
