import { InputError, shown } from "../errors.js";
import { checksText, goldenQueries, shouldRefuse, type Golden } from "../golden-set.js";
import { compareIds } from "../ids.js";
import { citationResolver, citesOnlyRealChunks, docSpanMatcher, exactMatcher, passesTextChecks, type TextMatch } from "../matching/index.js";
import { precisionFraction, recallFraction, reciprocalRankFraction, successFraction, type Metric } from "../metrics/index.js";
import { exactSum, nearestRankPercentile, RationalSum, roundedFraction, roundTo4, type Fraction } from "../numbers/index.js";
import type { AggregateMetrics, AtCutoffs, ChunkRecord, CorpusSnapshot, EvalRun, QueryResult } from "../schema/index.js";
import { aggregateWarnings } from "./aggregate-warnings.js";
import { judgedByGrade, judgeRun, type JudgedQuery, type JudgedRun, type JudgedUnit } from "./judge-run.js";

/** The cutoffs of the fixed fields. */
const CUTOFFS = [1, 3, 5, 10] as const;
/** Reciprocal rank looks no further; a first hit below it scores 0. */
const MRR_CUTOFF = 10;

/** How a run is scored. Every choice has one default. */
export interface AggregateOptions {
  /** The knowledge base's chunks. Without it citations cannot be checked, and `citation_coverage` is null. */
  readonly corpus?: CorpusSnapshot | undefined;
  /** Places of chunks that the knowledge base may have no longer: for matching by document and span, not for citations. */
  readonly archive?: readonly ChunkRecord[] | undefined;
  /** Whether a golden query without a result scores 0 (default) or is left out. */
  readonly missingQueries?: "zero" | "skip" | undefined;
  /** How `must_contain` and `forbidden` are looked for. Default `"caseSensitive"`. */
  readonly textMatch?: TextMatch | undefined;
  /** Whether an expected chunk is found by its id (default), or by its document and place in it. */
  readonly matching?: "exact" | "docSpan" | undefined;
  /** Further metrics, keyed by their printed names in `metrics`. */
  readonly metrics?: readonly Metric[] | undefined;
  /** What the further metrics are about. Default `"chunk"`. */
  readonly unit?: JudgedUnit | undefined;
}

/**
 * The scores of a run against a golden set. Pure and synchronous; every stored value is rounded once from the exact mean, so
 * neither platform nor order of queries changes a digit.
 *
 * @throws InputError when the input contradicts itself: a query id twice, a rank of 0.
 */
export function computeAggregate(run: EvalRun, golden: Golden, options: AggregateOptions = {}): AggregateMetrics {
  const matcher = options.matching === "docSpan" ? docSpanMatcher(goldenQueries(golden), knownPlaces(options), [run]) : exactMatcher;
  return aggregateOf(judgeRun(run, golden, matcher), options);
}

/** Every chunk whose place the caller knows. */
export function knownPlaces({ corpus, archive = [] }: AggregateOptions): ChunkRecord[] {
  return [...(corpus?.chunks ?? []), ...archive];
}

/** The aggregate of a run that is judged already. */
export function aggregateOf(judgedRun: JudgedRun, options: AggregateOptions): AggregateMetrics {
  const { run, queries, unmatched } = judgedRun;
  const { results } = run;
  const scored = options.missingQueries === "skip" ? queries.filter(({ result }) => result !== null) : queries;
  const withChunks = scored.filter(({ chunkIds }) => chunkIds.length > 0);
  const withDocs = scored.filter(({ docs }) => docs.grades.length > 0);
  const answers = answerScores(judgedRun, scored, options);
  const further = furtherMetrics(scored, judgedRun, options);
  const emptyResults = results.filter(({ hits_top_k }) => hits_top_k.length === 0).length;
  return {
    schema_version: 1,
    hit_at_k: meansAtCutoffs(withChunks, ({ chunks }, k) => successFraction(chunks, k)),
    mrr: meanOf(withChunks, ({ chunks }) => reciprocalRankFraction(chunks, MRR_CUTOFF)),
    precision_at_k_chunk: meansAtCutoffs(withChunks, ({ chunks }, k) => precisionFraction(chunks, k)),
    recall_at_k_doc: meansAtCutoffs(withDocs, ({ docs }, k) => recallFraction(docs, k)),
    citation_coverage: answers.citationCoverage.value,
    groundedness: answers.groundedness.value ?? 0,
    empty_result_rate: share(emptyResults, results.length) ?? 0,
    refusal_correctness: answers.refusalCorrectness.value,
    total_queries: results.length,
    failed_queries: results.filter(hasFailed).length,
    support: {
      hit_at_k: withChunks.length,
      mrr: withChunks.length,
      precision_at_k_chunk: withChunks.length,
      recall_at_k_doc: withDocs.length,
      citation_coverage: answers.citationCoverage.support,
      groundedness: answers.groundedness.support,
      empty_result_rate: results.length,
      refusal_correctness: answers.refusalCorrectness.support,
      ...further.support,
    },
    missing_queries: queries.flatMap(({ query, result }) => (result === null ? [query.id] : [])).sort(compareIds),
    unmatched_results: unmatched.map(({ query_id }) => query_id).sort(compareIds),
    latency_ms: latency(results),
    metrics: further.scores,
    metric_cards: further.cards,
    warnings: aggregateWarnings(judgedRun, options.corpus !== undefined, knownPlaces(options)),
  };
}

