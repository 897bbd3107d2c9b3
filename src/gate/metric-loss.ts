import { describeDifference, inDifference } from "./candidate.js";
import { METRIC, NUMBER, type RuleKind } from "./rule-kind.js";

/** How much of a metric may be lost: `no loss of nDCG@10`, `at most 0.01 loss of nDCG@10`. */
export interface MetricLoss {
  readonly kind: "loss";
  readonly metric: string;
  /** From 0; of the difference of the stored values. */
  readonly allowed: number;
}

const PATTERN = new RegExp(`^(?:no|at most (${NUMBER})) loss of (${METRIC})$`, "i");

export const metricLoss: RuleKind<MetricLoss> = {
  kind: "loss",
  written: "no loss of METRIC, at most NUMBER loss of METRIC",
  meaning: "The score is no worse than the baseline's, or worse by no more than the number.",
  examples: ["no loss of nDCG@10", "at most 0.01 loss of MRR@10"],
  parse(text) {
    const [, allowed = "0", metric] = PATTERN.exec(text) ?? [];
    return metric === undefined || Number(allowed) < 0
      ? null
      : { kind: "loss", metric, allowed: Number(allowed) };
  },
  print: ({ metric, allowed }) => `${allowed === 0 ? "no" : `at most ${allowed}`} loss of ${metric}`,
  check: ({ metric, allowed }, candidate) =>
    inDifference(candidate, { metric, allowed }, (found) => {
      const { difference, ofScores, higherIsBetter } = found;
      // Both, so that a loss does not hide behind other queries.
      const value = higherIsBetter ? Math.min(difference, ofScores) : Math.max(difference, ofScores);
      const isWorse = higherIsBetter ? value < 0 : value > 0;
      const passed = !isWorse || Math.abs(value) <= allowed;
      const excess = allowed === 0 ? "" : ` of more than ${allowed}`;
      const loss = isWorse ? `a loss${passed ? " that is allowed" : excess}` : "no loss";
      return { value, passed, why: `${describeDifference(found)}, ${loss}` };
    }),
};
