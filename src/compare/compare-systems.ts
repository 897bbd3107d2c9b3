import { checkCompared, checkOptions, failedResultsOf, RELEVANT_FROM } from "../records/index.js";
import { InputError, shown } from "../foundation/errors/index.js";
import {
  evaluate,
  isRecordedRun,
  rankedIds,
  resolveConventions,
  resolveMetrics,
  type Evaluation,
  type EvaluateOptions,
  type MetricAggregate,
  type RunInput,
} from "../evaluate/index.js";
import { latencyOf } from "../golden/index.js";
import type { Metric } from "../metrics/index.js";
import { prepareQrels, type Qrels, type QrelsInput } from "../records/index.js";
import type { Conventions, ScoreComparison } from "../records/schema/index.js";
import { allPairs } from "./all-pairs.js";
import {
  comparisonOf,
  type CompareScoresOptions,
  type RankedQuery,
  type RankingEvidence,
} from "./compare-scores.js";
import { cutoffOf, diagnoseLosses, SHOWN_HITS } from "./loss-diagnosis.js";
import { overlapsOf } from "./ranking-agreement.js";
import { tableOfEvaluation, type ScoreTable } from "./score-table.js";
import { unjudgedDoubt } from "./unjudged-doubt.js";

/** A run to be compared, with what is known of how it came about. */
export interface ComparedSystem {
  readonly name: string;
  readonly run: RunInput;
  /** The rankings that it was fused of, by name: `{ lexical, embedding }`. */
  readonly channels?: Readonly<Record<string, RunInput>> | undefined;
  /** How long its queries took; a recorded run tells by itself. */
  readonly latency?: ScoreTable["latency"];
}

/** How {@link compareSystems} scores and compares. */
export interface CompareSystemsOptions
  extends CompareScoresOptions, Omit<EvaluateOptions, "onQuery" | "tieSpread" | "bounds"> {
  /** Whether the index has an item; without it every item counts as there. */
  readonly isIndexed?: ((item: string) => boolean) | undefined;
}

/**
 * Scores runs against judgments and compares them with the first one, the baseline: what
 * {@link compareScores} does, and with the rankings at hand also what became of every relevant item, whether
 * unjudged hits could turn the verdict around, and which to judge next.
 *
 * @param metrics names (`"nDCG@10"`), or metrics. The first one decides unless `primary` names another.
 * @throws InputError as {@link evaluate} and {@link compareScores} do.
 */
export function compareSystems(
  systems: readonly ComparedSystem[],
  qrels: QrelsInput,
  metrics: readonly (string | Metric)[],
  options: CompareSystemsOptions = {},
): ScoreComparison {
  checkOptions(options);
  checkCompared(systems, "systems");
  const prepared = prepareQrels(qrels);
  checkMeans(metrics);
  const evaluations = systems.map(({ run }) => evaluate(run, prepared, metrics, options));
  const tables = systems.map(({ name, run, latency }, index) => ({
    ...tableOfEvaluation(evaluations[index] as Evaluation, name),
    ...(isRecordedRun(run) && {
      latency: latencyOf(run.results),
      failedResults: failedResultsOf(run.results.filter(({ query_id }) => prepared.queries.has(query_id))),
    }),
    ...(latency !== undefined && { latency }),
  }));
  return comparisonOf(tables, options, {
    evidence: new JudgedRankings(systems, evaluations, prepared, options),
    allPairs,
  });
}

/** @throws InputError `ARGUMENT` where no metric is the mean of its queries' scores. */
function checkMeans(metrics: readonly (string | Metric)[]): void {
  const settled = resolveMetrics(metrics, resolveConventions({}));
  if (settled.length > 0 && settled.every(({ definition }) => definition.aggregate !== undefined))
    throw new InputError(
      "ARGUMENT",
      `${settled.map(({ name }) => shown(name)).join(", ")} ${settled.length === 1 ? "is" : "are"} ` +
        "no mean over queries, so that no difference can be tested; name a metric such as `nDCG@10`",
    );
}

