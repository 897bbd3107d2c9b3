import type { GivenWarning } from "../records/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { nearlyJudged } from "../records/index.js";

/** About so many ids are compared with judged ones; who writes ids in another way does so everywhere. */
const MOST_COMPARED = 10_000;
const MOST_NAMED = 5;

/** An unjudged id that is a judged one but for the way in which it is written. */
export interface NearId {
  readonly query_id: string;
  readonly text: string;
}

/** Looks for unjudged ids that are judged ones but for their Unicode form or white space. */
export class LikelyIdMismatch {
  /** As many in each query, so that neither the order of queries nor a split into shards matters. */
  readonly #inEach: number;
  readonly #found: NearId[] = [];

  /** @param queries how many are judged in all. */
  constructor(queries: number) {
    this.#inEach = Math.ceil(MOST_COMPARED / Math.max(1, queries));
  }

  /**
   * Looks at one query's hits.
   *
   * @param idAt the id of a hit; null for one that cannot be written in two ways.
   * @param judged tells whether an id is judged.
   */
  look(
    queryId: string,
    count: number,
    idAt: (position: number) => string | null,
    judged: { has(id: string): boolean },
  ): void {
    let left = this.#inEach;
    for (let position = 0; position < count && left > 0; position++) {
      const id = idAt(position);
      if (id === null) continue;
      left--;
      const near = judged.has(id) ? null : nearlyJudged(id, judged);
      if (near !== null)
        this.#found.push({
          query_id: queryId,
          text: `${JSON.stringify(id)} is not the judged ${JSON.stringify(near)}`,
        });
    }
  }

  /** What was found, in the order of the query ids. */
  get found(): readonly NearId[] {
    return this.#found.sort((a, b) => compareIds(a.query_id, b.query_id));
  }

  /** Takes along what another one found, in other queries. */
  add(found: readonly NearId[]): void {
    for (const each of found) this.#found.push(each);
  }

  /** What was found, as one warning. */
  get warnings(): GivenWarning[] {
    const { found } = this;
    if (found.length === 0) return [];
    const named = found.slice(0, MOST_NAMED).map(({ text }) => text);
    const message =
      "ids that differ from judged ones only by Unicode form or white space, and so count as " +
      `unjudged: ${named.join("; ")}`;
    return [
      {
        code: "NEAR_IDS",
        message,
        count: found.length,
        query_ids: [...new Set(found.map(({ query_id }) => query_id))].slice(0, MOST_NAMED),
      },
    ];
  }
}
