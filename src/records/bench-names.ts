import type { BenchScores } from "./types/index.js";

/** A score of a benchmark that is cut at the cases' own cutoff. */
export type CutScore = "recall" | "mrr" | "ndcg";

/**
 * The name of a score in a benchmark's report: `recall_at_5`; `recall_at_k` where cases have different
 * cutoffs.
 */
export function scoreField(score: CutScore, topK: number | null): string {
  return `${score}_at_${topK ?? "k"}`;
}

/** A score among those of a mode, whatever its cutoff; undefined where it is missing. */
export function cutScoreIn(scores: BenchScores, score: CutScore): number | undefined {
  const start = scoreField(score, null).slice(0, -1);
  return Object.entries(scores).find(([name]) => name.startsWith(start))?.[1];
}

/** The name of a standard mode in a tier of a benchmark: `hybrid`, `hybrid@live`. */
export function modeIn(tier: "offline" | "live_shadow", mode: string): string {
  return tier === "offline" ? mode : `${mode}@live`;
}

/** What a benchmark's report calls its metrics, wherever it prints them. */
export function benchMetricNames(topK: number | null): Readonly<Record<CutScore | "hitRate", string>> {
  const k = topK ?? "k";
  return { ndcg: `nDCG@${k}`, mrr: `MRR@${k}`, recall: `recall@${k}`, hitRate: "hit rate" };
}
