import { countOf, formatCount } from "../foundation/numbers/index.js";
import { metricDepth, type Metric } from "../metrics/index.js";
import { FEWEST_PAIRS, type GivenWarning } from "../records/index.js";

/** How deep the rankings of a run go. */
export interface RankedDepths {
  readonly run: string;
  /** How many hits each query has; queries without any say nothing. */
  readonly depths: readonly number[];
}

const countDeeper = ({ depths }: RankedDepths, depth: number): number =>
  depths.filter((each) => each > depth).length;

/**
 * By run a warning where its rankings were cut and another run's go on, and a metric looks deeper than that.
 * They were cut where at least half of them end at one rank, which is the longest; the other's go on where
 * most are longer.
 */
export function warnOfUnevenDepths(
  runs: readonly RankedDepths[],
  metrics: readonly Metric[],
): GivenWarning[][] {
  const longest = runs.map(({ depths }) => depths.reduce((most, depth) => Math.max(most, depth), 0));
  return runs.map(({ depths }, at) => {
    const depth = longest[at] as number;
    const atLongest = depths.filter((each) => each === depth).length;
    const further = runs.findIndex((other) => 2 * countDeeper(other, depth) > other.depths.length);
    const [deeper, ...more] = metrics.filter((metric) => metricDepth(metric) > depth);
    if (further < 0 || deeper === undefined || atLongest < Math.max(FEWEST_PAIRS, depths.length / 2))
      return [];
    const message =
      `no query has more than ${countOf(depth, "hit")}, in ${runs[further]?.run ?? ""} up to ` +
      `${formatCount(longest[further] as number)}: by ${deeper.name}` +
      `${more.length > 0 ? ` and ${more.length} more, which look` : ", which looks"} deeper, more hits ` +
      "alone make a run better";
    return [{ code: "UNEVEN_DEPTHS", message, count: atLongest }];
  });
}
