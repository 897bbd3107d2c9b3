import {
  type Answer,
  type Citation,
  type GoldenQuery,
  passesTextChecks,
  shouldRefuse,
} from "../../records/index.js";
import type { ReportTexts } from "../report-texts.js";
import { clipMarkup, LONGEST_NAME } from "./markup.js";
import type { PageAnswer, PageWanted } from "./page-model.js";

/** Answers are cut here. */
const LONGEST_ANSWER = 2_000;
const MOST_CITATIONS = 50;

/** What is asked of an answer; null where that is nothing. */
export function pageWanted(query: GoldenQuery | undefined): PageWanted | null {
  const { must_contain = [], forbidden = [] } = query ?? {};
  const isRefusal = query !== undefined && shouldRefuse(query);
  if (must_contain.length + forbidden.length === 0 && !isRefusal) return null;
  return { contain: phrases(must_contain), forbidden: phrases(forbidden), isRefusal };
}

/** An answer as the page shows it, with what is asked for marked in it. */
export function pageAnswer(
  answer: Answer,
  query: GoldenQuery | undefined,
  textMatch: ReportTexts["textMatch"],
): PageAnswer {
  const { must_contain = [], forbidden = [] } = query ?? {};
  const contains = (phrase: string): boolean =>
    passesTextChecks(answer.answer, { id: "", query: "", must_contain: [phrase] }, textMatch);
  const citations = (answer.citations ?? []).slice(0, MOST_CITATIONS);
  const has = forbidden.filter(contains);
  const flags = textMatch === "caseInsensitive" ? "giu" : "gu";
  return {
    parts: markParts(clipMarkup(answer.answer.normalize("NFC"), LONGEST_ANSWER), [
      ...must_contain.map((phrase) => [pattern(phrase, flags), 1] as const),
      ...has.map((phrase) => [pattern(phrase, flags), 2] as const),
      ...citations.flatMap(({ marker }) =>
        marker == null || marker === "" ? [] : [[pattern(bracketMarker(marker), "gu"), 3] as const],
      ),
    ]),
    isRefusal: !answer.grounded,
    reason: clipMarkup(answer.refusal_reason ?? "", LONGEST_NAME),
    lacks: phrases(must_contain.filter((phrase) => !contains(phrase))),
    has: phrases(has),
    citations: citations.map(({ marker, citation }) => [
      clipMarkup(marker ?? "", LONGEST_NAME),
      clipMarkup(targetOf(citation), LONGEST_NAME),
    ]),
  };
}

function phrases(list: readonly string[]): string[] {
  return list.map((phrase) => clipMarkup(phrase, LONGEST_NAME));
}

/** `1` stands in a text as `[1]`; by itself it is any digit. */
function bracketMarker(marker: string): string {
  return /^[\p{L}\p{N}]+$/u.test(marker) ? `[${marker}]` : marker;
}

/** White space is drawn together in what is shown, and so it is in what is looked for. */
function pattern(phrase: string, flags: string): RegExp {
  const line = clipMarkup(phrase.normalize("NFC"), LONGEST_ANSWER);
  return new RegExp(line.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), flags);
}

/** The text in stretches; where marks overlap, the higher number is seen. */
function markParts(text: string, patterns: readonly (readonly [RegExp, number])[]): PageAnswer["parts"] {
  const marks = new Uint8Array(text.length);
  for (const [regexp, mark] of patterns) {
    if (regexp.source === "(?:)") continue;
    for (const { index, 0: found } of text.matchAll(regexp)) marks.fill(mark, index, index + found.length);
  }
  const parts: [string, number][] = [];
  for (let from = 0; from < text.length;) {
    let to = from + 1;
    while (to < text.length && marks[to] === marks[from]) to++;
    parts.push([text.slice(from, to), marks[from] as number]);
    from = to;
  }
  return parts;
}

function targetOf(citation: Citation): string {
  if (citation.kind === undefined) return citation.chunk_id;
  switch (citation.kind) {
    case "line":
      return `${citation.path}, lines ${citation.start} to ${citation.end}`;
    case "code":
      return `${citation.path}, lines ${citation.line_start} to ${citation.line_end}`;
    case "page":
      return `${citation.path}, page ${citation.page}`;
    case "byte":
    case "time":
    case "region":
    case "caption":
      return `${citation.path} (${citation.kind})`;
  }
}
