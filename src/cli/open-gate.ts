import { existsSync } from "node:fs";
import { parseGateRules, type GateRuleLine } from "../formats/index.js";
import {
  asGateRules,
  gate,
  isRuleOfScores,
  printGateRule,
  type Gateable,
  type GateRule,
} from "../gate/index.js";
import { isDecimal } from "../foundation/numbers/index.js";
import { GateError, InputError, isRankproofError } from "../index.js";
import { contentOf } from "../node/evaluate/index.js";
import { renderGateText } from "../report/index.js";
import type { GateReport } from "../records/index.js";
import type { FormWriter } from "./form-writer.js";
import { isCalledAsRules } from "./is-called-as-rules.js";
import { writeGithubOutputs } from "./write-github-outputs.js";
import type { Terminal } from "./terminal.js";

/** Rules that were read, waiting for a result. */
export class OpenGate {
  readonly #rules: readonly GateRule[];

  private constructor(rules: readonly GateRule[]) {
    this.#rules = rules;
  }

  /**
   * @param rules files, or rules.
   * @param floors `METRIC=VALUE`.
   */
  static async read(rules: readonly (string | GateRuleLine)[], floors: readonly string[]): Promise<OpenGate> {
    const lines: GateRuleLine[] = [];
    for (const given of rules) lines.push(...(await linesOf(given)));
    return new OpenGate(asGateRules([...lines, ...floors.map(floorOf)]));
  }

  /** The rules that need no baseline; null where there are none. */
  ofScores(): OpenGate | null {
    const rules = this.#rules.filter(isRuleOfScores);
    return rules.length === 0 ? null : new OpenGate(rules);
  }

  /** The rules that do need one, as they are printed. */
  ofBaselines(): string[] {
    return this.#rules.filter((rule) => !isRuleOfScores(rule)).map(printGateRule);
  }

  /** What the gate says of a result. */
  holdAgainst(result: Gateable): GateReport {
    return gate(result, this.#rules);
  }
}

async function linesOf(rule: string | GateRuleLine): Promise<GateRuleLine[]> {
  const isTyped = typeof rule === "string";
  const { text: given, ...place } = isTyped ? { text: rule, where: "--gate", line: 1 } : rule;
  const takes = `${place.where} takes a file of rules, or a rule`;
  // What looks like a path and is none would be a puzzling rule.
  if (!isCalledAsRules(given) && !(isTyped && existsSync(given))) return [{ text: given, ...place }];
  if (!existsSync(given)) throw new InputError("FILE_NOT_FOUND", `${given}: no such file; ${takes}`);
  return parseGateRules(await rulesFile(given, takes), given);
}

async function rulesFile(path: string, takes: string): Promise<Uint8Array> {
  try {
    return await contentOf(path);
  } catch (error) {
    if (!isRankproofError(error)) throw error;
    throw new InputError(error.code, `${error.message}; ${takes}`, error.details, error);
  }
}

function floorOf(given: string): string {
  const [, name, value = ""] = /^((?:[^=(]|\([^)]*\))*[^<>=!\s])\s*=([^=]+)$/.exec(given) ?? [];
  if (name === undefined || !isDecimal(value.trim()) || !Number.isFinite(Number(value)))
    throw new InputError(
      "ARGUMENT",
      `--fail-under must be METRIC=VALUE, as in nDCG@10=0.45, got \`${given}\``,
    );
  return `${name} >= ${Number(value)}`;
}

/** Says what a gate says. */
export function tellGate(report: GateReport, terminal: Terminal, areComparable = true): void {
  terminal.talk(renderGateText(report, { paint: terminal.paint, areComparable }).trimEnd());
}

/**
 * Says what a gate says, last of all.
 *
 * @param isComparable whether the runs could be compared at all; where they could not, rules about the run
 * alone may hold and nothing has passed.
 * @throws GateError `GATE_FAILED` where it does not pass.
 */
export function settleGate(report: GateReport, terminal: Terminal, isComparable = true): void {
  tellGate(report, terminal, isComparable);
  if (report.passed && isComparable) return;
  const message = report.passed
    ? "the checks of the gate hold, but the runs are not comparable"
    : `the gate failed${isComparable ? "" : ", and the runs are not comparable"}`;
  throw new GateError("GATE_FAILED", message, { report, isComparable });
}

/**
 * {@link settleGate} for the scores of runs by themselves, with GitHub told where the environment says so.
 */
export function settleGateOfScores(
  report: GateReport,
  terminal: Terminal,
  settle: FormWriter["settle"],
): void {
  writeGithubOutputs({ gate: report }, terminal);
  settle(() => tellGate(report, terminal));
  settleGate(report, terminal);
}
