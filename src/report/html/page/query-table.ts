import type { PageQuery } from "../page-data.js";
import { printedCount, printedDifference, printedValue } from "../printed-numbers.js";
import { element, found, isolated } from "./element.js";
import { differenceOf, OUTCOME_SIGNS, outcomeOf, type PageState } from "./page-state.js";

const ROWS_A_PAGE = 50;
/** Outcomes sorted: the worst first. */
const OUTCOME_ORDER = ["regression", "loss", "worse", "draw", "equal", "improved", "win", "unscored"];
/** The column by which the table is sorted at first. */
const DIFFERENCE = "Difference";

interface Column {
  readonly name: string;
  /** In the head, where a name of the data stands there. */
  readonly title?: string;
  readonly kind: "text" | "number";
  /** A class of its own. */
  readonly look?: string;
  /** Left out where there is little room; the view of one query has it. */
  readonly isWide?: boolean;
  /** What rows are sorted by; null comes last either way. */
  readonly key: (query: PageQuery) => number | string | null;
  readonly cell: (query: PageQuery) => readonly (Node | string)[];
}

/** What the rest of the page may ask of the table. */
export interface QueryTable {
  /** Drawn again, after a choice that is made elsewhere. */
  readonly update: () => void;
  /** The next row, or the one before. */
  readonly move: (by: number) => void;
  readonly focusSearch: () => void;
  /** Only the queries of one slice; null for all. */
  readonly chooseLabel: (label: number | null) => void;
}

function classOf({ kind, look, isWide }: Column): string {
  return [kind === "number" ? "n" : "", look ?? "", isWide === true ? "wide" : ""]
    .filter((name) => name !== "")
    .join(" ");
}

