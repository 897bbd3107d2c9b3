import type { Span } from "../records/index.js";
import { extentOf, intersectExtents, type Extent } from "./extent.js";

/**
 * Whether two sets of spans of one document are about the same place: for some comparable kind, they share at
 * least half of the smaller side. A smaller chunk inside the evidence and a larger one around it both count,
 * so chunk size is not favoured.
 */
export function extentsOverlap(a: Extent, b: Extent): boolean {
  return intersectExtents(a, b).some(
    ({ a: sizeA, b: sizeB, both }) => both > 0 && 2 * both >= Math.min(sizeA, sizeB),
  );
}

/** {@link extentsOverlap} for spans as they are stored. */
export function spansOverlap(a: readonly Span[], b: readonly Span[]): boolean {
  return extentsOverlap(extentOf(a), extentOf(b));
}
