import { formatCount } from "../../../foundation/numbers/index.js";
import { formatDifference, formatValue } from "../printed-numbers.js";
import { chooseReach } from "../choose-reach.js";
import { createSvg, element, findElement, createBdi } from "./element.js";
import { differenceOf, outcomeOf, type PageState, type QueryOutcome } from "./page-state.js";

/** Height of the drawing in its own units; it is stretched to the place that it gets. */
const HEIGHT = 1000;
/**
 * Bars are drawn apart up to this number of queries, beyond it as one outline with no more steps than this.
 */
const MOST_BARS = 240;
const MOST_STEPS = 1500;
/** Share of a bar that is left empty. */
const GAP = 0.18;
/** Queries that Page Up and Page Down go by: this share of all. */
const LEAP = 0.1;

interface Bar {
  readonly query: number;
  readonly difference: number;
  readonly outcome: QueryOutcome;
}

/** The chart of per-query differences: the most improved at the left, the worst at the right. */
export class DifferenceChart {
  readonly #state: PageState;
  readonly #open: (query: number, order: readonly number[]) => void;
  readonly #box = findElement("#chart");
  readonly #marker = element("div", { class: "marker", hidden: "" });
  readonly #tip = element("div", { class: "tip", hidden: "" });
  #bars: readonly Bar[] = [];
  /** The bar that is pointed at. */
  #at = 0;

  /** @param open shows one query, and gets the order in which the others stand around it. */
  constructor(state: PageState, open: (query: number, order: readonly number[]) => void) {
    this.#state = state;
    this.#open = open;
    if (this.#box === null) return;
    this.#listenToPointer(this.#box);
    this.#listenToKeys(this.#box);
  }

  /** Drawn again, after a choice that is made elsewhere. */
  update(): void {
    if (this.#box === null) return;
    this.#bars = barsOf(this.#state);
    this.#at = Math.min(this.#at, Math.max(0, this.#bars.length - 1));
    this.#draw();
    this.#describe();
    this.#hide();
  }

  #draw(): void {
    const bars = this.#bars;
    const reach = chooseReach(bars.map(({ difference }) => difference));
    const largest = bars.reduce((most, { difference }) => Math.max(most, difference), 0);
    const smallest = bars.reduce((least, { difference }) => Math.min(least, difference), 0);
    const [high, low] = [Math.min(largest, reach), Math.max(smallest, -reach)];
    const span = high - low || 1;
    const y = (value: number): number =>
      Math.round((HEIGHT * (high - Math.min(high, Math.max(low, value)))) / span);
    const zero = y(0);
    const width = Math.max(1, bars.length);
    const picture = createSvg("svg", {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    for (const [outcome, tone] of [
      ["improved", "better"],
      ["equal", "equal"],
      ["worse", "worse"],
    ] as const)
      picture.append(createSvg("path", { class: tone, d: outline(bars, outcome, y, zero) }));
    picture.append(createSvg("line", { class: "zero", x1: 0, x2: width, y1: zero, y2: zero }));
    const label = (value: number, place: string, end: number): HTMLElement =>
      element(
        "span",
        { class: `level ${place}` },
        formatDifference(value, 2),
        value === end ? "" : `, cut: up to ${formatDifference(end, 2)}`,
      );
    const zeroLabel = element("span", { class: "level" }, "0");
    zeroLabel.style.top = `${(100 * zero) / HEIGHT}%`;
    this.#box?.replaceChildren(
      picture,
      ...(high > 0 ? [label(high, "top", largest)] : []),
      ...(low < 0 ? [label(low, "bottom", smallest)] : []),
      zeroLabel,
      this.#marker,
      this.#tip,
    );
  }

  #describe(): void {
    const { data, metric, run } = this.#state;
    const shown = data.metrics[metric];
    const count = (outcome: QueryOutcome): string =>
      formatCount(this.#bars.filter((bar) => bar.outcome === outcome).length);
    findElement("#chart-about")?.replaceChildren(
      createBdi(shown?.name ?? ""),
      ` of `,
      createBdi(data.runs[run] ?? ""),
      ` minus that of `,
      createBdi(data.runs[0] ?? ""),
      `, a bar for each query: `,
      element("span", { class: "better" }, `▲ ${count("improved")} improved`),
      `, ${count("equal")} equal, `,
      element("span", { class: "worse" }, `▼ ${count("worse")} worse`),
      `.${shown?.higherIsBetter === false ? " Lower is better." : ""}`,
      element("span", { class: "screen-only" }, " Point at a bar to see the query, click to open it."),
    );
    this.#box?.setAttribute("aria-valuemin", "1");
    this.#box?.setAttribute("aria-valuemax", String(Math.max(1, this.#bars.length)));
    this.#announce();
  }

  /** Says to a screen reader which bar is pointed at. */
  #announce(): void {
    const bar = this.#bars[this.#at];
    const query = bar === undefined ? undefined : this.#state.data.queries[bar.query];
    this.#box?.setAttribute("aria-valuenow", String(this.#at + 1));
    this.#box?.setAttribute(
      "aria-valuetext",
      bar === undefined || query === undefined
        ? "no queries"
        : `${query.id}, ${bar.outcome}, ` +
            `${formatDifference(bar.difference)}${query.text === null ? "" : `, ${query.text}`}`,
    );
  }

