import type { ScoreComparison } from "../../records/index.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { formatDifference } from "./printed-numbers.js";
import type { QueryMark } from "./query-mark.js";
import { moreNote } from "./more-note.js";

const MOST_PAIRS = 30;

/** Unjudged hits whose labels could move the verdict most. */
export function judgeNextSection({ comparisons, per_query }: ScoreComparison, mark: QueryMark): Markup {
  const lists = comparisons
    .map(({ run, judge_next }, index) => ({ run, judge_next, number: index + 1 }))
    .filter(({ judge_next }) => judge_next.length > 0);
  if (lists.length === 0) return nothing;
  const texts = new Map(per_query.map(({ query_id, query }) => [query_id, query]));
  const blocks = lists.map(({ run, judge_next, number }) => {
    const rows = judge_next.slice(0, MOST_PAIRS).map(({ query_id, item, rank_a, rank_b, impact }) => {
      const text = texts.get(query_id);
      return html`
        <tr>
          <th scope="row"${mark(query_id)}>${bdi(query_id)}</th>
          <td>${text === null || text === undefined ? nothing : bdi(text)}</td>
          <td>${bdi(item)}</td>
          <td class="n">${rank_a ?? "—"}</td>
          <td class="n">${rank_b ?? "—"}</td>
          <td class="n">${formatDifference(impact)}</td>
        </tr>
      `;
    });
    const hidden = judge_next.length - rows.length;
    return html`
      <div data-run="${number}">
        ${comparisons.length > 1 ? html`<h3>${bdi(run)}</h3>` : nothing}
        <div class="scroll" role="region" aria-label="${`Hits to judge next: ${run}`}" tabindex="0">
          <table>
            <thead>
              <tr>
                <th scope="col">Query id</th>
                <th scope="col">Query</th>
                <th scope="col">Item</th>
                <th scope="col" class="n">Rank a</th>
                <th scope="col" class="n">Rank b</th>
                <th scope="col" class="n">Impact</th>
              </tr>
            </thead>
            <tbody>${rows}</tbody>
          </table>
        </div>
        ${moreNote(hidden)}
      </div>
    `;
  });
  return html`
    <section id="judge-next" aria-labelledby="h-judge">
      <h2 id="h-judge">Judge next</h2>
      <p class="lead">
        Hits without a label that could move the verdict most. Impact is how far the query's difference would
        move if the item were relevant: plus in favour of the run, minus in favour of the baseline.
      </p>
      ${blocks}
    </section>
  `;
}
