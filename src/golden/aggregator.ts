import {
  aggregateCutoffs,
  aggregateFields,
  type AggregatePartial,
  type AggregateMetrics,
  checksText,
  countFailedResults,
  listGrades,
  type MetricCard,
  shouldRefuse,
} from "../records/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { citationResolver } from "../matching/index.js";
import {
  cardRecord,
  precisionFraction,
  recallFraction,
  reciprocalRankFraction,
  successFraction,
} from "../metrics/internal.js";
import { FractionMean, roundFraction, type Fraction } from "../foundation/numbers/index.js";
import { listKnownPlaces, type AggregateOptions } from "./aggregate-options.js";
import { warningsOfRun } from "./aggregate-warnings.js";
import { finishAggregate, type AggregateParts } from "./finish-aggregate.js";
import { furtherMeans, type FurtherMean } from "./further-metrics.js";
import { judgeAnswer, type AnswerJudge, type AnswerVerdict } from "./judge-answer.js";
import { judgeByGrade, type JudgedQuery, type RunJudge } from "./judge-run.js";
import { latencyOf } from "./latency.js";
import { Notices } from "./notices.js";

/** Reciprocal rank looks no further; a first hit below it scores 0. */
const MRR_CUTOFF = 10;

const NONE_AT_CUTOFFS: readonly null[] = aggregateCutoffs.map(() => null);

/** What the aggregator made of one query. */
export interface AggregatedQuery {
  readonly answer: AnswerVerdict;
  /**
   * One for each of the {@link Aggregator.columns}, NaN where it has none; null for a query that is left out.
   */
  readonly scores: readonly number[] | null;
}

/** A column of {@link AggregatedQuery.scores}. */
export interface AggregatedColumn {
  readonly name: string;
  readonly card: MetricCard;
  /** Whether the aggregate is the mean of the scores; a count or a geometric mean is none. */
  readonly isMean: boolean;
}

const atCutoffs = (score: (cutoff: number) => Fraction): Fraction[] => aggregateCutoffs.map(score);

const HELD: Fraction = { numerator: 1, denominator: 1 };
const FAILED: Fraction = { numerator: 0, denominator: 1 };

/** @param holds null where there is nothing to count. */
const shareOf = (holds: boolean | null): Fraction | null => (holds === null ? null : holds ? HELD : FAILED);

/** Gathers the aggregate of a run from its queries, which may come in any order. */
export class Aggregator {
  readonly #judge: RunJudge;
  readonly #options: AggregateOptions;
  readonly #answerJudge: AnswerJudge;
  readonly #notices: Notices;
  readonly #fields: readonly FractionMean[] = aggregateFields.map(() => new FractionMean());
  readonly #further: readonly FurtherMean[];
  readonly #missing: string[] = [];

  constructor(judge: RunJudge, options: AggregateOptions) {
    this.#judge = judge;
    this.#options = options;
    this.#answerJudge = {
      hasAnswers: judge.run.results.some(({ answer }) => answer != null),
      resolves: options.corpus === undefined ? null : citationResolver(options.corpus),
      textMatch: options.textMatch,
      placeOf: judge.matcher.placeOf,
    };
    this.#notices = new Notices(judge, listKnownPlaces(options));
    this.#further = furtherMeans(options.metrics);
  }

  /** The columns of {@link AggregatedQuery.scores}. */
  get columns(): AggregatedColumn[] {
    return [
      ...aggregateFields.map(({ label, higherIsBetter }) => ({
        name: label,
        card: { higher_is_better: higherIsBetter, range: [0, 1] as [number, number] },
        isMean: true,
      })),
      ...this.#further.map(({ mean: { metric } }) => ({
        name: metric.name,
        card: cardRecord(metric.definition),
        isMean: metric.definition.aggregate === undefined,
      })),
    ];
  }

  /** Takes each golden query once. */
  add(judged: JudgedQuery): AggregatedQuery {
    const answer = judgeAnswer(judged, this.#answerJudge);
    this.#notices.add(judged);
    if (judged.result === null) {
      this.#missing.push(judged.query.id);
      if (this.#options.missingQueries === "skip") return { answer, scores: null };
    }
    const { chunks, docs, result } = judged;
    const ofChunks = chunks.pool.length > 0;
    // In the order of the aggregate's fields.
    const fields: readonly (Fraction | null)[] = [
      ...(ofChunks ? atCutoffs((k) => successFraction(chunks, k)) : NONE_AT_CUTOFFS),
      ofChunks ? reciprocalRankFraction(chunks, MRR_CUTOFF) : null,
      ...(docs.pool.length > 0 ? atCutoffs((k) => recallFraction(docs, k)) : NONE_AT_CUTOFFS),
      ...(ofChunks ? atCutoffs((k) => precisionFraction(chunks, k)) : NONE_AT_CUTOFFS),
      shareOf(answer.citations),
      shareOf(answer.text),
      shareOf(answer.refusal),
      shareOf(result && result.hits_top_k.length === 0),
    ];
    const scores = fields.map((score, at) =>
      score === null ? NaN : (this.#fields[at] as FractionMean).add(score),
    );
    return { answer, scores: [...scores, ...this.#addFurther(judged)] };
  }

  /** One score for each further metric; NaN for a query without judgments of the unit. */
  #addFurther(judgedQuery: JudgedQuery): number[] {
    if (this.#further.length === 0) return [];
    const judged = judgeByGrade(judgedQuery, this.#options.unit ?? "chunk", this.#judge.matcher);
    return this.#further.map(({ mean, scores }) => {
      if (judged === null) return NaN;
      const score = mean.add(judged, judgedQuery.query.id);
      scores.push(score);
      return score;
    });
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

  /** What is known of the run whatever queries were added. */
  #ofRun(): AggregatePartial["of_run"] {
    const { run, unmatched } = this.#judge;
    const { results } = run;
    const { failed, failures } = countFailedResults(results);
    const numerator = results.filter(({ hits_top_k }) => hits_top_k.length === 0).length;
    return {
      empty_result_rate: roundFraction({ numerator, denominator: Math.max(1, results.length) }),
      total_queries: results.length,
      failed_queries: failed,
      failures,
      unmatched_results: unmatched.map(({ query_id }) => query_id).sort(compareIds),
      latency_ms: latencyOf(results),
      warnings: warningsOfRun(this.#judge, this.#answerJudge.resolves !== null, this.#measures()),
    };
  }

  /** What was gathered so far. */
  parts(): AggregateParts {
    return {
      of_run: this.#ofRun(),
      chunker_version: this.#notices.chunkerVersion,
      missing_queries: this.#missing,
      noticed: this.#notices.noticed,
      fields: this.#fields,
      further: this.#further,
    };
  }

  result(): AggregateMetrics {
    return finishAggregate(this.parts());
  }
}
