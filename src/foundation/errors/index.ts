export {
  AdapterError,
  GateError,
  InputError,
  RankproofError,
  isRankproofError,
  messageOf,
  problemsError,
  shown,
  shownWithin,
  throwProblems,
  type ErrorCode,
  type Problem,
} from "./errors.js";
