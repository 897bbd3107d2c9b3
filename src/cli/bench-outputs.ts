import type { Command } from "commander";
import { checkBenchLimits, parseBenchLimit, type BenchLimit, type BenchLimitResult } from "../bench/index.js";
import { GateError } from "../index.js";
import { benchOutputs, renderBenchText } from "../report/index.js";
import type { BenchReport, GateReport } from "../records/index.js";
import { collect } from "./collect.js";
import { formatJson } from "./format-json.js";
import { formWriter } from "./form-writer.js";
import { isFormPrinted, outputOptionsOf, listWantedOutputs } from "./output-flags.js";
import { plainLine, type Terminal } from "./terminal.js";
import { OutputOption } from "./output-option.js";
import { writeGithubOutputs } from "./write-github-outputs.js";

/** Where a benchmark's report goes; each output has its file under its own name, too. */
export interface BenchFormFlags {
  output?: string;
  json?: true;
}

/** Where a benchmark's report goes, and what it must reach. */
export interface BenchOutputFlags extends BenchFormFlags {
  failUnder?: string[];
}

/** The forms of a benchmark's report, and its limits. */
export function benchOutputsOf(command: Command): Command {
  return outputOptionsOf(
    command
      .addOption(
        new OutputOption(
          "-o, --output <file>",
          "write the report as JSON, for `bench decide` and `bench sample`",
        ),
      )
      .option("--json", "print the report as JSON"),
    benchOutputs,
  ).option(
    "--fail-under <mode.score=value>",
    "fail (exit code 3) unless a mode reaches a score: hybrid.recall=0.5; recall, mrr, ndcg, " +
      "hit_rate, and avg_latency_ms, p95_latency_ms as the most; may be repeated",
    collect,
  );
}

/** The limits that the flags stand for, read before anything takes time. */
export function benchLimits({ failUnder = [] }: BenchOutputFlags): BenchLimit[] {
  return failUnder.map(parseBenchLimit);
}

/**
 * Writes a benchmark's report in every form that was asked for, then holds it against the limits. What has
 * taken long to measure is not lost because one form cannot be written.
 *
 * @param afterwards what else is to be done before the verdict.
 * @throws AdapterError for a form that was not written, whatever `afterwards` throws; GateError `GATE_FAILED`
 * where a limit is not held.
 */
export async function writeBench(
  report: BenchReport,
  flags: BenchFormFlags,
  limits: readonly BenchLimit[],
  terminal: Terminal,
  afterwards: () => Promise<void> = async () => undefined,
): Promise<void> {
  // Before anything is written: a limit of a mode that was not measured is a mistake of the command.
  const results = checkBenchLimits(report, limits);
  const { note, write, settle } = formWriter(terminal);
  write(flags.output, () => formatJson(report));
  for (const { output, file } of listWantedOutputs(flags, benchOutputs))
    write(file, () => output.render(report));
  if (flags.output !== "-" && !isFormPrinted(flags, benchOutputs))
    terminal.out(flags.json === true ? formatJson(report) : renderBenchText(report, terminal));
  for (const { message } of report.warnings) terminal.warn(message);
  await afterwards().catch(note);
  const rules = results.map(ruleOf);
  const broken = rules.flatMap(({ passed, why }) => (passed ? [] : [why]));
  if (rules.length > 0)
    writeGithubOutputs({ gate: { schema_version: 1, passed: broken.length === 0, rules } }, terminal);
  settle(() => {
    for (const message of broken) terminal.error(message);
  });
  if (broken.length > 0) throw new GateError("GATE_FAILED", broken.join("\n"), { limits: results });
}

/** A limit as a rule that was held against the mode's scores. */
function ruleOf({ mode, score, value, actual, is_held }: BenchLimitResult): GateReport["rules"][number] {
  const isMost = score.endsWith("_ms");
  const name = `${plainLine(mode)}.${score}`;
  const found = is_held ? (isMost ? "at most" : "at least") : isMost ? "above" : "below";
  return {
    rule: `${name} ${isMost ? "<=" : ">="} ${value}`,
    run: null,
    value: actual,
    passed: is_held,
    why: `${name} is ${actual}, which is ${found} ${value}`,
  };
}
