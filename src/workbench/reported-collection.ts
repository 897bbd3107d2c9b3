import type {
  RunReport,
  ScoreComparison,
  WorkbenchBatch,
  WorkbenchCollection,
  WorkbenchItem,
  WorkbenchQuery,
  WorkbenchRow,
  WorkbenchStep,
} from "../records/index.js";
import type { ReportTexts } from "../report/index.js";
import type { Collection } from "./collection.js";
import { gradeCharacter } from "./grade-character.js";
import { itemShown } from "./item-shown.js";

/** Hits that are looked at, and those in the strip of a list. */
const SHOWN = 20;
const STRIP = 10;

/** A query of either kind of result. */
type ReportedQuery = Pick<
  RunReport["per_query"][number],
  "query_id" | "query" | "labels" | "scores" | "rankings" | "expected" | "errors"
>;

/** Runs held against what is given: their screens are read from reports of one run and of two. */
export abstract class ReportedCollection implements Collection {
  abstract readonly id: string;
  abstract readonly kind: WorkbenchCollection["kind"];
  /** What a hit without a grade is shown as in the strip of a list. */
  protected abstract readonly ungraded: string;

  abstract summary(): Promise<WorkbenchCollection>;
  abstract batches(): Promise<WorkbenchBatch[]>;
  abstract comparison(baseline: string, run: string): Promise<ScoreComparison>;
  /** One run by itself. */
  protected abstract report(run: string): Promise<RunReport>;
  /** The texts of hits and items. */
  protected abstract textsOf(runs: readonly string[], ids: ReadonlySet<string>): Promise<ReportTexts>;
  /** Every query, in the order of the lists, before any run answered it. */
  protected abstract listAsked(): Promise<readonly { readonly id: string; readonly query: string | null }[]>;

  /** Whatever a golden set does not expect it holds for irrelevant. */
  async rows(
    run: string,
    baseline: string | null,
  ): Promise<{ readonly metric: string | null; readonly rows: readonly WorkbenchRow[] }> {
    const { metric, queries } = await this.#queries(run, baseline);
    // Of a comparison the baseline is the first.
    const at = baseline === null ? 0 : 1;
    const rows = queries.map((query): WorkbenchRow => {
      const head = gradeHits(query, at).slice(0, STRIP);
      return {
        id: query.query_id,
        query: query.query,
        score: query.scores[at]?.[metric.at] ?? null,
        baseline: baseline === null ? null : (query.scores[0]?.[metric.at] ?? null),
        judged: head.filter(({ grade }) => grade !== null || this.kind === "golden").length,
        returned: head.length,
        strip: head.map(({ grade }) => (grade === null ? this.ungraded : gradeCharacter(grade))).join(""),
        missed: (query.expected ?? []).filter(({ runs }) => runs[at]?.rank == null).length,
        failed: query.errors?.[at] != null,
        labels: query.labels,
      };
    });
    return { metric: metric.name, rows };
  }

  async #queries(
    run: string,
    baseline: string | null,
  ): Promise<{
    readonly metric: { readonly name: string | null; readonly at: number };
    readonly metrics: readonly string[];
    readonly queries: readonly ReportedQuery[];
  }> {
    if (baseline === null) {
      const { per_query, primary, metrics } = await this.report(run);
      const names = metrics.map(({ metric }) => metric);
      return {
        metric: { name: primary, at: names.indexOf(primary ?? "") },
        metrics: names,
        queries: per_query,
      };
    }
    const { per_query, settings, metrics } = await this.comparison(baseline, run);
    return {
      metric: { name: settings.primary, at: metrics.indexOf(settings.primary ?? "") },
      metrics,
      queries: per_query,
    };
  }

  async query(id: string, runs: readonly string[]): Promise<WorkbenchQuery | undefined> {
    const [run, baseline = null] = runs;
    if (run === undefined) return this.#showUnanswered(id);
    const { metric, metrics, queries } = await this.#queries(run, baseline);
    // What decides stands first.
    const columns = [...metrics.entries()].sort(
      ([a], [b]) => Number(b === metric.at) - Number(a === metric.at),
    );
    const index = queries.findIndex(({ query_id }) => query_id === id);
    const found = queries[index];
    if (found === undefined) return undefined;
    const placeOf = (at: number): number => (baseline === null ? 0 : 1 - at);
    const expected = found.expected ?? [];
    const ideal = expected.slice(0, SHOWN).map((each) => ({ id: each.id, grade: each.grade }));
    const missed = expected
      .filter((each) => each.runs[placeOf(0)]?.rank == null)
      .map((each) => ({
        id: each.id,
        grade: each.grade,
        baseline_rank: baseline === null ? null : (each.runs[0]?.rank ?? null),
      }));
    const hits = runs.map((_, at) => gradeHits(found, placeOf(at)).slice(0, SHOWN));
    const ids = new Set([...hits.flat(), ...ideal, ...missed].map((each) => each.id));
    const texts = await this.textsOf(runs, ids);
    return {
      id,
      query: found.query,
      labels: found.labels,
      answers: runs.map((each, at) => ({
        run: each,
        error: found.errors?.[placeOf(at)] ?? null,
        scores: Object.fromEntries(
          columns.map(([column, name]) => [name, found.scores[placeOf(at)]?.[column] ?? null]),
        ),
        hits: (hits[at] ?? []).map((hit, rank) => ({ ...hit, rank: rank + 1, score: null, features: {} })),
        tips: [],
      })),
      missed,
      missed_count: missed.length,
      ideal,
      items: Object.fromEntries([...ids].map((each) => [each, textOf(each, id, texts)])),
      previous: queries[index - 1]?.query_id ?? null,
      next: queries[index + 1]?.query_id ?? null,
    };
  }

  /** A query before any run answered it. */
  async #showUnanswered(id: string): Promise<WorkbenchQuery | undefined> {
    const queries = await this.listAsked();
    const at = queries.findIndex((each) => each.id === id);
    const found = queries[at];
    return (
      found && {
        id,
        query: found.query,
        labels: {},
        answers: [],
        missed: [],
        missed_count: 0,
        ideal: [],
        items: {},
        previous: queries[at - 1]?.id ?? null,
        next: queries[at + 1]?.id ?? null,
      }
    );
  }

  /** People wrote what runs are held against. */
  async trust(): Promise<null> {
    return null;
  }

  abstract firstStep(batches: readonly WorkbenchBatch[]): Promise<WorkbenchStep | null>;
}

/** The hits of a run; of other chunkers those that stand where something expected was found. */
function gradeHits(
  { rankings, expected }: ReportedQuery,
  at: number,
): { readonly id: string; readonly grade: number | null }[] {
  const found = new Map((expected ?? []).map(({ grade, runs }) => [runs[at]?.rank ?? null, grade]));
  return (rankings?.[at] ?? []).map(({ id, grade }, index) => ({
    id,
    grade: grade ?? found.get(index + 1) ?? null,
  }));
}

/** What is known of a hit of a query. */
function textOf(id: string, queryId: string, texts: ReportTexts): WorkbenchItem {
  const { title, text } = texts.hit(0, queryId, id) ?? texts.hit(1, queryId, id) ?? texts.item(id) ?? {};
  return itemShown({ id, fields: { title: title ?? "", text: text ?? "" } }, false);
}
