import { formatChange, formatShare } from "../foundation/numbers/index.js";
import type { HeldOutGain, TuningVerdict } from "../records/index.js";

/**
 * What a search comes to: what is not shown to hold is not better. Choices that were made without a query are
 * much alike, and best where that query's score is low: held-out gains hang together and lean downwards, and
 * their interval is too short. So for better the p value of the search must be small, too, and for worse the
 * choice must lose even on the queries that made it.
 *
 * @param gain of the choice on all queries.
 */
export function tuningVerdict(
  held: HeldOutGain | null,
  p: number,
  {
    queries,
    metric,
    gain: ofChoice,
  }: { readonly queries: number; readonly metric: string; readonly gain: number },
): TuningVerdict {
  if (held === null)
    return {
      kind: "not_better",
      sentence:
        "Not better than the current setting, as far as " +
        `${queries === 1 ? "1 query" : `${queries} queries`} can tell: nothing could be held out. ` +
        "Judge more queries.",
    };
  const { gain, interval, confidence, margin } = held;
  const bounds =
    interval === null
      ? ""
      : ` (${Number((100 * confidence).toFixed(2))} % interval ${formatChange(interval.low)} to ` +
        `${formatChange(interval.high)})`;
  const onOthers = `on held-out queries ${metric} changes by ${formatChange(gain)}${bounds}`;
  const beyond = margin > 0 ? `, above the margin of ${margin}` : "";
  // Of gains that are all equal there is no interval, and nothing varies but their sign.
  const { low, high } = interval ?? { low: gain, high: gain };
  const isAbove = low > margin;
  if (isAbove && p >= 1 - confidence)
    return {
      kind: "not_better",
      sentence:
        `Not shown to be better than the current setting: ${onOthers}${beyond}, but chance alone finds as ` +
        `much in ${formatShare(Number(p.toFixed(3)))} of such searches. More queries would tell.`,
    };
  if (isAbove) return { kind: "better", sentence: `Better than the current setting: ${onOthers}${beyond}.` };
  if (high < 0 && ofChoice < 0)
    return { kind: "worse", sentence: `Worse than the current setting: ${onOthers}.` };
  if (high < 0)
    return {
      kind: "not_better",
      sentence:
        `Not better than the current setting: ${onOthers}. What fits some queries does not fit the others; ` +
        "keep what is there.",
    };
  return {
    kind: "not_better",
    sentence:
      interval === null && gain === 0
        ? `Not better than the current setting: ${onOthers}; every query scores the same.`
        : `Not better than the current setting: ${onOthers}, ` +
          `which is not above ${margin === 0 ? "0" : `the margin of ${margin}`}. Keep what is there.`,
  };
}

/**
 * What follows from a search by such labels: those of a model are an opinion, and choosing among many
 * settings finds what the model likes. Nothing, before people have looked.
 */
export function verdictByLabels(verdict: TuningVerdict, areAudited: boolean): TuningVerdict {
  if (areAudited || verdict.kind === "not_better") return verdict;
  const [first = "", ...rest] = verdict.sentence;
  return {
    kind: "not_better",
    sentence:
      "Labels not audited, so that nothing follows. By the labels as they are: " +
      `${first.toLowerCase()}${rest.join("")}`,
  };
}
