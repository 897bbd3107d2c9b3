/**
 * The script of an HTML report. It is compiled into `page-source.ts`, never imported: it works on the page
 * that `renderReportHtml` wrote, and asks the network for nothing.
 *
 * @module
 */
import type { PageData } from "../page-model.js";
import { DifferenceChart } from "./chart.js";
import { DrillDown } from "./drill-down.js";
import { element, findElement, createBdi } from "./element.js";
import type { PageState } from "./page-state.js";
import { QueryTable } from "./query-table.js";

const data = JSON.parse(findElement("#data")?.textContent ?? "null") as PageData;
const state: PageState = { data, metric: data.metric, run: 1, search: "", outcome: "", label: null };
const root = document.documentElement;
root.classList.add("has-script");

const drillDown = new DrillDown(state);
const open = (query: number, order: readonly number[]): void => drillDown.open(query, order);
const chart = new DifferenceChart(state, open);
const table = new QueryTable(state, open);
const keys = findElement<HTMLDialogElement>("#keys");

/** A choice that several parts of the page offer: they show the same. */
function startChoices(
  name: "metric" | "run",
  choices: readonly (readonly [value: number, text: string])[],
): void {
  const selects = [...document.querySelectorAll<HTMLSelectElement>(`select[data-state=${name}]`)];
  for (const select of selects) {
    select.append(...choices.map(([value, text]) => element("option", { value }, text)));
    select.value = String(state[name]);
    select.addEventListener("change", () => {
      state[name] = Number(select.value);
      for (const other of selects) other.value = select.value;
      showRun();
      chart.update();
      table.update();
    });
  }
}

/** Of several runs the chosen one is shown; on paper all are. */
function showRun(): void {
  for (const block of document.querySelectorAll<HTMLElement>("[data-run]"))
    block.classList.toggle("other-run", block.dataset["run"] !== String(state.run));
}

/** What the renderer wrote as text becomes a button, now that there is something that it can do. */
function startButtons(attribute: "label" | "query", act: (number: number) => void, title: string): void {
  for (const cell of document.querySelectorAll<HTMLElement>(`[data-${attribute}]`)) {
    const button = element("button", { type: "button", class: "link", title }, createBdi(cell.textContent));
    button.addEventListener("click", () => act(Number(cell.dataset[attribute])));
    cell.replaceChildren(button);
  }
}

function turnTheme(): void {
  const isDark =
    root.dataset["theme"] === undefined
      ? matchMedia("(prefers-color-scheme: dark)").matches
      : root.dataset["theme"] === "dark";
  root.dataset["theme"] = isDark ? "light" : "dark";
}

startChoices(
  "metric",
  data.metrics.map(({ name }, index) => [index, name]),
);
startChoices(
  "run",
  data.runs.slice(1).map((name, index) => [index + 1, name]),
);
const everyQuery = data.queries.map((_, index) => index);
startButtons("query", (query) => drillDown.open(query, everyQuery), "open the query");
startButtons(
  "label",
  (label) => {
    table.chooseLabel(label);
    findElement("#queries")?.scrollIntoView();
    table.focusSearch();
  },
  "show the queries of this slice",
);
findElement("#theme")?.addEventListener("click", turnTheme);
findElement("#help")?.addEventListener("click", () => keys?.showModal());

const ACTIONS: Readonly<Record<string, () => void>> = {
  "/": () => table.focusSearch(),
  j: () => table.move(1),
  k: () => table.move(-1),
  t: turnTheme,
  "?": () => keys?.showModal(),
};
const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target instanceof Element && event.target.matches("input, select, textarea")) return;
  if (keys?.open === true) return;
  if (drillDown.isOpen) {
    if (!Object.hasOwn(STEPS, event.key)) return;
    drillDown.move(STEPS[event.key] ?? 0);
  } else if (Object.hasOwn(ACTIONS, event.key)) ACTIONS[event.key]?.();
  else return;
  event.preventDefault();
});

showRun();
chart.update();
table.update();
drillDown.showHash();
addEventListener("hashchange", () => drillDown.showHash());
