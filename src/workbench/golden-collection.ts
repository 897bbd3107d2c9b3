import { compareRuns, reportRun, type CompareOptions, type StatisticsOptions } from "../compare/index.js";
import { InputError } from "../foundation/errors/index.js";
import { chunkerVersionOf } from "../matching/index.js";
import {
  listExpectedChunkIds,
  type ChunkRecord,
  type EvalRun,
  type GoldenSet,
  type RunReport,
  type ScoreComparison,
  type WorkbenchBatch,
  type WorkbenchCollection,
  type WorkbenchStep,
} from "../records/index.js";
import { reportTexts, type ReportTexts } from "../report/index.js";
import { evidenceFrom, loadStoredRun, placesOfHits, type Evidence } from "../runs/index.js";
import type { EvalStore, RunSummary } from "../storage/index.js";
import { changesBetween } from "./changes.js";
import { Kept } from "./kept.js";
import { ReportedCollection } from "./reported-collection.js";

/** Comparisons that are kept. */
const COMPARISONS = 4;
/** Runs whose means and configurations a list has; there may be hundreds. */
const REPORTED = 30;

/** Where a golden set and its runs are. */
export interface GoldenPlace {
  readonly id: string;
  readonly golden: () => Promise<GoldenSet>;
  /** Change with the golden set and with the runs. */
  readonly stamps: () => { readonly golden: string; readonly runs: string };
  /** Whether there is a store of runs. */
  readonly hasRuns: () => boolean;
  /** Lets go of the store when the work is done. */
  readonly inStore: <T>(work: (store: EvalStore) => Promise<T>) => Promise<T>;
  /** How runs are compared, where that was said. */
  readonly comparedBy?: () => ComparedBy;
}

/** Further metrics, and which of all decide. */
export type ComparedBy = Pick<CompareOptions, "metrics"> & { readonly statistics: StatisticsOptions };

/** A golden set, with the runs of it that a store has. */
export class GoldenCollection extends ReportedCollection {
  readonly kind = "golden";
  protected readonly ungraded = "\u00b7";
  readonly #place: GoldenPlace;
  readonly #sets = new Kept<GoldenSet>();
  readonly #runs = new Kept<EvalRun>(() => REPORTED);
  readonly #reports = new Kept<RunReport>(() => REPORTED);
  readonly #looked = new Kept<ReadonlyMap<string, EvalRun | null>>();
  readonly #places = new Kept<readonly ChunkRecord[]>();
  readonly #comparisons = new Kept<ScoreComparison>(() => COMPARISONS);

  constructor(place: GoldenPlace) {
    super();
    this.#place = place;
  }

  get id(): string {
    return this.#place.id;
  }

  async summary(): Promise<WorkbenchCollection> {
    const { queries } = await this.#set();
    return { id: this.id, kind: this.kind, queries: queries.length, licence: null };
  }

