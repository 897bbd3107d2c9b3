import type { BenchFixture } from "./bench-fixture.js";

/** The `top_k` that all cases have; null where they differ. */
export function commonTopK({ cases }: BenchFixture): number | null {
  const [topK, ...others] = new Set(cases.map(({ top_k }) => top_k));
  return topK === undefined || others.length > 0 ? null : topK;
}
