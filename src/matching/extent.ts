import { firstIndex } from "../foundation/columns/index.js";
import type { Citation, Span } from "../records/index.js";

/** Spans of one comparable kind, as plain numbers. Lines of text and of code are one kind. */
export type Axis = "line" | "byte" | "page" | "time" | "region";

/** A half-open interval on its axis. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

interface Rectangle {
  readonly page: number | null;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** What a set of spans covers, per axis: sorted, disjoint intervals, or rectangles. */
export interface Extent {
  readonly intervals: ReadonlyMap<Axis, readonly Stretch[]>;
  readonly rectangles: readonly Rectangle[];
}

/**
 * A page's share of the page axis: more characters than any page has, few enough that two million pages stay
 * exact.
 */
const PAGE_LENGTH = 2 ** 32;

/**
 * Whether any of the spans has an extent at all; captions have none, so a list of captions says nothing about
 * the place.
 */
export function hasExtent(spans: readonly (Span | Citation)[]): boolean {
  return spans.some((span) => span.kind !== undefined && span.kind !== "caption");
}

/** Whether an extent covers nothing, as that of a span does that ends before it starts. */
export function isEmpty({ intervals, rectangles }: Extent): boolean {
  return rectangles.length === 0 && [...intervals.values()].every((list) => list.length === 0);
}

/** The union of spans, per axis. */
export function extentOf(spans: readonly (Span | Citation)[]): Extent {
  const intervals = new Map<Axis, Stretch[]>();
  const rectangles: Rectangle[] = [];
  const add = (axis: Axis, start: number, end: number): void => {
    const list = intervals.get(axis);
    if (!(end > start)) {
      // An empty span covers nothing, but its kind is known.
      if (list === undefined) intervals.set(axis, []);
    } else if (list === undefined) intervals.set(axis, [{ start, end }]);
    else list.push({ start, end });
  };
  for (const span of spans) {
    switch (span.kind) {
      case "line":
        add("line", span.start, span.end + 1);
        break;
      case "code":
        add("line", span.line_start, span.line_end + 1);
        break;
      case "byte":
        add("byte", span.start, span.end);
        break;
      case "time":
        add("time", span.start_ms, span.end_ms);
        break;
      case "page": {
        const from = Math.min(span.char_start ?? 0, PAGE_LENGTH);
        const to = Math.min(span.char_end ?? PAGE_LENGTH, PAGE_LENGTH);
        add("page", span.page * PAGE_LENGTH + from, span.page * PAGE_LENGTH + to);
        break;
      }
      case "region":
        if (span.w > 0 && span.h > 0) {
          rectangles.push({
            page: span.page ?? null,
            left: span.x,
            right: span.x + span.w,
            top: span.y,
            bottom: span.y + span.h,
          });
        }
        break;
      case "caption":
      case undefined:
        break;
    }
  }
  for (const [axis, list] of intervals) intervals.set(axis, mergeExtents(list));
  return { intervals, rectangles };
}

/** Overlapping and touching intervals joined. */
function mergeExtents(intervals: readonly Stretch[]): Stretch[] {
  if (intervals.length < 2) return [...intervals];
  const sorted = [...intervals].sort((a, b) => a.start - b.start);
  const result: Stretch[] = [];
  for (const interval of sorted) {
    const last = result.at(-1);
    if (last !== undefined && interval.start <= last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, interval.end) };
    else result.push(interval);
  }
  return result;
}

/** Sizes of both sides and of what they share. */
export interface Shared {
  readonly a: number;
  readonly b: number;
  readonly both: number;
}

