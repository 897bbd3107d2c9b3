import { type BenchEvidence, type BenchMode, cutScoreIn } from "../records/index.js";
import { formatCount, formatChange, roundTo4 } from "../foundation/numbers/index.js";
import { BASELINE } from "./bench-system.js";
import { hasStoodStill } from "./has-stood-still.js";

/** The models of the offline tier: hashed words. */
const HASHED = /^hash-\d+$/;

/** What a decision says in words, out of its numbers. */
export class DecisionWords {
  readonly #baseline: BenchMode;
  readonly #tested: readonly BenchMode[];
  readonly #evidence: readonly BenchEvidence[];
  readonly #settings: { readonly margin: number; readonly confidence: number };

  constructor(
    baseline: BenchMode,
    tested: readonly BenchMode[],
    evidence: readonly BenchEvidence[],
    settings: { readonly margin: number; readonly confidence: number },
  ) {
    this.#baseline = baseline;
    this.#tested = tested;
    this.#evidence = evidence;
    this.#settings = settings;
  }

  keep({ mode, ndcg }: BenchEvidence): string {
    const gain =
      ndcg === null
        ? ""
        : `${formatChange(ndcg.difference)} nDCG (${formatChange(ndcg.low)} to ${formatChange(ndcg.high)})`;
    const winner = this.#tested.find((each) => each.mode === mode);
    const name = winner === undefined ? mode : describeTested(winner);
    return (
      this.#unreal +
      (this.#settings.margin < 0
        ? `${name} differs from ${BASELINE} by ${gain}, above the margin of ${this.#settings.margin}.`
        : `${name} ranks better than ${BASELINE} by ${gain}.`)
    );
  }

  noGain(): string {
    return `${this.#unreal}${this.#doNotRankBetter(this.#tested)}.`;
  }

  describeUndecided(cases: number, needed: number | null): string {
    const { margin } = this.#settings;
    const gains = this.#tested.map((mode, at) => {
      const ndcg = this.#evidence[at]?.ndcg ?? null;
      return { mode, ndcg: hasStoodStill({ ndcg }, cases) ? null : ndcg };
    });
    const lost = gains.filter(({ ndcg }) => ndcg !== null && ndcg.high <= margin).map(({ mode }) => mode);
    const untold = gains.filter(({ ndcg }) => ndcg === null || (ndcg.low <= margin && ndcg.high > margin));
    // Else each ranks better and finds something for fewer cases.
    const open = untold.length > 0 ? untold.map(({ mode }) => mode) : this.#tested;
    const rank = open.length === 1 ? "ranks" : "rank";
    const names = listInWords(open.map(describeTested));
    const words = `${cases} cases do not tell whether ${names} ${rank} better`;
    return (
      this.#unreal +
      (lost.length === 0
        ? `${words} than ${BASELINE}${this.#beyondMargin}. `
        : `${this.#doNotRankBetter(lost)}; ${words}. `) +
      (needed === null ? "As it looks, no number of cases would" : `About ${roundCount(needed)} would`)
    );
  }

  #doNotRankBetter(modes: readonly BenchMode[]): string {
    const names = listInWords(modes.map(describeTested));
    const does = modes.length === 1 ? "does" : "do";
    return `${names} ${does} not rank better than ${BASELINE}${this.#beyondMargin}`;
  }

  get #beyondMargin(): string {
    return this.#settings.margin === 0 ? "" : ` by more than ${this.#settings.margin}`;
  }

  /** Whoever reads no further must not take hashed words for embeddings. */
  get #unreal(): string {
    return this.#isHashed ? "No real embeddings were measured. With hashed words, " : "";
  }

  get #isHashed(): boolean {
    return this.#tested.every(
      ({ embedding_model }) => embedding_model !== null && HASHED.test(embedding_model),
    );
  }

  /** What else a reader must know: failures first, then the numbers of each mode. */
  facts(): string[] {
    return [
      ...[this.#baseline, ...this.#tested].flatMap(failuresInWords),
      ...this.#evidence.map((each) => this.#numbers(each)),
      ...this.#tested.flatMap((each) => describeMoves(this.#baseline, each)),
      ...(this.#isHashed
        ? [
            "The hash baseline knows no language. Try real embeddings: a provider " +
              "(--embedding-provider openai), vectors (--vectors), or a run (--system).",
          ]
        : []),
    ];
  }

  #numbers({ mode, ndcg, evidence_hit_rate: hits }: BenchEvidence): string {
    if (ndcg === null || hits === null) return `${mode}: no interval, the cases are too few.`;
    return (
      `${mode} against ${BASELINE}, ${Number((100 * this.#settings.confidence).toFixed(6))} % ` +
      `intervals: nDCG ${formatChange(ndcg.difference)} (${formatChange(ndcg.low)} to ` +
      `${formatChange(ndcg.high)}), hit rate ${formatChange(hits.difference)} ` +
      `(${formatChange(hits.low)} to ${formatChange(hits.high)}).`
    );
  }

  /** What to switch off if the numbers do not hold. */
  rollback(run: string): string {
    const mode = this.#tested.find((each) => each.mode === run);
    if (mode === undefined)
      return (
        `Run ${BASELINE}. Embeddings are not in the way of a question: their index, and calls to the ` +
        "provider, can be switched off."
      );
    return (
      `If these numbers do not hold, switch from ${run} back to ${BASELINE}, whose index stays as it ` +
      "is; then switch off the embedding " +
      `index${mode.embedding_model === null ? "" : ` and calls to ${mode.embedding_model}`}.`
    );
  }
}

/** A mode with what it is made of: `hybrid by rrf(k=60) with e5-small`. */
function describeTested({ mode, fusion, embedding_model }: BenchMode): string {
  return `${mode}${fusion === undefined ? "" : ` by ${fusion}`}${
    embedding_model === null || HASHED.test(embedding_model) ? "" : ` with ${embedding_model}`
  }`;
}

/** What rose and fell besides nDCG and the hit rate: to find more can be to rank worse. */
function describeMoves({ overall: before }: BenchMode, { mode, overall: after }: BenchMode): string[] {
  const change = (name: "recall" | "mrr"): number =>
    roundTo4((cutScoreIn(after, name) ?? 0) - (cutScoreIn(before, name) ?? 0));
  const changes: readonly (readonly [string, number])[] = [
    ["recall", change("recall")],
    ["MRR", change("mrr")],
  ];
  const moved = changes.filter(([, by]) => by !== 0);
  if (moved.length === 0) return [];
  const words = moved.map(
    ([name, by]) => `${name} ${by > 0 ? "rose" : "fell"} by ${Math.abs(by).toFixed(4)}`,
  );
  return [`${mode}: ${listInWords(words)} on average; the decision does not rest on that.`];
}

/** Zeros of a system that was down would read as a bad ranking. */
function failuresInWords({ mode, per_case }: BenchMode): string[] {
  const failed = per_case.filter(({ error }) => error !== null).length;
  return failed === 0
    ? []
    : [`${mode} failed for ${failed} of ${per_case.length} cases, which count as nothing found.`];
}

/** Two digits: more would promise what the estimate cannot keep. */
function roundCount(count: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return formatCount(Math.ceil(count / unit) * unit);
}

/** Names as one speaks them. */
export function listInWords(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
