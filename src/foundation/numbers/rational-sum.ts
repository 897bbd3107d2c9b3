import { roundQuotient, UNIT_EXPONENT } from "./round-units.js";

/** A fraction of whole numbers, the denominator at least 1. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** Stored values have this many decimals. */
const SCALE = 10_000n;

/**
 * A sum of fractions that loses nothing, for means that are rounded exactly once.
 *
 * Adding doubles gives 0.0987 for the mean 79/800 = 0.09875; the exact sum gives 0.0988 whatever the order of
 * the terms. Numerators are gathered per denominator, so that BigInt is needed only for the last step.
 */
export class RationalSum {
  readonly #numerators = new Map<number, number>();

  add(numerator: number, denominator: number): void {
    this.#numerators.set(denominator, (this.#numerators.get(denominator) ?? 0) + numerator);
  }

  /** What was added, by denominator, the smallest first. */
  get terms(): [numerator: number, denominator: number][] {
    return [...this.#numerators]
      .map(([denominator, numerator]): [number, number] => [numerator, denominator])
      .sort(([, a], [, b]) => a - b);
  }

  /** The sum divided by `count`, rounded once to the nearest double; 0 when `count` is 0. */
  mean(count: number): number {
    if (count === 0) return 0;
    const { numerator, denominator } = this.#quotient(count);
    return roundQuotient(numerator << BigInt(-UNIT_EXPONENT), denominator);
  }

  /** The sum divided by `count`, rounded once to 4 decimals, half away from zero; 0 when `count` is 0. */
  roundMean(count: number): number {
    if (count === 0) return 0;
    const { numerator, denominator: divisor } = this.#quotient(count);
    const magnitude = numerator < 0n ? -numerator : numerator;
    const rounded = Number((2n * magnitude * SCALE + divisor) / (2n * divisor)) / Number(SCALE);
    return numerator < 0n && rounded !== 0 ? -rounded : rounded;
  }

  #quotient(count: number): { numerator: bigint; denominator: bigint } {
    let common = 1n;
    for (const denominator of this.#numerators.keys())
      common = leastCommonMultiple(common, BigInt(denominator));
    let numerator = 0n;
    for (const [denominator, sum] of this.#numerators)
      numerator += BigInt(sum) * (common / BigInt(denominator));
    return { numerator, denominator: common * BigInt(count) };
  }
}

/** The exact sum of scores that are fractions, and how many they are. */
export interface FractionSum {
  readonly count: number;
  readonly terms: readonly (readonly [numerator: number, denominator: number])[];
}

/** An exact mean of fractions in the making. */
export class FractionMean {
  readonly #sum = new RationalSum();
  #count = 0;

  /** @returns the fraction as a number. */
  add({ numerator, denominator }: Fraction): number {
    this.#count++;
    if (numerator === 0) return 0;
    this.#sum.add(numerator, denominator);
    return numerator / denominator;
  }

  get count(): number {
    return this.#count;
  }

  /** What was added so far. */
  get fractions(): FractionSum {
    return { count: this.#count, terms: this.#sum.terms };
  }

  /** Takes along fractions that were added elsewhere. */
  addFractions({ count, terms }: FractionSum): void {
    for (const [numerator, denominator] of terms) this.#sum.add(numerator, denominator);
    this.#count += count;
  }

  /** Rounded once to the nearest double; 0 for none. */
  get value(): number {
    return this.#sum.mean(this.#count);
  }

  /** Rounded once to 4 decimals; 0 for none. */
  get rounded(): number {
    return this.#sum.roundMean(this.#count);
  }
}

/**
 * A fraction at 4 decimals. `roundTo4(147 / 160)` would give 0.9187, because the double nearest to 0.91875
 * lies below it.
 */
export function roundFraction({ numerator, denominator }: Fraction): number {
  const sum = new RationalSum();
  sum.add(numerator, denominator);
  return sum.roundMean(1);
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let x = a;
  let y = b;
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}
