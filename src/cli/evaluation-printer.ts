import type { GateReport } from "../records/index.js";
import { loadQrels, stemOf } from "../node/evaluate/index.js";
import {
  renderEvaluationRows,
  renderEvaluationsText,
  scoreTableFormats,
  type ScoreTableFormat,
} from "../report/index.js";
import { formatJson } from "./format-json.js";
import { disambiguateNames } from "./disambiguate-names.js";
import { evaluateByName, refuseUnansweredAsTrecEval, type EvaluateFlags } from "./evaluated-run.js";
import type { FormWriter } from "./form-writer.js";
import { openGate, settleHeld } from "./gate-flags.js";
import type { OpenGate } from "./open-gate.js";
import { metricsToEvaluate } from "./metric-names.js";
import { refuseUnansweredEvaluation, refuseUnjudged } from "./refuse-unanswered.js";
import { isRunFormPrinted, refuseFormsWithoutGate, wantsRunForm } from "./run-report-outputs.js";
import type { EvaluatedSystem } from "./score-table.js";
import { plainLine, type Terminal } from "./terminal.js";

/** Prints scores in any form but that of trec_eval. */
export async function printScores(
  qrelsPath: string,
  paths: readonly string[],
  flags: EvaluateFlags,
  terminal: Terminal,
): Promise<void> {
  const gate = await openGate(flags);
  refuseFormsWithoutGate(flags, gate);
  const metrics = metricsToEvaluate(
    flags.metrics?.join(),
    flags.subtopics === true,
    flags.profile ?? "default",
    flags.level,
  );
  const subtopics =
    flags.subtopics === true || metrics.some(({ definition }) => definition.needs === "subtopics");
  const qrels = await loadQrels(qrelsPath, { unit: flags.unit, subtopics });
  if (flags.allowEmpty !== true) refuseUnjudged(qrelsPath, qrels.queries);
  if (qrels.hasFractions())
    terminal.warn(
      `most grades of ${plainLine(qrelsPath)} are fractions; are the run and the judgments exchanged?`,
    );
  const runs: EvaluatedSystem[] = [];
  for (const path of paths) {
    terminal.progress(`scoring ${path}`);
    const evaluation = await evaluateByName(path, qrels, metrics, flags, terminal);
    refuseUnansweredAsTrecEval(evaluation, qrelsPath, path);
    if (flags.allowEmpty !== true) refuseUnansweredEvaluation({ run: path, source: qrelsPath }, evaluation);
    runs.push({ name: evaluation.run ?? stemOf(path), evaluation });
  }
  const named = disambiguateNames(runs, paths);
  await printRuns(named, flags, terminal);
  tellWarnings(named, terminal);
  const held = holdGate(gate, named);
  let settle: FormWriter["settle"] | undefined;
  if (wantsRunForm(flags)) {
    const { writeEvaluatedForms } = await import("./evaluated-report.js");
    const source = { path: paths[0] as string, name: named[0]?.name ?? "", qrelsPath, qrels, metrics };
    settle = await writeEvaluatedForms(source, flags, terminal, held);
  }
  await settleHeld(held, terminal, settle);
}

/** Prints evaluations in the form that the flags ask for, and writes the scores of queries where they do. */
export async function printRuns(
  named: readonly EvaluatedSystem[],
  flags: Pick<EvaluateFlags, "json" | "perQuery" | "format" | "scores">,
  terminal: Terminal,
): Promise<void> {
  if (flags.scores !== undefined)
    await (await import("./score-rows.js")).writeScores(named, flags.scores, terminal);
  if (isRunFormPrinted(flags)) return;
  if (flags.json === true) terminal.out(formatJson(jsonOf(named, flags.perQuery === true)));
  else if (flags.format === "table") {
    terminal.out(
      renderEvaluationsText(
        named.map(({ name, evaluation }) => ({ name, record: evaluation.record() })),
        terminal,
      ),
    );
    if (flags.perQuery === true)
      terminal.out(`\n${renderEvaluationRows(named, { separator: "\t", perQuery: true })}`);
  } else if (isScoreTable(flags.format)) {
    terminal.out((await import("./score-table.js")).scoreTable(named, flags.format));
  } else
    terminal.out(
      renderEvaluationRows(named, {
        separator: flags.format === "tsv" ? "\t" : ",",
        perQuery: flags.perQuery === true,
      }),
    );
}

/** Says what may mislead in evaluations; what is said of all, as of their judgments, once. */
export function tellWarnings(named: readonly EvaluatedSystem[], terminal: Terminal): void {
  const all = named.map(({ evaluation }) => evaluation.warnings.map(({ message }) => message));
  const shared = new Set(all[0]?.filter((message) => all.every((messages) => messages.includes(message))));
  for (const message of shared) terminal.warn(message);
  named.forEach(({ name }, at) => {
    for (const message of all[at] ?? [])
      if (!shared.has(message)) terminal.warn(`${plainLine(name)}: ${message}`);
  });
}

/** Holds all evaluations against a gate; null without one. */
export function holdGate(gate: OpenGate | null, named: readonly EvaluatedSystem[]): GateReport | null {
  if (gate === null) return null;
  const rules = named.flatMap(
    ({ name, evaluation }) => gate.holdAgainst({ ...evaluation.record(), run: name }).rules,
  );
  return { schema_version: 1, passed: rules.every(({ passed }) => passed), rules };
}

/** Whether a format is a table of runs by metrics. */
export function isScoreTable(format: EvaluateFlags["format"]): format is ScoreTableFormat {
  return scoreTableFormats.some((name) => name === format);
}

function jsonOf(runs: readonly EvaluatedSystem[], perQuery: boolean): unknown {
  const records = runs.map(({ name, evaluation }) => ({ ...evaluation.record({ perQuery }), run: name }));
  return records.length === 1 ? records[0] : records;
}