/** The rankings of evaluated runs, for all that scores alone do not tell. */
class JudgedRankings implements RankingEvidence {
  readonly relevantFrom: number;
  readonly #systems: readonly ComparedSystem[];
  readonly #evaluations: readonly Evaluation[];
  readonly #qrels: Qrels;
  readonly #options: CompareSystemsOptions;
  readonly #conventions: Conventions;
  readonly #ranked: readonly ((queryId: string) => string[])[];
  readonly #channels: readonly (readonly (readonly [
    name: string,
    ranked: (queryId: string) => string[],
  ])[])[];
  readonly #cutoff: number;

  constructor(
    systems: readonly ComparedSystem[],
    evaluations: readonly Evaluation[],
    qrels: Qrels,
    options: CompareSystemsOptions,
  ) {
    this.#systems = systems;
    this.#evaluations = evaluations;
    this.#qrels = qrels;
    this.#options = options;
    const [{ conventions, aggregates }] = evaluations as readonly [Evaluation];
    const means = aggregates
      .map(({ metric }) => metric)
      .filter(({ definition }) => definition.aggregate === undefined);
    const primary = means.find(({ name }) => name === options.primary) ?? means[0];
    this.relevantFrom =
      typeof primary?.parameters["rel"] === "number" ? primary.parameters["rel"] : RELEVANT_FROM;
    this.#conventions = conventions;
    const open = (run: RunInput): ((queryId: string) => string[]) =>
      rankedIds(run, options.unit ?? "doc", conventions);
    this.#ranked = systems.map(({ run }) => remembered(open(run)));
    this.#channels = systems.map(({ channels = {} }) =>
      Object.entries(channels).map(([name, run]) => [name, open(run)] as const),
    );
    this.#cutoff = cutoffOf(primary?.name ?? null);
  }

  query(queryId: string): RankedQuery {
    const grades = this.#qrels.queries.get(queryId)?.grades ?? new Map<string, number>();
    const rankings = this.#ranked.map((ranked) => ranked(queryId));
    const places = rankings.map((ids, run) => ({
      rank: rankIn(ids),
      channels: Object.fromEntries(
        (this.#channels[run] ?? []).map(([name, ranked]) => [name, rankIn(ranked(queryId))]),
      ),
    }));
    return {
      rankings: rankings.map((ids) =>
        ids.slice(0, SHOWN_HITS).map((id) => ({ id, grade: judgedGrade(grades.get(id)) })),
      ),
      overlap: overlapsOf(rankings),
      expected: diagnoseLosses(
        {
          expected: [...grades].filter(([, grade]) => grade >= this.relevantFrom),
          runs: places,
          isIndexed: this.#options.isIndexed ?? null,
        },
        this.#cutoff,
      ),
    };
  }

  unjudged(run: number, primary: string): ReturnType<RankingEvidence["unjudged"]> {
    const metric = this.#evaluations[0]?.aggregates.find(
      (aggregate) => aggregate.metric.name === primary,
    )?.metric;
    if (metric === undefined || !this.#isPlain(metric)) return { doubt: null, judgeNext: [] };
    const queries = (this.#evaluations[run] as Evaluation).queryIds.map((queryId) => ({
      queryId,
      a: this.#ranked[0]?.(queryId) ?? [],
      b: this.#ranked[run]?.(queryId) ?? [],
      grades: this.#qrels.queries.get(queryId)?.grades ?? new Map<string, number>(),
    }));
    return unjudgedDoubt(queries, metric, this.#qrels.highest, () => {
      const [a, b] = [0, run].map((at) => this.#bounds(at, metric));
      return a == null || b == null ? null : { a, b };
    });
  }

  /** Whether a score depends on nothing but the ranking and its labels. */
  #isPlain({ definition, parameters }: Metric): boolean {
    const { ties, unjudged, depth, noRelevant, grades, duplicates, queries } = this.#conventions;
    return (
      definition.needs === undefined &&
      parameters["judged_only"] !== true &&
      ties !== "expected" &&
      unjudged === "irrelevant" &&
      depth === null &&
      noRelevant === "zero" &&
      grades === "as given" &&
      duplicates !== "count" &&
      queries === "judged"
    );
  }

  /** Of the mean of one run by itself. */
  #bounds(run: number, metric: Metric): MetricAggregate["bounds"] {
    const { counts } = this.#evaluations[run] as Evaluation;
    if (counts.duplicates > 0) return null;
    return (
      evaluate((this.#systems[run] as ComparedSystem).run, this.#qrels, [metric], {
        ...this.#options,
        bounds: true,
      }).aggregates[0]?.bounds ?? null
    );
  }
}

/** Each ranking is looked at again for what unjudged hits could do; to sort it again would cost more. */
function remembered(ranked: (queryId: string) => string[]): (queryId: string) => string[] {
  const known = new Map<string, string[]>();
  return (queryId) => {
    const ids = known.get(queryId) ?? ranked(queryId);
    known.set(queryId, ids);
    return ids;
  };
}

function rankIn(ids: readonly string[]): (item: string) => number | null {
  const ranks = new Map(ids.map((id, index) => [id, index + 1]));
  return (item) => ranks.get(item) ?? null;
}

/** Below 0 means: in the pool, but not judged. */
function judgedGrade(grade: number | undefined): number | null {
  return grade === undefined || grade < 0 ? null : grade;
}
