import type { FormWriter } from "./form-writer.js";
import { wantsRunReport, writeRunForms, type TextedRunReport } from "./run-report-outputs.js";
import { isRecordedRun } from "../evaluate/index.js";
import { reportSystem } from "../index.js";
import type { Metric } from "../metrics/index.js";
import type { LoadedQrels } from "../node/evaluate/index.js";
import { reportTexts } from "../report/index.js";
import { documentsOf, findKnownQueries } from "./compared-files.js";
import type { GateReport } from "../records/index.js";
import { optionsOf, type EvaluateFlags } from "./evaluated-run.js";
import { anyRunByName } from "./runs-by-name.js";
import type { Terminal } from "./terminal.js";

/** A run, and what it was scored against. */
export interface EvaluatedRun {
  readonly path: string;
  readonly name: string;
  readonly qrelsPath: string;
  readonly qrels: LoadedQrels;
  readonly metrics: readonly Metric[];
}

/**
 * Writes what is said of a run by judgments.
 *
 * @returns throws what kept a form from being written; to be called when all else is said.
 */
export async function writeEvaluatedForms(
  evaluated: EvaluatedRun,
  flags: EvaluateFlags,
  terminal: Terminal,
  gate: GateReport | null,
): Promise<FormWriter["settle"]> {
  const reported = wantsRunReport(flags) ? await reportEvaluated(evaluated, flags, terminal) : null;
  return writeRunForms(reported, flags, terminal, gate);
}

/** The rankings are read again, since scores alone do not keep them. */
async function reportEvaluated(
  { path, name, qrelsPath, qrels, metrics }: EvaluatedRun,
  flags: EvaluateFlags,
  terminal: Terminal,
): Promise<TextedRunReport> {
  const { run, warnings } = await anyRunByName(path, flags.store, terminal, { inFileOrder: true });
  const { known, golden } = await findKnownQueries(flags.queries, qrelsPath);
  const documents = flags.corpus === undefined || flags.text === false ? [] : await documentsOf(flags.corpus);
  const report = reportSystem({ name, run }, qrels.qrels(), metrics, { ...optionsOf(flags), known });
  return {
    report: { ...report, warnings: [...warnings, ...report.warnings, ...qrels.warnings] },
    texts: () => reportTexts({ runs: [isRecordedRun(run) ? run : null], golden, documents }),
  };
}
