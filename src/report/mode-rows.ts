import {
  type BenchReport,
  type BenchScores,
  type BenchTier,
  type MetricDifference,
  type ScoreComparison,
  scoreField,
} from "../records/index.js";

/** The scores of a mode, as a line of a table; null where the report does not have one. */
export interface PrintedScores {
  readonly cases: number;
  readonly recall: number | null;
  readonly mrr: number | null;
  readonly ndcg: number | null;
  readonly hitRate: number;
  readonly meanLatency: number;
  readonly p95Latency: number;
}

/** How far nDCG is from that of `fts_only`. */
export interface Gain {
  readonly difference: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** One mode over all cases. */
export interface ModeRow extends PrintedScores {
  readonly mode: string;
  readonly tier: BenchTier;
  /** The embedding model. */
  readonly model: string | null;
  readonly isBaseline: boolean;
  readonly gain: Gain | null;
  /** False where the decision says that its latency is over the budget. */
  readonly isWithinBudget: boolean;
}

/** One mode over the cases of one type. */
export interface TypeRow extends PrintedScores {
  readonly mode: string;
  readonly isBaseline: boolean;
  readonly gain: Gain | null;
}

/** The cases of one type in every mode. */
export interface TypeRows {
  readonly type: string;
  readonly cases: number;
  readonly rows: readonly TypeRow[];
}

/** Every mode, in the order of the report. */
export function modeRows(report: BenchReport): ModeRow[] {
  return report.modes.map(({ mode, tier, embedding_model, overall }) => {
    const evidence = report.decision?.evidence.find((each) => each.mode === mode);
    return {
      mode,
      tier,
      model: embedding_model,
      isBaseline: mode === report.comparison?.runs[0]?.run,
      ...formatModeScores(overall, report),
      // What the decision was made by comes before what the comparison says of the other modes.
      gain:
        evidence === undefined
          ? gainIn(report, primaryOf(report.comparison, mode))
          : evidence.ndcg && { difference: evidence.ndcg.difference, interval: evidence.ndcg },
      isWithinBudget: evidence?.is_within_budget ?? true,
    };
  });
}

/** Every mode for every query type, in the order of the fixture. */
export function typeRows(report: BenchReport): TypeRows[] {
  return report.fixture.query_types.map(({ query_type, cases }) => ({
    type: query_type,
    cases,
    rows: report.modes.flatMap(({ mode, by_query_type }) => {
      // Types are names from the data: what every object inherits is none.
      const scores = Object.hasOwn(by_query_type, query_type) ? by_query_type[query_type] : undefined;
      const slice = report.comparison?.comparisons
        .find(({ run }) => run === mode)
        ?.slices.find(({ by, value }) => by === "query_type" && value === query_type);
      return scores === undefined
        ? []
        : [
            {
              mode,
              isBaseline: mode === report.comparison?.runs[0]?.run,
              ...formatModeScores(scores, report),
              gain: gainIn(
                report,
                slice?.metrics.find(({ metric }) => metric === report.comparison?.settings.primary),
              ),
            },
          ];
    }),
  }));
}

/** What the intervals of differences are: those of the decision, else of the comparison. */
export function intervalShare({ decision, comparison }: BenchReport): number | null {
  return decision?.confidence ?? comparison?.settings.confidence ?? null;
}

function primaryOf(comparison: ScoreComparison | null, mode: string): MetricDifference | undefined {
  return comparison?.comparisons
    .find(({ run }) => run === mode)
    ?.metrics.find(({ metric }) => metric === comparison.settings.primary);
}

/** An interval of another confidence than the decision's would be read as one of the same. */
function gainIn(
  report: BenchReport,
  row:
    | (Pick<MetricDifference, "difference" | "interval"> &
        Partial<Pick<MetricDifference, "bca_interval" | "t_interval">>)
    | undefined,
): Gain | null {
  if (row === undefined || row.difference === null) return null;
  return {
    difference: row.difference,
    interval:
      report.comparison?.settings.confidence === intervalShare(report)
        ? row.bca_interval === undefined
          ? widest(row.interval, row.t_interval ?? null)
          : row.interval
        : null,
  };
}

/** The wider one at each end, as a decision takes it; comparisons before version 2 had both apart. */
function widest(a: Gain["interval"], b: Gain["interval"]): Gain["interval"] {
  return a === null || b === null ? a : { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}

function formatModeScores(scores: BenchScores, { settings }: BenchReport): PrintedScores {
  const at = (name: "recall" | "mrr" | "ndcg"): number | null =>
    scores[scoreField(name, settings.top_k)] ?? null;
  return {
    cases: scores.case_count,
    recall: at("recall"),
    mrr: at("mrr"),
    ndcg: at("ndcg"),
    hitRate: scores.evidence_hit_rate,
    meanLatency: scores.avg_latency_ms,
    p95Latency: scores.p95_latency_ms,
  };
}
