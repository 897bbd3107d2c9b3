import { compareSystems, reportSystem, usualMetrics, type ComparedSystem } from "../compare/index.js";
import { isRecordedRun } from "../evaluate/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import type {
  EvalRun,
  KnownQuery,
  Qrels,
  RunReport,
  ScoredRun,
  ScoreComparison,
  WorkbenchBatch,
  WorkbenchCollection,
} from "../records/index.js";
import { reportTexts, type ReportTexts } from "../report/index.js";
import { Kept } from "./kept.js";
import { ReportedCollection } from "./reported-collection.js";

/** Comparisons that are kept. */
const COMPARISONS = 4;
const UNIT = "doc";

/** A run that is held against judgments. */
export interface JudgedRun {
  readonly name: string;
  readonly run: ScoredRun | EvalRun;
  readonly created_at: string;
}

/** Judgments and runs of any format, scored and compared as `rankproof compare --qrels` does. */
export class JudgedCollection extends ReportedCollection {
  readonly id: string;
  readonly kind = "qrels";
  protected readonly ungraded = "?";
  readonly #qrels: Qrels;
  readonly #runs: readonly JudgedRun[];
  readonly #known: ReadonlyMap<string, KnownQuery>;
  readonly #reports = new Kept<RunReport>(() => Math.max(1, this.#runs.length));
  readonly #comparisons = new Kept<ScoreComparison>(() => COMPARISONS);

  /**
   * @param runs the latest first.
   * @param known words and labels of queries, where something says them.
   */
  constructor(
    id: string,
    qrels: Qrels,
    runs: readonly JudgedRun[],
    known: ReadonlyMap<string, KnownQuery> = new Map(),
  ) {
    super();
    this.id = id;
    this.#qrels = qrels;
    this.#runs = runs;
    this.#known = known;
  }

  async summary(): Promise<WorkbenchCollection> {
    return { id: this.id, kind: this.kind, queries: this.#qrels.queries.size, licence: null };
  }

  #system(name: string): ComparedSystem {
    const found = this.#runs.find((each) => each.name === name);
    if (found === undefined) throw new InputError("ARGUMENT", `there is no run ${quote(name)}`);
    return found;
  }

  protected report(name: string): Promise<RunReport> {
    return this.#reports.get(name, "", async () =>
      reportSystem(this.#system(name), this.#qrels, usualMetrics, { unit: UNIT, known: this.#known }),
    );
  }

  async batches(): Promise<WorkbenchBatch[]> {
    const shownRuns: WorkbenchBatch[] = [];
    for (const { name, created_at } of this.#runs) {
      const { metrics, primary, run, failed_results } = await this.report(name);
      const deciding = metrics.find(({ metric }) => metric === primary);
      shownRuns.push({
        id: name,
        created_at,
        queries: run.answered,
        failed: failed_results?.failed ?? 0,
        search: "",
        primary,
        mean: deciding?.mean ?? null,
        interval: deciding?.interval ?? null,
        corrected: null,
        changes: [],
        is_current: true,
        is_stored: true,
      });
    }
    return shownRuns;
  }

  async comparison(baseline: string, run: string): Promise<ScoreComparison> {
    const systems = [this.#system(baseline), this.#system(run)];
    return this.#comparisons.get(`${baseline}\n${run}`, "", async () =>
      compareSystems(systems, this.#qrels, usualMetrics, { unit: UNIT, known: this.#known }),
    );
  }

  protected async textsOf(runs: readonly string[]): Promise<ReportTexts> {
    const recorded = runs.map((name) => this.#system(name).run);
    return reportTexts({ runs: recorded.map((run) => (isRecordedRun(run) ? run : null)) });
  }

  protected async listAsked(): Promise<readonly { readonly id: string; readonly query: string | null }[]> {
    return [...this.#qrels.queries.keys()].map((id) => ({ id, query: this.#known.get(id)?.query ?? null }));
  }

  /** A run is dropped beside the judgments; nothing else can be done here. */
  async firstStep(): Promise<null> {
    return null;
  }
}
