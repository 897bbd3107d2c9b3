import { countOf } from "../foundation/numbers/index.js";
import type { BenchReport } from "../records/index.js";

/**
 * What was measured, how, and what it was decided by: everything that is needed to get the same report again,
 * a name and a value each.
 */
export function benchSettings({
  fixture,
  settings,
  decision,
}: BenchReport): (readonly [name: string, value: string])[] {
  const decided =
    decision === null
      ? []
      : ([
          ["margin", String(decision.margin)],
          ["confidence", `${Number((100 * decision.confidence).toFixed(2))} %`],
          ["latency budget", `p95 of ${decision.latency_budget_ms} ms`],
          ["seed", String(decision.seed)],
          ["resamples", String(decision.resamples)],
          ["decided by", decision.tier === "offline" ? "the offline tier" : "the live tier"],
        ] as const);
  return [
    ["fixture", fixture.name],
    ["version", fixture.version ?? "—"],
    ["digest", fixture.digest],
    ["judged", fixture.unit === "chunk" ? "chunks" : "documents"],
    ["chunker", fixture.chunker_version],
    ["chunks", String(fixture.chunks)],
    ["cases", String(fixture.cases)],
    ["cutoff k", settings.top_k === null ? "each case's own top_k" : String(settings.top_k)],
    ["depth", String(settings.depth)],
    // Elsewhere `nDCG@5` is the linear one.
    ["nDCG", `nDCG(dcg='exp-log2')@${settings.top_k ?? "k"} of the metrics`],
    [
      "latency",
      `median of ${countOf(settings.repeats, "repeat")} per case, ` + `after ${settings.warm_up} unmeasured`,
    ],
    ...decided,
  ];
}
