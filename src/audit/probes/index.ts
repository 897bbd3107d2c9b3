export {
  probeEstimate,
  probeJudge,
  type KeptProbeAnswers,
  type ProbeAnswer,
  type ProbeOptions,
} from "./probe-judge.js";
export type { ProbedQuery } from "./probe-plan.js";
export { probeTexts, type ProbeTexts } from "./probe-texts.js";
