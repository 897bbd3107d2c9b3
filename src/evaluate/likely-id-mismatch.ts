import type { GivenWarning } from "../records/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { nearlyJudged } from "../records/index.js";

/** So many ids are compared with judged ones; who writes ids in another way does so from the start. */
const MOST_COMPARED = 10_000;
const MOST_NAMED = 5;

/** Looks for unjudged ids that are judged ones but for their Unicode form or white space. */
export class LikelyIdMismatch {
  #left = MOST_COMPARED;
  readonly #found: { queryId: string; text: string }[] = [];

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
    for (let position = 0; position < count && this.#left > 0; position++) {
      const id = idAt(position);
      if (id === null) continue;
      this.#left--;
      const near = judged.has(id) ? null : nearlyJudged(id, judged);
      if (near !== null)
        this.#found.push({
          queryId,
          text: `${JSON.stringify(id)} is not the judged ${JSON.stringify(near)}`,
        });
    }
  }

  /** What was found, as one warning. */
  get warnings(): GivenWarning[] {
    if (this.#found.length === 0) return [];
    const named = this.#found.slice(0, MOST_NAMED).map(({ text }) => text);
    const message =
      "ids that differ from judged ones only by Unicode form or white space, and so count as " +
      `unjudged: ${named.join("; ")}`;
    return [
      {
        code: "NEAR_IDS",
        message,
        count: this.#found.length,
        query_ids: [...new Set(this.#found.map(({ queryId }) => queryId))]
          .sort(compareIds)
          .slice(0, MOST_NAMED),
      },
    ];
  }
}
