/** Names of the metrics by which runs are compared against judgments when nothing else is asked for. */
export const usualMetrics: readonly string[] = ["nDCG@10", "AP", "RR", "P@10", "R@100"];
