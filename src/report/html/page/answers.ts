import { MARKS, type PageAnswer, type PageWanted } from "../page-model.js";
import type { PageQuery } from "../page-model.js";
import { element, createBdi } from "./element.js";
import type { PageState } from "./page-state.js";

/** What each run answered, side by side, with what is asked for marked in it. */
export function answers({ data }: PageState, { answers: given, wanted }: PageQuery): HTMLElement[] {
  if (given === null) return [];
  const columns = given.map((answer, run) =>
    element(
      "div",
      { class: "answer" },
      ...(given.length === 1 ? [] : [element("h4", {}, createBdi(data.runs[run] ?? ""))]),
      ...(answer === null ? [element("p", { class: "quiet" }, "no answer")] : answerParts(answer, wanted)),
    ),
  );
  return [
    element("h3", {}, given.length === 1 ? "Answer" : "Answers"),
    ...describeWanted(wanted),
    element("div", { class: "answers" }, ...columns),
  ];
}

/** What the golden set asks for. */
function describeWanted(wanted: PageWanted | null): HTMLElement[] {
  if (wanted === null) return [];
  const { contain, forbidden, isRefusal } = wanted;
  const list = (phrases: readonly string[], mark: number): (Node | string)[] =>
    phrases.flatMap((phrase, index) => [index === 0 ? "" : ", ", markText(phrase, mark)]);
  const parts = [
    ...(isRefusal ? [["should be a refusal"]] : []),
    ...(contain.length === 0 ? [] : [["must contain ", ...list(contain, 1)]]),
    ...(forbidden.length === 0 ? [] : [["must not contain ", ...list(forbidden, 2)]]),
  ];
  const told = parts.flatMap((part, index) => [index === 0 ? "" : "; ", ...part]);
  return [element("p", { class: "quiet" }, "The answer ", ...told, ".")];
}

function answerParts(answer: PageAnswer, wanted: PageWanted | null): HTMLElement[] {
  const { parts, isRefusal, reason, lacks, has, citations } = answer;
  const verdict = (isGood: boolean, text: string, ...more: readonly (Node | string)[]): HTMLElement =>
    element("li", { class: isGood ? "better-text" : "worse-text" }, `${isGood ? "✓" : "✗"} ${text}`, ...more);
  const verdicts = [
    ...(isRefusal
      ? [verdict(wanted?.isRefusal === true, "refused", reason === "" ? "" : `: ${reason}`)]
      : []),
    ...(wanted?.isRefusal === true && !isRefusal ? [verdict(false, "did not refuse")] : []),
    ...lacks.map((phrase) => verdict(false, "lacks ", createBdi(phrase))),
    ...has.map((phrase) => verdict(false, "has what is forbidden: ", createBdi(phrase))),
    ...((wanted?.contain.length ?? 0) > 0 && lacks.length === 0
      ? [verdict(true, "has all that it must contain")]
      : []),
  ];
  const text = parts.map(([part, mark]) => (mark === 0 ? part : markText(part, mark)));
  const cited = citations.flatMap(([marker, target], index) => [
    index === 0 ? "" : ", ",
    ...(marker === "" ? [] : [markText(marker, 3), " "]),
    createBdi(target),
  ]);
  return [
    element("p", { class: "answer-text" }, ...text),
    ...(verdicts.length === 0 ? [] : [element("ul", { class: "answer-verdicts" }, ...verdicts)]),
    ...(cited.length === 0 ? [] : [element("p", { class: "quiet small" }, "Cites ", ...cited)]),
  ];
}

/** A stretch of text with its mark. */
function markText(text: string, mark: number): HTMLElement {
  return element("mark", { class: MARKS[mark] }, createBdi(text));
}
