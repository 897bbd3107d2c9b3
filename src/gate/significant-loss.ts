import { shown } from "../errors.js";
import { absent, inStatistics, isLoss, isSignificant, signed } from "./candidate.js";
import { METRIC, type RuleKind } from "./rule-kind.js";

/** A metric must not fall by more than chance explains: `no significant loss of nDCG@10`. */
export interface SignificantLoss {
  readonly kind: "significant loss";
  readonly metric: string;
}

const PATTERN = new RegExp(`^no significant loss of (${METRIC})$`, "i");

export const significantLoss: RuleKind<SignificantLoss> = {
  kind: "significant loss",
  written: "no significant loss of METRIC",
  meaning: "The score is no worse than the baseline's, or the loss is not significant: the adjusted p value is not below the alpha of the comparison.",
  examples: ["no significant loss of nDCG@10"],
  parse(text) {
    const [, metric] = PATTERN.exec(text) ?? [];
    return metric === undefined ? null : { kind: "significant loss", metric };
  },
  print: ({ metric }) => `no significant loss of ${metric}`,
  check: ({ metric }, candidate) =>
    inStatistics(candidate, ({ settings }) => {
      const sought = candidate.baseline?.difference(metric) ?? { missing: "has no baseline" };
      if ("missing" in sought) return absent(`${shown(metric)} ${sought.missing}`);
      const { metric: name, difference, tested } = sought.found;
      const differs = `${name} differs by ${signed(difference)}`;
      const p = tested?.p_adjusted ?? null;
      if (p === null) return absent(`${differs}, which was not tested`);
      const isWorse = isLoss(sought.found);
      const isReal = isSignificant(p, settings);
      return { value: difference, passed: !(isWorse && isReal), why: `${differs}, p ${p}: ${isWorse ? `a loss that is ${isReal ? "" : "not "}significant at ${settings.alpha}` : "no loss"}` };
    }),
};
