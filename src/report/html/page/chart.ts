import { printedCount, printedDifference, printedValue } from "../printed-numbers.js";
import { drawn, element, found, isolated } from "./element.js";
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
export function startChart(
  state: PageState,
  open: (query: number, order: readonly number[]) => void,
): { readonly update: () => void } {
  const box = found("#chart");
  if (box === null) return { update: () => undefined };
  const about = found("#chart-about");
  let bars: readonly Bar[] = [];
  let at = 0;
  const marker = element("div", { class: "marker", hidden: "" });
  const tip = element("div", { class: "tip", hidden: "" });

  function update(): void {
    const higher = state.data.metrics[state.metric]?.higherIsBetter ?? true;
    bars = state.data.queries
      .flatMap((query, index): Bar[] => {
        const difference = differenceOf(state, query);
        return difference === null
          ? []
          : [{ query: index, difference, outcome: outcomeOf(state, difference) }];
      })
      .sort(
        (x, y) => (higher ? y.difference - x.difference : x.difference - y.difference) || x.query - y.query,
      );
    at = Math.min(at, Math.max(0, bars.length - 1));
    const values = bars.map(({ difference }) => difference);
    const high = values.reduce((most, value) => Math.max(most, value), 0);
    const low = values.reduce((least, value) => Math.min(least, value), 0);
    const span = high - low || 1;
    const y = (value: number): number => Math.round((HEIGHT * (high - value)) / span);
    const zero = y(0);
    const picture = drawn("svg", {
      viewBox: `0 0 ${Math.max(1, bars.length)} ${HEIGHT}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    for (const [outcome, tone] of [
      ["improved", "better"],
      ["equal", "equal"],
      ["worse", "worse"],
    ] as const)
      picture.append(drawn("path", { class: tone, d: outline(bars, outcome, y, zero) }));
    picture.append(drawn("line", { class: "zero", x1: 0, x2: Math.max(1, bars.length), y1: zero, y2: zero }));
    const label = (value: number, place: string): HTMLElement =>
      element("span", { class: `level ${place}` }, printedDifference(value, 2));
    const zeroLabel = element("span", { class: "level" }, "0");
    zeroLabel.style.top = `${(100 * zero) / HEIGHT}%`;
    box?.replaceChildren(
      picture,
      ...(high > 0 ? [label(high, "top")] : []),
      ...(low < 0 ? [label(low, "bottom")] : []),
      zeroLabel,
      marker,
      tip,
    );
    describe();
    hide();
  }

  function describe(): void {
    const name = state.data.metrics[state.metric];
    const count = (outcome: QueryOutcome): string =>
      printedCount(bars.filter((bar) => bar.outcome === outcome).length);
    about?.replaceChildren(
      isolated(name?.name ?? ""),
      ` of `,
      isolated(state.data.runs[state.run] ?? ""),
      ` minus that of `,
      isolated(state.data.runs[0] ?? ""),
      `, a bar for each query: `,
      element("span", { class: "better" }, `▲ ${count("improved")} improved`),
      `, ${count("equal")} equal, `,
      element("span", { class: "worse" }, `▼ ${count("worse")} worse`),
      `.${name?.higherIsBetter === false ? " Lower is better." : ""}`,
      element("span", { class: "screen-only" }, " Point at a bar to see the query, click to open it."),
    );
    box?.setAttribute("aria-valuemin", "1");
    box?.setAttribute("aria-valuemax", String(Math.max(1, bars.length)));
    announce();
  }

  function announce(): void {
    const bar = bars[at];
    const query = bar === undefined ? undefined : state.data.queries[bar.query];
    box?.setAttribute("aria-valuenow", String(at + 1));
    box?.setAttribute(
      "aria-valuetext",
      bar === undefined || query === undefined
        ? "no queries"
        : `${query.id}, ${bar.outcome}, ` +
            `${printedDifference(bar.difference)}${query.text === null ? "" : `, ${query.text}`}`,
    );
  }

  function show(index: number): void {
    const bar = bars[index];
    const query = bar === undefined ? undefined : state.data.queries[bar.query];
    if (bar === undefined || query === undefined || box === null) return;
    at = index;
    announce();
    const share = (index + 0.5) / bars.length;
    const [a, b] = [query.scores[0]?.[state.metric], query.scores[state.run]?.[state.metric]];
    tip.replaceChildren(
      element("strong", {}, isolated(query.id)),
      ...(query.text === null ? [] : [element("span", {}, isolated(query.text))]),
      element(
        "span",
        { class: "numbers" },
        `${printedValue(a)} → ${printedValue(b)}  `,
        element(
          "b",
          { class: bar.outcome === "improved" ? "better" : bar.outcome === "worse" ? "worse" : "" },
          printedDifference(bar.difference),
        ),
      ),
    );
    marker.style.left = `${100 * share}%`;
    marker.hidden = false;
    tip.hidden = false;
    // The tip stands beside the marker, on the side that has room.
    tip.style.left = share < 0.5 ? `calc(${100 * share}% + 10px)` : "auto";
    tip.style.right = share < 0.5 ? "auto" : `calc(${100 * (1 - share)}% + 10px)`;
  }

  function hide(): void {
    marker.hidden = true;
    tip.hidden = true;
  }

  const under = (event: MouseEvent): number => {
    const { left, width } = box.getBoundingClientRect();
    return Math.min(bars.length - 1, Math.max(0, Math.floor((bars.length * (event.clientX - left)) / width)));
  };
  const openAt = (): void => {
    const bar = bars[at];
    if (bar !== undefined)
      open(
        bar.query,
        bars.map(({ query }) => query),
      );
  };
  box.addEventListener("pointermove", (event) => show(under(event)));
  box.addEventListener("pointerleave", () => (document.activeElement === box ? show(at) : hide()));
  box.addEventListener("click", (event) => {
    show(under(event));
    openAt();
  });
  box.addEventListener("focus", () => {
    if (box.matches(":focus-visible")) show(at);
  });
  box.addEventListener("blur", hide);
  box.addEventListener("keydown", (event) => {
    const leap = Math.max(1, Math.round(bars.length * LEAP));
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      j: 1,
      k: -1,
      PageDown: leap,
      PageUp: -leap,
      Home: -bars.length,
      End: bars.length,
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") openAt();
    else if (Object.hasOwn(steps, event.key))
      show(Math.min(bars.length - 1, Math.max(0, at + (steps[event.key] ?? 0))));
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return { update };
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
