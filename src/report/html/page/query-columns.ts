import type { PageQuery } from "../page-model.js";
import { formatDifference, formatValue } from "../printed-numbers.js";
import { element, createBdi } from "./element.js";
import { differenceOf, OUTCOME_SIGNS, outcomeKind, type PageState } from "./page-state.js";

/** Outcomes sorted: the worst first. */
const OUTCOME_ORDER = ["regression", "loss", "worse", "draw", "equal", "improved", "win", "unscored"];
const DIFFERENCE = "Difference";
const FIRST_RANK = "First relevant";
/** The column by which the table is sorted at first: one of these. */
export const FIRST_SORTED: readonly string[] = [DIFFERENCE, FIRST_RANK];
/** Sorted as a rank: below every other. */
const MISSED = 1e9;

/** A column of the table of queries. */
export interface Column {
  readonly name: string;
  /** In the head, where a name of the data stands there. */
  readonly title?: string | undefined;
  readonly kind: "text" | "number";
  /** A class of its own. */
  readonly look?: string;
  /** Left out where there is little room; the view of one query has it. */
  readonly isWide?: boolean;
  /** What rows are sorted by; null comes last either way. */
  readonly key: (query: PageQuery) => number | string | null;
  readonly cell: (query: PageQuery) => readonly (Node | string)[];
}

/** The classes of a column's cells. */
export function classOf({ kind, look, isWide }: Column): string {
  return [kind === "number" ? "n" : "", look ?? "", isWide === true ? "wide" : ""]
    .filter((name) => name !== "")
    .join(" ");
}

/** The columns that the data has something for. */
export function queryColumns(state: PageState): Column[] {
  if (state.data.runs.length === 1) return columnsOfRun(state);
  return state.data.metrics.length === 0 ? columnsOfRanks(state) : columnsOfScores(state);
}

const idColumn: Column = { name: "Query", kind: "text", key: ({ id }) => id, cell: () => [] };

const textColumn: Column = {
  name: "Text",
  kind: "text",
  look: "text",
  key: ({ text }) => text,
  cell: ({ text }) => (text === null ? [] : [createBdi(text)]),
};

function columnsOfRanks(state: PageState): Column[] {
  return [
    idColumn,
    textColumn,
    outcomeColumn(state),
    rankColumn("Rank a", ({ outcome }) => outcome?.rankA),
    rankColumn("Rank b", ({ outcome }) => outcome?.rankB),
    {
      name: "What moved",
      kind: "text",
      isWide: true,
      key: ({ outcome }) => outcome?.note ?? null,
      cell: ({ outcome }) => [createBdi(outcome?.note ?? "")],
    },
  ];
}

function columnsOfRun(state: PageState): Column[] {
  const { queries, labels } = state.data;
  const has = (isThere: (query: PageQuery) => boolean, ...columns: Column[]): Column[] =>
    queries.some(isThere) ? columns : [];
  return [
    idColumn,
    textColumn,
    ...(labels.length === 0 ? [] : [labelsColumn(state)]),
    ...has(({ firsts }) => firsts !== null, firstRankColumn),
    {
      ...scoreColumn(state, 0),
      name: state.data.metrics[state.metric]?.name ?? "Score",
      title: undefined,
      isWide: false,
    },
    ...has(({ single }) => (single?.wrong.length ?? 0) > 0, wrongColumn),
    ...has(({ errors }) => errors !== null, errorColumn),
    ...has(({ single }) => single?.milliseconds != null, timeColumn),
  ];
}

const firstRankColumn: Column = {
  name: FIRST_RANK,
  title: "rank",
  kind: "number",
  key: ({ firsts, expected }) => (expected?.length === 0 ? null : (firsts?.[0] ?? MISSED)),
  cell: ({ firsts, expected }) => {
    const rank = firsts?.[0] ?? null;
    if (expected?.length === 0) return [element("span", { class: "quiet" }, "nothing relevant")];
    return rank === null ? [element("span", { class: "worse" }, "missed")] : [String(rank)];
  },
};

