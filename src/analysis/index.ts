export {
  englishAnalyzer,
  fts5Analyzer,
  plainAnalyzer,
  type Analyzer,
  type AnalyzerOptions,
  wordAnalyzer,
} from "./analyzer.js";
export { languageAnalyzer, languageNames } from "./language-analyzer.js";
