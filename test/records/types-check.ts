// Made of the zod schemas in `records/schema/` by `npm run schemas`. Change those.
import type * as z from "zod";
import type * as schema from "../../src/records/schema/index.js";
import type * as types from "../../src/records/types/index.js";

type Flat<T> = T extends object ? { -readonly [K in keyof T]: Flat<T[K]> } : T;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Same<Schema extends z.ZodType, Type> = Equal<Flat<z.infer<Schema>>, Flat<Type>>;

/** Compiles only where each type is what its schema infers. */
export const sameTypes: {
  AggregateMetrics: Same<typeof schema.aggregateMetricsSchema, types.AggregateMetrics>;
  AggregatePartial: Same<typeof schema.aggregatePartialSchema, types.AggregatePartial>;
  Answer: Same<typeof schema.answerSchema, types.Answer>;
  AssessmentOutcome: Same<typeof schema.assessmentOutcomeSchema, types.AssessmentOutcome>;
  Assessment: Same<typeof schema.assessmentSchema, types.Assessment>;
  AtCutoffs: Same<typeof schema.atCutoffsSchema, types.AtCutoffs>;
  AuditConclusions: Same<typeof schema.auditConclusionsSchema, types.AuditConclusions>;
  AuditFinding: Same<typeof schema.auditFindingSchema, types.AuditFinding>;
  AuditSample: Same<typeof schema.auditSampleSchema, types.AuditSample>;
  AuditedPair: Same<typeof schema.auditedPairSchema, types.AuditedPair>;
  AuditedRater: Same<typeof schema.auditedRaterSchema, types.AuditedRater>;
  BackendConfig: Same<typeof schema.backendConfigSchema, types.BackendConfig>;
  BackendTuning: Same<typeof schema.backendTuningSchema, types.BackendTuning>;
  BatchHit: Same<typeof schema.batchHitSchema, types.BatchHit>;
  BatchQuery: Same<typeof schema.batchQuerySchema, types.BatchQuery>;
  BatchReport: Same<typeof schema.batchReportSchema, types.BatchReport>;
  BatchSummary: Same<typeof schema.batchSummarySchema, types.BatchSummary>;
  BenchCaseResult: Same<typeof schema.benchCaseResultSchema, types.BenchCaseResult>;
  BenchDecision: Same<typeof schema.benchDecisionSchema, types.BenchDecision>;
  BenchEvidence: Same<typeof schema.benchEvidenceSchema, types.BenchEvidence>;
  BenchMode: Same<typeof schema.benchModeSchema, types.BenchMode>;
  BenchReport: Same<typeof schema.benchReportSchema, types.BenchReport>;
  BenchScores: Same<typeof schema.benchScoresSchema, types.BenchScores>;
  BenchTier: Same<typeof schema.benchTierSchema, types.BenchTier>;
  BuiltinBackendConfig: Same<typeof schema.builtinBackendConfigSchema, types.BuiltinBackendConfig>;
  ChecklistItem: Same<typeof schema.checklistItemSchema, types.ChecklistItem>;
  ChunkRecord: Same<typeof schema.chunkRecordSchema, types.ChunkRecord>;
  Citation: Same<typeof schema.citationSchema, types.Citation>;
  CommandConfig: Same<typeof schema.commandConfigSchema, types.CommandConfig>;
  CompareReport: Same<typeof schema.compareReportSchema, types.CompareReport>;
  ComparedQuery: Same<typeof schema.comparedQuerySchema, types.ComparedQuery>;
  ComparisonSettings: Same<typeof schema.comparisonSettingsSchema, types.ComparisonSettings>;
  ConfigDifference: Same<typeof schema.configDifferenceSchema, types.ConfigDifference>;
  Config: Same<typeof schema.configSchema, types.Config>;
  Conventions: Same<typeof schema.conventionsSchema, types.Conventions>;
  Corpus: Same<typeof schema.corpusSchema, types.Corpus>;
  CorrectedScore: Same<typeof schema.correctedScoreSchema, types.CorrectedScore>;
  CorrectionName: Same<typeof schema.correctionNameSchema, types.CorrectionName>;
  DatasetConfig: Same<typeof schema.datasetConfigSchema, types.DatasetConfig>;
  Deltas: Same<typeof schema.deltasSchema, types.Deltas>;
  EngineBackendConfig: Same<typeof schema.engineBackendConfigSchema, types.EngineBackendConfig>;
  EvalRun: Same<typeof schema.evalRunSchema, types.EvalRun>;
  EvaluationCounts: Same<typeof schema.evaluationCountsSchema, types.EvaluationCounts>;
  EvaluationPartial: Same<typeof schema.evaluationPartialSchema, types.EvaluationPartial>;
  EvaluationRecord: Same<typeof schema.evaluationRecordSchema, types.EvaluationRecord>;
  ExperimentResult: Same<typeof schema.experimentResultSchema, types.ExperimentResult>;
  Experiments: Same<typeof schema.experimentsSchema, types.Experiments>;
  FailedResults: Same<typeof schema.failedResultsSchema, types.FailedResults>;
  Failure: Same<typeof schema.failureSchema, types.Failure>;
  Fate: Same<typeof schema.fateSchema, types.Fate>;
  FixtureCase: Same<typeof schema.fixtureCaseSchema, types.FixtureCase>;
  FractionSum: Same<typeof schema.fractionSumSchema, types.FractionSum>;
  FusionConfig: Same<typeof schema.fusionConfigSchema, types.FusionConfig>;
  FusionSetting: Same<typeof schema.fusionSettingSchema, types.FusionSetting>;
  FusionTuning: Same<typeof schema.fusionTuningSchema, types.FusionTuning>;
  GateReport: Same<typeof schema.gateReportSchema, types.GateReport>;
  GatedRule: Same<typeof schema.gatedRuleSchema, types.GatedRule>;
  GoldenQuery: Same<typeof schema.goldenQuerySchema, types.GoldenQuery>;
  GoldenSet: Same<typeof schema.goldenSetSchema, types.GoldenSet>;
  HealthConfig: Same<typeof schema.healthConfigSchema, types.HealthConfig>;
  HeldOutGain: Same<typeof schema.heldOutGainSchema, types.HeldOutGain>;
  HitConfig: Same<typeof schema.hitConfigSchema, types.HitConfig>;
  HttpBackendConfig: Same<typeof schema.httpBackendConfigSchema, types.HttpBackendConfig>;
  HttpRerankerConfig: Same<typeof schema.httpRerankerConfigSchema, types.HttpRerankerConfig>;
  ItemListConfig: Same<typeof schema.itemListConfigSchema, types.ItemListConfig>;
  JudgeNext: Same<typeof schema.judgeNextSchema, types.JudgeNext>;
  JudgeProbes: Same<typeof schema.judgeProbesSchema, types.JudgeProbes>;
  Judgment: Same<typeof schema.judgmentSchema, types.Judgment>;
  LabelAudit: Same<typeof schema.labelAuditSchema, types.LabelAudit>;
  LabelOrigin: Same<typeof schema.labelOriginSchema, types.LabelOrigin>;
  LabelOutlier: Same<typeof schema.labelOutlierSchema, types.LabelOutlier>;
  LabelTrust: Same<typeof schema.labelTrustSchema, types.LabelTrust>;
  LabelerConfig: Same<typeof schema.labelerConfigSchema, types.LabelerConfig>;
  Latency: Same<typeof schema.latencySchema, types.Latency>;
  ListedItemConfig: Same<typeof schema.listedItemConfigSchema, types.ListedItemConfig>;
  MeanScore: Same<typeof schema.meanScoreSchema, types.MeanScore>;
  MetricCard: Same<typeof schema.metricCardSchema, types.MetricCard>;
  MetricDifference: Same<typeof schema.metricDifferenceSchema, types.MetricDifference>;
  MissedItem: Same<typeof schema.missedItemSchema, types.MissedItem>;
  ModuleBackendConfig: Same<typeof schema.moduleBackendConfigSchema, types.ModuleBackendConfig>;
  ModuleLabelerConfig: Same<typeof schema.moduleLabelerConfigSchema, types.ModuleLabelerConfig>;
  ModuleRerankerConfig: Same<typeof schema.moduleRerankerConfigSchema, types.ModuleRerankerConfig>;
  OpenaiLabelerConfig: Same<typeof schema.openaiLabelerConfigSchema, types.OpenaiLabelerConfig>;
  Outcome: Same<typeof schema.outcomeSchema, types.Outcome>;
  OverlapLabelerConfig: Same<typeof schema.overlapLabelerConfigSchema, types.OverlapLabelerConfig>;
  OverlapRerankerConfig: Same<typeof schema.overlapRerankerConfigSchema, types.OverlapRerankerConfig>;
  PairedTestName: Same<typeof schema.pairedTestNameSchema, types.PairedTestName>;
  PaperFixture: Same<typeof schema.paperFixtureSchema, types.PaperFixture>;
  Paper: Same<typeof schema.paperSchema, types.Paper>;
  ParameterValues: Same<typeof schema.parameterValuesSchema, types.ParameterValues>;
  ParaphraseClass: Same<typeof schema.paraphraseClassSchema, types.ParaphraseClass>;
  ParaphraseGroup: Same<typeof schema.paraphraseGroupSchema, types.ParaphraseGroup>;
  ParaphraseReport: Same<typeof schema.paraphraseReportSchema, types.ParaphraseReport>;
  ParaphraseVariant: Same<typeof schema.paraphraseVariantSchema, types.ParaphraseVariant>;
  PostgresqlBackendConfig: Same<typeof schema.postgresqlBackendConfigSchema, types.PostgresqlBackendConfig>;
  ProbeResult: Same<typeof schema.probeResultSchema, types.ProbeResult>;
  QueryComparison: Same<typeof schema.queryComparisonSchema, types.QueryComparison>;
  QueryResult: Same<typeof schema.queryResultSchema, types.QueryResult>;
  RankingAgreement: Same<typeof schema.rankingAgreementSchema, types.RankingAgreement>;
  RaterKind: Same<typeof schema.raterKindSchema, types.RaterKind>;
  Rater: Same<typeof schema.raterSchema, types.Rater>;
  ReportedQuery: Same<typeof schema.reportedQuerySchema, types.ReportedQuery>;
  RerankerConfig: Same<typeof schema.rerankerConfigSchema, types.RerankerConfig>;
  RunBackendConfig: Same<typeof schema.runBackendConfigSchema, types.RunBackendConfig>;
  RunComparison: Same<typeof schema.runComparisonSchema, types.RunComparison>;
  RunFacts: Same<typeof schema.runFactsSchema, types.RunFacts>;
  RunReport: Same<typeof schema.runReportSchema, types.RunReport>;
  SampleLabel: Same<typeof schema.sampleLabelSchema, types.SampleLabel>;
  SamplePass: Same<typeof schema.samplePassSchema, types.SamplePass>;
  SampleRow: Same<typeof schema.sampleRowSchema, types.SampleRow>;
  ScoreComparison: Same<typeof schema.scoreComparisonSchema, types.ScoreComparison>;
  SearchHit: Same<typeof schema.searchHitSchema, types.SearchHit>;
  SearchTest: Same<typeof schema.searchTestSchema, types.SearchTest>;
  SettingsRequestConfig: Same<typeof schema.settingsRequestConfigSchema, types.SettingsRequestConfig>;
  Shards: Same<typeof schema.shardsSchema, types.Shards>;
  Slice: Same<typeof schema.sliceSchema, types.Slice>;
  Span: Same<typeof schema.spanSchema, types.Span>;
  Tested: Same<typeof schema.testedSchema, types.Tested>;
  TokenPrice: Same<typeof schema.tokenPriceSchema, types.TokenPrice>;
  TuningConfig: Same<typeof schema.tuningConfigSchema, types.TuningConfig>;
  TuningVerdict: Same<typeof schema.tuningVerdictSchema, types.TuningVerdict>;
  Undecided: Same<typeof schema.undecidedSchema, types.Undecided>;
  UnjudgedDoubt: Same<typeof schema.unjudgedDoubtSchema, types.UnjudgedDoubt>;
  VerdictKind: Same<typeof schema.verdictKindSchema, types.VerdictKind>;
  Verdict: Same<typeof schema.verdictSchema, types.Verdict>;
  Warning: Same<typeof schema.warningSchema, types.Warning>;
} = {
  AggregateMetrics: true,
  AggregatePartial: true,
  Answer: true,
  AssessmentOutcome: true,
  Assessment: true,
  AtCutoffs: true,
  AuditConclusions: true,
  AuditFinding: true,
  AuditSample: true,
  AuditedPair: true,
  AuditedRater: true,
  BackendConfig: true,
  BackendTuning: true,
  BatchHit: true,
  BatchQuery: true,
  BatchReport: true,
  BatchSummary: true,
  BenchCaseResult: true,
  BenchDecision: true,
  BenchEvidence: true,
  BenchMode: true,
  BenchReport: true,
  BenchScores: true,
  BenchTier: true,
  BuiltinBackendConfig: true,
  ChecklistItem: true,
  ChunkRecord: true,
  Citation: true,
  CommandConfig: true,
  CompareReport: true,
  ComparedQuery: true,
  ComparisonSettings: true,
  ConfigDifference: true,
  Config: true,
  Conventions: true,
  Corpus: true,
  CorrectedScore: true,
  CorrectionName: true,
  DatasetConfig: true,
  Deltas: true,
  EngineBackendConfig: true,
  EvalRun: true,
  EvaluationCounts: true,
  EvaluationPartial: true,
  EvaluationRecord: true,
  ExperimentResult: true,
  Experiments: true,
  FailedResults: true,
  Failure: true,
  Fate: true,
  FixtureCase: true,
  FractionSum: true,
  FusionConfig: true,
  FusionSetting: true,
  FusionTuning: true,
  GateReport: true,
  GatedRule: true,
  GoldenQuery: true,
  GoldenSet: true,
  HealthConfig: true,
  HeldOutGain: true,
  HitConfig: true,
  HttpBackendConfig: true,
  HttpRerankerConfig: true,
  ItemListConfig: true,
  JudgeNext: true,
  JudgeProbes: true,
  Judgment: true,
  LabelAudit: true,
  LabelOrigin: true,
  LabelOutlier: true,
  LabelTrust: true,
  LabelerConfig: true,
  Latency: true,
  ListedItemConfig: true,
  MeanScore: true,
  MetricCard: true,
  MetricDifference: true,
  MissedItem: true,
  ModuleBackendConfig: true,
  ModuleLabelerConfig: true,
  ModuleRerankerConfig: true,
  OpenaiLabelerConfig: true,
  Outcome: true,
  OverlapLabelerConfig: true,
  OverlapRerankerConfig: true,
  PairedTestName: true,
  PaperFixture: true,
  Paper: true,
  ParameterValues: true,
  ParaphraseClass: true,
  ParaphraseGroup: true,
  ParaphraseReport: true,
  ParaphraseVariant: true,
  PostgresqlBackendConfig: true,
  ProbeResult: true,
  QueryComparison: true,
  QueryResult: true,
  RankingAgreement: true,
  RaterKind: true,
  Rater: true,
  ReportedQuery: true,
  RerankerConfig: true,
  RunBackendConfig: true,
  RunComparison: true,
  RunFacts: true,
  RunReport: true,
  SampleLabel: true,
  SamplePass: true,
  SampleRow: true,
  ScoreComparison: true,
  SearchHit: true,
  SearchTest: true,
  SettingsRequestConfig: true,
  Shards: true,
  Slice: true,
  Span: true,
  Tested: true,
  TokenPrice: true,
  TuningConfig: true,
  TuningVerdict: true,
  Undecided: true,
  UnjudgedDoubt: true,
  VerdictKind: true,
  Verdict: true,
  Warning: true,
};
