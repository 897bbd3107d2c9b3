/**
 * The evidence benchmark: full text against embeddings against both, on one fixture, and whether embeddings
 * earn their keep.
 *
 * @module
 */
export { benchGolden } from "./bench-golden.js";
export type { BenchCase, BenchFixture } from "./bench-fixture.js";
export { collectionBenchFixture, type Collection } from "./collection-bench-fixture.js";
export { paperBenchFixture, type PaperFixtureOptions } from "./paper-bench-fixture.js";
export { benchScores, type ScoredCase } from "./bench-scores.js";
export { caseScores, type CaseScores } from "./case-scores.js";
export type { BenchSystem } from "./bench-system.js";
export { decideBench } from "./decide-bench.js";
export { checkDecisionOptions, type DecisionOptions } from "./decision-options.js";
export { runBench, type BenchOptions, type BenchOutcome } from "./run-bench.js";
export { standardSystems, standardModes, type StandardSystemsOptions } from "./standard-systems.js";
export {
  checkBenchLimits,
  checkLimitedModes,
  parseBenchLimit,
  type BenchLimit,
  type BenchLimitResult,
} from "./bench-limits.js";
export { redecide, type LabelledSheet } from "./redecide.js";
export { samplePass } from "./sample-pass.js";
export { sampleSheet, type SampleSheetOptions } from "./sample-sheet.js";