/** The table of queries: searched, filtered and sorted as a whole, drawn a page at a time. */
export function startQueryTable(
  state: PageState,
  open: (query: number, order: readonly number[]) => void,
): QueryTable {
  const table = found<HTMLTableElement>("#query-table");
  const search = found<HTMLInputElement>("#search");
  const outcome = found<HTMLSelectElement>("#outcome");
  const clear = found<HTMLButtonElement>("#clear-slice");
  const { queries } = state.data;
  const texts = queries.map(({ id, text }) => `${id}\n${text ?? ""}`.toLowerCase());
  const collator = new Intl.Collator("en", { numeric: true });
  /** By column; null is the order of the result. */
  let sorted: { column: number; isDescending: boolean } | null = null;
  let order: number[] = [];
  let page = 0;
  /** The row that the keys act on, on this page. */
  let active = 0;

  const kindOf = (query: PageQuery): string =>
    state.data.metrics.length === 0
      ? (query.outcome?.kind ?? "")
      : outcomeOf(state, differenceOf(state, query));
  const score = (run: number): Column => ({
    name: state.data.runs[run] ?? "",
    title: run === 0 ? "baseline" : "run",
    kind: "number",
    isWide: true,
    key: ({ scores }) => scores[run]?.[state.metric] ?? null,
    cell: ({ scores }) => [printedValue(scores[run]?.[state.metric])],
  });

  function columns(): Column[] {
    const id: Column = { name: "Query", kind: "text", key: (query) => query.id, cell: () => [] };
    const text: Column = {
      name: "Text",
      kind: "text",
      look: "text",
      key: (query) => query.text,
      cell: (query) => (query.text === null ? [] : [isolated(query.text)]),
    };
    const outcomes: Column = {
      name: "Outcome",
      kind: "text",
      look: "outcome",
      key: (query) => OUTCOME_ORDER.indexOf(kindOf(query)),
      cell: (query) => {
        const [sign, tone] = OUTCOME_SIGNS[kindOf(query)] ?? ["", ""];
        return [
          element(
            "span",
            { class: tone },
            element("span", { "aria-hidden": "true" }, sign),
            element(
              "span",
              { class: "outcome-word" },
              ` ${kindOf(query) === "unscored" ? "no score" : kindOf(query)}`,
            ),
          ),
        ];
      },
    };
    const rank = (name: string, of: (query: PageQuery) => number | null | undefined): Column => ({
      name,
      kind: "number",
      key: (query) => of(query) ?? null,
      cell: (query) => [of(query) === null ? "miss" : String(of(query) ?? "—")],
    });
    if (state.data.metrics.length === 0)
      return [
        id,
        text,
        outcomes,
        rank("Rank a", (query) => query.outcome?.rankA),
        rank("Rank b", (query) => query.outcome?.rankB),
        {
          name: "What moved",
          kind: "text",
          isWide: true,
          key: (query) => query.outcome?.note ?? null,
          cell: (query) => [isolated(query.outcome?.note ?? "")],
        },
      ];
    const labels: Column = {
      name: "Labels",
      kind: "text",
      look: "labels",
      isWide: true,
      key: (query) => labelsOf(query).join(),
      cell: (query) => labelsOf(query).map((label) => element("span", { class: "tag" }, isolated(label))),
    };
    const difference: Column = {
      name: DIFFERENCE,
      kind: "number",
      key: (query) => differenceOf(state, query),
      cell: (query) => [
        element(
          "span",
          { class: OUTCOME_SIGNS[kindOf(query)]?.[1] ?? "" },
          printedDifference(differenceOf(state, query)),
        ),
      ],
    };
    const overlap: Column = {
      name: "Overlap",
      title: "of the rankings",
      kind: "number",
      isWide: true,
      key: (query) => query.overlap?.[state.run] ?? null,
      cell: (query) => [printedValue(query.overlap?.[state.run])],
    };
    const byRank: Column = {
      name: "By rank",
      title: "first expected hit",
      kind: "text",
      isWide: true,
      key: (query) => OUTCOME_ORDER.indexOf(query.outcome?.kind ?? ""),
      cell: (query) => [
        element(
          "span",
          { class: OUTCOME_SIGNS[query.outcome?.kind ?? ""]?.[1] ?? "" },
          query.outcome?.kind ?? "",
        ),
      ],
    };
    const hasOutcomes = queries.some((query) => query.outcome !== null);
    const hasRankings = queries.some((query) => query.overlap !== null);
    return [
      id,
      text,
      ...(state.data.labels.length === 0 ? [] : [labels]),
      score(0),
      score(state.run),
      difference,
      outcomes,
      ...(hasOutcomes ? [byRank] : []),
      ...(hasRankings ? [overlap] : []),
    ];
  }
  const labelsOf = ({ labels }: PageQuery): string[] =>
    labels.map((label) => state.data.labels[label]?.[1] ?? "");

  /** Every query that is asked for, in the order of the chosen column. */
  function select(): void {
    const words = state.search.toLowerCase().trim();
    order = [];
    queries.forEach((query, index) => {
      if (words !== "" && texts[index]?.includes(words) !== true) return;
      if (state.label !== null && !query.labels.includes(state.label)) return;
      if (state.outcome !== "" && kindOf(query) !== state.outcome) return;
      order.push(index);
    });
    if (sorted !== null) {
      const { column, isDescending } = sorted;
      const chosen = columns()[column];
      const keys = queries.map((query) => chosen?.key(query) ?? null);
      const way = isDescending ? -1 : 1;
      order.sort((x, y) => {
        const [a = null, b = null] = [keys[x], keys[y]];
        if (a === null || b === null) return a === b ? x - y : a === null ? 1 : -1;
        const compared =
          typeof a === "string" || typeof b === "string" ? collator.compare(String(a), String(b)) : a - b;
        return compared * way || x - y;
      });
    }
    page = 0;
    active = 0;
  }

  function update(): void {
    select();
    draw();
  }

  function draw(): void {
    if (table === null) return;
    const shown = columns();
    const heads = shown.map((column, index) => {
      const isSorted = sorted?.column === index;
      const button = element(
        "button",
        { type: "button" },
        isolated(column.name),
        element(
          "span",
          { class: "arrow", "aria-hidden": "true" },
          isSorted ? (sorted?.isDescending === true ? "↓" : "↑") : "",
        ),
      );
      button.addEventListener("click", () => sortBy(index, column.kind));
      return element(
        "th",
        {
          scope: "col",
          class: classOf(column),
          "aria-sort": isSorted ? (sorted?.isDescending === true ? "descending" : "ascending") : "none",
        },
        button,
        ...(column.title === undefined ? [] : [element("small", { class: "quiet" }, column.title)]),
      );
    });
    const rows = order
      .slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE)
      .map((index, row) => rowOf(index, row, shown));
    table.tHead?.replaceChildren(element("tr", {}, ...heads));
    table.tBodies[0]?.replaceChildren(
      ...(rows.length === 0
        ? [
            element(
              "tr",
              {},
              element("td", { colspan: shown.length, class: "quiet" }, "No query is like this."),
            ),
          ]
        : rows),
    );
    footing();
  }

  function rowOf(index: number, row: number, shown: readonly Column[]): HTMLTableRowElement {
    const query = queries[index];
    if (query === undefined) return element("tr");
    // One row at a time can be reached by Tab; the others by arrows, as in a list.
    const button = element(
      "button",
      { type: "button", class: "link", tabindex: row === active ? 0 : -1 },
      isolated(query.id),
    );
    const [, ...others] = shown;
    const made = element(
      "tr",
      {},
      element("th", { scope: "row" }, button),
      ...others.map((column) => element("td", { class: classOf(column) }, ...column.cell(query))),
    );
    made.addEventListener("click", () => {
      active = row;
      open(index, order);
    });
    button.addEventListener("focus", () => {
      activate(row);
    });
    return made;
  }

  function sortBy(column: number, kind: Column["kind"]): void {
    const isFirst = sorted?.column !== column;
    // Numbers are asked for from the top, words from A.
    sorted = { column, isDescending: isFirst ? kind === "number" : sorted?.isDescending !== true };
    update();
    table?.tHead?.rows[0]?.cells[column]?.querySelector("button")?.focus();
  }

  function footing(): void {
    const pages = Math.max(1, Math.ceil(order.length / ROWS_A_PAGE));
    const count = found("#query-count");
    const rows = Math.min(ROWS_A_PAGE, order.length);
    if (count !== null) {
      const all =
        order.length === queries.length
          ? `${printedCount(queries.length)} queries`
          : `${printedCount(order.length)} of ${printedCount(queries.length)} queries`;
      count.replaceChildren(
        all,
        element(
          "span",
          { class: "print-only" },
          rows < order.length
            ? `; these are ${printedCount(page * ROWS_A_PAGE + 1)} to ` +
                `${printedCount(Math.min(order.length, (page + 1) * ROWS_A_PAGE))}, the others are in ` +
                "the file"
            : "",
        ),
      );
    }
    const number = found("#page-number");
    if (number !== null) number.textContent = `Page ${printedCount(page + 1)} of ${printedCount(pages)}`;
    found("#page-number")?.parentElement?.toggleAttribute("hidden", pages === 1);
    found("#previous")?.toggleAttribute("disabled", page === 0);
    found("#next")?.toggleAttribute("disabled", page === pages - 1);
    const label = state.label === null ? undefined : state.data.labels[state.label];
    if (clear !== null) {
      clear.hidden = label === undefined;
      clear.replaceChildren("Slice ", isolated(label === undefined ? "" : `${label[0]}: ${label[1]}`), " ✕");
      clear.setAttribute("aria-label", "Show the queries of all slices");
    }
  }

  function turn(by: number): void {
    const last = Math.max(0, Math.ceil(order.length / ROWS_A_PAGE) - 1);
    page = Math.min(last, Math.max(0, page + by));
    draw();
  }

  const buttons = (): HTMLButtonElement[] => [
    ...(table?.tBodies[0]?.querySelectorAll<HTMLButtonElement>("th button") ?? []),
  ];
  function activate(row: number): void {
    active = row;
    buttons().forEach((button, index) => button.setAttribute("tabindex", index === row ? "0" : "-1"));
  }

  /** To another row; beyond the end of a page to the next page. */
  function move(by: number): void {
    const isIn = table?.tBodies[0]?.contains(document.activeElement) === true;
    const rows = buttons();
    let row = isIn ? active + by : active;
    if (row >= rows.length && (page + 1) * ROWS_A_PAGE < order.length) {
      turn(1);
      row = 0;
    } else if (row < 0 && page > 0) {
      turn(-1);
      row = ROWS_A_PAGE - 1;
    }
    const target = buttons()[Math.min(rows.length - 1, Math.max(0, row))];
    target?.focus();
    target?.closest("tr")?.scrollIntoView({ block: "nearest" });
  }

  function chooseLabel(label: number | null): void {
    state.label = label;
    update();
  }

  // What got worse comes first: it is what a reader looks for, and what stands on paper.
  const lowest = columns().findIndex(({ name }) => name === DIFFERENCE);
  if (lowest !== -1)
    sorted = { column: lowest, isDescending: state.data.metrics[state.metric]?.higherIsBetter === false };

  search?.addEventListener("input", () => {
    state.search = search.value;
    update();
  });
  search?.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      move(0);
    } else if (event.key === "Escape") {
      event.preventDefault();
      search.value = "";
      state.search = "";
      update();
      search.blur();
    }
  });
  outcome?.addEventListener("change", () => {
    state.outcome = outcome.value;
    update();
  });
  clear?.addEventListener("click", () => {
    chooseLabel(null);
    search?.focus();
  });
  found("#previous")?.addEventListener("click", () => turn(-1));
  found("#next")?.addEventListener("click", () => {
    turn(1);
    found("#queries")?.scrollIntoView();
  });
  table?.addEventListener("keydown", (event) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    if (!Object.hasOwn(steps, event.key) || table.tBodies[0]?.contains(event.target as Node) !== true) return;
    event.preventDefault();
    move(steps[event.key] ?? 0);
  });
  return {
    update,
    move,
    chooseLabel,
    focusSearch: () => {
      search?.focus();
      search?.select();
    },
  };
}
