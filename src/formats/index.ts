/**
 * Text or bytes to records, with errors that name file, line and column, and back.
 *
 * @module
 */
export { parseBeirCorpus, parseBeirQueries, type BeirDocument } from "./beir.js";
export { parseBenchFixture, type LocatedFixture } from "./bench-fixture.js";
export { decodeText, MAX_TEXT_BYTES } from "./decode-text.js";
export { parseDocuments, type CorpusDocument } from "./documents.js";
export { parseGateRules, type GateRuleLine } from "./gate-rules.js";
export { formatGolden, goldenFormatOfFile, goldenFormats, type GoldenFormat } from "./format-golden.js";
export { parseItems, type CorpusItem } from "./items-file.js";
export { assessmentLines, formatAssessments, parseAssessments } from "./assessments-file.js";
export { formatPartial, isAggregatePartial, parsePartial, type AnyPartial } from "./partial-file.js";
export { parseLabelOrigin } from "./label-origin-file.js";
export { featureFormats, formatFeatures, type FeatureFormat, type FeatureLine } from "./features.js";
export { formatLabels, type LabelRow } from "./labels-table.js";
export {
  formatLabelSheet,
  isLabelSheet,
  parseLabelSheet,
  type LabelSheetRow,
  type SheetGrade,
} from "./label-sheet.js";
export { goldenLines, parseGolden } from "./golden-file.js";
export { parseQueries } from "./queries-file.js";
export { parseAggregate, parseCompareReport, parseResult, type StoredResult } from "./result-file.js";
export { formatResults, parseCorpus, parseRun, resultParts, type RunDefaults } from "./run-file.js";
export { beginsAsScoredRun, bytesLookGolden, likelyRole } from "./file-kind.js";
export {
  anyRunReader,
  asScoredRun,
  docsOfChunks,
  isGoldenFile,
  parseAnyQrels,
  parseAnyRun,
  type AnyQrels,
  type AnyRun,
  type QrelsReadOptions,
  type TableFormat,
} from "./qrels-and-runs.js";
export { writtenFormats, type ReadFormatName } from "./catalog.js";
export {
  formatQrels,
  formatRun,
  runParts,
  findWrittenFormat,
  findWrittenFormatOfFile,
} from "./written/format-tables.js";
export { formatLetor } from "./written/letor.js";
export type { QrelsText, WrittenFormatCard } from "./written/written-format.js";
export {
  prepareQrels,
  type Qrel,
  type Qrels,
  type QrelsInput,
  type QueryJudgments,
  type JudgedSubtopics,
} from "../records/index.js";
export { rankByScore, type RunReadOptions, type ScoredRanking, type ScoredRun } from "../records/index.js";
export * from "./trec/index.js";
export { formatSampleSheet, parseSampleSheet } from "./sample-sheet.js";
export { parseVectors } from "./vectors.js";
export { checkConfig, parseConfig, type Environment } from "./config-file.js";
export { editConfig } from "./edit-config.js";
export { CURRENT, parseExperiments, type Experiment } from "./experiments-file.js";
export {
  fillConfiguration,
  fillNames,
  namesTaken,
  type ConfigurationTemplate,
} from "./fill-configuration.js";
export { jsonParts } from "./json-parts.js";
