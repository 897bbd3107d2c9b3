import { countOf } from "../../foundation/numbers/index.js";
import { html, nothing, type Markup } from "./markup.js";
import { isMissed, isRegression, type PageData, type PageQuery } from "./page-model.js";

/** The places that the page's script fills: the chart, the table of queries, and the view of one query. */
export function chartSection({ metrics, runs }: PageData): Markup {
  if (metrics.length === 0) return nothing;
  return html`
    <section id="differences" aria-labelledby="h-differences" class="needs-script">
      <h2 id="h-differences">Difference per query</h2>
      <p class="controls">
        <label>Metric <select data-state="metric"></select></label>
        ${runs.length > 2 ? html`<label>Run <select data-state="run"></select></label>` : nothing}
      </p>
      <p class="lead" id="chart-about"></p>
      <div
        id="chart"
        role="slider"
        tabindex="0"
        aria-labelledby="h-differences"
        aria-describedby="chart-about"
        aria-orientation="horizontal">
      </div>
    </section>
  `;
}

/** The table of queries, which the page's script fills. */
export function queriesSection(data: PageData): Markup {
  const { queries, metrics, runs } = data;
  if (queries.length === 0) return nothing;
  const choices =
    runs.length === 1
      ? []
      : metrics.length === 0
        ? ([
            ["win", "▲ win"],
            ["draw", "= draw"],
            ["loss", "▼ loss"],
            ["regression", "▼ regression"],
          ] as const)
        : ([
            ["improved", "▲ improved"],
            ["equal", "= equal"],
            ["worse", "▼ worse"],
            ["unscored", "no score"],
          ] as const);
  const metric =
    metrics.length === 0 ? nothing : html`<label>Metric <select data-state="metric"></select></label>`;
  const run =
    metrics.length === 0 || runs.length <= 2
      ? nothing
      : html`<label>Run <select data-state="run"></select></label>`;
  return html`
    <section id="queries" aria-labelledby="h-queries">
      <h2 id="h-queries">Queries</h2>
      <noscript>
        <p class="lead">
          The chart, the table of ${countOf(queries.length, "query")} and the view of one query
          need JavaScript, which is off. The JSON report has them too.
        </p>
      </noscript>
      <div class="needs-script">
        <div class="controls">
          <label class="search">
            Search${" "}
            <input type="search" id="search" placeholder="id or text" autocomplete="off" spellcheck="false">
          </label>
          <label>
            Outcome <select id="outcome">
              <option value="">all</option>
              ${[...choices, ...furtherChoices(data)].map(
                ([value, text]) => html`<option value="${value}">${text}</option>`,
              )}
            </select>
          </label>
          ${metric}${run}<button type="button" id="clear-slice" hidden></button>
        </div>
        <p id="query-count" class="quiet" role="status"></p>
        <div class="scroll" role="group" aria-labelledby="h-queries">
          <table id="query-table"><thead></thead><tbody></tbody></table>
        </div>
        <div class="pages controls">
          <button type="button" id="previous">← Previous</button><span id="page-number" class="quiet"></span>
          <button type="button" id="next">Next →</button>
        </div>
      </div>
    </section>
  `;
}

/** What else queries can be asked for, as far as there are any like it. */
function furtherChoices(data: PageData): [value: string, text: string][] {
  const { queries, runs, metrics } = data;
  const isSingle = runs.length === 1;
  const has = (isLike: (query: PageQuery) => boolean): boolean => queries.some(isLike);
  const isLost = (query: PageQuery): boolean =>
    runs.some((_, run) => run > 0 && isRegression(data, query, run));
  return [
    ...(isSingle && has((query) => isMissed(data, query)) ? [["missed", "▼ missed"] as const] : []),
    ...(has(({ single }) => (single?.wrong.length ?? 0) > 0)
      ? [["answer-wrong", "▼ answer wrong"] as const]
      : []),
    // Without scores it is an outcome like the others.
    ...(metrics.length > 0 && !isSingle && has(isLost) ? [["regression", "▼ regression"] as const] : []),
    ...(has(({ outcome }) => (outcome?.answerLost.length ?? 0) > 0)
      ? [["answer-worse", "▼ answer worse"] as const]
      : []),
    ...(has(({ errors }) => errors !== null) ? [["failed", "✗ failed"] as const] : []),
  ].map(([value, text]) => [value, text]);
}

/** The dialogs: one query, and the keys. */
export function dialogs(): Markup {
  const keys: readonly (readonly [string, string])[] = [
    ["/", "search the queries"],
    ["j, k or ↓, ↑", "next, previous query; on the chart ← and →"],
    ["Enter", "open the query"],
    ["j, k or →, ← in an open query", "next, previous query"],
    ["Esc", "close; clear the search"],
    ["t", "light or dark"],
    ["?", "these keys"],
  ];
  return html`
    <dialog id="query" aria-labelledby="query-title"></dialog>
    <dialog id="keys" aria-labelledby="h-keys">
      <h2 id="h-keys">Keys</h2>
      <dl class="facts">
        ${keys.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}
      </dl>
      <form method="dialog"><button>Close</button></form>
    </dialog>
  `;
}
