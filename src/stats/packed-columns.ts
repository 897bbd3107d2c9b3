/** Denominators of what is counted: shares of a few, precision at a cutoff, reciprocal ranks down to 10. */
const DENOMINATORS = [1, 2, 3, 4, 5, 6, 10, 12, 60, 2520];
/** Whole numbers are exact up to here, on both sides of 0. */
const ROOM = 2 ** 53;
/** How far the difference of two rounded fractions up to 1 can be from a fraction. */
export const ROUNDING_OF_DIFFERENCES = 2 ** -51;

/** A column of fractions among those that share numbers. */
interface Member {
  readonly column: number;
  readonly denominator: number;
  /** Sums of its numerators lie below half of it; a power of two. */
  readonly width: number;
}

/** Values of which a sum is one of every member, or, without members, of one column as it was. */
export interface PackedColumn {
  readonly values: ArrayLike<number>;
  readonly column: number;
  readonly members: readonly Member[];
}

/**
 * Packs columns of small fractions, several to a number: one sum is then as many, and exact. Others stay as
 * they are. What the sums of a column are does not depend on those beside it.
 *
 * @param reachOf what sums of these numerators can come to, negative or not.
 * @param rounding how far a value may be from a fraction.
 */
export function packColumns(
  columns: readonly ArrayLike<number>[],
  reachOf: (numerators: Float64Array) => number,
  rounding: number,
): PackedColumn[] {
  const packed: { values: Float64Array; column: number; members: Member[]; width: number }[] = [];
  const alone: PackedColumn[] = [];
  const longest = columns.reduce((most, { length }) => Math.max(most, length), 0);
  for (const [column, values] of columns.entries()) {
    const fractions = fractionsOf(values, rounding, longest);
    const width = fractions === null ? Infinity : widthFor(reachOf(fractions.numerators));
    if (fractions === null || width > ROOM) {
      alone.push({ values, column, members: [] });
      continue;
    }
    const { numerators, denominator } = fractions;
    const member = { column, denominator, width };
    const host = packed.find((other) => other.width * width <= ROOM);
    if (host === undefined) packed.push({ values: numerators, column, members: [member], width });
    else {
      for (let at = 0; at < numerators.length; at++)
        (host.values[at] as number) += (numerators[at] as number) * host.width;
      host.members.push(member);
      host.width *= width;
    }
  }
  return [...packed, ...alone];
}

/** Takes sums of packed values apart, which are used up, and divides each by `divisor`. */
export function unpackSums(
  { column, members }: PackedColumn,
  sums: Float64Array,
  divisor: number,
  into: readonly Float64Array[],
): void {
  if (members.length === 0) divideAll(sums, divisor, into[column] as Float64Array);
  for (const { column, denominator, width } of members) {
    const out = into[column] as Float64Array;
    const all = denominator * divisor;
    for (let at = 0; at < sums.length; at++) {
      const sum = sums[at] as number;
      const others = Math.floor(sum / width + 0.5);
      out[at] = (sum - others * width) / all;
      sums[at] = others;
    }
  }
}

/** The least power of two of which the half is beyond reach; there may be no room for it. */
function widthFor(reach: number): number {
  let width = 1;
  while (width <= 2 * reach && width <= ROOM) width *= 2;
  return width;
}

function divideAll(sums: Float64Array, divisor: number, out: Float64Array): void {
  for (let at = 0; at < sums.length; at++) out[at] = (sums[at] as number) / divisor;
}

/** Values as fractions of one denominator, with zeros up to a length; null where they are none. */
function fractionsOf(
  values: ArrayLike<number>,
  rounding: number,
  length: number,
): { readonly numerators: Float64Array; readonly denominator: number } | null {
  const numerators = new Float64Array(length);
  const denominator = DENOMINATORS.find((each) => {
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as number;
      const numerator = Math.round(value * each);
      if (!(Math.abs(numerator / each - value) <= rounding) || (numerator === 0 && value !== 0)) return false;
      numerators[at] = numerator;
    }
    return true;
  });
  return denominator === undefined ? null : { numerators, denominator };
}
