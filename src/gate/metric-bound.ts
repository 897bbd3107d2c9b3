import { quote } from "../foundation/errors/index.js";
import { absent } from "./candidate.js";
import { METRIC, NUMBER, type RuleKind } from "./rule-kind.js";

/** How a value is held against a bound, in words and in numbers. */
const OPERATORS = {
  ">=": { words: "at least", holds: (value: number, bound: number) => value >= bound },
  "<=": { words: "at most", holds: (value: number, bound: number) => value <= bound },
  "==": { words: "exactly", holds: (value: number, bound: number) => value === bound },
  ">": { words: "above", holds: (value: number, bound: number) => value > bound },
  "<": { words: "below", holds: (value: number, bound: number) => value < bound },
} as const;

/** A floor or a ceiling: `nDCG@10 >= 0.45`. */
export interface MetricBound {
  readonly kind: "bound";
  /** A printed name, an alias of the metric, or a path such as `latency_ms.p95`. */
  readonly metric: string;
  readonly operator: keyof typeof OPERATORS;
  /** Held against the stored value, which has 4 decimals. */
  readonly bound: number;
}

/**
 * A name does not end with a sign, so that `=>` and `!=` are nothing instead of `>` and `=` behind an odd
 * name.
 */
const PATTERN = new RegExp(`^(${METRIC})(?<![=!~]) ?(>=|<=|==|>|<) ?(${NUMBER})$`);

export const metricBound: RuleKind<MetricBound> = {
  kind: "bound",
  written: "METRIC >= NUMBER",
  meaning:
    "The stored score of the run, or any number of its record, keeps to the bound: `>=`, `>`, " +
    "`<=`, `<` or `==`.",
  examples: [
    "nDCG@10 >= 0.45",
    "hit@5 > 0.8",
    "empty_result_rate <= 0.02",
    "latency_ms.p95 < 200",
    "failed_queries == 0",
  ],
  isOfScores: true,
  parse(text) {
    const [, metric, operator, bound] = PATTERN.exec(text) ?? [];
    return metric === undefined
      ? null
      : { kind: "bound", metric, operator: operator as MetricBound["operator"], bound: Number(bound) };
  },
  print: ({ metric, operator, bound }) => `${metric} ${operator} ${bound}`,
  check({ metric, operator, bound }, candidate) {
    const sought = candidate.measured(metric);
    if ("missing" in sought) return absent(`${quote(metric)} ${sought.missing}`);
    const { name, value, isLowerBetter } = sought.found;
    const { words, holds } = OPERATORS[operator];
    const passed = holds(value, bound);
    return {
      value,
      passed,
      why: `${name} is ${value}, ${passed ? "" : "not "}${words} ${bound}`,
      ...(isLowerBetter &&
        operator.startsWith(">") && {
          warning: `lower is better for ${name}; was \`${name} <= ${bound}\` meant?`,
        }),
    };
  },
};
