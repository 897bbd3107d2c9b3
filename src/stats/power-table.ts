import { InputError, quote } from "../foundation/errors/index.js";
import { checkKnownOptions, wholeNumber } from "../foundation/checks/index.js";
import { checkLists } from "./check-pairs.js";
import { pairedTests } from "./paired-tests/catalog.js";
import { detectableBy, pairsNeededBy, powerOf } from "./paired-tests/test-power.js";
import type { PowerOptions } from "./power.js";

/** What {@link powerTable} is made for. */
export interface PowerTableOptions extends PowerOptions {
  /** The standard deviation of differences between queries. Default 0.2, usual for nDCG@10. */
  readonly deviation?: number | undefined;
  /** The difference of means that should be found, above 0. */
  readonly difference?: number | undefined;
  /** Sizes of query sets, from 2. Default: 25 and its doubles up to 3,200. */
  readonly sizes?: readonly number[] | undefined;
}

/** What query sets of some sizes can tell. */
export interface PowerTable {
  /** Significance level. */
  readonly alpha: number;
  /** How often a detectable difference is found. */
  readonly power: number;
  readonly deviation: number;
  readonly difference: number | null;
  /** Queries by which `difference` is found; null without one, and for one that no query set finds. */
  readonly queries_needed: number | null;
  readonly sizes: readonly {
    readonly queries: number;
    /** The minimum detectable difference; null where so few queries find none. */
    readonly detectable: number | null;
    /** How often `difference` is found; null without one, 0 where so few queries find none. */
    readonly power: number | null;
  }[];
}

/** The standard deviation of differences of nDCG@10 between two decent systems, usually. */
export const USUAL_DEVIATION = 0.2;
const SIZES: readonly number[] = [25, 50, 100, 200, 400, 800, 1600, 3200];
const ALPHA = 0.05;
const POWER = 0.8;

/**
 * Which differences query sets of some sizes detect, and how many queries a difference needs, by the paired t
 * test, but for sizes with which the randomization test has no p value below alpha, even of all sign flips:
 * those find nothing; with the fewest that find something all differences must have one sign.
 *
 * @throws InputError `ARGUMENT` for a deviation or a difference that is not above 0, and for other sizes.
 */
export function powerTable(options: PowerTableOptions = {}): PowerTable {
  const {
    alpha = ALPHA,
    power = POWER,
    deviation = USUAL_DEVIATION,
    difference,
    sizes = SIZES,
  } = checkKnownOptions(options, ["alpha", "power", "deviation", "difference", "sizes"]);
  if (!(Number.isFinite(deviation) && deviation > 0))
    throw new InputError("ARGUMENT", `deviation must be a number above 0, got ${quote(deviation)}`);
  if (difference !== undefined && !(Number.isFinite(difference) && difference > 0))
    throw new InputError("ARGUMENT", `difference must be a number above 0, got ${quote(difference)}`);
  if (power <= alpha)
    throw new InputError("ARGUMENT", `power must be above alpha (${alpha}), got ${quote(power)}`);
  checkLists("powerTable", sizes);
  sizes.forEach((size) => wholeNumber("sizes", size, 2));
  const levels = { alpha, power };
  const effect = difference === undefined ? null : difference / deviation;
  const test = pairedTests.randomization;
  return {
    ...levels,
    deviation,
    difference: difference ?? null,
    queries_needed: effect === null ? null : pairsNeededBy(test, effect, levels),
    sizes: sizes.map((queries) => {
      const detectable = detectableBy(test, queries, levels);
      return {
        queries,
        detectable: Number.isNaN(detectable) ? null : detectable * deviation,
        power: effect === null ? null : powerOf(test, effect, queries, alpha),
      };
    }),
  };
}
