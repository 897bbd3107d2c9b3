/**
 * Keeps the best of many scored items: highest score first, of equal scores the item that came first in the
 * corpus. Memory for `limit` items only, so that a search does not sort a corpus.
 */
export class TopHits {
  readonly #items: Int32Array;
  readonly #scores: Float64Array;
  #size = 0;

  constructor(limit: number) {
    this.#items = new Int32Array(limit);
    this.#scores = new Float64Array(limit);
  }

  /** Offers an item; a NaN is never kept. */
  offer(item: number, score: number): void {
    const items = this.#items;
    const scores = this.#scores;
    if (this.#size < items.length) {
      if (Number.isNaN(score)) return;
      let at = this.#size++;
      // A heap whose top is the worst that is kept.
      for (
        let parent = (at - 1) >> 1;
        at > 0 && isWorse(item, score, items[parent] as number, scores[parent] as number);
        at = parent, parent = (at - 1) >> 1
      ) {
        items[at] = items[parent] as number;
        scores[at] = scores[parent] as number;
      }
      items[at] = item;
      scores[at] = score;
    } else if (isWorse(items[0] as number, scores[0] as number, item, score)) this.#replaceWorst(item, score);
  }

  #replaceWorst(item: number, score: number): void {
    const items = this.#items;
    const scores = this.#scores;
    const size = this.#size;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (
        child + 1 < size &&
        isWorse(
          items[child + 1] as number,
          scores[child + 1] as number,
          items[child] as number,
          scores[child] as number,
        )
      )
        child++;
      if (!isWorse(items[child] as number, scores[child] as number, item, score)) break;
      items[at] = items[child] as number;
      scores[at] = scores[child] as number;
      at = child;
    }
    items[at] = item;
    scores[at] = score;
  }

  /** What was kept, best first. */
  rank(): { readonly item: number; readonly score: number }[] {
    return Array.from({ length: this.#size }, (_, at) => ({
      item: this.#items[at] as number,
      score: this.#scores[at] as number,
    })).sort((a, b) => b.score - a.score || a.item - b.item);
  }
}

function isWorse(item: number, score: number, thanItem: number, thanScore: number): boolean {
  return score < thanScore || (score === thanScore && item > thanItem);
}
