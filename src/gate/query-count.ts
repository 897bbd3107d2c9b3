import { countOf, formatCount } from "../foundation/numbers/index.js";
import { absent, againstBaseline, type Fallen, type WorseAnswers } from "./candidate.js";
import type { RuleKind } from "./rule-kind.js";

/** How many queries may get worse: `at most 2 regressions`, `at most 5 losses`, `at most 0 worse answers`. */
export interface QueryCount {
  readonly kind: "count";
  /**
   * `regressions`: queries that lost everything. `losses`: all queries that got worse, those among them.
   * `worse answers`: queries whose answer got worse.
   */
  readonly of: "regressions" | "losses" | "worse answers";
  /** Whole, from 0. */
  readonly most: number;
}

const ONE = { regressions: "regression", losses: "loss", "worse answers": "worse answer" } as const;
const COUNTED = Object.keys(ONE) as QueryCount["of"][];

export const queryCount: RuleKind<QueryCount> = {
  kind: "count",
  written: "at most COUNT regressions, at most COUNT losses, at most COUNT worse answers",
  meaning:
    "So many queries at most lost everything (`regressions`), or got worse at all (`losses`, the " +
    "regressions among them), or have an answer that fails a check of text, citations or refusal that the " +
    "baseline's passed, or none (`worse answers`).",
  examples: ["at most 2 regressions", "at most 5 losses", "at most 1 regression", "at most 0 worse answers"],
  parse(text) {
    const [, most, what = ""] = /^at most (\d+) ([a-z ]+)$/i.exec(text) ?? [];
    const of = COUNTED.find((name) => what.toLowerCase() === name || what.toLowerCase() === ONE[name]);
    return of === undefined ? null : { kind: "count", of, most: Number(most) };
  },
  print: ({ of, most }) => `at most ${most} ${most === 1 ? ONE[of] : of}`,
  check: ({ of, most }, candidate) =>
    againstBaseline(candidate, (baseline) => {
      const sought = of === "worse answers" ? baseline.countWorseAnswers() : baseline.countFallen();
      if ("missing" in sought) return absent(sought.missing);
      const { warning } = sought.found;
      const { value, what } = count(of, sought.found);
      return { value, passed: value <= most, why: `${what}; ${most} may`, ...(warning && { warning }) };
    }),
};

function count(of: QueryCount["of"], found: Fallen | WorseAnswers): { value: number; what: string } {
  if ("answers" in found)
    return { value: found.answers, what: `${countOf(found.answers, "answer")} got worse` };
  const { regressions, losses } = found;
  if (of === "regressions")
    return { value: regressions, what: `${countOf(regressions, "query")} lost everything` };
  const value = regressions + losses;
  return {
    value,
    what: `${countOf(value, "query")} got worse, ${formatCount(regressions)} of them lost everything`,
  };
}
