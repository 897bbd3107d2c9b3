import {
  evidenceOf,
  labelGradesOf,
  labelledRun,
  type LabelledRun,
  type Scorecard,
} from "../../batch/index.js";
import { compareSystems } from "../../compare/index.js";
import { evaluate } from "../../evaluate/index.js";
import { compareIds } from "../../foundation/ids/index.js";
import { roundTo4 } from "../../foundation/numbers/index.js";
import { itemOfHit, normalizedQuery, type Label } from "../../label/index.js";
import type { Metric } from "../../metrics/index.js";
import {
  artifactsPath,
  backendFrom,
  backendNamed,
  labelsOfDataset,
  labelsPath,
  listBatches,
  openStore,
  readBatchFile,
  batchFolder,
  readWholeDataset,
  reportBatch,
  scorecardOf,
  type Dataset,
  type DatasetLabels,
} from "../../node/index.js";
import type {
  BatchQuery,
  BatchReport,
  BatchSummary,
  Config,
  DatasetConfig,
  EvalRun,
  ScoreComparison,
  SearchHit,
  WorkbenchBatch,
  WorkbenchCollection,
  WorkbenchHit,
  WorkbenchQuery,
  WorkbenchRow,
  WorkbenchStep,
  WorkbenchTrust,
} from "../../records/index.js";
import { trustLines, trustTitle } from "../../report/internal.js";
import { loadStoredRun } from "../../runs/index.js";
import { cohenKappa, tInterval } from "../../stats/index.js";
import { fileStamp, Kept } from "../kept.js";
import { itemShown } from "../item-shown.js";
import { changesBetween } from "./changes.js";
import type { Collection } from "./collection.js";

/** Hits that are looked at, and those in the strip of a list. */
const [SHOWN, STRIP] = [20, 10];
/** Batches that are scored by the labels of today: so many, but of large datasets only the last two. */
const [MOST_RECENT, RECENT_QUERIES] = [12, 6000];
const CONFIDENCE = 0.95;
/** Batches whose configuration is held against the one before. */
const COMPARED_CONFIGURATIONS = 50;
const SCALE = [0, 1, 2, 3] as const;

/** Where a project keeps what it has. */
export interface ProjectPlaces {
  readonly config: Config;
  /** The store of runs. */
  readonly store: string;
  /** The label store, where it is not the configured one. */
  readonly labels: string | undefined;
  readonly showsImages: boolean;
}

/** A run, with its hits named as labels name items, and its labels. */
interface Labelled extends LabelledRun {
  readonly whole: EvalRun;
}

/** A dataset of the configuration: batches of its search, and labels that can be added to. */
export class DatasetCollection implements Collection {
  readonly kind = "dataset";
  readonly id: string;
  readonly #named: DatasetConfig;
  readonly #places: ProjectPlaces;
  readonly #dataset = new Kept<Dataset>();
  readonly #labels = new Kept<DatasetLabels>();
  readonly #runs = new Kept<EvalRun>(4);
  readonly #labelled = new Kept<Labelled>(4);
  readonly #means = new Kept<Pick<WorkbenchBatch, "primary" | "mean" | "interval">>(MOST_RECENT);
  readonly #comparisons = new Kept<ScoreComparison>(4);
  /** What makes the labels doubtful. */
  #warnings: string[] = [];

  constructor(id: string, named: DatasetConfig, places: ProjectPlaces) {
    this.id = id;
    this.#named = named;
    this.#places = places;
  }

