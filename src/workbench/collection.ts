import type {
  ScoreComparison,
  WorkbenchBatch,
  WorkbenchCollection,
  WorkbenchQuery,
  WorkbenchRow,
  WorkbenchStep,
  WorkbenchTrust,
} from "../records/index.js";

/** What the screens need of a dataset, or of a golden set with its runs. */
export interface Collection {
  readonly id: string;
  readonly kind: WorkbenchCollection["kind"];
  summary(): Promise<WorkbenchCollection>;
  /** Batches or runs, the latest first. */
  batches(): Promise<WorkbenchBatch[]>;
  /** Scores by the labels of today. */
  comparison(baseline: string, run: string): Promise<ScoreComparison>;
  /** The rows of one batch, against another where there is one; the metric that decides. */
  rows(
    run: string,
    baseline: string | null,
  ): Promise<{ readonly metric: string | null; readonly rows: readonly WorkbenchRow[] }>;
  /** One query as some batches answered it, first the one that is looked at; undefined for an unknown id. */
  query(id: string, runs: readonly string[]): Promise<WorkbenchQuery | undefined>;
  /** How far the labels carry; null for a golden set. */
  trust(comparison: ScoreComparison | null): Promise<WorkbenchTrust | null>;
  /** What is to be done first; null for what only the verdict can tell. */
  firstStep(batches: readonly WorkbenchBatch[]): Promise<WorkbenchStep | null>;
}
