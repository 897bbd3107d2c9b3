import type { BenchEvidence, BenchMode } from "../schema/index.js";
import { BASELINE } from "./contender.js";

/** The models of the offline tier: hashed words. */
const HASHED = /^hash-\d+$/;

/** What a decision says in words, out of its numbers. */
export class DecisionWords {
  readonly #baseline: BenchMode;
  readonly #rivals: readonly BenchMode[];
  readonly #evidence: readonly BenchEvidence[];
  readonly #settings: { readonly margin: number; readonly confidence: number };

  constructor(baseline: BenchMode, rivals: readonly BenchMode[], evidence: readonly BenchEvidence[], settings: { readonly margin: number; readonly confidence: number }) {
    this.#baseline = baseline;
    this.#rivals = rivals;
    this.#evidence = evidence;
    this.#settings = settings;
  }

  keep({ mode, ndcg }: BenchEvidence): string {
    return `Keep ${mode}: it ranks better than ${BASELINE}${ndcg === null ? "" : ` by ${signed(ndcg.difference)} nDCG (${signed(ndcg.low)} to ${signed(ndcg.high)})`}.`;
  }

  noGain(): string {
    const { margin } = this.#settings;
    const models = [...new Set(this.#rivals.flatMap(({ embedding_model }) => embedding_model ?? []))];
    const what = this.#rivals.length > 1 ? `embeddings${models.length === 0 ? "" : ` (${models.join(", ")})`} do` : `${this.#rivals[0]?.mode ?? ""}, the only mode with embeddings that was measured, does`;
    return `Fall back to ${BASELINE}: ${what} not rank better${margin === 0 ? "" : ` by more than ${margin}`}.`;
  }

  /** What else a reader must know: failures first, then the numbers of each mode. */
  facts(): string[] {
    const isHashed = this.#rivals.every(({ embedding_model }) => embedding_model !== null && HASHED.test(embedding_model));
    return [
      ...[this.#baseline, ...this.#rivals].flatMap(failuresInWords),
      ...this.#evidence.map((each) => this.#numbers(each)),
      ...(isHashed ? ["Only the hash baseline was measured, which knows no language: a real provider may do better (--embedding-provider openai)."] : []),
    ];
  }

  #numbers({ mode, ndcg, evidence_hit_rate: hits }: BenchEvidence): string {
    if (ndcg === null || hits === null) return `${mode}: no interval, the cases are too few.`;
    return `${mode} against ${BASELINE}, ${Number((100 * this.#settings.confidence).toFixed(2))} % intervals: nDCG ${signed(ndcg.difference)} (${signed(ndcg.low)} to ${signed(ndcg.high)}), hit rate ${signed(hits.difference)} (${signed(hits.low)} to ${signed(hits.high)}).`;
  }

  /** What to switch off if the numbers do not hold. */
  rollback(run: string): string {
    const mode = this.#rivals.find((rival) => rival.mode === run);
    if (mode === undefined) return `Run ${BASELINE}. Embeddings are not in the way of a question: their index, and calls to the provider, can be switched off.`;
    return `If these numbers do not hold, switch from ${run} back to ${BASELINE}, whose index stays as it is; then switch off the embedding index${mode.embedding_model === null ? "" : ` and calls to ${mode.embedding_model}`}.`;
  }
}

/** Zeros of a system that was down would read as a bad ranking. */
function failuresInWords({ mode, per_case }: BenchMode): string[] {
  const failed = per_case.filter(({ error }) => error !== null).length;
  return failed === 0 ? [] : [`${mode} failed for ${failed} of ${per_case.length} cases, which count as nothing found.`];
}

function signed(value: number): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(4)}`;
}

/** Names as one speaks them. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
