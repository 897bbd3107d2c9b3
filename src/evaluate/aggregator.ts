import { compareIds } from "../ids.js";
import { citationResolver } from "../matching/index.js";
import { precisionFraction, recallFraction, reciprocalRankFraction, successFraction } from "../metrics/index.js";
import { exactSum, nearestRankPercentile, RationalSum, roundedFraction, roundTo4, type Fraction } from "../numbers/index.js";
import type { AggregateMetrics, AtCutoffs, QueryResult } from "../schema/index.js";
import { AggregateWarnings } from "./aggregate-warnings.js";
import { knownPlaces, type AggregateOptions } from "./aggregate-options.js";
import { FurtherMetrics } from "./further-metrics.js";
import { judgeAnswer, type AnswerJudge, type AnswerVerdict } from "./judge-answer.js";
import type { JudgedQuery, RunJudge } from "./judge-run.js";

/** The cutoffs of the fixed fields. */
const CUTOFFS = [1, 3, 5, 10] as const;
/** Reciprocal rank looks no further; a first hit below it scores 0. */
const MRR_CUTOFF = 10;

/** An exact mean in the making. */
class Mean {
  readonly #sum = new RationalSum();
  #count = 0;

  add({ numerator, denominator }: Fraction): void {
    this.#count++;
    if (numerator !== 0) this.#sum.add(numerator, denominator);
  }

  get count(): number {
    return this.#count;
  }

  get value(): number {
    return this.#sum.roundedMean(this.#count);
  }
}

/** A mean for each of the fixed cutoffs. */
class MeansAtCutoffs {
  readonly #means = CUTOFFS.map(() => new Mean());

  add(score: (cutoff: number) => Fraction): void {
    for (let i = 0; i < CUTOFFS.length; i++) this.#means[i]?.add(score(CUTOFFS[i] as number));
  }

  get count(): number {
    return this.#means[0]?.count ?? 0;
  }

  get values(): AtCutoffs {
    return Object.fromEntries(CUTOFFS.map((k, i) => [k, this.#means[i]?.value])) as AtCutoffs;
  }
}

/** How many of some things have a property. */
class Share {
  #part = 0;
  #whole = 0;

  /** @param holds null where there is nothing to count. */
  add(holds: boolean | null): void {
    if (holds !== null) this.#whole++;
    if (holds === true) this.#part++;
  }

  get count(): number {
    return this.#whole;
  }

  /** At 4 decimals; null for 0 of 0. */
  get value(): number | null {
    return this.#whole === 0 ? null : roundedFraction({ numerator: this.#part, denominator: this.#whole });
  }
}

/** Gathers the aggregate of a run from its queries, which may come in any order. */
export class Aggregator {
  readonly #judge: RunJudge;
  readonly #options: AggregateOptions;
  readonly #answerJudge: AnswerJudge;
  readonly #warnings: AggregateWarnings;
  readonly #further: FurtherMetrics;
  readonly #hit = new MeansAtCutoffs();
  readonly #reciprocalRank = new Mean();
  readonly #precision = new MeansAtCutoffs();
  readonly #recall = new MeansAtCutoffs();
  readonly #covered = new Share();
  readonly #passed = new Share();
  readonly #refused = new Share();
  readonly #missing: string[] = [];

  constructor(judge: RunJudge, options: AggregateOptions) {
    this.#judge = judge;
    this.#options = options;
    this.#answerJudge = {
      hasAnswers: judge.run.results.some(({ answer }) => answer != null),
      resolves: options.corpus === undefined ? null : citationResolver(options.corpus),
      textMatch: options.textMatch,
    };
    this.#warnings = new AggregateWarnings(judge, knownPlaces(options));
    this.#further = new FurtherMetrics(judge.matcher, options);
  }

  /** Takes each golden query once; tells what its answer got right. */
  add(judged: JudgedQuery): AnswerVerdict {
    const verdict = judgeAnswer(judged, this.#answerJudge);
    this.#warnings.add(judged);
    if (judged.result === null) {
      this.#missing.push(judged.query.id);
      if (this.#options.missingQueries === "skip") return verdict;
    }
    const { chunks, docs } = judged;
    if (chunks.pool.length > 0) {
      this.#hit.add((k) => successFraction(chunks, k));
      this.#reciprocalRank.add(reciprocalRankFraction(chunks, MRR_CUTOFF));
      this.#precision.add((k) => precisionFraction(chunks, k));
    }
    if (docs.pool.length > 0) this.#recall.add((k) => recallFraction(docs, k));
    this.#further.add(judged);
    this.#refused.add(verdict.refusal);
    this.#passed.add(verdict.text);
    this.#covered.add(verdict.citations);
    return verdict;
  }

  result(): AggregateMetrics {
    const { results } = this.#judge.run;
    const empty = new Share();
    for (const { hits_top_k } of results) empty.add(hits_top_k.length === 0);
    return {
      schema_version: 1,
      hit_at_k: this.#hit.values,
      mrr: this.#reciprocalRank.value,
      precision_at_k_chunk: this.#precision.values,
      recall_at_k_doc: this.#recall.values,
      citation_coverage: this.#covered.value,
      groundedness: this.#passed.value ?? 0,
      empty_result_rate: empty.value ?? 0,
      refusal_correctness: this.#refused.value,
      total_queries: results.length,
      failed_queries: results.filter(hasFailed).length,
      support: {
        hit_at_k: this.#hit.count,
        mrr: this.#reciprocalRank.count,
        precision_at_k_chunk: this.#precision.count,
        recall_at_k_doc: this.#recall.count,
        citation_coverage: this.#covered.count,
        groundedness: this.#passed.count,
        empty_result_rate: empty.count,
        refusal_correctness: this.#refused.count,
        ...this.#further.support,
      },
      missing_queries: this.#missing.sort(compareIds),
      unmatched_results: this.#judge.unmatched.map(({ query_id }) => query_id).sort(compareIds),
      latency_ms: latency(results),
      metrics: this.#further.scores,
      metric_cards: this.#further.cards,
      warnings: this.#warnings.list(this.#answerJudge.resolves !== null),
    };
  }
}

function hasFailed({ error }: QueryResult): boolean {
  return error != null;
}

function latency(results: readonly QueryResult[]): AggregateMetrics["latency_ms"] {
  const times = Float64Array.from(results.flatMap(({ elapsed_ms }) => (typeof elapsed_ms === "number" && Number.isFinite(elapsed_ms) ? [elapsed_ms] : []))).sort();
  if (times.length === 0) return null;
  const sum = exactSum(times);
  return {
    // The sum of times near the largest double is beyond it; their mean is not.
    mean: roundTo4(Number.isFinite(sum) ? sum / times.length : exactSum(times.map((time) => time / times.length))),
    p50: roundTo4(nearestRankPercentile(times, 50)),
    p95: roundTo4(nearestRankPercentile(times, 95)),
    max: roundTo4(nearestRankPercentile(times, 100)),
  };
}
