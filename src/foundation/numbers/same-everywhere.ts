/** Significant digits of logarithms and exponentials, and of sums of them, that all engines agree on. */
const AGREED_DIGITS = 12;

/** A number without the last digits, which differ from engine to engine where logarithms went into it. */
export function sameEverywhere(value: number): number {
  return Number(value.toPrecision(AGREED_DIGITS));
}
