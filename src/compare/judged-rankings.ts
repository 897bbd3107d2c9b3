import {
  isRecordedRun,
  rankIds,
  type Evaluation,
  type EvaluateOptions,
  type RunInput,
} from "../evaluate/index.js";
import type { Metric } from "../metrics/index.js";
import {
  type Conventions,
  cutoffOf,
  type EvalRun,
  type Qrels,
  type QueryJudgments,
  RELEVANT_FROM,
} from "../records/index.js";
import type { ComparedSystem } from "./compared-system.js";
import type { RankedQuery, RankingEvidence } from "./compare-scores.js";
import { diagnoseLosses, SHOWN_HITS } from "./loss-diagnosis.js";
import { LabelledRanking } from "./labelled-ranking.js";
import { overlapsOf } from "./ranking-agreement.js";
import { doubtDifference } from "./doubt-difference.js";

const UNJUDGED: QueryJudgments = { grades: new Map(), pool: new Float64Array(0) };

/** How runs were scored, and what is known of the index. */
export interface JudgedRankingsOptions extends Omit<EvaluateOptions, "onQuery" | "tieSpread" | "bounds"> {
  /** The metric that decides; the first mean unless given. */
  readonly primary?: string | null | undefined;
  /** Whether the index has an item; without it every item counts as there. */
  readonly isIndexed?: ((item: string) => boolean) | undefined;
}

/** The rankings of evaluated runs, for all that scores alone do not tell. */
export class JudgedRankings implements RankingEvidence {
  readonly relevantFrom: number;
  readonly #systems: readonly ComparedSystem[];
  readonly #evaluations: readonly Evaluation[];
  readonly #qrels: Qrels;
  readonly #options: JudgedRankingsOptions;
  readonly #conventions: Conventions;
  readonly #ranked: readonly ((queryId: string) => string[])[];
  readonly #channels: readonly (readonly (readonly [
    name: string,
    ranked: (queryId: string) => string[],
  ])[])[];
  readonly #cutoff: number;
  /** The baseline's queries, as far as several runs ask for them. */
  readonly #baseline = new Map<string, LabelledRanking>();
  /** By run; null for one that was not recorded. */
  readonly #errors: readonly (ReadonlyMap<string, string> | null)[];

  constructor(
    systems: readonly ComparedSystem[],
    evaluations: readonly Evaluation[],
    qrels: Qrels,
    options: JudgedRankingsOptions,
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
      rankIds(run, options.unit ?? "doc", conventions);
    this.#ranked = systems.map(({ run }) => rememberRankings(open(run)));
    this.#channels = systems.map(({ channels = {} }) =>
      Object.entries(channels).map(([name, run]) => [name, open(run)] as const),
    );
    this.#errors = systems.map(({ run }) => (isRecordedRun(run) ? errorsOf(run) : null));
    this.#cutoff = cutoffOf(primary?.name ?? null);
  }

  /** By run: how many hits each query has, but for those without any. */
  depths(): number[][] {
    return this.#ranked.map((ranked, run) =>
      (this.#evaluations[run]?.queryIds ?? []).map((id) => ranked(id).length).filter((depth) => depth > 0),
    );
  }

  query(queryId: string): RankedQuery {
    const { grades } = this.#judgments(queryId);
    const rankings = this.#ranked.map((ranked) => ranked(queryId));
    const errors = this.#errors.map((ofRun) => ofRun?.get(queryId) ?? null);
    const isRelevant = (id: string): boolean => (grades.get(id) ?? -1) >= this.relevantFrom;
    const places = rankings.map((ids, run) => ({
      rank: rankIn(ids, grades),
      channels: Object.fromEntries(
        (this.#channels[run] ?? []).map(([name, ranked]) => [name, rankIn(ranked(queryId), grades)]),
      ),
    }));
    return {
      rankings: rankings.map((ids) =>
        ids.slice(0, SHOWN_HITS).map((id) => ({ id, grade: gradeOrNull(grades.get(id)) })),
      ),
      overlap: overlapsOf(rankings),
      first_relevant: rankings.map((ids) => ids.findIndex(isRelevant) + 1 || null),
      ...(errors.some((error) => error !== null) && { errors }),
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

  listUnjudged(run: number, primary: string): ReturnType<RankingEvidence["listUnjudged"]> {
    const metric = this.#evaluations[0]?.aggregates.find(
      (aggregate) => aggregate.metric.name === primary,
    )?.metric;
    if (metric === undefined || !this.#isPlain(metric)) return { doubt: null, judgeNext: [] };
    const labelRanking = (at: number, queryId: string): LabelledRanking =>
      new LabelledRanking(
        this.#ranked[at]?.(queryId) ?? [],
        this.#judgments(queryId),
        metric,
        this.#qrels.highest,
      );
    const queries = (this.#evaluations[run] as Evaluation).queryIds.map((queryId) => {
      const a = this.#baseline.get(queryId) ?? labelRanking(0, queryId);
      // Further runs are held against the same one.
      if (this.#systems.length > 2) this.#baseline.set(queryId, a);
      return { queryId, a, b: labelRanking(run, queryId) };
    });
    return doubtDifference(queries, metric);
  }

  #judgments(queryId: string): QueryJudgments {
    return this.#qrels.queries.get(queryId) ?? UNJUDGED;
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
}

function errorsOf({ results }: EvalRun): Map<string, string> {
  return new Map(
    results.flatMap(({ query_id, error }) => (error == null ? [] : [[query_id, error] as const])),
  );
}

/** Each ranking is looked at again for what unjudged hits could do; to sort it again would cost more. */
function rememberRankings(ranked: (queryId: string) => string[]): (queryId: string) => string[] {
  const known = new Map<string, string[]>();
  return (queryId) => {
    const ids = known.get(queryId) ?? ranked(queryId);
    known.set(queryId, ids);
    return ids;
  };
}

/** The ranks of judged items; nothing else is asked for. */
function rankIn(
  ids: readonly string[],
  grades: ReadonlyMap<string, number>,
): (item: string) => number | null {
  const ranks = new Map<string, number>();
  ids.forEach((id, index) => {
    if (grades.has(id)) ranks.set(id, index + 1);
  });
  return (item) => ranks.get(item) ?? null;
}

/** Below 0 means: in the pool, but not judged. */
function gradeOrNull(grade: number | undefined): number | null {
  return grade === undefined || grade < 0 ? null : grade;
}
