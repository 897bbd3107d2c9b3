export { clip } from "./clip.js";
export {
  AdapterError,
  GateError,
  InputError,
  RankproofError,
  isRankproofError,
  messageOf,
  problemsError,
  quote,
  quoteWithin,
  throwProblems,
  type ErrorCode,
  type Problem,
} from "./errors.js";
