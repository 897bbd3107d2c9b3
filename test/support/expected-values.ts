import { expect } from "vitest";

/** A value as oracles write it: a number, "NaN", or that the library refuses. */
export type Expected = number | string | { readonly error: string };

const RELATIVE = 1e-10;
/** Below this doubles lose digits one by one. */
const SMALLEST = 1e-300;
/** Only p values are smaller than this without being 0 but for rounding; theirs are compared relatively. */
const ZERO = 1e-15;

/**
 * Compares a value with an oracle's; what is not defined there is null here.
 *
 * @param label what the value is; p values begin with `p `.
 */
export function expectValue(
  label: string,
  got: number | null | undefined,
  expected: Expected,
  relative = RELATIVE,
): void {
  if (typeof expected !== "number") {
    expect(got, `${label}: nothing expected`).toBeNull();
    return;
  }
  expect(typeof got, `${label}: ${expected} expected, got ${got}`).toBe("number");
  const error = Math.abs((got as number) - expected);
  // A coefficient of 0 that comes out as 1e-17 is right: coefficients have the scale of 1.
  const isZero = !label.startsWith("p ") && Math.abs(expected) < ZERO && error < ZERO;
  expect(
    isZero || error <= relative * Math.abs(expected) || error < SMALLEST,
    `${label}: ${expected} expected, got ${got}`,
  ).toBe(true);
}
