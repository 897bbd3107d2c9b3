import type { ZodType } from "zod";
import { problemsError, throwProblems } from "../errors.js";
import { aggregateMetricsSchema, compareReportSchema, type AggregateMetrics, type CompareReport } from "../schema/index.js";
import { shapeProblems } from "../shape-problems.js";
import { asProblem } from "./jsonl.js";
import { locatedJson } from "./located-json.js";
import { locateIn, SyntaxProblem, type LocatedDocument } from "./located.js";

/**
 * Reads a stored aggregate, also one written before the newer fields existed: they come out empty.
 *
 * @throws InputError `RESULT_SHAPE`
 */
export function parseAggregate(text: string, file = "aggregate"): AggregateMetrics {
  return aggregateMetricsSchema.parse(checkedResult(text, aggregateMetricsSchema, file));
}

/**
 * Reads a stored comparison, also one of another program that has only the fields of the common format.
 *
 * @throws InputError `RESULT_SHAPE`
 */
export function parseCompareReport(text: string, file = "report"): CompareReport {
  const written = checkedResult(text, compareReportSchema, file) as Partial<CompareReport>;
  const report = compareReportSchema.parse(written);
  if (written.counts === undefined) for (const { kind } of report.per_query) report.counts[kind]++;
  return report;
}

function checkedResult(text: string, schema: ZodType, file: string): unknown {
  let document: LocatedDocument;
  try {
    document = locatedJson(text);
  } catch (error) {
    if (error instanceof SyntaxProblem) throw problemsError([asProblem(error, file, "RESULT_SHAPE")]);
    throw error;
  }
  throwProblems(shapeProblems(schema, document.value, { code: "RESULT_SHAPE", locate: locateIn(document, file) }));
  return document.value;
}
