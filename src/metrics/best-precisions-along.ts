import { firstIndex } from "../foundation/columns/index.js";
import { positive, type JudgedRanking } from "./judged-ranking.js";
import { relevantItems } from "./relevance.js";

/**
 * The best precision at any rank where enough relevant items have been found, after each label and up to
 * rounding, in O(n log n).
 *
 * With n labels given, at least `K` of the items down to a rank are relevant, where K counts the known ones.
 * From the top, min(unjudged hits above, n) more are; from the bottom, max(0, unjudged hits above - those
 * without a label). So the precision at a rank is one number until labels reach it (from the bottom) or have
 * passed it (from the top), and otherwise a line in n.
 *
 * @param labels unjudged ranks, all rising or all falling.
 * @param enough how many items must be found, by how many are relevant.
 */
export function bestPrecisionsAlong(
  judged: JudgedRanking,
  labels: readonly number[],
  level: number,
  enough: (relevant: number) => number,
): Float64Array {
  const { ranks, known, unjudged } = countsByRank(judged, labels, level);
  const [places, all] = [ranks.length, labels.length];
  const isFromTop = all < 2 || (labels[0] as number) < (labels[1] as number);
  const countFound = (place: number, count: number): number =>
    at(known, place) +
    (isFromTop ? Math.min(at(unjudged, place), count) : Math.max(0, at(unjudged, place) - all + count));
  const relevant = relevantItems(judged, level);
  const starts = Array.from({ length: all + 1 }, (_, count) =>
    firstIndex(places, (place) => countFound(place, count) >= enough(relevant + count)),
  );
  /** From the top: the first place that labels may not have passed. */
  const ends = starts.map((_, count) =>
    isFromTop ? firstIndex(places, (place) => at(unjudged, place) >= count) : 0,
  );

  const best = new Float64Array(all + 1);
  const fixed = new LatestHighest((place) => countFound(place, isFromTop ? all : 0) / at(ranks, place));
  starts.forEach((start, count) => {
    fixed.addUpTo(isFromTop ? at(ends, count) : places);
    best[count] = fixed.from(start);
  });
  const lines = new HighestLine();
  let added = places;
  const lineStarts = starts.map((start, count) => Math.max(start, at(ends, count)));
  for (const count of [...starts.keys()].sort((a, b) => at(lineStarts, b) - at(lineStarts, a))) {
    while (added > at(lineStarts, count)) {
      added--;
      lines.add(at(known, added) + (isFromTop ? 0 : at(unjudged, added) - all), at(ranks, added));
    }
    best[count] = Math.max(at(best, count), lines.at(count));
  }
  return best;
}

const at = (list: ArrayLike<number>, index: number): number => list[index] as number;

/** Ranks of relevant and of unjudged hits, rising, and how many of each there are down to each of them. */
function countsByRank(
  judged: JudgedRanking,
  labels: readonly number[],
  level: number,
): { ranks: Float64Array; known: Int32Array; unjudged: Int32Array } {
  const list = positive(judged.hits, level);
  const relevant = Array.from(list.ranks).filter((_, index) => at(list.grades, index) >= level);
  const ranks = Float64Array.from([...relevant, ...labels]).sort();
  const known = new Int32Array(ranks.length);
  for (let place = 0, count = 0; place < ranks.length; place++) {
    if (at(ranks, place) === relevant[count]) count++;
    known[place] = count;
  }
  return { ranks, known, unjudged: known.map((count, place) => place + 1 - count) };
}

/** The highest of the values from a place to the last one added. */
class LatestHighest {
  readonly #value: (place: number) => number;
  /** Places whose value none after them reaches. */
  readonly #places: number[] = [];
  #added = 0;

  constructor(value: (place: number) => number) {
    this.#value = value;
  }

  addUpTo(end: number): void {
    for (; this.#added < end; this.#added++) {
      while (this.#places.length > 0 && this.#last() <= this.#value(this.#added)) this.#places.pop();
      this.#places.push(this.#added);
    }
  }

  /** 0 where there is none. */
  from(start: number): number {
    const place = this.#places[firstIndex(this.#places.length, (index) => at(this.#places, index) >= start)];
    return place === undefined ? 0 : this.#value(place);
  }

  #last(): number {
    return this.#value(this.#places.at(-1) as number);
  }
}

/** The highest of lines (offset + n) / rank, to which ever steeper ones are added. */
class HighestLine {
  readonly #lines: { readonly offset: number; readonly rank: number; readonly from: number }[] = [];

  /** @param rank lower than all before. */
  add(offset: number, rank: number): void {
    for (;;) {
      const last = this.#lines.at(-1);
      const from =
        last === undefined ? -Infinity : (last.offset * rank - offset * last.rank) / (last.rank - rank);
      if (last === undefined || from > last.from) {
        this.#lines.push({ offset, rank, from });
        return;
      }
      this.#lines.pop();
    }
  }

  /** 0 where there is none. */
  at(n: number): number {
    const next = firstIndex(this.#lines.length, (index) => (this.#lines[index]?.from as number) > n);
    const line = this.#lines[next - 1];
    return line === undefined ? 0 : (line.offset + n) / line.rank;
  }
}
