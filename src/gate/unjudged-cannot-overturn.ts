import { countOf, formatCount } from "../foundation/numbers/index.js";
import { absent, inStatistics } from "./candidate.js";
import type { RuleKind } from "./rule-kind.js";

/** Missing judgments must not be able to turn the difference around: `unjudged cannot overturn`. */
export interface UnjudgedCannotOverturn {
  readonly kind: "unjudged";
}

const WORDS = {
  no: "no labels of the unjudged hits turn the difference around",
  yes: "there are labels of the unjudged hits that turn the difference around",
  perhaps: "labels of the unjudged hits may turn the difference around; neither could be shown",
} as const;

export const unjudgedCannotOverturn: RuleKind<UnjudgedCannotOverturn> = {
  kind: "unjudged",
  written: "unjudged cannot overturn",
  meaning:
    "Whatever the unjudged hits that the primary metric looks at turn out to be, its difference keeps its " +
    "direction.",
  examples: ["unjudged cannot overturn"],
  parse: (text) => (/^unjudged cannot overturn$/i.test(text) ? { kind: "unjudged" } : null),
  print: () => "unjudged cannot overturn",
  check: (_, candidate) =>
    inStatistics(candidate, ({ comparison: { verdict } }) => {
      if (verdict.unjudged === null)
        return absent("the comparison does not say what unjudged hits could change");
      const { could_overturn, unjudged_a, unjudged_b } = verdict.unjudged;
      return {
        value: could_overturn,
        passed: could_overturn === "no",
        why:
          `${WORDS[could_overturn]} (${countOf(unjudged_a, "unjudged hit")} in ` +
          `the baseline, ${formatCount(unjudged_b)} in the run)`,
      };
    }),
};