const wrongColumn: Column = {
  name: "Answer",
  title: "what is wrong",
  kind: "text",
  key: ({ single }) => single?.wrong.join() ?? null,
  cell: ({ single }) => [element("span", { class: "worse" }, single?.wrong.join(", ") ?? "")],
};

const errorColumn: Column = {
  name: "Error",
  kind: "text",
  isWide: true,
  key: ({ errors }) => errors?.[0] ?? null,
  cell: ({ errors }) => [createBdi(errors?.[0] ?? "")],
};

const timeColumn: Column = {
  name: "ms",
  kind: "number",
  isWide: true,
  key: ({ single }) => single?.milliseconds ?? null,
  cell: ({ single }) => [single?.milliseconds == null ? "—" : String(Number(single.milliseconds.toFixed(1)))],
};

function columnsOfScores(state: PageState): Column[] {
  const { queries, labels } = state.data;
  return [
    idColumn,
    textColumn,
    ...(labels.length === 0 ? [] : [labelsColumn(state)]),
    scoreColumn(state, 0),
    scoreColumn(state, state.run),
    differenceColumn(state),
    outcomeColumn(state),
    ...(queries.some(({ outcome }) => outcome !== null) ? [byRankColumn] : []),
    ...(queries.some(({ overlap }) => overlap !== null) ? [overlapColumn(state)] : []),
  ];
}

function outcomeColumn(state: PageState): Column {
  return {
    name: "Outcome",
    kind: "text",
    look: "outcome",
    key: (query) => OUTCOME_ORDER.indexOf(outcomeKind(state, query)),
    cell: (query) => {
      const kind = outcomeKind(state, query);
      const [sign, tone] = OUTCOME_SIGNS[kind] ?? ["", ""];
      return [
        element(
          "span",
          { class: tone },
          element("span", { "aria-hidden": "true" }, sign),
          element("span", { class: "outcome-word" }, ` ${kind === "unscored" ? "no score" : kind}`),
        ),
      ];
    },
  };
}

function rankColumn(name: string, rankOf: (query: PageQuery) => number | null | undefined): Column {
  return {
    name,
    kind: "number",
    key: (query) => rankOf(query) ?? null,
    cell: (query) => [rankOf(query) === null ? "miss" : String(rankOf(query) ?? "—")],
  };
}

function labelsColumn({ data }: PageState): Column {
  const labelsOf = ({ labels }: PageQuery): string[] => labels.map((label) => data.labels[label]?.[1] ?? "");
  return {
    name: "Labels",
    kind: "text",
    look: "labels",
    isWide: true,
    key: (query) => labelsOf(query).join(),
    cell: (query) => labelsOf(query).map((label) => element("span", { class: "tag" }, createBdi(label))),
  };
}

function scoreColumn({ data, metric }: PageState, run: number): Column {
  return {
    name: data.runs[run] ?? "",
    title: run === 0 ? "baseline" : "run",
    kind: "number",
    isWide: true,
    key: ({ scores }) => scores[run]?.[metric] ?? null,
    cell: ({ scores }) => [formatValue(scores[run]?.[metric])],
  };
}

function differenceColumn(state: PageState): Column {
  return {
    name: DIFFERENCE,
    kind: "number",
    key: (query) => differenceOf(state, query),
    cell: (query) => [toneOutcome(outcomeKind(state, query), formatDifference(differenceOf(state, query)))],
  };
}

const byRankColumn: Column = {
  name: "By rank",
  title: "first expected hit",
  kind: "text",
  isWide: true,
  key: ({ outcome }) => OUTCOME_ORDER.indexOf(outcome?.kind ?? ""),
  cell: ({ outcome }) => [toneOutcome(outcome?.kind ?? "", outcome?.kind ?? "")],
};

function overlapColumn({ run }: PageState): Column {
  return {
    name: "Overlap",
    title: "of the rankings",
    kind: "number",
    isWide: true,
    key: ({ overlap }) => overlap?.[run] ?? null,
    cell: ({ overlap }) => [formatValue(overlap?.[run])],
  };
}

/** Text in the colour of an outcome. */
function toneOutcome(kind: string, text: string): HTMLSpanElement {
  return element("span", { class: OUTCOME_SIGNS[kind]?.[1] ?? "" }, text);
}
