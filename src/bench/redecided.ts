import type { BenchReport, SamplePass } from "../schema/index.js";
import { checklistOf, mayPromote } from "./checklist.js";
import { decideBench, type DecisionOptions } from "./decide-bench.js";

/**
 * A report decided again, with other settings, or with what a person said of the hits. Nothing is measured; everything is in the report.
 *
 * @param sampling keeps what the report has unless given.
 */
export function redecided(report: BenchReport, options: DecisionOptions, sampling: SamplePass | null = report.sampling): BenchReport {
  const { decision: earlier } = report;
  const before = earlier === null ? {} : { margin: earlier.margin, confidence: earlier.confidence, latencyBudgetMs: earlier.latency_budget_ms, seed: earlier.seed, resamples: earlier.resamples };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const decision = decideBench(report.modes, { ...before, ...given });
  const checklist = checklistOf({ ...report, decision, sampling });
  return { ...report, decision, sampling, checklist, may_promote: mayPromote(decision, checklist) };
}
