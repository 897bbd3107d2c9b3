import { averageGrade } from "./average-grade.js";
import type { Metric, MetricFactory } from "./define-metric.js";
import type { MetricParameters } from "./metric-parameters.js";
import { err } from "./err.js";
import { gainRecall } from "./gain-recall.js";
import { ndcg } from "./ndcg.js";
import { parseMetric } from "./parse.js";
import { precision } from "./precision.js";
import { primaryMetricScore } from "./primary-metric-score.js";
import { reciprocalRank } from "./reciprocal-rank.js";
import { success } from "./success.js";

/** Metrics that a live search is measured by, the one that decides first. */
export interface Scorecard {
  readonly name: string;
  readonly metrics: readonly Metric[];
}

/** What search teams call metrics of the catalogue, for labels from 0 to 3. */
const NAMES: Readonly<Record<string, readonly [factory: MetricFactory, parameters: MetricParameters]>> = {
  ERR: [err, { max: 3 }],
  Exact_Precision: [precision, { rel: 3 }],
  Strong_Precision: [precision, { rel: 2 }],
  Useful_Precision: [precision, {}],
  Exact_Success: [success, { rel: 3 }],
  Strong_Success: [success, { rel: 2 }],
  MRR_Exact: [reciprocalRank, { rel: 3 }],
  MRR_Strong: [reciprocalRank, { rel: 2 }],
  Avg_Grade: [averageGrade, {}],
  Gain_Recall: [gainRecall, {}],
  nDCG: [ndcg, {}],
};

/**
 * A metric of a scorecard, under the name that it has there: `Strong_Precision@10` is `P(rel=2)@10`, and
 * `ERR@10` has 3 as its maximum grade. Any other name is that of {@link parseMetric}.
 *
 * @throws InputError `METRIC_UNKNOWN`, `METRIC_PARAMETER`
 */
export function scorecardMetric(name: string): Metric {
  const [, base = "", cutoff] = /^(\w+)@([1-9]\d*)$/.exec(name) ?? [];
  const [factory, parameters = {}] = Object.hasOwn(NAMES, base) ? (NAMES[base] ?? []) : [];
  if (factory === undefined) return parseMetric(name);
  return { ...factory({ cutoff: Number(cutoff), parameters }), name };
}

const DEPTHS = [5, 10, 20, 50];

/**
 * The metrics of a search against labels from 0 to 3: `Primary_Metric_Score`, the eight that it is the mean
 * of, then the others.
 */
export function searchScorecard(): Scorecard {
  const at = (name: string, depths: readonly number[] = DEPTHS): string[] =>
    depths.map((depth) => `${name}@${depth}`);
  const names = [
    "nDCG@20",
    "nDCG@50",
    "ERR@10",
    "Strong_Precision@10",
    "Strong_Precision@20",
    "Useful_Precision@50",
    "Avg_Grade@10",
    "Gain_Recall@20",
    ...["nDCG", "ERR", "Exact_Precision", "Strong_Precision", "Useful_Precision", "Gain_Recall"].flatMap(
      (name) => at(name),
    ),
    ...at("Exact_Success", [1, ...DEPTHS]),
    ...at("Strong_Success", [1, ...DEPTHS]),
    "MRR_Exact@10",
    "MRR_Strong@10",
  ];
  return {
    name: "search",
    metrics: [primaryMetricScore(), ...[...new Set(names)].map(scorecardMetric)],
  };
}