  async summary(): Promise<WorkbenchCollection> {
    const { queries } = await this.dataset();
    return { id: this.id, kind: this.kind, queries: queries.length, licence: this.#named.licence ?? null };
  }

  /** Queries and items, as their files are now. */
  dataset(): Promise<Dataset> {
    const { config, labels } = this.#places;
    return this.#dataset.get("", this.stamp, () =>
      readWholeDataset(config, this.id, this.#named, labelsPath(config, labels)),
    );
  }

  /** Changes with queries and items. */
  get stamp(): string {
    const { config, labels } = this.#places;
    const { queries, corpus } = this.#named;
    // Without a corpus the label store has a copy of what the search listed.
    const listed = corpus === undefined ? fileStamp(labelsPath(config, labels)) : "";
    return `${fileStamp(queries)} ${fileStamp(corpus)} ${listed}`;
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

  #primary(): Metric {
    return this.scorecard.metrics[0] as Metric;
  }

  /** Changes with everything that scores depend on. */
  #stamp(): string {
    const { config, labels } = this.#places;
    return [labelsPath(config, labels), this.#named.queries, this.#named.corpus].map(fileStamp).join(" ");
  }

  async batches(): Promise<WorkbenchBatch[]> {
    const all = listBatches(artifactsPath(this.#places.config), this.id);
    const settings = all.slice(0, COMPARED_CONFIGURATIONS).map(({ batch_id }) => this.#settingsOf(batch_id));
    const shown = all.map((batch, at) => batchShown(batch, changesBetween(settings[at + 1], settings[at])));
    const { queries } = await this.dataset();
    const recent = Math.max(2, Math.min(MOST_RECENT, Math.floor(RECENT_QUERIES / queries.length)));
    return Promise.all(
      shown.map((batch, at) => (at < recent ? this.#asToday(batch) : Promise.resolve(batch))),
    );
  }

  /** A batch with its mean by the labels of today, so that batches of different times can be compared. */
  async #asToday(batch: WorkbenchBatch): Promise<WorkbenchBatch> {
    const stamp = `${this.#stamp()} ${fileStamp(this.#places.store)}`;
    try {
      const now = await this.#means.get(batch.id, stamp, async () => {
        const { run, labels: known } = await this.#labelledRun(batch.id);
        const { name } = this.#primary();
        const evaluation = evaluate(run, labelGradesOf(known), [this.#primary()], { unit: "doc" });
        const scores = evaluation.column(name).filter((score) => !Number.isNaN(score));
        const mean = scores.length === 0 ? null : roundTo4(evaluation.mean(name) ?? 0);
        return { primary: name, mean, interval: tInterval(scores, CONFIDENCE) };
      });
      return { ...batch, ...now, is_current: true };
    } catch {
      // The run may have been deleted from the store; its report is still there.
      return batch;
    }
  }

  /** What a batch was made with; undefined for what another hand has removed. */
  #settingsOf(batch: string): unknown {
    try {
      const folder = batchFolder(artifactsPath(this.#places.config), this.id, batch);
      return JSON.parse(readBatchFile(folder, "config.json"));
    } catch {
      return undefined;
    }
  }

  /** A batch of this dataset as it is in the store of runs. */
  async run(id: string): Promise<EvalRun> {
    const path = this.#places.store;
    return this.#runs.get(id, fileStamp(path), async () => {
      const store = await openStore(path);
      try {
        return await loadStoredRun(store, id);
      } finally {
        await store.close();
      }
    });
  }

  /** Whether the store has a run of this dataset by that id, which can be gone on with. */
  async hasRun(id: string): Promise<boolean> {
    const path = this.#places.store;
    if (fileStamp(path) === "-") return false;
    const store = await openStore(path);
    try {
      return (await store.listRuns()).some(({ run_id, suite }) => run_id === id && suite === this.id);
    } finally {
      await store.close();
    }
  }

  async #labelledRun(id: string): Promise<Labelled> {
    // Taken first: what is stored meanwhile is looked at the next time.
    const stamp = `${this.#stamp()} ${fileStamp(this.#places.store)}`;
    const whole = await this.run(id);
    const { queries, items } = await this.dataset();
    const { labels } = await this.labels();
    return this.#labelled.get(id, stamp, async () => ({
      ...labelledRun(whole, queries, labels, items),
      whole,
    }));
  }

