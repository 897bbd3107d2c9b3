import { quote } from "../foundation/errors/index.js";
import {
  isSignificant,
  metricCardOf,
  signOfGain,
  type ComparisonSettings,
  type Slice,
} from "../records/index.js";
import { absent, inStatistics, whyUndecided, type Finding } from "./candidate.js";
import type { RuleKind } from "./rule-kind.js";
import { firstOf } from "../foundation/text/index.js";

/** No kind of query may get significantly worse: `no slice worse`. */
export interface NoSliceWorse {
  readonly kind: "slices";
}

const MOST_NAMED = 3;

export const noSliceWorse: RuleKind<NoSliceWorse> = {
  kind: "slices",
  written: "no slice worse",
  meaning:
    "No slice, such as the queries of one language, has a significant loss in the primary metric. " +
    "Slices with too few queries or intents to test are counted, not held against the run, unless all are.",
  examples: ["no slice worse"],
  concludes: true,
  parse: (text) => (/^no slice worse$/i.test(text) ? { kind: "slices" } : null),
  print: () => "no slice worse",
  check: (_, candidate) =>
    inStatistics(candidate, ({ comparison: { slices, metrics, answered_by_both }, settings, result }) => {
      const { primary } = settings;
      if (primary === null) return absent("the comparison has no primary metric");
      if (slices.length === 0) return absent("the comparison has no slices");
      const higherIsBetter = metricCardOf(result, primary).higher_is_better;
      const whole = findingOf(slices, primary, higherIsBetter, settings);
      const undecided = whyUndecided(metrics.find(({ metric }) => metric === primary));
      if (whole.passed && undecided !== undefined) return absent(undecided);
      if (!whole.passed || answered_by_both === undefined) return whole;
      const ofBoth = findingOf(answered_by_both.slices, primary, higherIsBetter, settings);
      return (ofBoth.value ?? 0) === 0
        ? whole
        : { ...ofBoth, why: `${ofBoth.why}, over the queries that the baseline answered` };
    }),
};

/** How many slices have lost. */
function findingOf(
  slices: readonly Slice[],
  primary: string,
  higherIsBetter: boolean,
  settings: ComparisonSettings,
): Finding {
  const tested = slices.flatMap(({ by, value, metrics }) => {
    const row = metrics.find(({ metric }) => metric === primary);
    return row?.difference == null || row.p_adjusted === null
      ? []
      : [
          {
            name: `${by} ${value}`,
            isWorse: signOfGain(row, higherIsBetter) < 0 && isSignificant(row, settings),
          },
        ];
  });
  if (tested.length === 0)
    return absent(
      `none of the ${slices.length} slices has enough queries, or intents of theirs, to test ${primary}`,
    );
  const worse = tested.filter(({ isWorse }) => isWorse).map(({ name }) => quote(name));
  const untested = slices.length - tested.length;
  return {
    value: worse.length,
    passed: worse.length === 0,
    why:
      `${worse.length === 0 ? "none" : worse.length} of ${tested.length} slices ` +
      `${worse.length > 1 ? "have" : "has"} a significant loss of ${primary}` +
      (worse.length === 0 ? "" : `: ${firstOf(worse, MOST_NAMED)}`) +
      (untested === 0 ? "" : `; ${untested} with too few queries or intents to test`),
  };
}