  #show(index: number): void {
    const bar = this.#bars[index];
    const query = bar === undefined ? undefined : this.#state.data.queries[bar.query];
    if (bar === undefined || query === undefined) return;
    this.#at = index;
    this.#announce();
    const { metric, run } = this.#state;
    const [a, b] = [query.scores[0]?.[metric], query.scores[run]?.[metric]];
    this.#tip.replaceChildren(
      element("strong", {}, createBdi(query.id)),
      ...(query.text === null ? [] : [element("span", {}, createBdi(query.text))]),
      element(
        "span",
        { class: "numbers" },
        `${formatValue(a)} → ${formatValue(b)}  `,
        element(
          "b",
          { class: bar.outcome === "improved" ? "better" : bar.outcome === "worse" ? "worse" : "" },
          formatDifference(bar.difference),
        ),
      ),
    );
    const share = (index + 0.5) / this.#bars.length;
    this.#marker.style.left = `${100 * share}%`;
    this.#marker.hidden = false;
    this.#tip.hidden = false;
    // The tip stands beside the marker, on the side that has room.
    this.#tip.style.left = share < 0.5 ? `calc(${100 * share}% + 10px)` : "auto";
    this.#tip.style.right = share < 0.5 ? "auto" : `calc(${100 * (1 - share)}% + 10px)`;
  }

  #hide(): void {
    this.#marker.hidden = true;
    this.#tip.hidden = true;
  }

  #openAt(): void {
    const bar = this.#bars[this.#at];
    if (bar !== undefined)
      this.#open(
        bar.query,
        this.#bars.map(({ query }) => query),
      );
  }

  #listenToPointer(box: HTMLElement): void {
    const under = (event: MouseEvent): number => {
      const { left, width } = box.getBoundingClientRect();
      const bar = Math.floor((this.#bars.length * (event.clientX - left)) / width);
      return Math.min(this.#bars.length - 1, Math.max(0, bar));
    };
    box.addEventListener("pointermove", (event) => this.#show(under(event)));
    box.addEventListener("pointerleave", () =>
      document.activeElement === box ? this.#show(this.#at) : this.#hide(),
    );
    box.addEventListener("click", (event) => {
      this.#show(under(event));
      this.#openAt();
    });
  }

  #listenToKeys(box: HTMLElement): void {
    box.addEventListener("focus", () => {
      if (box.matches(":focus-visible")) this.#show(this.#at);
    });
    box.addEventListener("blur", () => this.#hide());
    box.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const by = this.#stepOf(event.key);
      if (event.key === "Enter" || event.key === " ") this.#openAt();
      else if (by !== undefined) this.#show(Math.min(this.#bars.length - 1, Math.max(0, this.#at + by)));
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** How many bars a key goes along. */
  #stepOf(key: string): number | undefined {
    const all = this.#bars.length;
    const leap = Math.max(1, Math.round(all * LEAP));
    return new Map([
      ["ArrowRight", 1],
      ["ArrowUp", 1],
      ["ArrowLeft", -1],
      ["ArrowDown", -1],
      ["j", 1],
      ["k", -1],
      ["PageDown", leap],
      ["PageUp", -leap],
      ["Home", -all],
      ["End", all],
    ]).get(key);
  }
}

function barsOf(state: PageState): Bar[] {
  const sign = state.data.metrics[state.metric]?.higherIsBetter === false ? -1 : 1;
  return state.data.queries
    .flatMap((query, index): Bar[] => {
      const difference = differenceOf(state, query);
      return difference === null ? [] : [{ query: index, difference, outcome: outcomeOf(state, difference) }];
    })
    .sort((x, y) => sign * (y.difference - x.difference) || x.query - y.query);
}

/** All bars of one outcome as one path, so that thousands of queries are three elements. */
function outline(
  bars: readonly Bar[],
  outcome: QueryOutcome,
  y: (value: number) => number,
  zero: number,
): string {
  const from = bars.findIndex((bar) => bar.outcome === outcome);
  if (from === -1) return "";
  const to = bars.findLastIndex((bar) => bar.outcome === outcome) + 1;
  if (bars.length <= MOST_BARS) {
    return bars
      .slice(from, to)
      .map(
        ({ difference }, index) => `M${from + index + GAP / 2} ${zero}V${y(difference)}h${1 - GAP}V${zero}z`,
      )
      .join("");
  }
  const step = Math.max(1, Math.ceil((to - from) / MOST_STEPS));
  const steps = Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => {
    const x = from + index * step;
    return `V${y(bars[x]?.difference ?? 0)}H${Math.min(x + step, to)}`;
  });
  return `M${from} ${zero}${steps.join("")}V${zero}z`;
}
