import { escapeJson } from "../../foundation/text/index.js";
import {
  cutoffOf,
  RELEVANT_FROM,
  metricCardOf,
  type ComparedQuery,
  type CompareReport,
  type MetricCard,
  type QueryComparison,
  type ReportedQuery,
  type RunReport,
  type ScoreComparison,
} from "../../records/index.js";
import { answerChecks, wrongChecks } from "../answer-checks.js";
import type { ItemText, ReportTexts } from "../report-texts.js";
import { clipMarkup, LONGEST_NAME } from "./markup.js";
import { pageAnswer, pageWanted } from "./page-answer.js";
import {
  FATES,
  LONGEST_PASSAGE,
  type PageData,
  type PageExpected,
  type PageFate,
  type PageMetric,
  type PageOutcome,
  type PageQuery,
  type PageSingle,
} from "./page-model.js";

/** Texts of queries are cut here; ids at the length of names. */
const LONGEST_QUERY = 1_000;
/** Hits of a ranking that a reader can be expected to look at. */
const MOST_HITS = 100;
/** Characters of what hits say, in all: beyond it a page takes too long to open. */
const MOST_PASSAGES = 8_000_000;

/** What pages are made of. */
export interface PageSource {
  /** The baseline first. */
  readonly runs: readonly string[];
  readonly metrics: readonly string[];
  readonly metric_cards: Readonly<Record<string, MetricCard>>;
  readonly primary: string | null;
  readonly tolerance: number;
  readonly relevantFrom: number;
  readonly queries: readonly (Omit<ComparedQuery, "overlap"> &
    Partial<Pick<ComparedQuery, "overlap"> & Pick<ReportedQuery, "answer" | "elapsed_ms">>)[];
  /** What became of each query, of a report of two runs. */
  readonly outcomes: readonly QueryComparison[];
  readonly texts: ReportTexts | undefined;
}

/** What the page of a comparison, or of a report without statistics, is made of. */
export function comparisonSource(
  comparison: ScoreComparison | null,
  report: CompareReport | null,
  texts?: ReportTexts,
): PageSource {
  const outcomes = report?.per_query ?? [];
  if (comparison !== null)
    return {
      ...comparison,
      runs: comparison.runs.map(({ run }) => run),
      primary: comparison.settings.primary,
      tolerance: comparison.settings.tolerance,
      relevantFrom: comparison.relevant_from,
      queries: comparison.per_query,
      outcomes,
      texts,
    };
  const unscored = { labels: {}, scores: [], rankings: null, overlap: null, expected: null };
  return {
    runs: [report?.run_a ?? "", report?.run_b ?? ""],
    metrics: [],
    metric_cards: {},
    primary: null,
    tolerance: 0,
    relevantFrom: RELEVANT_FROM,
    queries: outcomes.map(({ query_id, query }) => ({
      query_id,
      query: query === "" ? null : query,
      ...unscored,
    })),
    outcomes,
    texts,
  };
}

/** What the page of one run is made of. */
export function runSource(report: RunReport, texts?: ReportTexts): PageSource {
  return {
    ...report,
    runs: [report.run.run],
    metrics: report.metrics.map(({ metric }) => metric),
    tolerance: 0,
    relevantFrom: report.relevant_from,
    queries: report.per_query,
    outcomes: [],
    texts,
  };
}

/** Numbers names in the order in which they come. */
class Numbering {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  of(name: string, shown: string = name): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.names.push(clipMarkup(shown, LONGEST_NAME));
    this.#numbers.set(name, this.names.length - 1);
    return this.names.length - 1;
  }
  find(name: string): number | null {
    return this.#numbers.get(name) ?? null;
  }
}

function pageOutcome(query: QueryComparison | undefined): PageOutcome | null {
  if (query === undefined) return null;
  const { kind, a_hit_rank, b_hit_rank, note, answer_gained = [], answer_lost = [] } = query;
  return {
    kind,
    rankA: a_hit_rank,
    rankB: b_hit_rank,
    note: clipMarkup(note ?? "", LONGEST_QUERY),
    answerGained: answer_gained.map((check) => answerChecks[check]),
    answerLost: answer_lost.map((check) => answerChecks[check]),
  };
}

type ItemFate = NonNullable<ComparedQuery["expected"]>[number]["runs"][number];

function pageFate({ rank, channels: ranks, fate }: ItemFate, channels: Numbering): PageFate {
  const numbered = Object.entries(ranks).map(([channel, at]) => [channels.of(channel), at] as const);
  const row = Array.from(
    { length: Math.max(-1, ...numbered.map(([number]) => number)) + 1 },
    (): number | null => 0,
  );
  for (const [number, at] of numbered) row[number] = at;
  return [FATES.indexOf(fate), rank, ...row];
}

