/** Lanczos' coefficients for g = 7 and nine terms (Godfrey, 2001): 15 digits. */
const LANCZOS_G = 7;
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** The logarithm of the gamma function, for x above 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const shifted = x - 1;
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += (LANCZOS[i] as number) / (shifted + i);
  const base = shifted + LANCZOS_G + 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

/** From here on Stirling's series has 15 digits with five terms. */
const LARGE = 10;

/** What Stirling's formula lacks: 1/12x - 1/360x^3 + 1/1260x^5 - ... (Abramowitz, Stegun: 6.1.41). */
function stirlingRest(x: number): number {
  const square = x * x;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / x;
}

/**
 * What Stirling's formula, (x - 1/2) log x - x + log(2 pi) / 2, lacks of the logarithm of the gamma function.
 */
export function stirlingError(x: number): number {
  return x < LARGE
    ? logGamma(x) - ((x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2)
    : stirlingRest(x);
}

/**
 * The logarithm of the beta function, also where one argument is so large that the difference of its gammas
 * has no digits left.
 */
export function logBeta(a: number, b: number): number {
  const [small, large] = a < b ? [a, b] : [b, a];
  if (large < LARGE) return logGamma(a) + logGamma(b) - logGamma(a + b);
  const risen =
    (large - 0.5) * Math.log1p(small / large) +
    small * Math.log(large + small) -
    small +
    stirlingRest(large + small) -
    stirlingRest(large);
  return logGamma(small) - risen;
}
