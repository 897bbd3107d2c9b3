import { isRecordedRun } from "../evaluate/index.js";
import { reportSystem, type EvaluateOptions } from "../index.js";
import type { Metric } from "../metrics/index.js";
import type { LoadedQrels } from "../node/evaluate/index.js";
import { reportTexts } from "../report/index.js";
import { documentsOf, knownQueriesOf } from "./compared-files.js";
import type { TextedRunReport, TextFlags } from "./run-report-outputs.js";
import { anyRunByName } from "./runs-by-name.js";

/** A run, and what it was scored against. */
export interface EvaluatedRun {
  readonly path: string;
  readonly name: string;
  readonly qrelsPath: string;
  readonly qrels: LoadedQrels;
  readonly metrics: readonly Metric[];
}

/** The report on a run by judgments: its rankings are read again, since scores alone do not keep them. */
export async function evaluatedReport(
  { path, name, qrelsPath, qrels, metrics }: EvaluatedRun,
  options: EvaluateOptions,
  flags: TextFlags & {
    readonly queries?: string;
    readonly corpus?: string;
    readonly store?: string;
  },
): Promise<TextedRunReport> {
  const { run } = await anyRunByName(path, flags.store);
  const { known, golden } = await knownQueriesOf(flags.queries, qrelsPath);
  const documents = flags.corpus === undefined || flags.text === false ? [] : await documentsOf(flags.corpus);
  const report = reportSystem({ name, run }, qrels.qrels(), metrics, { ...options, known });
  return {
    report: { ...report, warnings: [...report.warnings, ...qrels.warnings] },
    texts: () => reportTexts({ runs: [isRecordedRun(run) ? run : null], golden, documents }),
  };
}
