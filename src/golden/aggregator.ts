import {
  aggregateCutoffs,
  aggregateFields,
  type AggregateMetrics,
  type AtCutoffs,
  checksText,
  countFailedResults,
  listGrades,
  type MetricCard,
  shouldRefuse,
} from "../records/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { citationResolver } from "../matching/index.js";
import {
  precisionFraction,
  recallFraction,
  reciprocalRankFraction,
  successFraction,
} from "../metrics/internal.js";
import { RationalSum, roundFraction, type Fraction } from "../foundation/numbers/index.js";
import { AggregateWarnings } from "./aggregate-warnings.js";
import { listKnownPlaces, type AggregateOptions } from "./aggregate-options.js";
import { FurtherMetrics } from "./further-metrics.js";
import { judgeAnswer, type AnswerJudge, type AnswerVerdict } from "./judge-answer.js";
import type { JudgedQuery, RunJudge } from "./judge-run.js";
import { latencyOf } from "./latency.js";

/** Reciprocal rank looks no further; a first hit below it scores 0. */
const MRR_CUTOFF = 10;

const NONE_AT_CUTOFFS: readonly number[] = aggregateCutoffs.map(() => NaN);

/** What the aggregator made of one query. */
export interface AggregatedQuery {
  readonly answer: AnswerVerdict;
  /**
   * One for each of the {@link Aggregator.columns}, NaN where it has none; null for a query that is left out.
   */
  readonly scores: readonly number[] | null;
}

/** An exact mean in the making. */
class Mean {
  readonly #sum = new RationalSum();
  #count = 0;

  add({ numerator, denominator }: Fraction): number {
    this.#count++;
    if (numerator === 0) return 0;
    this.#sum.add(numerator, denominator);
    return numerator / denominator;
  }

  get count(): number {
    return this.#count;
  }

  get value(): number {
    return this.#sum.roundMean(this.#count);
  }
}

/** A mean for each of the fixed cutoffs. */
class MeansAtCutoffs {
  readonly #means = aggregateCutoffs.map(() => new Mean());

  add(score: (cutoff: number) => Fraction): number[] {
    return this.#means.map((mean, i) => mean.add(score(aggregateCutoffs[i] as number)));
  }

  get count(): number {
    return this.#means[0]?.count ?? 0;
  }

  get values(): AtCutoffs {
    const values = aggregateCutoffs.map((k, i) => [k, this.#means[i]?.value] as const);
    return Object.fromEntries(values) as Record<keyof AtCutoffs, number>;
  }
}

/** How many of some things have a property. */
class Share {
  #part = 0;
  #whole = 0;

  /** @param holds null where there is nothing to count. */
  add(holds: boolean | null): number {
    if (holds === null) return NaN;
    this.#whole++;
    if (holds) this.#part++;
    return Number(holds);
  }

  get count(): number {
    return this.#whole;
  }

  /** At 4 decimals; null for 0 of 0. */
  get value(): number | null {
    return this.#whole === 0 ? null : roundFraction({ numerator: this.#part, denominator: this.#whole });
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
    this.#warnings = new AggregateWarnings(judge, listKnownPlaces(options));
    this.#further = new FurtherMetrics(judge.matcher, options);
  }

  /** The columns of {@link AggregatedQuery.scores}. */
  get columns(): { readonly name: string; readonly card: MetricCard }[] {
    const further = Object.entries(this.#further.cards).map(([name, card]) => ({ name, card }));
    return [
      ...aggregateFields.map(({ label, higherIsBetter }) => ({
        name: label,
        card: { higher_is_better: higherIsBetter, range: [0, 1] as [number, number] },
      })),
      ...further,
    ];
  }

  /** Takes each golden query once. */
  add(judged: JudgedQuery): AggregatedQuery {
    const answer = judgeAnswer(judged, this.#answerJudge);
    this.#warnings.add(judged);
    if (judged.result === null) {
      this.#missing.push(judged.query.id);
      if (this.#options.missingQueries === "skip") return { answer, scores: null };
    }
    const { chunks, docs, result } = judged;
    const ofChunks = chunks.pool.length > 0;
    // In the order of the aggregate's fields.
    const scores = [
      ...(ofChunks ? this.#hit.add((k) => successFraction(chunks, k)) : NONE_AT_CUTOFFS),
      ofChunks ? this.#reciprocalRank.add(reciprocalRankFraction(chunks, MRR_CUTOFF)) : NaN,
      ...(docs.pool.length > 0 ? this.#recall.add((k) => recallFraction(docs, k)) : NONE_AT_CUTOFFS),
      ...(ofChunks ? this.#precision.add((k) => precisionFraction(chunks, k)) : NONE_AT_CUTOFFS),
      this.#covered.add(answer.citations),
      this.#passed.add(answer.text),
      this.#refused.add(answer.refusal),
      result === null ? NaN : Number(result.hits_top_k.length === 0),
      ...this.#further.add(judged),
    ];
    return { answer, scores };
  }

  /**
   * What the golden queries can measure: `nothing` where none says what is expected of it and no answer has
   * citations to be checked, `documents` where chunks are never among it.
   */
  #measures(): "all" | "documents" | "nothing" {
    const { queries } = this.#judge;
    const isJudged = (unit: "chunk" | "doc"): boolean =>
      queries.some((query) => listGrades(query, unit).size > 0);
    if (queries.length === 0 || isJudged("chunk")) return "all";
    if (isJudged("doc")) return this.#options.unit === "doc" ? "all" : "documents";
    const isChecked = queries.some((query) => shouldRefuse(query) || checksText(query));
    return isChecked || this.#answerJudge.hasAnswers ? "all" : "nothing";
  }

  result(): AggregateMetrics {
    const { results } = this.#judge.run;
    const empty = new Share();
    for (const { hits_top_k } of results) empty.add(hits_top_k.length === 0);
    const { failed, failures } = countFailedResults(results);
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
      failed_queries: failed,
      failures,
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
      latency_ms: latencyOf(results),
      metrics: this.#further.scores,
      metric_cards: this.#further.cards,
      warnings: this.#warnings.list(this.#answerJudge.resolves !== null, this.#measures()),
    };
  }
}
