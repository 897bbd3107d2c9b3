import { judgeRanking, type JudgedRanking, type Metric, metricDepth } from "../metrics/index.js";
import { noScore } from "../metrics/internal.js";
import type { QueryJudgments } from "../records/index.js";

/** How an order of one query's items scores. */
export interface JudgedPool {
  readonly queryId: string;
  /** Items are numbers: indexes into this list. */
  readonly ids: readonly string[];
  /** For each item, what the metric sees of it: of two with one mark it does not matter which is first. */
  readonly marks: Int32Array;
  /** Whether an item is judged; a grade below 0 says that it is not. */
  isJudged(item: number): boolean;
  /** Places from the top that can matter. */
  readonly depth: number;
  /** The score of an order; only its first `depth` places are read. */
  score(order: ArrayLike<number>): number;
}

/** The mark of unjudged items. */
const UNJUDGED = -1;

/** The places from the top that a metric reads; infinite for all. */
function placesRead({ parameters, ...metric }: Metric): number {
  // Judged items behind unjudged ones move up.
  return parameters["judged_only"] === true ? Infinity : metricDepth({ parameters, ...metric });
}

/** Holds one query's items against its judgments. */
export function judgePool(
  queryId: string,
  ids: readonly string[],
  { grades, pool, subtopics }: QueryJudgments,
  metric: Metric,
): JudgedPool {
  const gradeOf = new Float64Array(ids.length);
  const placeOf = subtopics && new Int32Array(ids.length);
  const marks = new Int32Array(ids.length).fill(UNJUDGED);
  const kinds: number[] = [];
  for (let item = 0; item < ids.length; item++) {
    const id = ids[item] as string;
    const grade = grades.get(id);
    if (grade === undefined) continue;
    gradeOf[item] = grade;
    if (placeOf !== undefined) {
      // Documents of one grade serve different subtopics.
      marks[item] = placeOf[item] = subtopics?.places.get(id) as number;
      continue;
    }
    const kind = kinds.indexOf(grade);
    marks[item] = kind === -1 ? kinds.push(grade) - 1 : kind;
  }
  const depth = Math.min(placesRead(metric), ids.length);
  const judgeOrder = (order: ArrayLike<number>): JudgedRanking => {
    const ranks: number[] = [];
    const found: number[] = [];
    const places: number[] = [];
    const pooled: number[] = [];
    for (let rank = 1; rank <= depth; rank++) {
      const item = order[rank - 1] as number;
      if (marks[item] === UNJUDGED) continue;
      const grade = gradeOf[item] as number;
      if (grade < 0) {
        pooled.push(rank);
        continue;
      }
      ranks.push(rank);
      found.push(grade);
      if (placeOf !== undefined) places.push(placeOf[item] as number);
    }
    return judgeRanking(ranks, found, pool, ids.length, {
      pooled,
      subtopics: subtopics && { documents: subtopics.documents, ranks, found: places },
    });
  };
  const isJudged = (item: number): boolean => marks[item] !== UNJUDGED && (gradeOf[item] as number) >= 0;
  const scoreOf = (order: ArrayLike<number>): number => {
    const score = metric.score(judgeOrder(order));
    return Number.isFinite(score) ? score : noScore(metric, String(score), queryId, "a finite number");
  };
  return { queryId, ids, marks, isJudged, depth, score: scoreOf };
}
