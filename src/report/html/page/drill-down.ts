import { FATES, type PageFate, type PageQuery } from "../page-model.js";
import { formatCount } from "../../../foundation/numbers/index.js";
import { formatDifference, formatValue } from "../printed-numbers.js";
import { answers } from "./answers.js";
import { element, findElement, createBdi, scrolling } from "./element.js";
import { differenceOf, OUTCOME_SIGNS, outcomeOf, type PageState } from "./page-state.js";
import { gradeMark, passage, rankings } from "./rankings.js";

/**
 * The view of one query: its scores, its rankings side by side, and what became of what should have been
 * found.
 */
export class DrillDown {
  readonly #state: PageState;
  readonly #dialog = findElement<HTMLDialogElement>("#query");
  #order: readonly number[] = [];
  #place = 0;
  /** What had the focus before the view was opened. */
  #opener: Element | null = null;

  constructor(state: PageState) {
    this.#state = state;
    if (this.#dialog !== null) this.#listen(this.#dialog);
  }

  get isOpen(): boolean {
    return this.#dialog?.open === true;
  }

  /** Shows a query; previous and next go along the order. */
  open(query: number, order: readonly number[]): void {
    if (this.#dialog === null) return;
    this.#order = order;
    this.#place = Math.max(0, order.indexOf(query));
    if (!this.#dialog.open) {
      this.#opener = document.activeElement;
      this.#dialog.showModal();
      document.documentElement.classList.add("has-dialog");
    }
    this.#draw();
  }

  /** To another query of the order. */
  move(by: number): void {
    if (this.#order[this.#place + by] === undefined) return;
    this.#place += by;
    this.#draw();
  }

  /** Shows the query that the page's address names, if it names one. */
  showHash(): void {
    const { queries } = this.#state.data;
    const query = /^#q(\d+)$/.exec(location.hash)?.[1];
    if (query !== undefined && queries[Number(query)] !== undefined)
      this.open(
        Number(query),
        queries.map((_, index) => index),
      );
  }

  #draw(): void {
    const state = this.#state;
    const dialog = this.#dialog;
    const query = state.data.queries[this.#order[this.#place] ?? -1];
    if (query === undefined || dialog === null) return;
    // From what had the focus before it was redrawn, so that one can go on pressing the same button.
    const focused = document.activeElement?.getAttribute("data-step") ?? null;
    dialog.replaceChildren(
      this.#heading(query),
      ...failures(state, query),
      ...scores(state, query),
      ...answers(state, query),
      ...listExpected(state, query),
      ...rankings(state, query),
    );
    dialog.scrollTop = 0;
    (
      dialog.querySelector<HTMLElement>(`[data-step="${focused ?? ""}"]:not([disabled])`) ??
      dialog.querySelector<HTMLElement>("#query-title")
    )?.focus();
    remember(`#q${this.#order[this.#place] ?? 0}`);
  }

  #heading(query: PageQuery): HTMLElement {
    const step = (name: string, text: string, label: string, by: number): HTMLButtonElement => {
      const button = element("button", { type: "button", "data-step": name, "aria-label": label }, text);
      button.disabled = this.#order[this.#place + by] === undefined;
      button.addEventListener("click", () => (by === 0 ? this.#dialog?.close() : this.move(by)));
      return button;
    };
    const labels = query.labels.map((label) =>
      element("span", { class: "tag" }, createBdi(this.#state.data.labels[label]?.join(": ") ?? "")),
    );
    const place = `${formatCount(this.#place + 1)} of ${formatCount(this.#order.length)}`;
    return element(
      "header",
      {},
      element(
        "div",
        { class: "steps" },
        step("previous", "←", "Previous query", -1),
        step("next", "→", "Next query", 1),
        element("span", { class: "quiet" }, place),
        step("close", "✕", "Close", 0),
      ),
      element("p", { class: "quiet" }, createBdi(query.id), " ", ...labels),
      element("h2", { id: "query-title", tabindex: -1 }, createBdi(query.text ?? query.id)),
    );
  }

  #listen(dialog: HTMLDialogElement): void {
    dialog.addEventListener("close", () => {
      document.documentElement.classList.remove("has-dialog");
      remember("#queries");
      if (this.#opener instanceof HTMLElement) this.#opener.focus();
    });
    dialog.addEventListener("click", (event) => {
      // A click beside the dialog, which counts as one on the dialog itself, outside its edges.
      const { left, right, top, bottom } = dialog.getBoundingClientRect();
      if (
        event.target === dialog &&
        (event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom)
      )
        dialog.close();
    });
  }
}

/** The address of the page names the open query, so that it can be handed on. */
function remember(hash: string): void {
  try {
    history.replaceState(null, "", hash);
  } catch {
    // Some places that a file is opened from have no history; the report works without.
  }
}

/** What results failed with. */
function failures({ data }: PageState, { errors }: PageQuery): HTMLElement[] {
  return (errors ?? []).flatMap((error, run) =>
    error === null
      ? []
      : [
          element(
            "p",
            { class: "worse-text" },
            ...(data.runs.length === 1 ? [] : [createBdi(data.runs[run] ?? ""), " "]),
            "failed: ",
            createBdi(error),
          ),
        ],
  );
}

function scores(state: PageState, query: PageQuery): HTMLElement[] {
  const { data } = state;
  const note =
    query.outcome === null || query.outcome.note === ""
      ? []
      : [element("p", {}, `${query.outcome.kind}: `, createBdi(query.outcome.note))];
  if (data.metrics.length === 0) {
    const { rankA = null, rankB = null, kind = "" } = query.outcome ?? {};
    const sayRank = (rank: number | null): string => (rank === null ? "not found" : `at rank ${rank}`);
    return [
      element(
        "p",
        {},
        element("b", { class: OUTCOME_SIGNS[kind]?.[1] ?? "" }, kind),
        `: the first expected hit was ${sayRank(rankA)} in the baseline and is ${sayRank(rankB)} in the run.`,
      ),
      ...note,
    ];
  }
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "Run"),
    ...data.metrics.map(({ name }) => element("th", { scope: "col", class: "n" }, createBdi(name))),
  );
  const rows = data.runs.map((name, run) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, createBdi(name)),
      ...data.metrics.map((_, metric) => {
        const chosen = { ...state, metric, run };
        const difference = differenceOf(chosen, query);
        const tone = OUTCOME_SIGNS[outcomeOf(chosen, difference)]?.[1];
        return element(
          "td",
          { class: "n" },
          formatValue(query.scores[run]?.[metric]),
          ...(run === 0 ? [] : [element("small", { class: tone }, formatDifference(difference))]),
        );
      }),
    ),
  );
  return [
    ...note,
    element(
      "div",
      scrolling("The metrics of the query"),
      element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)),
    ),
  ];
}

