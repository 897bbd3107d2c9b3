import { roundTo4 } from "../foundation/numbers/index.js";
import type { FusionTuning } from "../records/index.js";
import type { Curve } from "./curve.js";
import type { CurveFamily } from "./family.js";

/** Pieces of a curve in a record: more than a screen has columns. */
const MOST_PIECES = 2000;

/**
 * A curve for records: every cell, or the lowest and the highest mean of each of many
 * equal parts. Null where nothing was tuned.
 */
export function drawCurve({ curve, axis }: CurveFamily): FusionTuning["curve"] {
  const pieces = piecesOf(curve);
  return pieces.length < 2 ? null : pieces.map(({ from, ...means }) => ({ from: axis.at(from), ...means }));
}

function piecesOf(curve: Curve): NonNullable<FusionTuning["curve"]> {
  const { starts, sums, functions } = curve;
  const mean = (cell: number): number => roundTo4((sums[cell] as number) / functions.size);
  if (starts.length <= MOST_PIECES)
    return Array.from(starts, (from, cell) => ({ from, low: mean(cell), high: mean(cell) }));
  const pieces: NonNullable<FusionTuning["curve"]>[number][] = [];
  let cell = 0;
  for (let part = 0; part < MOST_PIECES; part++) {
    const to = (part + 1) / MOST_PIECES;
    let low = Infinity;
    let high = -Infinity;
    for (; ; cell++) {
      low = Math.min(low, mean(cell));
      high = Math.max(high, mean(cell));
      // A cell that goes on beyond the part is in the next one, too.
      if (curve.end(cell) >= to) break;
    }
    pieces.push({ from: part / MOST_PIECES, low, high });
    if (curve.end(cell) === to && cell + 1 < starts.length) cell++;
  }
  return pieces;
}
