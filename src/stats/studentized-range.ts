import { checkNumbers } from "./check-settings.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { meanOverScale } from "./deviation-scale.js";
import { integral, NODES } from "./integral.js";
import { FAR, normalBelow } from "./normal.js";

const WIDTH_PIECES = 3;

/** A term below this share of the next one is lost when they are added, also with the weights of the rule. */
const LOST = 2 ** -63;

/** Where the highest of several normal variables may be: its density, and the share of others below it. */
interface Place {
  readonly z: number;
  readonly density: number;
  readonly below: number;
}

let places: readonly Place[] | null = null;

/** By rule of the integral; the same for all ranges, which are asked for by the thousand. */
function normalPlaces(): readonly Place[] {
  const found: Place[] = [];
  const add = (z: number): number =>
    found.push({ z, density: Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI), below: normalBelow(z) });
  integral(add, -FAR, FAR, WIDTH_PIECES);
  return found;
}

/** The probability that the range of k standard normal variables is at most w. */
function rangeBelow(k: number): (w: number) => number {
  const all = (places ??= normalPlaces());
  // The highest of the k is at z, all others within w below it.
  const at = ({ z, density, below }: Place, w: number): number =>
    density * (below - normalBelow(z - w)) ** (k - 1);
  const mostOfLeft = all.slice(0, NODES).reduce((most, place) => Math.max(most, at(place, Infinity)), 0);
  return (w) => {
    // The highest of many is hardly ever so far below: the first piece changes no digit of the sum.
    const isLeftLost = mostOfLeft < LOST * at(all[NODES] as Place, w);
    let next = 0;
    const value = (): number => {
      const place = next++;
      return isLeftLost && place < NODES ? 0 : at(all[place] as Place, w);
    };
    return k * integral(value, -FAR, FAR, WIDTH_PIECES);
  };
}

/**
 * The probability that the studentized range of k means is at least q.
 *
 * @param k number of means, from 2.
 * @param degrees of freedom of the deviation, from 1.
 * @throws InputError `ARGUMENT` for what is outside of these.
 */
export function studentizedRangeAbove(q: number, k: number, degrees: number): number {
  checkNumbers("studentizedRangeAbove", q, k, degrees);
  if (!(k >= 2 && k < Infinity && degrees >= 1))
    throw new InputError(
      "ARGUMENT",
      "studentizedRangeAbove: k must be at least 2 and degrees at least 1, got " +
        [q, k, degrees].map((each) => quote(each)).join(", "),
    );
  if (q <= 0) return 1;
  const ofRange = rangeBelow(k);
  const below = meanOverScale((s) => ofRange(q * s), degrees);
  return Math.min(1, Math.max(0, 1 - below));
}