/** What a fate means, in words. */
function fateText([fate, rank, ...channels]: PageFate, names: readonly string[]): (Node | string)[] {
  const told = channels.flatMap((at, index) => (at === 0 ? [] : [{ name: names[index] ?? "", at }]));
  const having = told.filter(({ at }) => at !== null);
  const parts = ({ name, at }: { name: string; at: number | null }, index: number): (Node | string)[] => [
    index === 0 ? "" : ", ",
    createBdi(name),
    at === null ? " not" : ` at rank ${at}`,
  ];
  const list = told.length === 0 ? [] : [element("small", { class: "quiet" }, ...told.flatMap(parts))];
  const name = FATES[fate];
  switch (name) {
    case "found":
      return [`found at rank ${rank ?? "—"}`, ...list];
    case "cut_off":
      return [rank === null ? "cut off" : `cut off: rank ${rank}, below the cutoff`, ...list];
    case "lost_by_fusion":
      return [
        "lost by fusion: ",
        ...having.flatMap(({ name, at }, index) => [
          index === 0 ? "" : ", ",
          createBdi(name),
          ` had it at rank ${at ?? "—"}`,
        ]),
        rank === null ? "; it is not in the fused list" : `; in the fused list it is at rank ${rank}`,
      ];
    case "never_retrieved":
      return [
        "never retrieved",
        ...(told.length === 0
          ? []
          : [
              element(
                "small",
                { class: "quiet" },
                "by no channel: ",
                ...told.flatMap(({ name }, index) => [index === 0 ? "" : ", ", createBdi(name)]),
              ),
            ]),
      ];
    case "not_in_index":
      return ["not in the index"];
    case undefined:
      return [];
  }
  return name satisfies never;
}

function listExpected(state: PageState, query: PageQuery): HTMLElement[] {
  const { data } = state;
  if (query.expected === null) return [];
  if (query.expected.length === 0)
    return [
      element("h3", {}, "What should be found"),
      element("p", { class: "quiet" }, "Nothing: no item is relevant to this query."),
    ];
  const rows = query.expected.map(([item, grade, fates, said]) =>
    element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        gradeMark(grade, data.relevantFrom),
        " ",
        createBdi(data.items[item] ?? ""),
        ...passage(state, said ?? null),
      ),
      ...fates.map((fate, run) =>
        element(
          "td",
          { class: FATES[fate[0]] === "found" ? "" : "worse-text", "data-run-name": data.runs[run] },
          ...fateText(fate, data.channels),
        ),
      ),
    ),
  );
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "Item"),
    ...data.runs.map((run) => element("th", { scope: "col" }, createBdi(run))),
  );
  return [
    element("h3", {}, "What should be found"),
    element(
      "div",
      scrolling("What should be found"),
      element("table", { class: "expected" }, element("thead", {}, head), element("tbody", {}, ...rows)),
    ),
  ];
}
