import { firstIndex, groupBy } from "../foundation/columns/index.js";
import type { Axis, Extent } from "./extent.js";

/** An interval of one of the extents, in the order of starts. */
interface Indexed {
  readonly start: number;
  readonly end: number;
  readonly extent: Extent;
  /** The largest end so far: where it is too small, no earlier interval reaches further. */
  readonly reach: number;
}

/** Extents by where they lie, so that a place is not held against all of them. */
export class ExtentIndex {
  readonly #byAxis: ReadonlyMap<Axis, readonly Indexed[]>;
  readonly #withRectangles: readonly Extent[];

  constructor(extents: readonly Extent[]) {
    const intervals = extents.flatMap((extent) =>
      [...extent.intervals].flatMap(([axis, list]) =>
        list.map(({ start, end }) => ({ axis, start, end, extent })),
      ),
    );
    this.#byAxis = new Map(
      Array.from(
        groupBy(intervals, ({ axis }) => axis),
        ([axis, list]) => {
          let reach = -Infinity;
          const sorted = list.sort((a, b) => a.start - b.start);
          return [axis, sorted.map((each) => ({ ...each, reach: (reach = Math.max(reach, each.end)) }))];
        },
      ),
    );
    this.#withRectangles = extents.filter(({ rectangles }) => rectangles.length > 0);
  }

  /** Whether any of the extents is of a kind that the place has: lines are held against lines alone. */
  isComparable(place: Extent): boolean {
    const areRectangles = place.rectangles.length > 0 && this.#withRectangles.length > 0;
    return areRectangles || [...place.intervals.keys()].some((axis) => this.#byAxis.has(axis));
  }

  /** The extents that may have anything in common with a place; all that have are among them. */
  near(place: Extent): Set<Extent> {
    const found = new Set<Extent>(place.rectangles.length > 0 ? this.#withRectangles : []);
    for (const [axis, intervals] of place.intervals) {
      const indexed = this.#byAxis.get(axis) ?? [];
      for (const { start, end } of intervals) {
        const after = firstIndex(indexed.length, (at) => (indexed[at] as Indexed).start >= end);
        for (let at = after - 1; at >= 0 && (indexed[at] as Indexed).reach > start; at--) {
          const each = indexed[at] as Indexed;
          if (each.end > start) found.add(each.extent);
        }
      }
    }
    return found;
  }
}
