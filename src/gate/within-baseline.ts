import { describeDifference, inDifference } from "./candidate.js";
import { METRIC, NUMBER, type RuleKind } from "./rule-kind.js";

/** A metric must stay where it was, either way: `nDCG@10 within 0.01 of the baseline`. */
export interface WithinBaseline {
  readonly kind: "within";
  readonly metric: string;
  /** From 0, included. */
  readonly distance: number;
}

const PATTERN = new RegExp(`^(${METRIC}) within (${NUMBER}) of (?:the )?baseline$`, "i");

export const withinBaseline: RuleKind<WithinBaseline> = {
  kind: "within",
  written: "METRIC within NUMBER of the baseline",
  meaning:
    "The score differs from the baseline's by no more than the number, up or down; to allow any " +
    "gain, write `at most NUMBER loss of METRIC`.",
  examples: ["nDCG@10 within 0.01 of the baseline"],
  parse(text) {
    const [, metric, distance] = PATTERN.exec(text) ?? [];
    return metric === undefined || Number(distance) < 0
      ? null
      : { kind: "within", metric, distance: Number(distance) };
  },
  print: ({ metric, distance }) => `${metric} within ${distance} of the baseline`,
  check: ({ metric, distance }, candidate) =>
    inDifference(candidate, { metric, allowed: distance }, (found) => {
      const { difference, ofScores } = found;
      const value = Math.abs(ofScores) > Math.abs(difference) ? ofScores : difference;
      const passed = Math.abs(value) <= distance;
      return {
        value,
        passed,
        why: `${describeDifference(found)}, ${passed ? "" : "not "}within ${distance}`,
      };
    }),
};
