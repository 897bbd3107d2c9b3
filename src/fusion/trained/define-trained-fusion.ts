import { RELEVANT_FROM, type ScoredRanking } from "../../records/index.js";
import {
  formatFusionName,
  resolveParameters,
  resolveValues,
  type FusionDefinition,
  type FusionMethod,
  type FusionParameters,
  type FusionSettled,
} from "../define-fusion.js";
import type { Normalizer } from "../define-normalizer.js";
import { sumOfScores, type FusionColumn, type FusionPool } from "../fusion-pool.js";
import { checkRanking, orderOf } from "../made-pool.js";

/** How a run ranked what is relevant for one training query. */
export interface TrainingRanking {
  /** Ranks of its relevant hits, rising, from 1. */
  readonly relevantRanks: readonly number[];
  /** How many hits it has. */
  readonly length: number;
  /** Relevant items that the query has, found or not. */
  readonly relevant: number;
}

/** What was learned of one run. */
export interface LearnedRun {
  /** What a place of its list is worth. Ranks begin with 1; `length` is that of the list. */
  worth(rank: number, length: number): number;
  /** What an item is worth that a list of the run lacks. */
  readonly lacking: number;
}

/** A fusion method with its parameters settled that has still to learn from judged queries. */
export interface TrainableFusion {
  /** As printed and parsed: `probfuse(segments=10)`. */
  readonly name: string;
  readonly definition: FusionDefinition;
  /**
   * The method with what it has learned.
   *
   * @param rankings for each run one ranking of each training query.
   */
  learn(rankings: readonly (readonly TrainingRanking[])[]): FusionMethod;
}

/** Makes trainable methods of one kind: `probFuse({ segments: 10 })`. */
export interface TrainableFactory {
  (parameters?: FusionParameters): TrainableFusion;
  readonly definition: FusionDefinition;
}

/**
 * Defines a fusion method that learns what each place of each run is worth.
 *
 * @param definition `learn` is called once for each run, with a ranking of each training query.
 */
export function defineTrainedFusion(
  definition: FusionDefinition & {
    readonly learn: (rankings: readonly TrainingRanking[], settled: FusionSettled) => LearnedRun;
  },
): TrainableFactory {
  const factory = (given: FusionParameters = {}): TrainableFusion => {
    const values = resolveParameters(definition, given);
    const name = formatFusionName(definition, values);
    return {
      name,
      definition,
      learn(rankings) {
        const settled = resolveValues(values);
        const learned = rankings.map((ofRun) => definition.learn(ofRun, settled));
        return {
          name,
          definition,
          parameters: Object.fromEntries(values),
          runs: rankings.length,
          score: (pool) => learnScores(pool, learned, definition.reads === "scores"),
        };
      },
    };
  };
  return Object.assign(factory, { definition });
}

/** The sum over the runs of what an item's place is worth, times 1 + its score where scores are read. */
function learnScores(pool: FusionPool, learned: readonly LearnedRun[], readsScores: boolean): Float64Array {
  const { size } = pool;
  const every = Int32Array.from({ length: size }, (_, item) => item);
  const columns = pool.columns.map(({ run, items, scores, own = items.length }): FusionColumn => {
    const of = learned[run] as LearnedRun;
    const worths = new Float64Array(size).fill(of.lacking);
    for (let at = 0; at < own; at++)
      worths[items[at] as number] = of.worth(at + 1, own) * (readsScores ? 1 + (scores[at] as number) : 1);
    return { run, items: every, scores: worths, own: size };
  });
  return sumOfScores({ size, columns });
}

/** The ids of a list in the order in which a method reads them. */
type ListOrder = (ranking: ScoredRanking) => readonly string[];

/**
 * The order in which a method reads lists that it fuses after a normalizer, as `fusionPool` makes it; their
 * own where no normalizer is known.
 */
export function listOrder(reads: FusionDefinition["reads"], normalizer: Normalizer | null): ListOrder {
  if (reads === "scores" || normalizer === null) return ({ ids }) => ids;
  return ({ ids, scores }) => {
    const order = ids.length === 0 ? null : orderOf(normalizer.normalize(scores, ids.length).scores);
    return order === null ? ids : Array.from(order, (at) => ids[at] as string);
  };
}

/**
 * How a list ranks what is relevant.
 *
 * @param run its place among the runs, for errors.
 * @throws InputError `ARGUMENT` for what is no list, or has a score that is not finite.
 */
export function trainingRanking(
  queryId: string,
  ranking: ScoredRanking | undefined,
  run: number,
  grades: ReadonlyMap<string, number>,
  order: ListOrder,
): TrainingRanking {
  const ids = ranking === undefined ? [] : order(checkRanking(queryId, ranking, run));
  const isRelevant = (id: string): boolean => (grades.get(id) ?? 0) >= RELEVANT_FROM;
  return {
    relevantRanks: ids.flatMap((id, at) => (isRelevant(id) ? [at + 1] : [])),
    length: ids.length,
    relevant: [...grades.values()].filter((grade) => grade >= RELEVANT_FROM).length,
  };
}