  #set(): Promise<GoldenSet> {
    return this.#sets.get("", this.#place.stamps().golden, this.#place.golden);
  }

  /** Changes with the golden set and with the runs. */
  get overviewStamp(): string {
    const { golden, runs } = this.#place.stamps();
    return `${golden} ${runs}`;
  }

  #loadRun(id: string): Promise<EvalRun> {
    return this.#runs.get(id, this.#place.stamps().runs, () =>
      this.#place.inStore((store) => loadStoredRun(store, id)),
    );
  }

  /** By document and span where runs of other chunkers stand beside it. */
  protected async report(id: string): Promise<RunReport> {
    const [golden, run] = [await this.#set(), await this.#loadRun(id)];
    const versions = new Set([run, ...(await this.#answering())].map(chunkerVersionOf));
    return this.#reports.get(id, this.overviewStamp, () =>
      this.#withEvidence([run], async (evidence) => {
        const { metrics, statistics: { primary, slices } = {} } = this.#place.comparedBy?.() ?? {};
        return reportRun(run, golden, {
          ...evidence,
          matching: versions.size > 1 ? "docSpan" : "exact",
          metrics,
          statistics: { primary, slices },
        });
      }),
    );
  }

  /** The latest runs first; what was cut short says nothing. */
  async #listComplete(): Promise<readonly RunSummary[]> {
    if (!this.#place.hasRuns()) return [];
    const stored = await this.#place.inStore((store) => store.listRuns());
    return stored.filter(({ is_incomplete }) => !is_incomplete).reverse();
  }

  /**
   * The latest runs, as far as they are reported; null for one that answers none of the queries: a store may
   * hold runs of other golden sets.
   */
  #latest(): Promise<ReadonlyMap<string, EvalRun | null>> {
    return this.#looked.get("", this.overviewStamp, async () => {
      const wanted = new Set((await this.#set()).queries.map(({ id }) => id));
      const latest = new Map<string, EvalRun | null>();
      let answering = 0;
      for (const { run_id } of await this.#listComplete()) {
        if (answering === REPORTED) break;
        const run = await this.#loadRun(run_id);
        const isAnswering = run.results.some(({ query_id }) => wanted.has(query_id));
        if (isAnswering) answering++;
        latest.set(run_id, isAnswering ? run : null);
      }
      return latest;
    });
  }

  async #answering(): Promise<EvalRun[]> {
    return [...(await this.#latest()).values()].filter((run) => run !== null);
  }

  /**
   * What is known of where chunks lie: by the store, and of chunks that the golden set expects by any run of
   * its own chunker. The same for a run by itself and for two.
   */
  async #withEvidence<T>(runs: readonly EvalRun[], work: (evidence: Evidence) => Promise<T>): Promise<T> {
    const golden = await this.#set();
    const expected = await this.#findExpectedPlaces();
    return this.#place.inStore(async (store) => {
      const evidence = await evidenceFrom(store, runs, golden);
      const { archive = [], corpus } = evidence;
      const known = new Set([...archive, ...(corpus?.chunks ?? [])].map(({ chunk_id }) => chunk_id));
      return work({
        ...evidence,
        archive: [...archive, ...expected.filter(({ chunk_id }) => !known.has(chunk_id))],
      });
    });
  }

  #findExpectedPlaces(): Promise<readonly ChunkRecord[]> {
    return this.#places.get("", this.overviewStamp, async () => {
      const golden = await this.#set();
      const wanted = listExpectedChunkIds(golden);
      const own = (await this.#answering()).filter(
        (run) => golden.chunker_version != null && chunkerVersionOf(run) === golden.chunker_version,
      );
      const places = own.flatMap((run) => placesOfHits(run, wanted)).reverse();
      // What the latest run says counts.
      return [...new Map(places.map((place) => [place.chunk_id, place])).values()];
    });
  }

  async batches(): Promise<WorkbenchBatch[]> {
    const latest = await this.#latest();
    const shown: WorkbenchBatch[] = [];
    let before: EvalRun | undefined;
    for (const { run_id, created_at, total_queries, failed_queries } of await this.#listComplete()) {
      const run = latest.get(run_id);
      if (run === null) continue;
      const report = run === undefined ? undefined : await this.report(run_id);
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
        is_stored: true,
      });
    }
    return shown;
  }

  async comparison(baseline: string, run: string): Promise<ScoreComparison> {
    const golden = await this.#set();
    const [a, b] = [await this.#loadRun(baseline), await this.#loadRun(run)];
    return this.#comparisons.get(`${baseline}\n${run}`, this.overviewStamp, () =>
      this.#withEvidence([a, b], async (evidence) => {
        const { statistics } = compareRuns(a, b, golden, {
          ...evidence,
          ...this.#place.comparedBy?.(),
        });
        if (statistics == null)
          throw new InputError("ARGUMENT", "the runs have no scores that can be compared");
        return statistics;
      }),
    );
  }

  protected async textsOf(runs: readonly string[], ids: ReadonlySet<string>): Promise<ReportTexts> {
    const recorded = await Promise.all(runs.map((each) => this.#loadRun(each)));
    const chunks = await this.#place.inStore((store) => store.findChunks({ chunkIds: ids }));
    return reportTexts({ runs: recorded, golden: await this.#set(), chunks });
  }

  protected async listAsked(): Promise<readonly { readonly id: string; readonly query: string | null }[]> {
    return (await this.#set()).queries;
  }

  async firstStep(batches: readonly WorkbenchBatch[]): Promise<WorkbenchStep | null> {
    return batches.length > 0
      ? null
      : {
          text: "No run is recorded yet: `rankproof run search.mjs` records your search.",
          action: "See the runs",
          route: `/d/${encodeURIComponent(this.id)}/batches`,
        };
  }
}