/** What hits say, cut, each passage once. */
class Passages {
  readonly list: (readonly [title: string, text: string])[] = [];
  readonly #numbers = new Map<string, number>();
  #room = MOST_PASSAGES;

  /** Null for what is not known, and where the page is full. */
  of(found: ItemText | null): number | null {
    if (found === null) return null;
    const passage = [clipMarkup(found.title, LONGEST_NAME), clipMarkup(found.text, LONGEST_PASSAGE)] as const;
    const key = JSON.stringify(passage);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#room -= key.length;
    if (this.#room < 0) return null;
    this.list.push(passage);
    this.#numbers.set(key, this.list.length - 1);
    return this.list.length - 1;
  }
}

function pageSingle({ answer, elapsed_ms }: PageSource["queries"][number]): PageSingle | null {
  return elapsed_ms === undefined
    ? null
    : {
        wrong: wrongChecks(answer ?? null),
        milliseconds: elapsed_ms,
      };
}

/** The script's part of a result, and the numbers that it knows labels by. */
export function pageData({ texts, ...source }: PageSource): {
  readonly data: PageData;
  readonly labelIndex: (by: string, value: string) => number | null;
} {
  const items = new Numbering();
  const channels = new Numbering();
  const labels = new Numbering();
  const passages = new Passages();
  const pairs: (readonly [string, string])[] = [];
  const labelKey = (by: string, value: string): string => JSON.stringify([by, value]);
  const labelOf = (by: string, value: string): number => {
    const number = labels.of(labelKey(by, value));
    pairs[number] ??= [clipMarkup(by, LONGEST_NAME), clipMarkup(value, LONGEST_NAME)];
    return number;
  };
  const outcomes = new Map(source.outcomes.map((query) => [query.query_id, query]));
  const answersTo = (id: string): PageQuery["answers"] => {
    const found = source.runs.map((_, run) => texts?.answer(run, id));
    if (found.every((answer) => answer === undefined)) return null;
    const query = texts?.wanted(id);
    return found.map((answer) => (answer === undefined ? null : pageAnswer(answer, query, texts?.textMatch)));
  };
  const queries = source.queries.map((query): PageQuery => ({
    id: clipMarkup(query.query_id, LONGEST_NAME),
    text: query.query === null ? null : clipMarkup(query.query, LONGEST_QUERY),
    labels: Object.entries(query.labels).map(([by, value]) => labelOf(by, value)),
    scores: query.scores,
    rankings:
      query.rankings?.map((ranking) =>
        ranking.slice(0, MOST_HITS).flatMap(({ id, grade }) => [items.of(id), grade]),
      ) ?? null,
    said:
      texts === undefined
        ? null
        : (query.rankings?.map((ranking, run) =>
            ranking.slice(0, MOST_HITS).map(({ id }) => passages.of(texts.hit(run, query.query_id, id))),
          ) ?? null),
    overlap: query.overlap ?? null,
    expected:
      query.expected?.map(({ id, grade, runs }): PageExpected => {
        const passage = passages.of(texts?.item(id) ?? null);
        const fates = runs.map((run) => pageFate(run, channels));
        // Left out where it is not known, as it is on most pages.
        return passage === null ? [items.of(id), grade, fates] : [items.of(id), grade, fates, passage];
      }) ?? null,
    firsts: query.first_relevant ?? null,
    errors: query.errors?.map((error) => (error === null ? null : clipMarkup(error, LONGEST_QUERY))) ?? null,
    answers: answersTo(query.query_id),
    wanted: pageWanted(texts?.wanted(query.query_id)),
    outcome: pageOutcome(outcomes.get(query.query_id)),
    single: pageSingle(query),
  }));
  const metrics = source.metrics.map((name): PageMetric => ({
    name: clipMarkup(name, LONGEST_NAME),
    higherIsBetter: metricCardOf(source, name).higher_is_better,
  }));
  const data: PageData = {
    runs: source.runs.map((run) => clipMarkup(run, LONGEST_NAME)),
    metrics,
    metric: Math.max(0, source.metrics.indexOf(source.primary ?? "")),
    tolerance: source.tolerance,
    relevantFrom: source.relevantFrom,
    cutoff: cutoffOf(source.primary),
    items: items.names,
    passages: passages.list.length === 0 ? null : passages.list,
    channels: channels.names,
    labels: pairs,
    queries,
  };
  return { data, labelIndex: (by, value) => labels.find(labelKey(by, value)) };
}

/**
 * JSON for a script element: nothing in it ends the element, begins a comment, or is a line's end to a
 * script.
 */
export function escapeForScript(data: PageData): string {
  return escapeJson(data, /[<>&\u2028\u2029]/g);
}
