/**
 * The shapes of everything that is stored or exchanged: zod schemas, and the types that are made from them.
 *
 * @module
 */
export * from "./aggregate.js";
export * from "./aggregate-partial.js";
export * from "./assessment.js";
export * from "./audit-report.js";
export * from "./audit-sample.js";
export * from "./backend-tuning.js";
export * from "./batch.js";
export * from "./dataset.js";
export * from "./bench.js";
export * from "./bench-fixture.js";
export * from "./compared-query.js";
export * from "./comparison.js";
export * from "./config.js";
export * from "./evaluation.js";
export * from "./evaluation-partial.js";
export * from "./gate.js";
export * from "./golden.js";
export * from "./label-origin.js";
export * from "./label-trust.js";
export * from "./paraphrases.js";
export * from "./ranking-agreement.js";
export * from "./run.js";
export * from "./run-report.js";
export * from "./score-comparison.js";
export * from "./span.js";
export * from "./tuning.js";
export * from "./tuning-config.js";
export type * from "../types/index.js";
