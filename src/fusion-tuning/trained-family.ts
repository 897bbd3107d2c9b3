import type { FusionMethod, Normalizer, TrainableFusion, TrainingRanking } from "../fusion/index.js";
import { listOrder, trainingRanking } from "../fusion/internal.js";
import { exactMean } from "../foundation/numbers/index.js";
import type { Qrels, ScoredRun } from "../records/index.js";
import type { ChoiceRule } from "./choose-point.js";
import { Curve } from "./curve.js";
import type { Choice, Family } from "./family.js";
import { scoreFused, poolOf, type FusedQuery } from "./fused-queries.js";
import { StepFunctions } from "./step-functions.js";

/** Parts in which training queries are held out to see what a method is worth that learns from them. */
const PARTS = 5;

/**
 * A method that learns from queries. What it is worth to some queries is what each part of them scores with
 * what the other parts teach, since what a query taught itself is too good.
 */
export class TrainedFamily implements Family {
  readonly method: string;
  readonly normalizer: Normalizer;
  readonly rule: ChoiceRule = "plateau";
  readonly axis = null;
  readonly axes = 1;
  readonly tuned = "what places are worth, learned from other queries";
  readonly #trainable: TrainableFusion;
  readonly #queries: readonly FusedQuery[];
  readonly #groups: readonly number[];
  /** By run, then by query. */
  readonly #rankings: readonly (readonly TrainingRanking[])[];
  readonly #seen: (query: number, item: number) => void;
  #curves: Curve[] | null = null;

  constructor(
    trainable: TrainableFusion,
    normalizer: Normalizer,
    {
      queries,
      groups,
      runs,
      qrels,
      seen,
    }: {
      readonly queries: readonly FusedQuery[];
      /** By query the number of its group: wordings of one intent would teach each other. */
      readonly groups: readonly number[];
      readonly runs: readonly ScoredRun[];
      readonly qrels: Qrels;
      readonly seen: (query: number, item: number) => void;
    },
  ) {
    this.method = trainable.name;
    this.normalizer = normalizer;
    this.#trainable = trainable;
    this.#queries = queries;
    this.#groups = groups;
    const order = listOrder(trainable.definition.reads, normalizer);
    this.#rankings = runs.map((run, at) =>
      queries.map(({ judged: { queryId } }) =>
        trainingRanking(
          queryId,
          run.get(queryId),
          at,
          qrels.queries.get(queryId)?.grades ?? new Map<string, number>(),
          order,
        ),
      ),
    );
    this.#seen = seen;
  }

  /** One setting: each query with what the others teach, whose judgments flipped signs do not touch. */
  get curves(): readonly Curve[] {
    if (this.#curves !== null) return this.#curves;
    const all = this.#queries.map((_, query) => query);
    const scores = this.#scoreHeldOut(all);
    const steps = new StepFunctions();
    for (const query of all) {
      steps.add(0, scores.get(query) as number);
      steps.end();
    }
    this.#curves = [new Curve(steps)];
    return this.#curves;
  }

  choose(queries: readonly number[]): Choice {
    const method = this.#learn(queries);
    const scores = [...this.#scoreHeldOut(queries).values()];
    return {
      maximum: scores.length === 0 ? 0 : exactMean(scores),
      method,
      chosen: null,
      point: null,
      score: (query) => this.#score(query, method),
    };
  }

  #learn(queries: readonly number[]): FusionMethod {
    return this.#trainable.learn(
      this.#rankings.map((ofRun) => queries.map((query) => ofRun[query] as TrainingRanking)),
    );
  }

  /** What each query scores with what the other parts teach. */
  #scoreHeldOut(queries: readonly number[]): Map<number, number> {
    const groupOf = (query: number): number => this.#groups[query] as number;
    const places = new Map([...new Set(queries.map(groupOf))].map((group, place) => [group, place]));
    const parts = Math.min(PARTS, places.size);
    const partOf = (query: number): number => (places.get(groupOf(query)) as number) % parts;
    const scores = new Map<number, number>();
    for (let part = 0; part < parts; part++) {
      const method = this.#learn(queries.filter((query) => partOf(query) !== part));
      for (const query of queries) if (partOf(query) === part) scores.set(query, this.#score(query, method));
    }
    return scores;
  }

  #score(query: number, method: FusionMethod): number {
    const fused = this.#queries[query] as FusedQuery;
    return scoreFused(fused, poolOf(fused, method, this.normalizer), method, (item) =>
      this.#seen(query, item),
    );
  }
}