/** For each kind that either side has: how large the sides and their intersection are. */
export function intersectExtents(a: Extent, b: Extent): Shared[] {
  const result: Shared[] = [];
  for (const [axis, ours] of a.intervals) {
    const theirs = b.intervals.get(axis);
    if (theirs !== undefined)
      result.push({ a: total(ours), b: total(theirs), both: intersection(ours, theirs) });
  }
  if (a.rectangles.length > 0 && b.rectangles.length > 0) {
    const pages = new Set([...a.rectangles, ...b.rectangles].flatMap(({ page }) => page ?? []));
    result.push(intersectAreas(onPages(pages, a.rectangles), onPages(pages, b.rectangles)));
  }
  return result;
}

/** How much an extent covers: the sum over its kinds, each in its own unit. */
export function sizeOf(extent: Extent): number {
  return intersectExtents(extent, extent).reduce((sum, { a }) => sum + a, 0);
}

/** A rectangle without a page is on any: on each that either side names. */
function onPages(pages: ReadonlySet<number>, rectangles: readonly Rectangle[]): readonly Rectangle[] {
  return pages.size === 0
    ? rectangles
    : rectangles.flatMap((one) => (one.page === null ? [...pages].map((page) => ({ ...one, page })) : [one]));
}

/** Whether two extents have a kind in common: lines are held against lines alone. */
export function areComparable(a: Extent, b: Extent): boolean {
  const areRectangles = a.rectangles.length > 0 && b.rectangles.length > 0;
  return areRectangles || [...a.intervals.keys()].some((axis) => b.intervals.has(axis));
}

/** Whether two extents have anything in common. */
export function extentsMeet(a: Extent, b: Extent): boolean {
  for (const [axis, ours] of a.intervals) {
    const theirs = b.intervals.get(axis) ?? [];
    if (intersection(ours, theirs) > 0) return true;
  }
  return a.rectangles.some((x) =>
    b.rectangles.some(
      (y) =>
        (x.page === y.page || x.page === null || y.page === null) &&
        x.left < y.right &&
        y.left < x.right &&
        x.top < y.bottom &&
        y.top < x.bottom,
    ),
  );
}

/** The index of the first interval that ends after a place, in a sorted, disjoint list. */
function firstEndingAfter(place: number, sorted: readonly Stretch[]): number {
  return firstIndex(sorted.length, (index) => (sorted[index] as Stretch).end > place);
}

function total(intervals: readonly Stretch[]): number {
  return intervals.reduce((sum, { start, end }) => sum + (end - start), 0);
}

/** Looks each interval of the shorter list up in the longer one. */
function intersection(a: readonly Stretch[], b: readonly Stretch[]): number {
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  let sum = 0;
  for (const { start, end } of few) {
    for (let i = firstEndingAfter(start, many); (many[i]?.start ?? Infinity) < end; i++) {
      const other = many[i] as Stretch;
      sum += Math.min(end, other.end) - Math.max(start, other.start);
    }
  }
  return sum;
}

/**
 * Areas of two unions of rectangles and of their intersection: strip by strip between the vertical edges of
 * all.
 */
function intersectAreas(a: readonly Rectangle[], b: readonly Rectangle[]): Shared {
  const areas = { a: 0, b: 0, both: 0 };
  for (const page of new Set(a.concat(b).map((rectangle) => rectangle.page))) {
    const ours = a.filter((rectangle) => rectangle.page === page);
    const theirs = b.filter((rectangle) => rectangle.page === page);
    const edges = [...new Set(ours.concat(theirs).flatMap(({ left, right }) => [left, right]))].sort(
      (x, y) => x - y,
    );
    for (let i = 1; i < edges.length; i++) {
      const [left, right] = [edges[i - 1] as number, edges[i] as number];
      const inStrip = (rectangles: readonly Rectangle[]): Stretch[] =>
        mergeExtents(
          rectangles
            .filter((r) => r.left <= left && r.right >= right)
            .map(({ top, bottom }) => ({ start: top, end: bottom })),
        );
      const [x, y] = [inStrip(ours), inStrip(theirs)];
      areas.a += (right - left) * total(x);
      areas.b += (right - left) * total(y);
      areas.both += (right - left) * intersection(x, y);
    }
  }
  return areas;
}
