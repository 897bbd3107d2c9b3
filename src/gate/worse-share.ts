import { countOf, formatCount, roundTo4 } from "../foundation/numbers/index.js";
import { absent, inDifference, inStatistics } from "./candidate.js";
import { METRIC, NUMBER, type RuleKind } from "./rule-kind.js";

/** Which share of the queries may get worse: `at most 10% worse queries of nDCG@10`. */
export interface WorseShare {
  readonly kind: "worse share";
  readonly metric: string;
  /** From 0 to 100. */
  readonly percent: number;
}

const PATTERN = new RegExp(`^at most (${NUMBER}) ?% worse queries of (${METRIC})$`, "i");
const WHOLE = 100;

export const worseShare: RuleKind<WorseShare> = {
  kind: "worse share",
  written: "at most NUMBER% worse queries of METRIC",
  meaning:
    "Of the queries that both runs have a score for, so many in a hundred at most got worse by " +
    "more than the tolerance of the comparison.",
  examples: ["at most 10% worse queries of nDCG@10", "at most 2.5% worse queries of hit@5"],
  parse(text) {
    const [, percent, metric] = PATTERN.exec(text) ?? [];
    return metric === undefined || Number(percent) < 0 || Number(percent) > WHOLE
      ? null
      : { kind: "worse share", metric, percent: Number(percent) };
  },
  print: ({ metric, percent }) => `at most ${percent}% worse queries of ${metric}`,
  check: ({ metric, percent }, candidate) =>
    inStatistics(candidate, () =>
      inDifference(candidate, { metric }, ({ metric: name, tested }) => {
        if (tested === null || tested.pairs === 0) return absent(`${name} was not compared query by query`);
        if (tested.improved + tested.equal + tested.worse !== tested.pairs)
          return absent(`the report does not say how many queries got worse in ${name}; make it anew`);
        const value = roundTo4((WHOLE * tested.worse) / tested.pairs);
        return {
          value,
          passed: value <= percent,
          why:
            `${formatCount(tested.worse)} of ${countOf(tested.pairs, "query")} got worse in ${name}: ` +
            `${value}%, ${value <= percent ? "" : "not "}at most ${percent}%`,
        };
      }),
    ),
};
