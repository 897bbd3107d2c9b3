import { expect } from "vitest";
import { kendallTau } from "../../src/stats/kendall-tau.js";
import { pearson } from "../../src/stats/pearson.js";
import { spearman } from "../../src/stats/spearman.js";
import { expectValue, type Expected } from "./expected-values.js";

type OrError<T> = T | { readonly error: string };

/** What SciPy says of two lists. */
export interface Correlations {
  readonly kendall_tau_b: { readonly tau: Expected; readonly p: Expected };
  readonly kendall_tau_c: Expected;
  readonly spearman: { readonly rho: Expected; readonly p: Expected };
  readonly pearson: OrError<{ readonly r: Expected; readonly p: Expected }>;
}

/**
 * Compares every correlation of two lists with SciPy's.
 *
 * Two kinds of its p values are those of rounding: where the orders are the same or opposite, its rho may be
 * 0.9999999999999999, and its p 6.6e-64 instead of 0; where values lie on a line but for their last bits, its
 * r is -0.9999999999999998 and its p 1.3e-8. With 1 - r^2 about 1e-15 no digit of them is known; they are
 * checked to be as near to 0 as their r is to 1.
 */
export function expectCorrelations(x: readonly number[], y: readonly number[], expected: Correlations): void {
  const tau = kendallTau(x, y);
  expectValue("tau-b", tau.tauB, expected.kendall_tau_b.tau);
  expectValue("p of tau", tau.p, expected.kendall_tau_b.p);
  expectValue("tau-c", tau.tauC, expected.kendall_tau_c);
  const { rho, p: pOfRho } = spearman(x, y);
  expectValue("rho", rho, expected.spearman.rho);
  expectP("p of rho", rho, pOfRho, expected.spearman.p);
  const { r, p: pOfR } = pearson(x, y);
  const given = "error" in expected.pearson ? { r: expected.pearson, p: expected.pearson } : expected.pearson;
  expectValue("r", r, given.r);
  expectP("p of r", r, pOfR, given.p);
}

function expectP(label: string, coefficient: number | null, got: number | null, expected: Expected): void {
  if (
    coefficient === null ||
    Math.abs(coefficient) < 1 - 1e-14 ||
    typeof expected !== "number" ||
    expected === 1
  )
    return expectValue(label, got, expected);
  expect(expected, label).toBeLessThan(2e-8);
  expect(got, label).toBeLessThan(1e-15);
}