  async comparison(baseline: string, run: string): Promise<ScoreComparison> {
    const stamp = this.#stamp();
    const [a, b] = await Promise.all([this.#labelledRun(baseline), this.#labelledRun(run)]);
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
    const primary = this.#primary().name;
    const scores = baseline === null ? await this.#scores(run) : await this.#pairs(baseline, run);
    const labelled = await this.#labelledRun(run);
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
        strip: head.map(({ chunk_id }) => known.get(chunk_id)?.grade ?? "?").join(""),
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
    const at = metrics.indexOf(this.#primary().name);
    return new Map(
      per_query.map(({ query_id, scores }) => [query_id, [scores[0]?.[at] ?? null, scores[1]?.[at] ?? null]]),
    );
  }

  async #scores(run: string): Promise<Map<string, readonly [number | null, number | null]>> {
    const { metrics, per_query } = await this.#report(run);
    const at = metrics.findIndex(({ metric }) => metric === this.#primary().name);
    return new Map(per_query.map(({ query_id, scores }) => [query_id, [null, scores[0]?.[at] ?? null]]));
  }

  /** What a batch comes to by the labels of today; with a query that one alone. */
  async #report(run: string, query?: string): Promise<BatchReport> {
    const dataset = await this.dataset();
    const { config } = this.#places;
    const whole = await this.run(run);
    const backend = backendNamed(dataset, backendFrom(config, dataset));
    const asked = whole.config_snapshot["top_k"];
    const results =
      query === undefined ? whole.results : whole.results.filter(({ query_id }) => query_id === query);
    const queries = query === undefined ? dataset.queries : dataset.queries.filter(({ id }) => id === query);
    const known = await this.labels();
    const text = query === undefined ? undefined : normalizedQuery(queries[0]?.query ?? query);
    const ofQuery = known.labels.filter((label) => label.query === text);
    const judgments =
      text === undefined ? known : { ...known, labels: ofQuery, people: [], model: [], sample: null };
    return reportBatch({ ...whole, results }, { ...dataset, queries }, judgments, {
      backend,
      topK: typeof asked === "number" ? asked : SHOWN,
      scorecard: this.scorecard,
    });
  }

  async query(id: string, runs: readonly string[]): Promise<WorkbenchQuery | undefined> {
    const { queries, items } = await this.dataset();
    const at = queries.findIndex((each) => each.id === id);
    const found = queries[at];
    if (found === undefined) return undefined;
    const known = (await this.labels()).labels.filter(({ query }) => query === normalizedQuery(found.query));
    const grades = new Map(known.map(({ item, grade }) => [item, grade]));
    const answered = await Promise.all(
      runs.map(async (run) => {
        const { run: labelled } = await this.#labelledRun(run);
        const result = labelled.results.find(({ query_id }) => query_id === id);
        const report = await this.#report(run, id);
        const [reported] = report.per_query as readonly (BatchQuery | undefined)[];
        return { run, result, metrics: report.metrics.map(({ metric }) => metric), reported };
      }),
    );
    const hitsOf = (index: number): readonly SearchHit[] => answered[index]?.result?.hits_top_k ?? [];
    const first = new Set(hitsOf(0).map(({ chunk_id }) => chunk_id));
    const useful = [...known]
      .filter(({ grade }) => grade > 0)
      .sort((a, b) => b.grade - a.grade || compareIds(a.item, b.item));
    const missed = useful.filter(({ item }) => !first.has(item)).slice(0, SHOWN);
    const ideal = useful.slice(0, SHOWN).map(({ item, grade }) => ({ id: item, grade }));
    const shownIds = new Set([
      ...runs.flatMap((_, run) =>
        hitsOf(run)
          .slice(0, SHOWN)
          .map(({ chunk_id }) => chunk_id),
      ),
      ...missed.map(({ item }) => item),
      ...ideal.map((each) => each.id),
    ]);
    const hitItems = new Map(
      runs.flatMap((_, run) => hitsOf(run).map((hit) => [hit.chunk_id, itemOfHit(hit, items)] as const)),
    );
    return {
      id,
      query: found.query,
      labels: found.labels ?? {},
      answers: answered.map(({ run, result, metrics, reported }) => ({
        run,
        error: result === undefined ? "no result" : (result.error ?? null),
        scores: Object.fromEntries(
          metrics.map((metric, each) => [metric, reported?.scores[0]?.[each] ?? null]),
        ),
        hits: (result?.hits_top_k ?? []).slice(0, SHOWN).map((hit, index) => hitShown(hit, index, grades)),
        tips: reported?.tips ?? [],
      })),
      missed: missed.map(({ item, grade }) => ({
        id: item,
        grade,
        places: runs.slice(1).flatMap((run, other) => {
          const place = hitsOf(other + 1).findIndex(({ chunk_id }) => chunk_id === item);
          return place < 0 ? [] : [`${run}: ${place + 1}`];
        }),
      })),
      ideal,
      items: Object.fromEntries(
        [...shownIds].flatMap((each) => {
          const item = items.get(each) ?? hitItems.get(each);
          return item === undefined ? [] : [[each, itemShown(item, this.#places.showsImages)]];
        }),
      ),
      previous: queries[at - 1]?.id ?? null,
      next: queries[at + 1]?.id ?? null,
    };
  }

  async trust(comparison: ScoreComparison | null): Promise<WorkbenchTrust> {
    const known = await this.labels();
    const { labels, people, model, labeler, labelerName } = known;
    const byModel = new Map(model.map((label) => [`${label.query}\n${label.item}`, label.grade]));
    const both = people.flatMap(({ query, item, grade }) => {
      const other = byModel.get(`${query}\n${item}`);
      return other === undefined ? [] : [[grade, other] as const];
    });
    const counts = {
      people: labels.filter(({ by }) => by !== "labeler").length,
      model: labels.filter(({ by }) => by === "labeler").length,
    };
    const trust = comparison?.trust ?? null;
    return {
      title: trust === null ? titleOf(counts) : trustTitle(trust),
      sentences: [
        ...(trust === null ? [sentenceOf(counts, labeler === null ? null : labelerName)] : trustLines(trust)),
        ...this.#warnings,
      ],
      kappa:
        both.length < 2
          ? null
          : cohenKappa(
              both.map(([person]) => person),
              both.map(([, other]) => other),
              { weights: "quadratic", scale: SCALE },
            ),
      pairs: both.length,
      ...counts,
    };
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

function hitShown(hit: SearchHit, at: number, grades: ReadonlyMap<string, number>): WorkbenchHit {
  return {
    rank: at + 1,
    id: hit.chunk_id,
    grade: grades.get(hit.chunk_id) ?? null,
    score: hit.score ?? null,
    features: hit.features ?? {},
  };
}

function batchShown(batch: BatchSummary, changes: readonly string[]): WorkbenchBatch {
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

interface Counts {
  readonly people: number;
  readonly model: number;
}

function titleOf({ people, model }: Counts): string {
  if (people + model === 0) return "No labels";
  if (model === 0) return "Labels of people";
  return people === 0 ? "Labels not audited" : "Labels of people and a model";
}

function sentenceOf({ people, model }: Counts, labeler: string | null): string {
  if (people + model === 0) return "Nothing is labelled yet.";
  const parts = [
    ...(people > 0 ? [`${people} by people`] : []),
    ...(model > 0 ? [`${model} by ${labeler ?? "a model"}`] : []),
  ];
  return `${people + model} labels: ${parts.join(", ")}.`;
}
