import { roundTo4 } from "../../src/foundation/numbers/index.js";
import type { BenchMode } from "../../src/records/index.js";

/** A measured mode with these nDCG scores; a case is a hit where its score is above 0. */
export function aMode(
  mode: string,
  ndcg: readonly number[],
  {
    p95 = 10,
    hits,
    tier = "offline",
  }: { readonly p95?: number; readonly hits?: readonly boolean[]; readonly tier?: BenchMode["tier"] } = {},
): BenchMode {
  const mean = (values: readonly number[]): number =>
    roundTo4(values.reduce((sum, value) => sum + value, 0) / values.length);
  const share = mean(ndcg.map((score, index) => ((hits?.[index] ?? score > 0) ? 1 : 0)));
  const scores = {
    case_count: ndcg.length,
    evidence_hit_rate: share,
    avg_latency_ms: p95,
    p95_latency_ms: p95,
    ndcg_at_5: mean(ndcg),
    recall_at_5: mean(ndcg),
    mrr_at_5: mean(ndcg),
  };
  return {
    mode,
    tier,
    description: "made up",
    embedding_model: mode === "fts_only" ? null : "made-up-model",
    overall: scores,
    by_query_type: {},
    per_case: ndcg.map((score, index) => ({
      case_id: `c${index}`,
      ranked: [],
      recall: score,
      mrr: score,
      ndcg: score,
      is_hit: hits?.[index] ?? score > 0,
      latency_ms: p95,
      error: null,
    })),
  };
}
