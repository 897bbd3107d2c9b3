import { countOf } from "../foundation/numbers/index.js";
import { absent, againstBaseline } from "./candidate.js";
import type { RuleKind } from "./rule-kind.js";

/** How many queries may get worse: `at most 2 regressions`, `at most 5 losses`. */
export interface QueryCount {
  readonly kind: "count";
  /** `regressions`: queries that lost everything. `losses`: all queries that got worse, those among them. */
  readonly of: "regressions" | "losses";
  /** Whole, from 0. */
  readonly most: number;
}

const ONE = { regressions: "regression", losses: "loss" } as const;

export const queryCount: RuleKind<QueryCount> = {
  kind: "count",
  written: "at most COUNT regressions, at most COUNT losses",
  meaning:
    "So many queries at most lost everything (`regressions`), or got worse at all (`losses`, the " +
    "regressions among them).",
  examples: ["at most 2 regressions", "at most 5 losses", "at most 1 regression"],
  parse(text) {
    const [, most, what] = /^at most (\d+) (regression|loss)(?:e?s)?$/i.exec(text) ?? [];
    return what === undefined
      ? null
      : { kind: "count", of: what.toLowerCase() === "loss" ? "losses" : "regressions", most: Number(most) };
  },
  print: ({ of, most }) => `at most ${most} ${most === 1 ? ONE[of] : of}`,
  check: ({ of, most }, candidate) =>
    againstBaseline(candidate, (baseline) => {
      const sought = baseline.fallen();
      if ("missing" in sought) return absent(sought.missing);
      const { regressions, losses } = sought.found;
      const value = of === "regressions" ? regressions : regressions + losses;
      const found =
        of === "regressions"
          ? `${countOf(value, "query")} lost everything`
          : `${countOf(value, "query")} got worse, ${regressions} of them lost everything`;
      return { value, passed: value <= most, why: `${found}; ${most} may` };
    }),
};
