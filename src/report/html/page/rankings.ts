import { LONGEST_PASSAGE, type PageQuery } from "../page-model.js";
import { createSvg, element, createBdi, scrolling } from "./element.js";
import type { PageState } from "./page-state.js";

/** A hit of a ranking. */
interface Hit {
  readonly item: number;
  /** Null: unjudged. */
  readonly grade: number | null;
  readonly passage: number | null;
}

/** The rankings of a query side by side, with lines between the places of an item. */
export function rankings(state: PageState, query: PageQuery): HTMLElement[] {
  const { data } = state;
  if (data.metrics.length === 0) return [];
  if (query.rankings === null)
    return [
      element("h3", {}, "Rankings"),
      element("p", { class: "quiet" }, "The rankings were not kept in this result."),
    ];
  const lists = query.rankings.map((ranking, run) => hitsOf(ranking, query.said?.[run] ?? []));
  const longest = lists.reduce((most, list) => Math.max(most, list.length), 1);
  const legend = element(
    "p",
    { class: "legend quiet" },
    gradeMark(data.relevantFrom, data.relevantFrom),
    " relevant, with its grade ",
    gradeMark(0, 1),
    " judged not relevant ",
    gradeMark(null, 1),
    " unjudged.",
    ...(lists.length === 1
      ? []
      : [" Lines join the same item in neighbouring lists; the marks count places against the baseline."]),
    data.passages === null
      ? " What hits say is not in this page: the run does not tell it, or it was left out."
      : ` What hits say is cut at ${LONGEST_PASSAGE} characters.`,
  );
  const columns = lists.flatMap((list, run) => [
    ...(run === 0 ? [] : [gutter(lists[run - 1] ?? [], list, longest, data.relevantFrom)]),
    column(state, lists, run),
  ]);
  return [
    element("h3", {}, "Rankings"),
    legend,
    element(
      "div",
      scrolling("Rankings"),
      element("div", { class: `rankings${data.passages === null ? "" : " with-text"}` }, ...columns),
    ),
  ];
}

function hitsOf(ranking: readonly (number | null)[], said: readonly (number | null)[]): Hit[] {
  return Array.from({ length: ranking.length / 2 }, (_, index) => ({
    item: ranking[2 * index] ?? 0,
    grade: ranking[2 * index + 1] ?? null,
    passage: said[index] ?? null,
  }));
}

function column(state: PageState, lists: readonly Hit[][], run: number): HTMLElement {
  const { data } = state;
  const baseline = lists[0] ?? [];
  const rows = (lists[run] ?? []).map(({ item, grade, passage: number }, rank) => {
    const name = data.items[item] ?? "";
    const isRelevant = grade !== null && grade >= data.relevantFrom;
    return element(
      "li",
      { class: isRelevant ? "relevant" : grade === null ? "unjudged" : "" },
      element("span", { class: "rank" }, String(rank + 1)),
      gradeMark(grade, data.relevantFrom),
      element(
        "span",
        {
          class: "item",
          title: [name, ...(data.passages?.[number ?? -1] ?? [])].filter((text) => text !== "").join("\n"),
        },
        createBdi(name),
        ...passage(state, number),
      ),
      ...(run === 0 ? leaving(lists, item) : arriving(baseline, item, rank)),
    );
  });
  return element(
    "div",
    { class: "ranking" },
    element(
      "h4",
      {},
      createBdi(data.runs[run] ?? ""),
      ...(run === 0 && lists.length > 1 ? [element("small", { class: "quiet" }, "baseline")] : []),
    ),
    rows.length === 0 ? element("p", { class: "quiet" }, "no hits") : element("ol", {}, ...rows),
  );
}

/** What an item says: its title, then its text. */
export function passage({ data }: PageState, number: number | null): HTMLElement[] {
  const [title = "", text = ""] = data.passages?.[number ?? -1] ?? [];
  return [
    ...(title === "" ? [] : [element("span", { class: "passage-title" }, createBdi(title))]),
    ...(text === "" ? [] : [element("span", { class: "passage" }, createBdi(text))]),
  ];
}

/** How an item of a run stands against the baseline. */
function arriving(baseline: readonly Hit[], item: number, rank: number): HTMLElement[] {
  const before = baseline.findIndex((hit) => hit.item === item);
  const [text, words] =
    before === -1
      ? ["new", "not in the baseline's list"]
      : before === rank
        ? ["", ""]
        : before > rank
          ? [`↑${before - rank}`, `${before - rank} up`]
          : [`↓${rank - before}`, `${rank - before} down`];
  return text === "" ? [] : [element("span", { class: "moved", title: words }, text)];
}

/** Of two lists it is said which items of the baseline are gone. */
function leaving(lists: readonly Hit[][], item: number): HTMLElement[] {
  return lists.length === 2 && lists[1]?.some((hit) => hit.item === item) === false
    ? [element("span", { class: "moved", title: "not in the run's list" }, "gone")]
    : [];
}

/** Relevant is a full disc, judged not relevant a ring, unjudged a dashed ring: told apart without colour. */
export function gradeMark(grade: number | null, relevantFrom: number): HTMLElement {
  const [kind, words] =
    grade === null
      ? ["unjudged", "unjudged"]
      : grade >= relevantFrom
        ? ["relevant", `relevant, grade ${grade}`]
        : ["judged", `not relevant, grade ${grade}`];
  return element(
    "span",
    { class: `grade ${kind}`, title: words },
    element("span", { "aria-hidden": "true" }, grade === null ? "?" : String(grade)),
    element("span", { class: "sr" }, words),
  );
}

/** Lines between two lists, from each item's place in the one to its place in the other. */
function gutter(
  left: readonly Hit[],
  right: readonly Hit[],
  longest: number,
  relevantFrom: number,
): HTMLElement {
  const places = new Map(right.map(({ item }, rank) => [item, rank]));
  const lines = left.flatMap(({ item, grade }, rank) => {
    const place = places.get(item);
    if (place === undefined) return [];
    const isRelevant = grade !== null && grade >= relevantFrom;
    const tone = !isRelevant || place === rank ? "" : place < rank ? "better" : "worse";
    return [
      createSvg("path", {
        class: `${isRelevant ? "relevant " : ""}${tone}`,
        d: `M0 ${rank + 0.5}C50 ${rank + 0.5} 50 ${place + 0.5} 100 ${place + 0.5}`,
        "vector-effect": "non-scaling-stroke",
      }),
    ];
  });
  const picture = createSvg(
    "svg",
    { viewBox: `0 0 100 ${longest}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...lines,
  );
  const box = element("div", { class: "gutter" }, picture);
  picture.style.height = `calc(${longest} * var(--row))`;
  return box;
}
