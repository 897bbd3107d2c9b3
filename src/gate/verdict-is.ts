import type { VerdictKind } from "../records/index.js";
import { inStatistics, verdictWords } from "./candidate.js";
import type { RuleKind } from "./rule-kind.js";

/** What can be asked of a verdict; that runs are not comparable never passes. */
const KINDS = ["better", "worse", "equivalent", "inconclusive"] as const satisfies readonly VerdictKind[];

/** What the comparison must come to: `verdict is better or equivalent`, `verdict is not worse`. */
export interface VerdictIs {
  readonly kind: "verdict";
  /** At least one. */
  readonly verdicts: readonly (typeof KINDS)[number][];
  /** Whether these are the ones that fail. */
  readonly negated: boolean;
}

const isKind = (word: string): word is (typeof KINDS)[number] => KINDS.some((kind) => kind === word);

export const verdictIs: RuleKind<VerdictIs> = {
  kind: "verdict",
  written: "verdict is KIND or KIND, verdict is not KIND",
  meaning:
    "The comparison comes to one of the kinds, or to none of them: `better`, `worse`, " +
    "`equivalent`, `inconclusive`. Runs that are not comparable never pass.",
  examples: ["verdict is better", "verdict is not worse", "verdict is better or equivalent"],
  concludes: true,
  parse(text) {
    const [, not, kinds] = /^verdict is (not )?(\S.*)$/i.exec(text) ?? [];
    const verdicts = kinds?.toLowerCase().split(" or ") ?? [];
    return verdicts.length > 0 && verdicts.every(isKind)
      ? { kind: "verdict", verdicts, negated: not !== undefined }
      : null;
  },
  print: ({ verdicts, negated }) => `verdict is ${negated ? "not " : ""}${verdicts.join(" or ")}`,
  check: ({ verdicts, negated }, candidate) =>
    inStatistics(candidate, ({ comparison: { verdict } }) => ({
      value: verdict.kind,
      passed: isKind(verdict.kind) && verdicts.includes(verdict.kind) !== negated,
      why: verdictWords(verdict),
    })),
};
