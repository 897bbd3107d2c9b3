import {
  judgeRanking,
  metricDepth,
  type GradedRanks,
  type JudgedRanking,
  type Metric,
} from "../metrics/index.js";
import { positive } from "../metrics/internal.js";
import type { QueryJudgments } from "../records/index.js";

/** The lowest top of a scale: where all judgments are 0, an unjudged hit may still be relevant. */
const LOWEST_TOP = 1;

/** One query's hits in a run, of which unjudged ones are tried as relevant. */
export class LabelledRanking {
  /** Ids without a grade down to the metric's cutoff, best first. */
  readonly unjudged: readonly string[];
  /** The grade that is tried: no judgment is higher. */
  readonly top: number;
  /** The grades of all judged items, highest first. */
  readonly pool: Float64Array;
  readonly #ids: readonly string[];
  readonly #metric: Metric;
  readonly #depth: number;
  readonly #bare: JudgedRanking;
  /** Scores with one more label, by the rank of its hit; 0 is any item that is not a hit. */
  readonly #scores = new Map<number, number>();
  #poolOfOne: Float64Array | null = null;

  /**
   * @param ids best first, each once.
   * @param highest the top grade of all judgments.
   */
  constructor(ids: readonly string[], { grades, pool }: QueryJudgments, metric: Metric, highest: number) {
    this.#ids = ids;
    this.#metric = metric;
    this.top = Math.max(highest, LOWEST_TOP);
    this.pool = pool;
    this.#depth = metricDepth(metric);
    const [unjudged, ranks, given, pooled]: [string[], number[], number[], number[]] = [[], [], [], []];
    ids.forEach((id, index) => {
      const grade = grades.get(id);
      if (grade !== undefined && grade >= 0) {
        ranks.push(index + 1);
        given.push(grade);
        return;
      }
      if (grade !== undefined) pooled.push(index + 1);
      if (index < this.#depth) unjudged.push(id);
    });
    this.unjudged = unjudged;
    this.#bare = judgeRanking(ranks, given, pool, ids.length, { pooled });
  }

  /** Whether another ranking of the query is the same, as far as the metric looks. */
  isAlike(other: LabelledRanking): boolean {
    const length = Math.min(this.#depth, Math.max(this.#ids.length, other.#ids.length));
    for (let at = 0; at < length; at++) if (this.#ids[at] !== other.#ids[at]) return false;
    return true;
  }

  /** Where some of the hits stand, from 1. */
  ranksOf(items: ReadonlySet<string>): Map<string, number> {
    const ranks = new Map<string, number>();
    this.#ids.forEach((id, index) => {
      if (items.has(id)) ranks.set(id, index + 1);
    });
    return ranks;
  }

  /**
   * The score with one more item of the top grade.
   *
   * @param rank of the item; undefined where it is no hit.
   */
  scoreWith(rank: number | undefined): number {
    const place = rank ?? 0;
    let score = this.#scores.get(place);
    if (score === undefined) this.#scores.set(place, (score = this.#metric.score(this.judgeWith([rank]))));
    return score;
  }

  /**
   * The ranking as metrics see it, with some unjudged items at the top grade.
   *
   * @param labelled rank of each item; undefined where it is no hit.
   */
  judgeWith(labelled: readonly (number | undefined)[]): JudgedRanking {
    if (labelled.length === 0) return this.#bare;
    const found = labelled.filter((rank) => rank !== undefined).sort((a, b) => a - b);
    const bare = this.#bare.hits;
    const hits = {
      ...withLabels(bare, found, this.top),
      positive: withLabels(positive(bare), found, this.top),
    };
    const { pooled } = this.#bare;
    return {
      ...this.#bare,
      hits,
      finds: hits,
      earned: hits,
      pool: labelled.length === 1 ? (this.#poolOfOne ??= this.#poolWith(1)) : this.#poolWith(labelled.length),
      pooled: pooled.length === 0 ? pooled : Array.from(pooled).filter((rank) => !found.includes(rank)),
    };
  }

  /** The top grade is as high as any, so the pool stays in order. */
  #poolWith(labels: number): Float64Array {
    const all = new Float64Array(labels + this.pool.length).fill(this.top, 0, labels);
    all.set(this.pool, labels);
    return all;
  }
}

/** A list with further ranks of one grade, which rise as its own do. */
function withLabels({ ranks, grades }: GradedRanks, found: readonly number[], grade: number): GradedRanks {
  const all: { ranks: number[]; grades: number[]; positive: undefined } = {
    ranks: [],
    grades: [],
    positive: undefined,
  };
  for (let next = 0, label = 0; next < ranks.length || label < found.length;) {
    const isLabel = next === ranks.length || (found[label] ?? Infinity) < (ranks[next] as number);
    all.ranks.push((isLabel ? found[label++] : ranks[next]) as number);
    all.grades.push(isLabel ? grade : (grades[next++] as number));
  }
  return all;
}
