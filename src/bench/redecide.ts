import type { BenchReport, SampleRow } from "../records/index.js";
import { checklistOf, mayPromote } from "./checklist.js";
import { decideBench } from "./decide-bench.js";
import type { DecisionOptions } from "./decision-options.js";
import { samplePass } from "./sample-pass.js";

/** A labelled sheet, and how deep it went. */
export interface LabelledSheet {
  readonly rows: readonly SampleRow[];
  /** Default 3. */
  readonly hits?: number | undefined;
}

/**
 * A report decided again, with other settings, or with what a person said of the hits. Nothing is measured;
 * everything is in the report.
 *
 * @param sheet is scored for the mode that the new decision is about; without one the report keeps the pass
 * that it has.
 * @throws InputError `ARGUMENT` as {@link decideBench} and {@link samplePass} do.
 */
export function redecide(report: BenchReport, options: DecisionOptions, sheet?: LabelledSheet): BenchReport {
  const { decision: earlier } = report;
  const before =
    earlier === null
      ? {}
      : {
          margin: earlier.margin,
          confidence: earlier.confidence,
          latencyBudgetMs: earlier.latency_budget_ms,
          seed: earlier.seed,
          resamples: earlier.resamples,
        };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const decision = decideBench(report.modes, { ...before, ...given });
  const sampling =
    sheet === undefined
      ? report.sampling
      : samplePass({ ...report, decision }, sheet.rows, { hits: sheet.hits });
  const checklist = checklistOf({ ...report, decision, sampling });
  return { ...report, decision, sampling, checklist, may_promote: mayPromote(decision, checklist) };
}
