import type {
  CompareReport,
  ComparedQuery,
  QueryComparison,
  ScoreComparison,
} from "../../records/schema/index.js";
import { cardOf } from "./metric-facts.js";
import { clipped, LONGEST_NAME } from "./markup.js";

/** Texts of queries are cut here; ids at the length of names. */
const LONGEST_QUERY = 1_000;
/** Hits of a ranking that a reader can be expected to look at. */
const MOST_HITS = 100;

/**
 * What the page's script reads: the queries, with every id that repeats replaced by its number in a list.
 * Names are keys of nothing.
 */
export interface PageData {
  /** The baseline first. */
  readonly runs: readonly string[];
  readonly metrics: readonly PageMetric[];
  /** The metric to begin with. */
  readonly metric: number;
  /** A query whose scores differ by no more is equal. */
  readonly tolerance: number;
  readonly relevantFrom: number;
  readonly items: readonly string[];
  readonly channels: readonly string[];
  readonly labels: readonly (readonly [by: string, value: string])[];
  readonly queries: readonly PageQuery[];
}

/** A metric, and which direction is better. */
export interface PageMetric {
  readonly name: string;
  readonly higherIsBetter: boolean;
}

/** A query in every run. */
export interface PageQuery {
  readonly id: string;
  readonly text: string | null;
  readonly labels: readonly number[];
  /** By run, then by metric. */
  readonly scores: readonly (readonly (number | null)[])[];
  /** By run: item and grade in turn, best hit first; a grade of null is unjudged. */
  readonly rankings: readonly (readonly (number | null)[])[] | null;
  /** By run: how alike its ranking is to the baseline's. */
  readonly overlap: readonly number[] | null;
  readonly expected: readonly PageExpected[] | null;
  /** What became of the first expected hit, of a report of two runs. */
  readonly outcome: PageOutcome | null;
}

/** A relevant item: its number, its grade, and its fate by run. */
export type PageExpected = readonly [item: number, grade: number, fates: readonly PageFate[]];

/** The fates in the order of their numbers. */
export const FATES = ["found", "cut_off", "lost_by_fusion", "never_retrieved", "not_in_index"] as const;

/**
 * Number of the fate, rank, then the rank in each channel: null where the channel had it not, 0 where the run
 * does not tell.
 */
export type PageFate = readonly [fate: number, rank: number | null, ...channels: (number | null)[]];

/** `win`, `draw`, `loss` or `regression`, with the ranks behind it. */
export interface PageOutcome {
  readonly kind: string;
  readonly rankA: number | null;
  readonly rankB: number | null;
  readonly note: string;
}

/** Numbers names in the order in which they come. */
class Numbering {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  of(name: string, shown: string = name): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.names.push(clipped(shown, LONGEST_NAME));
    this.#numbers.set(name, this.names.length - 1);
    return this.names.length - 1;
  }
  find(name: string): number | null {
    return this.#numbers.get(name) ?? null;
  }
}

function pageOutcome(query: QueryComparison | undefined): PageOutcome | null {
  if (query === undefined) return null;
  const { kind, a_hit_rank, b_hit_rank, note } = query;
  return { kind, rankA: a_hit_rank, rankB: b_hit_rank, note: clipped(note ?? "", LONGEST_QUERY) };
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

/** A query of a report without statistics. */
function unscored(
  { query_id, query }: QueryComparison,
  outcomes: ReadonlyMap<string, QueryComparison>,
): PageQuery {
  return {
    id: clipped(query_id, LONGEST_NAME),
    text: query === "" ? null : clipped(query, LONGEST_QUERY),
    labels: [],
    scores: [],
    rankings: null,
    overlap: null,
    expected: null,
    outcome: pageOutcome(outcomes.get(query_id)),
  };
}

/** The script's part of a result, and the numbers that it knows labels by. */
export function pageData(
  comparison: ScoreComparison | null,
  report: CompareReport | null,
): { readonly data: PageData; readonly labelIndex: (by: string, value: string) => number | null } {
  const items = new Numbering();
  const channels = new Numbering();
  const labels = new Numbering();
  const pairs: (readonly [string, string])[] = [];
  const labelKey = (by: string, value: string): string => JSON.stringify([by, value]);
  const labelOf = (by: string, value: string): number => {
    const number = labels.of(labelKey(by, value));
    pairs[number] ??= [clipped(by, LONGEST_NAME), clipped(value, LONGEST_NAME)];
    return number;
  };
  const outcomes = new Map((report?.per_query ?? []).map((query) => [query.query_id, query]));
  const compared = (query: ComparedQuery): PageQuery => ({
    id: clipped(query.query_id, LONGEST_NAME),
    text: query.query === null ? null : clipped(query.query, LONGEST_QUERY),
    labels: Object.entries(query.labels).map(([by, value]) => labelOf(by, value)),
    scores: query.scores,
    rankings:
      query.rankings?.map((ranking) =>
        ranking.slice(0, MOST_HITS).flatMap(({ id, grade }) => [items.of(id), grade]),
      ) ?? null,
    overlap: query.overlap,
    expected:
      query.expected?.map(({ id, grade, runs }): PageExpected => [
        items.of(id),
        grade,
        runs.map((run) => pageFate(run, channels)),
      ]) ?? null,
    outcome: pageOutcome(outcomes.get(query.query_id)),
  });

  const queries =
    comparison === null
      ? (report?.per_query ?? []).map((query) => unscored(query, outcomes))
      : comparison.per_query.map(compared);
  const runs =
    comparison === null ? [report?.run_a ?? "", report?.run_b ?? ""] : comparison.runs.map(({ run }) => run);
  const metrics = comparison?.metrics ?? [];
  const data: PageData = {
    runs: runs.map((run) => clipped(run, LONGEST_NAME)),
    metrics:
      comparison === null
        ? []
        : metrics.map((name) => ({
            name: clipped(name, LONGEST_NAME),
            higherIsBetter: cardOf(comparison, name).higher_is_better,
          })),
    metric: Math.max(0, metrics.indexOf(comparison?.settings.primary ?? "")),
    tolerance: comparison?.settings.tolerance ?? 0,
    relevantFrom: comparison?.relevant_from ?? 1,
    items: items.names,
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
export function embeddedJson(data: PageData): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