function hasFailed({ error }: QueryResult): boolean {
  return error !== null && error !== undefined;
}

function meanOf(queries: readonly JudgedQuery[], score: (query: JudgedQuery) => Fraction): number {
  const sum = new RationalSum();
  for (const query of queries) {
    const { numerator, denominator } = score(query);
    if (numerator !== 0) sum.add(numerator, denominator);
  }
  return sum.roundedMean(queries.length);
}

function meansAtCutoffs(queries: readonly JudgedQuery[], score: (query: JudgedQuery, cutoff: number) => Fraction): AtCutoffs {
  return Object.fromEntries(CUTOFFS.map((k) => [k, meanOf(queries, (query) => score(query, k))])) as AtCutoffs;
}

/** `part / whole` at 4 decimals, or null for 0 of 0. */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : roundedFraction({ numerator: part, denominator: whole });
}

interface Share {
  readonly value: number | null;
  readonly support: number;
}

const NOT_MEASURED: Share = { value: null, support: 0 };

function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): Share {
  return { value: share(items.filter(holds).length, items.length), support: items.length };
}

function answerScores({ run }: JudgedRun, scored: readonly JudgedQuery[], { corpus, textMatch }: AggregateOptions): { citationCoverage: Share; groundedness: Share; refusalCorrectness: Share } {
  // A failed result's answer, if there is one, was cut short; neither its text nor its refusal means anything.
  const answered = scored.flatMap(({ query, result }) => (result?.answer != null && !hasFailed(result) ? [{ query, answer: result.answer }] : []));
  const hasAnswers = run.results.some(({ answer }) => answer !== null && answer !== undefined);
  const refused = new Set(answered.filter(({ answer }) => !answer.grounded).map(({ query }) => query.id));
  const groundedAnswers = answered.filter(({ answer }) => answer.grounded);
  const resolves = corpus === undefined ? null : citationResolver(corpus);
  return {
    citationCoverage: resolves === null ? NOT_MEASURED : shareOf(groundedAnswers, ({ answer }) => citesOnlyRealChunks(answer, resolves)),
    groundedness: shareOf(
      answered.filter(({ query }) => checksText(query)),
      ({ query, answer }) => passesTextChecks(answer.answer, query, textMatch),
    ),
    refusalCorrectness: hasAnswers
      ? shareOf(
          scored.filter(({ query }) => shouldRefuse(query)),
          ({ query }) => refused.has(query.id),
        )
      : NOT_MEASURED,
  };
}

function latency(results: readonly QueryResult[]): AggregateMetrics["latency_ms"] {
  const times = Float64Array.from(results.flatMap(({ elapsed_ms }) => (typeof elapsed_ms === "number" && Number.isFinite(elapsed_ms) ? [elapsed_ms] : []))).sort();
  if (times.length === 0) return null;
  return {
    mean: roundTo4(exactSum(times) / times.length),
    p50: roundTo4(nearestRankPercentile(times, 50)),
    p95: roundTo4(nearestRankPercentile(times, 95)),
    max: roundTo4(nearestRankPercentile(times, 100)),
  };
}

function furtherMetrics(scored: readonly JudgedQuery[], { matcher }: JudgedRun, { metrics = [], unit = "chunk" }: AggregateOptions): { scores: Record<string, number>; support: Record<string, number>; cards: AggregateMetrics["metric_cards"] } {
  const scores: Record<string, number> = {};
  const support: Record<string, number> = {};
  const cards: AggregateMetrics["metric_cards"] = {};
  if (metrics.length === 0) return { scores, support, cards };
  const judgments = scored.flatMap((query) => {
    const judged = judgedByGrade(query, unit, matcher);
    return judged === null ? [] : [{ id: query.query.id, judged }];
  });
  for (const metric of metrics) {
    const sum = new RationalSum();
    const terms: number[] = [];
    for (const { id, judged } of judgments) {
      const fraction = metric.fraction?.(judged);
      if (fraction === undefined) terms.push(checkedScore(metric, metric.score(judged), id, Number.isFinite, "a finite number"));
      else {
        checkedScore(metric, fraction.numerator, id, Number.isSafeInteger, "a fraction of whole numbers");
        checkedScore(metric, fraction.denominator, id, (value) => Number.isSafeInteger(value) && value > 0, "a fraction with a denominator from 1");
        sum.add(fraction.numerator, fraction.denominator);
      }
    }
    scores[metric.name] = metric.fraction !== undefined ? sum.roundedMean(judgments.length) : terms.length === 0 ? 0 : roundTo4(exactSum(terms) / terms.length);
    support[metric.name] = judgments.length;
    cards[metric.name] = { higher_is_better: metric.definition.higherIsBetter, range: [...metric.definition.range] };
  }
  return { scores, support, cards };
}

function checkedScore(metric: Metric, score: number, queryId: string, isRight: (score: number) => boolean, wanted: string): number {
  if (isRight(score)) return score;
  throw new InputError("METRIC_SCORE", `metric ${shown(metric.name)} gave ${shown(String(score))} for query ${shown(queryId)}; a score must be ${wanted}`, { metric: metric.name, queryId });
}
