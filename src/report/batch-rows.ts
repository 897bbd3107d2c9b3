import { clip } from "../foundation/errors/index.js";
import { countOf, formatCount, formatShare } from "../foundation/numbers/index.js";
import { oneLine } from "../foundation/text/index.js";
import { gainOf, labelGrades, type BatchQuery, type BatchReport } from "../records/index.js";

/** A score of the search as a table has room for it: six digits tell hits apart. */
export function printRelevance(score: number | null): string {
  return score === null ? "—" : String(Number(score.toPrecision(6)));
}

/** What the scores of a batch rest on, in sentences. */
export function labelLines(report: BatchReport): string[] {
  const { labels, run, licence } = report;
  const { by, grades, pairs, labelled, stale, queries_without: without, labeler } = labels;
  const all = grades.reduce((sum, count) => sum + count, 0);
  const people = by.people + by.adjudicator;
  if (run.queries === 0) return ["The dataset has no queries."];
  if (all === 0)
    return ["Nothing is labelled, so that every score is 0; `rankproof label build`, or `--annotate`."];
  const lines = [
    `${countOf(all, "label")}: ${formatCount(people)} by people, ${formatCount(by.labeler)} by ` +
      `${labeler === null ? "a model" : raterWords(labeler)}.`,
    `By grade: ${labelGrades
      .map(({ grade, name }) => `${name} ${formatCount(grades[grade] as number)}`)
      .reverse()
      .join(", ")}.`,
    pairs === 0
      ? "Nothing came back."
      : `${formatCount(labelled)} of ${countOf(pairs, "hit")} have a label ` +
        `(${formatShare(labelled / pairs)})` +
        (labelled === pairs ? "." : "; those without count as Irrelevant."),
    ...(stale === 0 ? [] : [staleLine(stale, labelled)]),
    ...(without === 0 ? [] : [`${countOf(without, "query")} without any label.`]),
    ...stageLines(report),
    ...(licence == null ? [] : [`Licence of the dataset: ${licence}.`]),
  ];
  return lines.map(oneLine);
}

/** Where items that people want were lost: what each stage had of them, over all queries. */
function stageLines({ per_query }: BatchReport): string[] {
  const missed = per_query.reduce((sum, query) => sum + query.missed_count, 0);
  const names = [...new Set(per_query.flatMap(({ stages }) => Object.keys(stages)))];
  if (missed === 0 || names.length === 0) return [];
  const had = names.map((name) => {
    const stages = per_query.flatMap(({ stages }) => (Object.hasOwn(stages, name) ? [stages[name]] : []));
    return `${name} had ${stages.reduce((sum, stage) => sum + (stage?.missed ?? 0), 0)}`;
  });
  return [`${countOf(missed, "useful item")} did not come back, of which ${had.join(", ")}.`];
}

function staleLine(stale: number, labelled: number): string {
  return stale === labelled
    ? "Every labelled item has changed since it was labelled."
    : `${countOf(stale, "labelled hit")} of items that have changed since.`;
}

/** The identity of a rater, as people say it: its name, its model and its prompt. */
function raterWords(rater: string): string {
  try {
    const [, name, model] = JSON.parse(rater) as readonly unknown[];
    return [name, model].filter((each) => typeof each === "string" && each !== "").join(", ");
  } catch {
    return rater;
  }
}

/** Queries by the metric that decides, the worst first. */
export function worstFirst(report: BatchReport): BatchQuery[] {
  const { per_query, metrics, primary } = report;
  const column = metrics.findIndex(({ metric }) => metric === primary);
  const sign = gainOf(report, primary ?? "");
  const scoreOf = ({ scores }: BatchQuery): number => sign * (scores[0]?.[column] ?? 0);
  return [...per_query].sort((a, b) => scoreOf(a) - scoreOf(b));
}

/** What is known of a bad case besides its hits, in lines of name and text. */
export function caseFacts(query: BatchQuery): (readonly [name: string, text: string])[] {
  const { errors, request_ids, returned, missed, missed_count, signals, tips, plan } = query;
  const stages = Object.entries(query.stages).map(([name, stage]) => stageWords(name, stage, query));
  const numbers = Object.entries(signals).map(([name, value]) => `${name} ${value}`);
  const facts: (readonly [string, string])[] = [
    ["Failed with", errors?.[0] ?? ""],
    ["Request", request_ids.join(", ")],
    ["Came back", returned === 0 ? "nothing" : ""],
    ["Top 10", query.top_label_sequence_top10],
    ["Top 20", returned > 10 ? query.top_label_sequence_top20 : ""],
    ["Missed", missed.slice(0, MOST_MISSED).map(describeMissed).join("; ") + more(missed_count)],
    ["Stages", stages.join("; ")],
    ["How it searched", plan === undefined ? "" : planWords(plan)],
    ["Means of the first 10", numbers.join(", ")],
    ["What to do", tips.join(" ")],
  ];
  return facts.filter(([, text]) => text !== "").map(([name, text]) => [name, oneLine(text)]);
}

const MOST_MISSED = 5;
/** Characters of what a search says of how it searched. */
const MOST_OF_PLAN = 500;

function planWords(plan: unknown): string {
  return clip(JSON.stringify(plan), MOST_OF_PLAN, "… (whole in the JSON report)");
}

function stageWords(
  name: string,
  { returned, first10, missed }: BatchQuery["stages"][string],
  { returned: hits, missed_count }: BatchQuery,
): string {
  return [
    `${name} had ${countOf(returned, "item")}`,
    ...(hits === 0 ? [] : [`${first10} of the first ${Math.min(hits, 10)} hits`]),
    ...(missed_count === 0 ? [] : [`${missed} of the ${missed_count} missed`]),
  ].join(", ");
}

function more(count: number): string {
  return count > MOST_MISSED ? `; and ${count - MOST_MISSED} more` : "";
}

function describeMissed({ id, label, title, channels }: BatchQuery["missed"][number]): string {
  const stages = Object.entries(channels).map(
    ([name, rank]) => `${name}: ${rank === null ? "not there" : `rank ${rank}`}`,
  );
  const words = [`L${label}`, id, ...(title === null ? [] : [title])].join(" ");
  return stages.length > 0 ? `${words} (${stages.join(", ")})` : words;
}
