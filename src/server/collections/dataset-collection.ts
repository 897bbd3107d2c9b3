import {
  evidenceOf,
  labelGradesOf,
  attachLabels,
  type LabelledRun,
  type Scorecard,
} from "../../batch/index.js";
import { compareSystems } from "../../compare/index.js";
import { evaluate, type Evaluation } from "../../evaluate/index.js";
import { roundTo4 } from "../../foundation/numbers/index.js";
import { normalizeQuery, type Label } from "../../label/index.js";
import type { Metric } from "../../metrics/index.js";
import {
  askOnce,
  backendFrom,
  labelsOfDataset,
  labelsPath,
  readAuditedLabels,
  readWholeDataset,
  reportBatch,
  scorecardOf,
  type AuditedLabels,
  type Dataset,
  type DatasetLabels,
} from "../../node/index.js";
import { backendNamed, deepestOf } from "../../node/internal.js";
import type {
  BatchQuery,
  BatchReport,
  BatchSummary,
  DatasetConfig,
  EvalRun,
  QueryResult,
  ScoreComparison,
  WorkbenchBatch,
  WorkbenchCollection,
  WorkbenchLive,
  WorkbenchQuery,
  WorkbenchRow,
  WorkbenchStep,
  WorkbenchTrust,
} from "../../records/index.js";
import { tInterval } from "../../stats/index.js";
import { changesBetween, gradeCharacter, Kept, type Collection } from "../../workbench/index.js";
import { fileStamp } from "../file-stamp.js";
import { aboutLabeler } from "../label-words.js";
import { answerQuery, type Answered } from "./answer-query.js";
import { labelTrust } from "./label-trust.js";
import { RecordedBatches } from "./recorded-batches.js";
import { RowIndex } from "./row-index.js";
import type { ProjectPlaces } from "../project-places.js";
import { withoutSentences } from "../query-words.js";

/** Hits that are looked at, and those in the strip of a list. */
const SHOWN = 20;
const STRIP = 10;
/** Batches that are scored by the labels of today: so many, but of large datasets only the last two. */
const [FEWEST_RECENT, MOST_RECENT, RECENT_QUERIES] = [2, 12, 6000];
/** Comparisons that are kept. */
const COMPARISONS = 4;
const CONFIDENCE = 0.95;
/** How an answer that is not kept is called. */
const NOW = "now";
/** Batches whose configuration is held against the one before. */
const COMPARED_CONFIGURATIONS = 50;

/** A dataset of the configuration: batches of its search, and labels that can be added to. */
export class DatasetCollection implements Collection {
  readonly kind = "dataset";
  readonly id: string;
  readonly recorded: RecordedBatches;
  readonly #named: DatasetConfig;
  readonly #places: ProjectPlaces;
  readonly #dataset = new Kept<Dataset>();
  readonly #labels = new Kept<DatasetLabels>();
  readonly #said = new Kept<AuditedLabels>();
  readonly #labelled = new Kept<LabelledRun>(() => this.#recent);
  readonly #evaluations = new Kept<Evaluation>(() => MOST_RECENT);
  readonly #comparisons = new Kept<ScoreComparison>(() => COMPARISONS);
  readonly #labelsOf = new RowIndex((label: Label) => label.query);
  readonly #resultsOf = new RowIndex((result: QueryResult) => result.query_id);
  /** Batches whose runs are kept in memory, and scored by the labels of today. */
  #recent = FEWEST_RECENT;
  /** What makes the labels doubtful. */
  #warnings: string[] = [];

