/**
 * Numbers that grow: an array of doubles would take eight bytes for each and be copied by the garbage
 * collector.
 */
class Growing<A extends Uint32Array | Float32Array> {
  array: A;
  length = 0;
  readonly #make: (size: number) => A;

  constructor(make: (size: number) => A) {
    this.#make = make;
    this.array = make(1024);
  }

  push(value: number): void {
    if (this.length === this.array.length) {
      const larger = this.#make(2 * this.length);
      larger.set(this.array);
      this.array = larger;
    }
    this.array[this.length++] = value;
  }
}

/** For each term the documents that hold it, rising, and how often: what an inverted index consists of. */
export interface Postings {
  /** By term; the postings of term `t` stand from `starts[t]` to before `starts[t + 1]`. */
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
  /** Occurrences, each with the weight of its field. */
  readonly frequencies: Float32Array;
}

/** Gathers postings document by document, in memory that is linear in them. */
export class PostingsBuilder {
  readonly #terms = new Growing((size) => new Uint32Array(size));
  readonly #frequencies = new Growing((size) => new Float32Array(size));
  readonly #ends = new Growing((size) => new Uint32Array(size));
  /** By term: where in the current document's postings it stands, and of which document that is. */
  readonly #places: number[] = [];
  readonly #lastIn: number[] = [];

  add(term: number, weight: number): void {
    const document = this.#ends.length;
    while (this.#places.length <= term) {
      this.#places.push(0);
      this.#lastIn.push(-1);
    }
    if (this.#lastIn[term] === document) {
      (this.#frequencies.array[this.#places[term] as number] as number) += weight;
      return;
    }
    this.#lastIn[term] = document;
    this.#places[term] = this.#terms.length;
    this.#terms.push(term);
    this.#frequencies.push(weight);
  }

  endDocument(): void {
    this.#ends.push(this.#terms.length);
  }

  /** By term instead of by document: a counting sort, which keeps documents rising. */
  finish(): Postings {
    const size = this.#terms.length;
    const terms = this.#terms.array;
    const starts = new Uint32Array(this.#places.length + 1);
    for (let at = 0; at < size; at++) (starts[(terms[at] as number) + 1] as number)++;
    for (let term = 1; term < starts.length; term++) (starts[term] as number) += starts[term - 1] as number;
    const next = starts.slice();
    const documents = new Uint32Array(size);
    const frequencies = new Float32Array(size);
    let at = 0;
    for (let document = 0; document < this.#ends.length; document++) {
      for (const end = this.#ends.array[document] as number; at < end; at++) {
        const place = (next[terms[at] as number] as number)++;
        documents[place] = document;
        frequencies[place] = this.#frequencies.array[at] as number;
      }
    }
    return { starts, documents, frequencies };
  }
}
