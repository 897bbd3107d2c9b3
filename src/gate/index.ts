/**
 * Rules over results: floors, ceilings, and what must not get worse than the baseline.
 *
 * @module
 */
export type { Candidate, Difference, Fallen, Finding, Baseline, NamedValue, Sought } from "./candidate.js";
export type { GatedResult } from "./candidates.js";
export { gate, type Gateable, type ResultSource } from "./gate.js";
export {
  asGateRules,
  gateRuleKinds,
  isRuleOfScores,
  parseGateRule,
  printGateRule,
  type GateRule,
} from "./gate-rule.js";
export type { LabelsAudited } from "./labels-audited.js";
export type { MetricBound } from "./metric-bound.js";
export type { MetricLoss } from "./metric-loss.js";
export type { NoSliceWorse } from "./no-slice-worse.js";
export type { NotWorseBy } from "./not-worse-by.js";
export type { QueryCount } from "./query-count.js";
export type { RuleKind } from "./rule-kind.js";
export type { SignificantLoss } from "./significant-loss.js";
export type { UnjudgedCannotOverturn } from "./unjudged-cannot-overturn.js";
export type { VerdictIs } from "./verdict-is.js";
export type { WithinBaseline } from "./within-baseline.js";
export type { WorseShare } from "./worse-share.js";
