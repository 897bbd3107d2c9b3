import { groupBy } from "../foundation/columns/index.js";
import { compareIds } from "../foundation/ids/index.js";
import {
  LABEL_SCALE,
  keepAssessments,
  raterId,
  standingAssessments,
  type Assessment,
  type Rater,
} from "../records/index.js";
import { cohenKappa } from "../stats/index.js";
import { textHash } from "./item-text.js";

/** A query and an item that a person is asked about. */
export interface PairToLabel {
  /** Normalized. */
  readonly query: string;
  readonly item: string;
}

/** How pairs are handed to people. */
export interface LabelingQueueOptions {
  /** Of the order of queries and items, which is another one for each rater. Default 1. */
  readonly seed?: number | undefined;
  /** Share of a rater's pairs that come again, to tell the rater's own agreement. Default 0.05. */
  readonly repeats?: number | undefined;
  /** Share of pairs that every rater gets, so that raters can be compared. Default 0.1. */
  readonly overlap?: number | undefined;
  /** Pairs that are listed, the first; all are counted. Default: all. */
  readonly most?: number | undefined;
}

/** What is left for a rater. */
export interface LabelingQueue {
  readonly pairs: readonly (PairToLabel & { readonly isRepeat: boolean })[];
  /** Pairs in all, listed or not. */
  readonly left: number;
  /** Pairs that the rater has judged. */
  readonly done: number;
  /** What the rater's standing judgments are, in the order in which they were made. */
  readonly said: readonly Assessment[];
}

/** A pair comes again when so many others came in between. */
const REPEAT_AFTER = 20;
/** Own kappa says little about fewer pairs. */
const FEWEST_REPEATS = 30;

/**
 * The pairs that a person has still to judge, in an order that tells nothing of ranks and systems: queries in
 * an order of the rater's own, so that two raters begin with different ones, and a query's items together.
 * What another person has judged is left out, but for a share that all get.
 *
 * @param pairs what may be judged, in any order, each once.
 * @param said every assessment of these queries.
 */
export function labelingQueue(
  pairs: Iterable<PairToLabel>,
  said: readonly Assessment[],
  rater: Rater,
  { seed = 1, repeats = 0.05, overlap = 0.1, most = Infinity }: LabelingQueueOptions = {},
): LabelingQueue {
  const id = raterId(rater);
  const standing = standingAssessments(said).filter(
    ({ outcome, rater: { kind } }) =>
      (outcome === "graded" || outcome === "cannot_tell") && (kind === "human" || kind === "adjudicator"),
  );
  const own = standing.filter((each) => raterId(each.rater) === id);
  const ownPairs = new Set(own.map(keyOf));
  const others = new Set(standing.filter((each) => raterId(each.rater) !== id).map(keyOf));
  const isShared = (pair: PairToLabel): boolean => shareOf(`${seed} overlap`, keyOf(pair)) < overlap;
  const open = [...pairs].filter(
    (pair) => !ownPairs.has(keyOf(pair)) && (!others.has(keyOf(pair)) || isShared(pair)),
  );
  const order = `${seed} ${rater.name}`;
  const byQuery = [...groupBy(open, ({ query }) => query)]
    .map(([query, items]) => ({ place: shareOf(order, query), query, items }))
    .sort((a, b) => a.place - b.place || compareIds(a.query, b.query));
  const fresh: (PairToLabel & { isRepeat: boolean })[] = [];
  for (const { items } of byQuery) {
    if (fresh.length >= most) break;
    const placed = items
      .map((pair) => ({ place: shareOf(order, keyOf(pair)), pair }))
      .sort((a, b) => a.place - b.place || compareIds(a.pair.item, b.pair.item));
    for (const { pair } of placed) fresh.push({ ...pair, isRepeat: false });
  }
  const again = drawRepeats(own, said, id, (pair) => shareOf(`${order} again`, keyOf(pair)) < repeats);
  const repeatedPairs = again.map(({ query, item }) => ({ query, item, isRepeat: true }));
  return {
    pairs: interleave(fresh, repeatedPairs).slice(0, most),
    left: open.length + again.length,
    done: own.length,
    said: own.sort((a, b) => compareIds(a.at, b.at)),
  };
}

/** How far a rater agrees with the own earlier grades of pairs that came again. */
export interface OwnAgreement {
  /** Quadratic weighted kappa; null before there are enough pairs. */
  readonly kappa: number | null;
  readonly pairs: number;
}

/** Compares the first and the last grade of pairs that a rater graded twice. */
export function ownAgreement(said: readonly Assessment[], rater: Rater): OwnAgreement {
  const id = raterId(rater);
  const graded = keepAssessments(said).filter((each) => each.grade !== null && raterId(each.rater) === id);
  const twice = [...groupBy(graded, keyOf).values()].filter((list) => list.some(isRepeat));
  const inTime = twice.map((list) => [...list].sort((a, b) => compareIds(a.at, b.at)));
  const first = inTime.map((list) => list[0]?.grade ?? 0);
  const last = inTime.map((list) => list.at(-1)?.grade ?? 0);
  return {
    kappa:
      twice.length < FEWEST_REPEATS
        ? null
        : cohenKappa(first, last, { weights: "quadratic", scale: LABEL_SCALE }),
    pairs: twice.length,
  };
}

/** Graded pairs that are due again: long enough ago, chosen, and not repeated yet. */
function drawRepeats(
  own: readonly Assessment[],
  said: readonly Assessment[],
  id: string,
  isChosen: (pair: PairToLabel) => boolean,
): Assessment[] {
  const kept = keepAssessments(said).filter((each) => isRepeat(each) && raterId(each.rater) === id);
  const before = new Set(kept.map(keyOf));
  return own
    .slice(0, Math.max(0, own.length - REPEAT_AFTER))
    .filter((each) => each.grade !== null && !before.has(keyOf(each)) && isChosen(each));
}

/** Puts some among others, one after every so many. */
function interleave<T>(many: readonly T[], few: readonly T[]): T[] {
  const result: T[] = [];
  let next = 0;
  for (const [at, each] of many.entries()) {
    result.push(each);
    if ((at + 1) % REPEAT_AFTER === 0 && next < few.length) result.push(few[next++] as T);
  }
  return [...result, ...few.slice(next)];
}

function isRepeat(assessment: Assessment): boolean {
  return assessment["is_repeat"] === true;
}

function keyOf({ query, item }: PairToLabel): string {
  return `${query}\n${item}`;
}

/** A number from 0 to below 1 that a text always has, and that neighbouring texts do not share. */
function shareOf(salt: string, text: string): number {
  let hash = textHash(`${salt}\n${text}`);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
