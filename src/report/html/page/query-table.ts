import { formatCount } from "../../../foundation/numbers/index.js";
import { element, findElement, createBdi } from "./element.js";
import { isLike, type PageState } from "./page-state.js";
import { classOf, FIRST_SORTED, queryColumns, type Column } from "./query-columns.js";

const ROWS_A_PAGE = 50;

/** The table of queries: searched, filtered and sorted as a whole, drawn a page at a time. */
export class QueryTable {
  readonly #state: PageState;
  readonly #open: (query: number, order: readonly number[]) => void;
  readonly #table = findElement<HTMLTableElement>("#query-table");
  readonly #search = findElement<HTMLInputElement>("#search");
  readonly #clear = findElement<HTMLButtonElement>("#clear-slice");
  /** What the search looks at, for each query. */
  readonly #texts: readonly string[];
  readonly #collator = new Intl.Collator("en", { numeric: true });
  /** By column; null is the order of the result. */
  #sorted: { column: number; isDescending: boolean } | null = null;
  #order: number[] = [];
  #page = 0;
  /** The row that the keys act on, on this page. */
  #active = 0;

  /** @param open shows one query, and gets the order in which the others stand around it. */
  constructor(state: PageState, open: (query: number, order: readonly number[]) => void) {
    this.#state = state;
    this.#open = open;
    this.#texts = state.data.queries.map(({ id, text }) => `${id}\n${text ?? ""}`.toLowerCase());
    // What got worse comes first: it is what a reader looks for, and what stands on paper.
    const first = queryColumns(state).findIndex(({ name }) => FIRST_SORTED.includes(name));
    if (first !== -1)
      this.#sorted = {
        column: first,
        // Of differences the lowest, of ranks the last.
        isDescending:
          state.data.runs.length === 1 || state.data.metrics[state.metric]?.higherIsBetter === false,
      };
    this.#listenToSearch();
    this.#listenToChoices();
    this.#listenToKeys();
  }

  /** Drawn again, after a choice that is made elsewhere. */
  update(): void {
    this.#select();
    this.#draw();
  }

  /** Only the queries of one slice; null for all. */
  chooseLabel(label: number | null): void {
    this.#state.label = label;
    this.update();
  }

  focusSearch(): void {
    this.#search?.focus();
    this.#search?.select();
  }

  /** To another row; beyond the end of a page to the next page. */
  move(by: number): void {
    const isIn = this.#table?.tBodies[0]?.contains(document.activeElement) === true;
    let row = isIn ? this.#active + by : this.#active;
    if (row >= this.#buttons().length && (this.#page + 1) * ROWS_A_PAGE < this.#order.length) {
      this.#turn(1);
      row = 0;
    } else if (row < 0 && this.#page > 0) {
      this.#turn(-1);
      row = ROWS_A_PAGE - 1;
    }
    const rows = this.#buttons();
    const target = rows[Math.min(rows.length - 1, Math.max(0, row))];
    target?.focus();
    target?.closest("tr")?.scrollIntoView({ block: "nearest" });
  }

  #listenToSearch(): void {
    const search = this.#search;
    const searchFor = (text: string): void => {
      this.#state.search = text;
      this.update();
    };
    search?.addEventListener("input", () => searchFor(search.value));
    search?.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "Enter") {
        event.preventDefault();
        this.move(0);
      } else if (event.key === "Escape") {
        event.preventDefault();
        search.value = "";
        searchFor("");
        search.blur();
      }
    });
  }

  #listenToChoices(): void {
    const outcome = findElement<HTMLSelectElement>("#outcome");
    outcome?.addEventListener("change", () => {
      this.#state.outcome = outcome.value;
      this.update();
    });
    this.#clear?.addEventListener("click", () => {
      this.chooseLabel(null);
      this.#search?.focus();
    });
    findElement("#previous")?.addEventListener("click", () => this.#turn(-1));
    findElement("#next")?.addEventListener("click", () => {
      this.#turn(1);
      findElement("#queries")?.scrollIntoView();
    });
  }

  #listenToKeys(): void {
    const steps = new Map([
      ["ArrowDown", 1],
      ["ArrowUp", -1],
    ]);
    this.#table?.addEventListener("keydown", (event) => {
      const by = steps.get(event.key);
      if (by === undefined || this.#table?.tBodies[0]?.contains(event.target as Node) !== true) return;
      event.preventDefault();
      this.move(by);
    });
  }

  /** Every query that is asked for, in the order of the chosen column. */
  #select(): void {
    const state = this.#state;
    const words = state.search.toLowerCase().trim();
    this.#order = [];
    state.data.queries.forEach((query, index) => {
      if (words !== "" && this.#texts[index]?.includes(words) !== true) return;
      if (state.label !== null && !query.labels.includes(state.label)) return;
      if (!isLike(state, query, state.outcome)) return;
      this.#order.push(index);
    });
    this.#sort();
    this.#page = 0;
    this.#active = 0;
  }

  #sort(): void {
    if (this.#sorted === null) return;
    const { column, isDescending } = this.#sorted;
    const chosen = queryColumns(this.#state)[column];
    const keys = this.#state.data.queries.map((query) => chosen?.key(query) ?? null);
    const way = isDescending ? -1 : 1;
    this.#order.sort((x, y) => {
      const [a = null, b = null] = [keys[x], keys[y]];
      if (a === null || b === null) return a === b ? x - y : a === null ? 1 : -1;
      const compared =
        typeof a === "string" || typeof b === "string" ? this.#collator.compare(String(a), String(b)) : a - b;
      return compared * way || x - y;
    });
  }

  #sortBy(column: number, kind: Column["kind"]): void {
    const isFirst = this.#sorted?.column !== column;
    // Numbers are asked for from the top, words from A.
    this.#sorted = {
      column,
      isDescending: isFirst ? kind === "number" : this.#sorted?.isDescending !== true,
    };
    this.update();
    this.#table?.tHead?.rows[0]?.cells[column]?.querySelector("button")?.focus();
  }

  #draw(): void {
    const columns = queryColumns(this.#state);
    const rows = this.#order
      .slice(this.#page * ROWS_A_PAGE, (this.#page + 1) * ROWS_A_PAGE)
      .map((index, row) => this.#rowOf(index, row, columns));
    const nothing = element("td", { colspan: columns.length, class: "quiet" }, "No query is like this.");
    this.#table?.tHead?.replaceChildren(
      element("tr", {}, ...columns.map((column, index) => this.#headOf(column, index))),
    );
    this.#table?.tBodies[0]?.replaceChildren(...(rows.length === 0 ? [element("tr", {}, nothing)] : rows));
    this.#drawCount();
    this.#drawPaging();
    this.#drawSlice();
  }

  #headOf(column: Column, index: number): HTMLTableCellElement {
    const isSorted = this.#sorted?.column === index;
    const isDescending = this.#sorted?.isDescending === true;
    const arrow = isSorted ? (isDescending ? "↓" : "↑") : "";
    const button = element(
      "button",
      { type: "button" },
      createBdi(column.name),
      element("span", { class: "arrow", "aria-hidden": "true" }, arrow),
    );
    button.addEventListener("click", () => this.#sortBy(index, column.kind));
    return element(
      "th",
      {
        scope: "col",
        class: classOf(column),
        "aria-sort": isSorted ? (isDescending ? "descending" : "ascending") : "none",
      },
      button,
      ...(column.title === undefined ? [] : [element("small", { class: "quiet" }, column.title)]),
    );
  }

  #rowOf(index: number, row: number, [, ...others]: readonly Column[]): HTMLTableRowElement {
    const query = this.#state.data.queries[index];
    if (query === undefined) return element("tr");
    // One row at a time can be reached by Tab; the others by arrows, as in a list.
    const button = element(
      "button",
      { type: "button", class: "link", tabindex: row === this.#active ? 0 : -1 },
      createBdi(query.id),
    );
    const made = element(
      "tr",
      {},
      element("th", { scope: "row" }, button),
      ...others.map((column) => element("td", { class: classOf(column) }, ...column.cell(query))),
    );
    made.addEventListener("click", () => {
      this.#active = row;
      this.#open(index, this.#order);
    });
    button.addEventListener("focus", () => this.#activate(row));
    return made;
  }

  #drawCount(): void {
    const all = this.#state.data.queries.length;
    const count = this.#order.length;
    const first = this.#page * ROWS_A_PAGE + 1;
    const last = Math.min(count, first + ROWS_A_PAGE - 1);
    const others =
      count > ROWS_A_PAGE
        ? `; these are ${formatCount(first)} to ${formatCount(last)}, the others are in the file`
        : "";
    findElement("#query-count")?.replaceChildren(
      `${count === all ? "" : `${formatCount(count)} of `}${formatCount(all)} queries`,
      element("span", { class: "print-only" }, others),
    );
  }

  #drawPaging(): void {
    const pages = Math.max(1, Math.ceil(this.#order.length / ROWS_A_PAGE));
    const number = findElement("#page-number");
    if (number !== null) number.textContent = `Page ${formatCount(this.#page + 1)} of ${formatCount(pages)}`;
    number?.parentElement?.toggleAttribute("hidden", pages === 1);
    findElement("#previous")?.toggleAttribute("disabled", this.#page === 0);
    findElement("#next")?.toggleAttribute("disabled", this.#page === pages - 1);
  }

  #drawSlice(): void {
    const { label, data } = this.#state;
    const chosen = label === null ? undefined : data.labels[label];
    if (this.#clear === null) return;
    this.#clear.hidden = chosen === undefined;
    this.#clear.replaceChildren(
      "Slice ",
      createBdi(chosen === undefined ? "" : `${chosen[0]}: ${chosen[1]}`),
      " ✕",
    );
    this.#clear.setAttribute("aria-label", "Show the queries of all slices");
  }

  #turn(by: number): void {
    const last = Math.max(0, Math.ceil(this.#order.length / ROWS_A_PAGE) - 1);
    this.#page = Math.min(last, Math.max(0, this.#page + by));
    this.#draw();
  }

  #buttons(): HTMLButtonElement[] {
    return [...(this.#table?.tBodies[0]?.querySelectorAll<HTMLButtonElement>("th button") ?? [])];
  }

  #activate(row: number): void {
    this.#active = row;
    this.#buttons().forEach((button, index) => button.setAttribute("tabindex", index === row ? "0" : "-1"));
  }
}
