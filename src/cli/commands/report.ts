import type { Command } from "commander";
import { parseResult, decodeText, type StoredResult } from "../../formats/index.js";
import { contentOf } from "../../node/evaluate/index.js";
import {
  benchOutputs,
  comparisonOutputs,
  renderAggregateText,
  renderEvaluationsText,
  renderRunReportText,
  gateOutputCards,
} from "../../report/index.js";
import { InputError } from "../../index.js";
import { refuseIdleOptions, refuseIdleUnit } from "../refuse-idle-options.js";
import { gateOptionsOf, openGate, settleHeld } from "../gate-flags.js";
import type { OpenGate } from "../open-gate.js";
import { outputNames, listWantedOutputs } from "../output-flags.js";
import { isScoredRun, scoredRunError } from "../scored-run-file.js";
import { reportOptionsOf, writeComparison, type ReportFlags } from "../report-outputs.js";
import {
  isRunFormPrinted,
  refuseFormsWithoutGate,
  runForms,
  writeRunForms,
  settleGateForms,
  type TextedRunReport,
} from "../run-report-outputs.js";
import { isReadable } from "../is-readable.js";
import type { ScoringFlags } from "../sources.js";
import type { Terminal } from "../terminal.js";
import { examples, scoringOptionsOf, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";

interface Flags extends ReportFlags, ScoringFlags {}

export const reportCommand: CliCommand = {
  define(command, terminal) {
    gateOptionsOf(
      scoringOptionsOf(
        reportOptionsOf(
          command.argument(
            "<what>",
            "id of a stored run, or a run file; or what compare, aggregate, evaluate, report or bench " +
              "wrote as JSON; - is stdin",
          ),
        ),
      ),
    )
      .addHelpText(
        "after",
        examples(
          "report baseline --html baseline.html",
          "report run.jsonl -g golden.yaml --md run.md",
          "report report.json --html report.html",
          "report report.json --gate gates.txt --junit report.xml",
          "compare before.jsonl after.jsonl --json | rankproof report - --md report.md",
        ),
      )
      .action(async (name: string, flags: Flags, called: Command) => {
        const gate = await openGate(flags);
        const stored = await readResultFile(name);
        if (stored === null) {
          refuseIdleUnit(called);
          const { sourcesFor } = await import("../sources.js");
          const { reportSource } = await import("../report-source.js");
          return reportOnRun(reportSource(await sourcesFor([name], flags, terminal), flags), {
            name,
            flags,
            gate,
            terminal,
          });
        }
        // What it was scored with is settled.
        refuseIdleOptions(called, FOR_RUNS, `for ${name}, which holds a result that was scored before`);
        if (stored.kind === "run")
          return reportOnRun({ report: stored.result }, { name, flags, gate, terminal });
        await reportOnResult(stored, { name, flags, gate, terminal });
      });
  },
};

/** What a report is written with. */
interface Reporting {
  readonly name: string;
  readonly flags: Flags;
  readonly gate: OpenGate | null;
  readonly terminal: Terminal;
}

/** A result in a file; null for what is a run. */
async function readResultFile(name: string): Promise<StoredResult | null> {
  if (!isReadable(name)) return null;
  const text = decodeText(await contentOf(name), name);
  if (isScoredRun(text)) throw scoredRunError(name);
  // What is empty holds no result; as a run it can be let pass.
  if (/^\s*(?:\[\s*\]\s*)?$/.test(text)) return null;
  return isRun(text) ? null : parseResult(text, name);
}

/** Whether JSON, or its first line, has the fields of a recorded run. */
function isRun(text: string): boolean {
  const first = (json: string): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      return undefined;
    }
  };
  const found = first(text) ?? first(/^\s*(.*)/.exec(text)?.[1] ?? "");
  const value: unknown = Array.isArray(found) ? found[0] : found;
  return (
    typeof value === "object" &&
    value !== null &&
    (Object.hasOwn(value, "results") || Object.hasOwn(value, "hits_top_k"))
  );
}

const FOR_RUNS = ["golden", "store", "corpus", "missing", "ignoreCase", "metrics", "unit", "allowEmpty"];

/** @throws InputError `ARGUMENT` for a form that the result does not have. */
function refuseForms(
  { name, flags }: Reporting,
  what: string,
  has: readonly { readonly name: string; readonly about: string }[],
): void {
  const others = comparisonOutputs.filter((output) => !has.some((one) => one.name === output.name));
  if (listWantedOutputs(flags, others).length === 0) return;
  const ways =
    has.length === 0 ? "shown as a table or JSON" : `written with ${outputNames(has, "or", "--json")}`;
  const are = others.length === 1 ? "is" : "are";
  throw new InputError(
    "ARGUMENT",
    `${name}: holds ${what}, which is ${ways}; ${outputNames(others, "and")} ${are} for comparisons` +
      (has.length === 0 ? "; `rankproof report RUN` writes a page of one run" : ""),
  );
}

async function reportOnRun(reported: TextedRunReport, reporting: Reporting): Promise<void> {
  const { flags, gate, terminal } = reporting;
  refuseForms(reporting, "one run", runForms);
  refuseFormsWithoutGate(flags, gate);
  const { report } = reported;
  const held = gate?.holdAgainst(report) ?? null;
  const settle = writeRunForms(reported, flags, terminal, held);
  if (!isRunFormPrinted(flags))
    terminal.out(flags.json === true ? formatJson(report) : renderRunReportText(report, terminal));
  for (const { message } of report.warnings) terminal.warn(message);
  await settleHeld(held, terminal, settle);
}

async function reportOnResult(
  stored: Exclude<StoredResult, { readonly kind: "run" }>,
  reporting: Reporting,
): Promise<void> {
  const { name, flags, gate, terminal } = reporting;
  if (stored.kind === "report" || stored.kind === "comparison")
    return writeComparison(stored.result, flags, gate, terminal);
  if (stored.kind === "bench") {
    if (gate !== null)
      throw new InputError(
        "ARGUMENT",
        `${name}: holds a benchmark, which \`bench decide --fail-under\` holds against limits; ` +
          "--gate and --fail-under of this command are for comparisons and scores",
      );
    refuseForms(reporting, "a benchmark", benchOutputs);
    // Comparisons are rendered without loading what measures.
    const { writeBench } = await import("../bench-outputs.js");
    return writeBench(stored.result, flags, [], terminal);
  }
  refuseFormsWithoutGate(flags, gate);
  refuseForms(reporting, "the scores of one run", gateOutputCards);
  if (!isRunFormPrinted(flags)) terminal.out(formatStoredScores(stored, reporting));
  await settleGateForms(gate?.holdAgainst(stored.result) ?? null, flags, terminal);
}

function formatStoredScores(
  stored: Extract<StoredResult, { readonly kind: "aggregate" | "evaluation" }>,
  { name, flags, terminal }: Reporting,
): string {
  if (flags.json === true) return formatJson(stored.result);
  return stored.kind === "aggregate"
    ? renderAggregateText(stored.result, terminal)
    : renderEvaluationsText([{ name: stored.result.run ?? name, record: stored.result }], terminal);
}
