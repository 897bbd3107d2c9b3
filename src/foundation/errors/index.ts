export { clip } from "./clip.js";
export {
  AdapterError,
  GateError,
  InputError,
  RankproofError,
  isError,
  isRankproofError,
  messageOf,
  problemsError,
  quote,
  quoteWithin,
  throwProblems,
  type ErrorCode,
  type Problem,
} from "./errors.js";
export { keysInWords, kindInWords } from "./kind-in-words.js";
