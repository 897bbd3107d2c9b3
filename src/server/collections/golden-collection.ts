import { compareRuns, reportRun } from "../../compare/index.js";
import { InputError } from "../../foundation/errors/index.js";
import { chunkerVersionOf } from "../../matching/index.js";
import { openStore, readGolden } from "../../node/index.js";
import type {
  EvalRun,
  GoldenSet,
  RunReport,
  ScoreComparison,
  WorkbenchBatch,
  WorkbenchCollection,
  WorkbenchItem,
  WorkbenchQuery,
  WorkbenchRow,
  WorkbenchStep,
} from "../../records/index.js";
import { reportTexts, type ReportTexts } from "../../report/index.js";
import { evidenceFrom, loadStoredRun } from "../../runs/index.js";
import type { EvalStore } from "../../storage/index.js";
import { itemShown } from "../item-shown.js";
import { fileStamp, Kept } from "../kept.js";
import { changesBetween } from "./changes.js";
import type { Collection } from "./collection.js";

/** Hits that are looked at, and those in the strip of a list. */
const [SHOWN, STRIP] = [20, 10];
/** Comparisons that are kept. */
const COMPARISONS = 4;
/** Runs whose means and configurations a list has; there may be hundreds. */
const REPORTED = 30;

/** A query of either kind of result. */
type ReportedQuery = Pick<
  RunReport["per_query"][number],
  "query_id" | "query" | "labels" | "scores" | "rankings" | "expected" | "errors"
>;

/** A golden set, with the runs of it that a store has. */
export class GoldenCollection implements Collection {
  readonly id = "golden";
  readonly kind = "golden";
  readonly #golden: string;
  readonly #store: string;
  readonly #sets = new Kept<GoldenSet>();
  readonly #runs = new Kept<EvalRun>(() => REPORTED);
  readonly #reports = new Kept<RunReport>(() => REPORTED);
  readonly #comparisons = new Kept<ScoreComparison>(() => COMPARISONS);

  /** @param golden path of the golden set, and of the store. */
  constructor(golden: string, store: string) {
    this.#golden = golden;
    this.#store = store;
  }

  async summary(): Promise<WorkbenchCollection> {
    const { queries } = await this.#set();
    return { id: this.id, kind: this.kind, queries: queries.length, licence: null };
  }

