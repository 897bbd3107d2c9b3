import { countOf, formatCount } from "../foundation/numbers/index.js";
import { queryWarning, type GivenWarning } from "../records/index.js";
import { decodeId } from "./trec/id-bytes.js";
import type { RunBlock } from "./trec/run-scanner.js";

/** Enough to see what a file's scores are: who writes distances does so everywhere. */
const MOST_QUERIES = 500;
const MOST_HITS = 10;
const MOST_LINES = 20_000;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;

/** What is known of a query's hits. */
interface Seen {
  hits: number;
  /** Of the last of them. */
  rank: number;
  score: number;
  /** 1 where scores rise with the ranks so far, -1 where they fall, 0 where they are equal; else NaN. */
  step: number;
}

/** Looks whether scores fall with the ranks beside them, as they should, or rise, as distances do. */
export class RankOrder {
  readonly #queries = new Map<string, Seen>();
  #lines = 0;

  /** Takes a hit of which both are known. */
  add(queryId: string, rank: number, score: number): void {
    const seen = this.#queries.get(queryId);
    if (seen === undefined) {
      if (this.#queries.size < MOST_QUERIES) this.#queries.set(queryId, { hits: 1, rank, score, step: 0 });
      return;
    }
    if (seen.hits++ >= MOST_HITS) return;
    const way = Math.sign(rank - seen.rank);
    const step = way === 0 ? NaN : way * Math.sign(score - seen.score);
    if (step * seen.step < 0 || Number.isNaN(step)) seen.step = NaN;
    else if (seen.step === 0) seen.step = step;
    seen.rank = rank;
    seen.score = score;
  }

  /** Takes lines of a query, of those that come first; of others nothing is read. */
  addBlock({ bytes, count, queryStart, queryEnd, ends, scores }: RunBlock): void {
    if (this.#lines >= MOST_LINES) return;
    const most = Math.min(count, MOST_HITS);
    this.#lines += most;
    const id = decodeId(bytes, queryStart, queryEnd);
    for (let at = 0; at < most; at++)
      this.add(id, wholeNumberBehind(bytes, ends[at] as number), scores[at] as number);
  }

  /** One warning where scores rise in most queries; none else. */
  get warnings(): GivenWarning[] {
    const rising = [...this.#queries].filter(([, { step }]) => step > 0).map(([id]) => id);
    const known = [...this.#queries.values()].filter(({ step }) => step > 0 || step < 0).length;
    return queryWarning(
      "SCORES_RISE",
      `scores rise with the ranks in ${formatCount(rising.length)} of ${countOf(known, "query")} whose ` +
        "scores change with them, as distances do, and the highest score counts as the best hit; if they " +
        "are distances, negate them, or leave them out, so that ranks count",
      2 * rising.length > known ? rising : [],
    );
  }
}

/** The number in the field behind a place; NaN where it is none of digits alone. */
function wholeNumberBehind(bytes: Uint8Array, place: number): number {
  let p = place;
  while ((bytes[p] as number) <= SPACE) p++;
  let number = 0;
  for (let byte = bytes[p] as number; byte > SPACE; byte = bytes[++p] as number) {
    if (byte < ZERO || byte > NINE) return NaN;
    number = 10 * number + byte - ZERO;
  }
  return number;
}
