import {
  FEWEST_PAIRS,
  type ComparisonSettings,
  familyOf,
  isSignificant,
  type MetricDifference,
  type ScoreComparison,
  signOfGain,
} from "../records/index.js";
import { countOf, formatPInProse } from "../foundation/numbers/index.js";
import { fewestDifferences, pairedTests } from "../stats/index.js";
import { absent, describeDifference, fewIntents, inDifference, inStatistics } from "./candidate.js";
import { METRIC, type RuleKind } from "./rule-kind.js";

/** A metric must not fall by more than chance explains: `no significant loss of nDCG@10`. */
export interface SignificantLoss {
  readonly kind: "significant loss";
  readonly metric: string;
}

const PATTERN = new RegExp(`^no significant loss of (${METRIC})$`, "i");

/** Whether no p value of drawn sign flips is below the level of one of some tests. */
function isOutOfReach(
  { is_exact }: MetricDifference,
  { test, alpha, permutations }: ComparisonSettings,
  tests: number,
): boolean {
  return test === "randomization" && !is_exact && (alpha / tests) * (permutations + 1) <= 1;
}

/**
 * With few queries that differ, even all of them lost are no evidence for a test of signs, and with few sign
 * flips nothing is. Which queries the test looks at is known where no tolerance calls differing ones equal.
 */
function couldNotFail(tested: MetricDifference, settings: ComparisonSettings, tests: number): boolean {
  const { improved, worse, p_adjusted, by_group } = tested;
  const { test, alpha, tolerance } = settings;
  const areFew =
    tolerance === 0 &&
    pairedTests[test].isOfSigns &&
    Math.min(improved + worse, by_group?.differing ?? Infinity) <
      fewestDifferences(pairedTests[test], alpha / tests);
  return worse > 0 && (p_adjusted ?? 1) >= alpha && (areFew || isOutOfReach(tested, settings, tests));
}

/** What is said of a rule that no run could have failed. */
function whyNoFailure(
  tested: MetricDifference,
  settings: ComparisonSettings,
  tests: number,
): string | undefined {
  const count = Math.max(1, tests);
  if (!couldNotFail(tested, settings, count)) return undefined;
  const among = tests > 1 ? `, among ${tests} tests,` : "";
  const few = isOutOfReach(tested, settings, count)
    ? countOf(settings.permutations, "sign flip")
    : countDiffering(tested);
  return (
    `could not have failed: with ${few}${among} no p value is below ` +
    `${settings.alpha}; \`${tested.metric} not worse by 0.02\` can`
  );
}

/** How many tests a metric's p value is adjusted for. */
function testsBeside(metric: string, { comparisons, settings }: ScoreComparison): number {
  if (settings.correction === "none") return 1;
  const family = familyOf(metric, settings);
  return comparisons
    .flatMap(({ metrics }) => metrics)
    .filter((other) => other.p !== null && familyOf(other.metric, settings) === family).length;
}

function countDiffering({ improved, worse, by_group }: MetricDifference): string {
  if (by_group !== undefined && by_group.differing < improved + worse)
    return countOf(by_group.differing, "intent that differs", "intents that differ");
  return countOf(improved + worse, "query that differs", "queries that differ");
}

export const significantLoss: RuleKind<SignificantLoss> = {
  kind: "significant loss",
  written: "no significant loss of METRIC",
  meaning:
    "The score is no worse than the baseline's, or the loss is not significant: the adjusted p " +
    "value is not below the alpha of the comparison. Passes, with a warning, where too few queries " +
    "differ for any loss to be significant among so many tests.",
  examples: ["no significant loss of nDCG@10"],
  concludes: true,
  parse(text) {
    const [, metric] = PATTERN.exec(text) ?? [];
    return metric === undefined ? null : { kind: "significant loss", metric };
  },
  print: ({ metric }) => `no significant loss of ${metric}`,
  check: ({ metric }, candidate) =>
    inStatistics(candidate, ({ settings, result }) =>
      inDifference(candidate, { metric }, (found) => {
        const { metric: name, difference, tested, higherIsBetter } = found;
        const differs = describeDifference(found);
        if (tested === null) return absent(`${differs}, which was not tested`);
        const few = fewIntents(tested);
        if (few !== undefined) return absent(`${differs} ${few}`);
        const isWorse = signOfGain(tested, higherIsBetter) < 0;
        const isHidden = !isWorse && (higherIsBetter ? found.ofScores < 0 : found.ofScores > 0);
        const noLoss = isHidden ? "no loss over these" : "no loss";
        const unseen = isHidden
          ? `queries of one run alone were not tested; \`${name} not worse by 0.02\` looks at them, too`
          : undefined;
        if (tested.p_adjusted === null)
          // Student's t says nothing where all differ by the same; a gain needs no test.
          return isWorse || tested.pairs < FEWEST_PAIRS
            ? absent(`${differs}, which was not tested`)
            : { value: difference, passed: true, why: `${differs}: ${noLoss}`, warning: unseen };
        const isReal = isSignificant(tested, settings);
        const loss =
          tested.is_opposed === true
            ? `a loss, but the ${settings.test} test points the other way`
            : `a loss that is ${isReal ? "" : "not "}significant at ${settings.alpha}`;
        return {
          value: difference,
          passed: !(isWorse && isReal),
          why: `${differs}, ${formatPInProse(tested.p_adjusted)}: ${isWorse ? loss : noLoss}`,
          warning: unseen ?? whyNoFailure(tested, settings, testsBeside(name, result)),
        };
      }),
    ),
};
