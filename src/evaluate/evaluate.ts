import {
  checkOptions,
  checkShard,
  type Conventions,
  warnOfFailures,
  type GivenWarning,
  isInShard,
  type JudgedUnit,
  prepareQrels,
  type QrelsInput,
  type Shard,
  withWholeGrades,
} from "../records/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { parseMetric, type Metric } from "../metrics/index.js";
import type { JudgedRanking } from "../metrics/index.js";
import { checkMetric, refuseNamesakes } from "../metrics/internal.js";
import { profileCatalog, resolveConventions, type ConventionOptions } from "./conventions.js";
import type { Evaluation } from "./evaluation.js";
import { judgeHits, judgeUnanswered } from "./judge-hits.js";
import { LikelyIdMismatch } from "./likely-id-mismatch.js";
import { documentPlace, isRecordedRun, openRun, type RunInput } from "./run-input.js";
import { ScoreSheet, type SheetOptions } from "./score-sheet.js";

/** How {@link evaluate} scores. Everything has a default, and is recorded in the result. */
export interface EvaluateOptions extends ConventionOptions {
  /** Also say what the aggregates would be with tied hits in the worst and in the best order. */
  readonly tieSpread?: boolean | undefined;
  /** Also say what the aggregates could be, were every unjudged hit in view judged. */
  readonly bounds?: boolean | undefined;
  /** Is shown every judged query that the run answers, as metrics see it. Must not change it. */
  readonly onQuery?: ((queryId: string, judged: JudgedRanking) => void) | undefined;
  /** Scores the queries of one shard alone; see {@link evaluatePartial}. */
  readonly shard?: Shard | undefined;
  /** Which id of a recorded run's hits judgments name; `doc` unless given. */
  readonly unit?: JudgedUnit | undefined;
  /** What the result calls a run that has no id of its own. */
  readonly runId?: string | undefined;
  /** What is known already that can mislead about the run; it comes first. */
  readonly warnings?: readonly GivenWarning[] | undefined;
}

/**
 * Scores a run against judgments, per query and over all queries.
 *
 * @param metrics names (`"nDCG@10"`), or metrics.
 * @throws InputError for an unknown metric, a score or grade that is not finite, an item judged twice.
 */
export function evaluate(
  run: RunInput,
  qrels: QrelsInput,
  metrics: readonly (string | Metric)[],
  options: EvaluateOptions = {},
): Evaluation {
  const { sheet, runId, nearIds, warnings } = fillSheet(run, qrels, metrics, options);
  return sheet.result(runId, [...warnings, ...nearIds.warnings]);
}

/** A sheet with the scores of a run, and what else is to be said of it. */
export interface FilledSheet {
  readonly sheet: ScoreSheet;
  readonly metrics: readonly Metric[];
  readonly options: SheetOptions;
  readonly runId: string | null;
  readonly nearIds: LikelyIdMismatch;
  /** About the run as a whole. */
  readonly warnings: readonly GivenWarning[];
}

/** Scores a run; see {@link evaluate}. */
export function fillSheet(
  run: RunInput,
  qrels: QrelsInput,
  given: readonly (string | Metric)[],
  options: EvaluateOptions,
): FilledSheet {
  checkOptions(options);
  const shard = options.shard == null ? undefined : checkShard(options.shard);
  const conventions = resolveConventions(options);
  const prepared = prepareQrels(qrels);
  const { queries, highest } = conventions.grades === "cut" ? withWholeGrades(prepared) : prepared;
  const metrics = resolveMetrics(given, conventions);
  const sheetOptions = {
    conventions,
    highest,
    tieSpread: options.tieSpread ?? false,
    bounds: options.bounds ?? false,
    queries: queries.size,
  };
  const sheet = new ScoreSheet(metrics, sheetOptions);
  const opened = openRun(run, options.unit ?? "doc");
  const nearIds = new LikelyIdMismatch(queries.size);
  for (const [queryId, judgments] of queries) {
    if (!isInShard(queryId, shard)) continue;
    if (!opened.has(queryId)) {
      sheet.missing(queryId, judgeUnanswered(judgments));
      continue;
    }
    const query = opened.hits(queryId, judgments, conventions);
    const hits = judgeHits(query.hits, judgments, conventions, documentPlace(query, judgments.subtopics));
    sheet.addAnswered(queryId, hits, query.hits.duplicates);
    options.onQuery?.(queryId, hits.judged);
    nearIds.look(queryId, query.hits.count, query.idAt, judgments.grades);
  }
  for (const queryId of opened.queryIds)
    if (!queries.has(queryId) && isInShard(queryId, shard)) sheet.addUnjudged(queryId);
  const warnings = [...(options.warnings ?? []), ...(isRecordedRun(run) ? warnOfFailures(run.results) : [])];
  const runId = opened.runId ?? options.runId ?? null;
  return { sheet, metrics, options: sheetOptions, runId, nearIds, warnings };
}

/** Metrics by name, with the parameters that the profile gives to those named without. */
export function resolveMetrics(metrics: readonly (string | Metric)[], { profile }: Conventions): Metric[] {
  const given: unknown = metrics;
  if (!Array.isArray(given))
    throw new InputError("ARGUMENT", `metrics must be a list, as in ["nDCG@10", "AP"], got ${quote(given)}`);
  const catalog = profileCatalog(profile);
  const settled = metrics.map((metric) =>
    typeof metric === "string" ? parseMetric(metric, catalog) : checkMetric(metric),
  );
  refuseNamesakes(settled);
  return settled;
}