  constructor(id: string, named: DatasetConfig, places: ProjectPlaces) {
    this.id = id;
    this.#named = named;
    this.#places = places;
    this.recorded = new RecordedBatches(id, places, () => this.#recent);
  }

  async summary(): Promise<WorkbenchCollection> {
    const { queries } = await this.dataset();
    return { id: this.id, kind: this.kind, queries: queries.length, licence: this.#named.licence ?? null };
  }

  /** Queries and items, as their files are now. */
  dataset(): Promise<Dataset> {
    const { config, labels, isWordless = false } = this.#places;
    return this.#dataset.get("", this.stamp, async () => {
      const read = await readWholeDataset(config, this.id, this.#named, labelsPath(config, labels));
      return isWordless ? { ...read, queries: withoutSentences(read.queries, "labels") } : read;
    });
  }

  /** Changes with queries and items. */
  get stamp(): string {
    const { config, labels } = this.#places;
    // Without a corpus the label store has a copy of what the search listed.
    const isListed = this.#named.corpus === undefined;
    return `${this.filesStamp} ${isListed ? fileStamp(labelsPath(config, labels), "labels") : ""}`;
  }

  /** Changes with the files of queries and items. */
  get filesStamp(): string {
    const { queries, corpus } = this.#named;
    return `${fileStamp(queries)} ${fileStamp(corpus)}`;
  }

  /** Labels as the store has them now. */
  async labels(): Promise<DatasetLabels> {
    const { config, labels } = this.#places;
    const stamp = this.#stamp();
    const dataset = await this.dataset();
    return this.#labels.get("", stamp, async () => {
      const warnings: string[] = [];
      const read = await labelsOfDataset(config, dataset, { labels }, (message) => warnings.push(message));
      this.#warnings = warnings;
      return read;
    });
  }

  get scorecard(): Scorecard {
    return scorecardOf(this.#places.config, { config: this.#named });
  }

  /** The metric that decides. */
  get primary(): Metric {
    return this.scorecard.metrics[0] as Metric;
  }

  /** Changes with everything that scores depend on. */
  #stamp(): string {
    const { config, labels } = this.#places;
    const files = [this.#named.queries, this.#named.corpus].map((file) => fileStamp(file));
    return [fileStamp(labelsPath(config, labels), "labels"), ...files].join(" ");
  }

  /** Changes with the runs, too. */
  #scoreStamp(): string {
    return `${this.#stamp()} ${this.recorded.storeStamp}`;
  }

  get overviewStamp(): string {
    return `${this.#scoreStamp()} ${this.recorded.ids().join(" ")}`;
  }

  /** Everything that was said of the dataset and stands. */
  async readAssessments(): Promise<AuditedLabels> {
    const { config, labels } = this.#places;
    const stamp = this.#stamp();
    const dataset = await this.dataset();
    return this.#said.get("", stamp, () => readAuditedLabels(config, dataset, labels));
  }

  async batches(): Promise<WorkbenchBatch[]> {
    const all = this.recorded.list();
    const settings = all
      .slice(0, COMPARED_CONFIGURATIONS)
      .map(({ batch_id }) => this.recorded.settingsOf(batch_id));
    const stored = await this.recorded.listStoredIds();
    const shown = all.map((batch, at) => ({
      ...batchShown(batch, changesBetween(settings[at + 1], settings[at])),
      is_stored: stored.includes(batch.batch_id),
    }));
    const { queries } = await this.dataset();
    const many = Math.min(MOST_RECENT, Math.floor(RECENT_QUERIES / queries.length));
    this.#recent = Math.max(FEWEST_RECENT, many);
    const recent = stored.slice(0, this.#recent);
    return Promise.all(
      shown.map((batch) => (recent.includes(batch.id) ? this.#asToday(batch) : Promise.resolve(batch))),
    );
  }

  /** A batch with its mean by the labels of today, so that batches of different times can be compared. */
  async #asToday(batch: WorkbenchBatch): Promise<WorkbenchBatch> {
    try {
      const evaluation = await this.#evaluation(batch.id);
      const primary = this.primary.name;
      const scores = evaluation.column(primary).filter((score) => !Number.isNaN(score));
      const mean = scores.length === 0 ? null : roundTo4(evaluation.mean(primary));
      return { ...batch, primary, mean, interval: tInterval(scores, CONFIDENCE), is_current: true };
    } catch {
      // The run may have been deleted meanwhile; its report is still there.
      return batch;
    }
  }

  /** The scores of a batch by the metric that decides and the labels of today. */
  async #evaluation(id: string): Promise<Evaluation> {
    const stamp = this.#scoreStamp();
    const { run, labels } = await this.#attachLabels(id);
    return this.#evaluations.get(id, stamp, async () =>
      evaluate(run, labelGradesOf(labels), [this.primary], { unit: "doc" }),
    );
  }

  async #attachLabels(id: string): Promise<LabelledRun> {
    // Taken first: what is stored meanwhile is looked at the next time.
    const stamp = this.#scoreStamp();
    const whole = await this.recorded.run(id);
    const { queries, items } = await this.dataset();
    const { labels } = await this.labels();
    return this.#labelled.get(id, stamp, async () => attachLabels(whole, queries, labels, items));
  }

  async comparison(baseline: string, run: string): Promise<ScoreComparison> {
    const stamp = this.#scoreStamp();
    const [a, b] = await Promise.all([this.#attachLabels(baseline), this.#attachLabels(run)]);
    const known = await this.labels();
    const { queries } = await this.dataset();
    return this.#comparisons.get(`${baseline} ${run}`, stamp, async () =>
      compareSystems(
        [a, b].map((each) => ({ name: each.run.run_id, run: each.run })),
        labelGradesOf(a.labels),
        this.scorecard.metrics,
        {
          unit: "doc",
          labels: evidenceOf(queries, known),
          known: new Map(queries.map(({ id, query, labels = {} }) => [id, { query, labels }])),
        },
      ),
    );
  }

  async rows(
    run: string,
    baseline: string | null,
  ): Promise<{ readonly metric: string | null; readonly rows: readonly WorkbenchRow[] }> {
    const { queries } = await this.dataset();
    const primary = this.primary.name;
    const scores = baseline === null ? await this.#scores(run) : await this.#pairs(baseline, run);
    const labelled = await this.#attachLabels(run);
    const results = new Map(labelled.run.results.map((result) => [result.query_id, result]));
    const rows = queries.map(({ id, query, labels = {} }): WorkbenchRow => {
      const result = results.get(id);
      const known = labelled.labels.get(id) ?? new Map<string, Label>();
      const hits = result?.hits_top_k ?? [];
      const seen = new Set(hits.map(({ chunk_id }) => chunk_id));
      const head = hits.slice(0, STRIP);
      const [before, now] = scores.get(id) ?? [null, null];
      return {
        id,
        query,
        score: now,
        baseline: before,
        judged: head.filter(({ chunk_id }) => known.has(chunk_id)).length,
        returned: head.length,
        strip: head.map(({ chunk_id }) => characterOf(known.get(chunk_id))).join(""),
        missed: [...known.values()].filter(({ item, grade }) => grade > 0 && !seen.has(item)).length,
        failed: result === undefined || result.error != null,
        labels,
      };
    });
    return { metric: primary, rows };
  }

  /** Of each query the scores of both. */
  async #pairs(baseline: string, run: string): Promise<Map<string, readonly [number | null, number | null]>> {
    const { per_query, metrics } = await this.comparison(baseline, run);
    const at = metrics.indexOf(this.primary.name);
    return new Map(
      per_query.map(({ query_id, scores }) => [query_id, [scores[0]?.[at] ?? null, scores[1]?.[at] ?? null]]),
    );
  }

  async #scores(run: string): Promise<Map<string, readonly [number | null, number | null]>> {
    const evaluation = await this.#evaluation(run);
    const scores = evaluation.column(this.primary.name);
    return new Map(
      evaluation.queryIds.map((id, at) => {
        const score = scores[at] ?? NaN;
        return [id, [null, Number.isNaN(score) ? null : score]];
      }),
    );
  }

  /** What a run comes to for one query, by the labels of today. */
  async #report(whole: EvalRun, query: string): Promise<BatchReport> {
    const dataset = await this.dataset();
    const { config } = this.#places;
    const asked = whole.config_snapshot["top_k"];
    const results = [...this.#resultsOf.get(whole.results, query)];
    const queries = dataset.queries.filter(({ id }) => id === query);
    const known = await this.labels();
    const labels = queries.flatMap((each) => this.#labelsOf.get(known.labels, normalizeQuery(each.query)));
    const judgments = { ...known, labels, people: [], model: [], sample: null };
    return reportBatch({ ...whole, results }, { ...dataset, queries }, judgments, {
      backend: backendNamed(dataset, backendFrom(config, dataset)),
      topK: typeof asked === "number" ? asked : SHOWN,
      scorecard: this.scorecard,
    });
  }

  /** What the search answers to a query now, which is not kept; undefined for an unknown id. */
  async live(id: string, signal?: AbortSignal): Promise<WorkbenchLive | undefined> {
    const dataset = await this.dataset();
    const found = dataset.queries.find((each) => each.id === id);
    if (found === undefined) return undefined;
    const { config, showsImages } = this.#places;
    const topK = Math.max(SHOWN, deepestOf(this.scorecard));
    const run = await askOnce(config, { ...dataset, queries: [found] }, { topK, signal });
    const labels = this.#labelsOf.get((await this.labels()).labels, normalizeQuery(found.query));
    const labelled = attachLabels(run, [found], labels, dataset.items);
    const answered = await this.#scoreAnswer(NOW, run, labelled, id);
    const known = { labels, items: dataset.items, showsImages };
    const { answers, items } = answerQuery(found, [answered], known);
    const [answer] = answers;
    return answer && { answer, items };
  }

  async query(id: string, runs: readonly string[]): Promise<WorkbenchQuery | undefined> {
    const { queries, items } = await this.dataset();
    const at = queries.findIndex((each) => each.id === id);
    const found = queries[at];
    if (found === undefined) return undefined;
    const answers = await Promise.all(runs.map((run) => this.#answer(run, id)));
    const labels = this.#labelsOf.get((await this.labels()).labels, normalizeQuery(found.query));
    return {
      ...answerQuery(found, answers, { labels, items, showsImages: this.#places.showsImages }),
      previous: queries[at - 1]?.id ?? null,
      next: queries[at + 1]?.id ?? null,
    };
  }

  /** What a batch answered to a query, and what it is worth by the labels of today. */
  async #answer(run: string, query: string): Promise<Answered> {
    return this.#scoreAnswer(run, await this.recorded.run(run), await this.#attachLabels(run), query);
  }

  async #scoreAnswer(name: string, whole: EvalRun, labelled: LabelledRun, query: string): Promise<Answered> {
    const [result] = this.#resultsOf.get(labelled.run.results, query);
    const { metrics, per_query } = await this.#report(whole, query);
    const [reported] = per_query as readonly (BatchQuery | undefined)[];
    const scores = metrics.map(({ metric }, at) => [metric, reported?.scores[0]?.[at] ?? null] as const);
    return { run: name, result, scores: Object.fromEntries(scores), tips: reported?.tips ?? [] };
  }

  async trust(comparison: ScoreComparison | null): Promise<WorkbenchTrust> {
    const labels = await this.labels();
    const about = labels.model.length === 0 ? [] : aboutLabeler(this.#places.config, await this.dataset());
    return labelTrust(labels, comparison, { about, warnings: this.#warnings });
  }

  async firstStep(batches: readonly WorkbenchBatch[]): Promise<WorkbenchStep | null> {
    const here = `/d/${encodeURIComponent(this.id)}`;
    const { labels } = await this.labels();
    if (batches.length === 0)
      return {
        text: "Nothing has been asked of the search yet.",
        action: "Run the first batch",
        route: `${here}/batches`,
      };
    if (labels.length === 0)
      return {
        text: "Nothing is labelled yet, so that every score is 0.",
        action: "Label the first items",
        route: `${here}/label`,
      };
    return null;
  }
}

function batchShown(batch: BatchSummary, changes: readonly string[]): Omit<WorkbenchBatch, "is_stored"> {
  const { batch_id, created_at, queries, failed, backend, primary, metrics, corrected } = batch;
  return {
    id: batch_id,
    created_at,
    queries,
    failed,
    search: backend,
    primary,
    mean: (Object.hasOwn(metrics, primary) ? metrics[primary] : null) ?? null,
    interval: batch.interval ?? null,
    corrected: corrected ?? null,
    changes,
    is_current: false,
  };
}

/** A hit in the strip of a list. */
function characterOf(label: Label | undefined): string {
  return label === undefined ? "?" : gradeCharacter(label.grade);
}