  #set(): Promise<GoldenSet> {
    return this.#sets.get("", fileStamp(this.#golden), () => readGolden(this.#golden));
  }

  get overviewStamp(): string {
    return this.#stamp();
  }

  #stamp(): string {
    return `${fileStamp(this.#golden)} ${fileStamp(this.#store)}`;
  }

  async #inStore<T>(work: (store: EvalStore) => Promise<T>): Promise<T> {
    const store = await openStore(this.#store);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  #run(id: string): Promise<EvalRun> {
    return this.#runs.get(id, fileStamp(this.#store), () =>
      this.#inStore((store) => loadStoredRun(store, id)),
    );
  }

  /** @param matching by document and span where runs of other chunkers stand beside it. */
  async #report(id: string, matching: "exact" | "docSpan" = "exact"): Promise<RunReport> {
    const [golden, run] = [await this.#set(), await this.#run(id)];
    return this.#reports.get(id, `${this.#stamp()} ${matching}`, () =>
      this.#inStore(async (store) =>
        reportRun(run, golden, { ...(await evidenceFrom(store, [run], golden)), matching }),
      ),
    );
  }

  /** Ids of chunks say nothing across chunkers, so that runs of several are matched by their places. */
  async #matching(runs: readonly string[]): Promise<"exact" | "docSpan"> {
    const versions = new Set<string | null>();
    for (const id of runs) versions.add(chunkerVersionOf(await this.#run(id)));
    return versions.size > 1 ? "docSpan" : "exact";
  }

  async batches(): Promise<WorkbenchBatch[]> {
    if (fileStamp(this.#store) === "-") return [];
    const { queries } = await this.#set();
    const wanted = new Set(queries.map(({ id }) => id));
    const all = (await this.#inStore((store) => store.listRuns())).reverse();
    const matching = await this.#matching(all.slice(0, REPORTED).map(({ run_id }) => run_id));
    const shown: WorkbenchBatch[] = [];
    let before: EvalRun | undefined;
    for (const { run_id, created_at, total_queries, failed_queries } of all) {
      const isReported = shown.length < REPORTED;
      const run = isReported ? await this.#run(run_id) : undefined;
      // A store may hold runs of other golden sets.
      if (run !== undefined && !run.results.some(({ query_id }) => wanted.has(query_id))) continue;
      const report = run === undefined ? undefined : await this.#report(run_id, matching);
      const primary = report?.metrics.find(({ metric }) => metric === report.primary);
      const previous = shown.at(-1);
      if (previous !== undefined && before !== undefined && run !== undefined)
        shown[shown.length - 1] = {
          ...previous,
          changes: changesBetween(run.config_snapshot, before.config_snapshot),
        };
      before = run;
      shown.push({
        id: run_id,
        created_at,
        queries: total_queries,
        failed: failed_queries,
        search: "",
        primary: report?.primary ?? null,
        mean: primary?.mean ?? null,
        interval: primary?.interval ?? null,
        corrected: null,
        changes: [],
        is_current: report !== undefined,
      });
    }
    return shown;
  }

  async comparison(baseline: string, run: string): Promise<ScoreComparison> {
    const golden = await this.#set();
    const [a, b] = [await this.#run(baseline), await this.#run(run)];
    return this.#comparisons.get(`${baseline}\n${run}`, this.#stamp(), () =>
      this.#inStore(async (store) => {
        const { statistics } = compareRuns(a, b, golden, await evidenceFrom(store, [a, b], golden));
        if (statistics == null)
          throw new InputError("ARGUMENT", "the runs have no scores that can be compared");
        return statistics;
      }),
    );
  }

  async rows(
    run: string,
    baseline: string | null,
  ): Promise<{ readonly metric: string | null; readonly rows: readonly WorkbenchRow[] }> {
    const { metric, queries } = await this.#queries(run, baseline);
    // Of a comparison the baseline is the first.
    const at = baseline === null ? 0 : 1;
    const rows = queries.map((query): WorkbenchRow => {
      const head = gradedHits(query, at).slice(0, STRIP);
      return {
        id: query.query_id,
        query: query.query,
        score: query.scores[at]?.[metric.at] ?? null,
        baseline: baseline === null ? null : (query.scores[0]?.[metric.at] ?? null),
        // Whatever the golden set does not expect it holds for irrelevant.
        judged: head.length,
        returned: head.length,
        strip: head.map(({ grade }) => grade ?? "\u00b7").join(""),
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
      const { per_query, primary, metrics } = await this.#report(run);
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
    if (run === undefined) return this.#unanswered(id);
    const { metrics, queries } = await this.#queries(run, baseline);
    const index = queries.findIndex(({ query_id }) => query_id === id);
    const found = queries[index];
    if (found === undefined) return undefined;
    const recorded = await Promise.all(runs.map((each) => this.#run(each)));
    const placeOf = (at: number): number => (baseline === null ? 0 : 1 - at);
    const expected = found.expected ?? [];
    const ideal = expected.slice(0, SHOWN).map((each) => ({ id: each.id, grade: each.grade }));
    const missed = expected
      .filter((each) => each.runs[placeOf(0)]?.rank == null)
      .map((each) => ({
        id: each.id,
        grade: each.grade,
        places: runs.slice(1).flatMap((other, at) => {
          const rank = each.runs[placeOf(at + 1)]?.rank ?? null;
          return rank === null ? [] : [`${other}: ${rank}`];
        }),
      }));
    const hits = runs.map((_, at) => gradedHits(found, placeOf(at)).slice(0, SHOWN));
    const ids = new Set([...hits.flat(), ...ideal, ...missed].map((each) => each.id));
    const chunks = await this.#inStore((store) => store.findChunks({ chunkIds: ids }));
    const texts = reportTexts({ runs: recorded, golden: await this.#set(), chunks });
    return {
      id,
      query: found.query,
      labels: found.labels,
      answers: runs.map((each, at) => ({
        run: each,
        error: found.errors?.[placeOf(at)] ?? null,
        scores: Object.fromEntries(
          metrics.map((metric, column) => [metric, found.scores[placeOf(at)]?.[column] ?? null]),
        ),
        hits: (hits[at] ?? []).map((hit, rank) => ({ ...hit, rank: rank + 1, score: null, features: {} })),
        tips: [],
      })),
      missed,
      ideal,
      items: Object.fromEntries([...ids].map((each) => [each, textOf(each, id, texts)])),
      previous: queries[index - 1]?.query_id ?? null,
      next: queries[index + 1]?.query_id ?? null,
    };
  }

  /** A query before any run answered it. */
  async #unanswered(id: string): Promise<WorkbenchQuery | undefined> {
    const { queries } = await this.#set();
    const at = queries.findIndex((each) => each.id === id);
    const found = queries[at];
    return (
      found && {
        id,
        query: found.query,
        labels: {},
        answers: [],
        missed: [],
        ideal: [],
        items: {},
        previous: queries[at - 1]?.id ?? null,
        next: queries[at + 1]?.id ?? null,
      }
    );
  }

  /** People wrote the golden set. */
  async trust(): Promise<null> {
    return null;
  }

  async firstStep(batches: readonly WorkbenchBatch[]): Promise<WorkbenchStep | null> {
    return batches.length > 0
      ? null
      : {
          text: "No run is recorded yet: `rankproof run search.mjs` records your search.",
          action: "See the runs",
          route: `/d/${this.id}/batches`,
        };
  }
}

/** The hits of a run; of other chunkers those that stand where something expected was found. */
function gradedHits(
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
