import type { ZodType } from "zod";
import { InputError } from "../foundation/errors/index.js";
import {
  aggregateMetricsSchema,
  batchReportSchema,
  benchReportSchema,
  compareReportSchema,
  evaluationRecordSchema,
  runReportSchema,
  scoreComparisonSchema,
} from "../records/schema/index.js";
import {
  type AggregateMetrics,
  type BenchReport,
  type CompareReport,
  type EvaluationRecord,
  isBatchReport,
  resultKind,
  type RunReport,
  type ScoreComparison,
} from "../records/index.js";
import { jsonOfShape, wholeJson } from "./whole-json.js";

/**
 * Reads a stored aggregate, also one written before the newer fields existed: they come out empty.
 *
 * @throws InputError `RESULT_SHAPE`
 */
export function parseAggregate(text: string, file = "aggregate"): AggregateMetrics {
  return aggregateMetricsSchema.parse(parseOfShape(text, aggregateMetricsSchema, file));
}

/**
 * Reads a stored comparison, also one of another program that has only the fields of the common format.
 *
 * @throws InputError `RESULT_SHAPE`
 */
export function parseCompareReport(text: string, file = "report"): CompareReport {
  const written = parseOfShape(text, compareReportSchema, file) as Partial<CompareReport>;
  const report = compareReportSchema.parse(written);
  if (written.counts === undefined) for (const { kind } of report.per_query) report.counts[kind]++;
  return report;
}

/** A stored result, recognized by its fields. */
export type StoredResult =
  | { readonly kind: "report"; readonly result: CompareReport }
  | { readonly kind: "comparison"; readonly result: ScoreComparison }
  | { readonly kind: "aggregate"; readonly result: AggregateMetrics }
  | { readonly kind: "evaluation"; readonly result: EvaluationRecord }
  | { readonly kind: "run"; readonly result: RunReport }
  | { readonly kind: "bench"; readonly result: BenchReport };

/**
 * Reads a stored result of any kind: of `compare`, `aggregate`, `evaluate`, `report` or `bench`.
 *
 * @throws InputError `RESULT_SHAPE`, also for JSON that is none of them.
 */
export function parseResult(text: string, file = "result"): StoredResult {
  const kind = resultKind(wholeJson(text, file, "RESULT_SHAPE").value);
  switch (kind) {
    case "report":
      return { kind, result: parseCompareReport(text, file) };
    case "comparison":
      return { kind, result: scoreComparisonSchema.parse(parseOfShape(text, scoreComparisonSchema, file)) };
    case "aggregate":
      return { kind, result: parseAggregate(text, file) };
    case "evaluation":
      return {
        kind,
        result: evaluationRecordSchema.parse(parseOfShape(text, evaluationRecordSchema, file)),
      };
    case "run":
      return { kind, result: parseRunReport(text, file) };
    case "bench":
      // As it stands in the file: the schema would take scores out of their order, and leave out a query type
      // that is called `__proto__`.
      return { kind, result: parseOfShape(text, benchReportSchema, file) as BenchReport };
    case null:
  }
  throw new InputError(
    "RESULT_SHAPE",
    `${file}: is no result that rankproof wrote; give what \`compare --json\`, \`aggregate --json\`, ` +
      "`evaluate --json`, `report --json` or `bench` wrote",
    { file },
  );
}

/** A report on one run; that of a batch says more of each query. */
function parseRunReport(text: string, file: string): RunReport {
  const report = parseOfShape(text, runReportSchema, file) as RunReport;
  return isBatchReport(report)
    ? batchReportSchema.parse(parseOfShape(text, batchReportSchema, file))
    : runReportSchema.parse(report);
}

function parseOfShape(text: string, schema: ZodType, file: string): unknown {
  return jsonOfShape(schema, text, file, "RESULT_SHAPE");
}
