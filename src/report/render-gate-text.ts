import { checkHas } from "./check-result.js";
import type { GateReport } from "../records/index.js";
import { gateSummary, ruleTitle, ruleWhy } from "./ci-findings.js";
import { plain, type TextOptions } from "./text.js";

/** How what a gate says is written for a terminal. */
export interface GateTextOptions extends Pick<TextOptions, "paint"> {
  /** Whether the runs could be compared at all; where they could not, nothing has passed. Default true. */
  readonly areComparable?: boolean | undefined;
}

/** What a gate says, for a terminal: the outcome, then a line for each rule. */
export function renderGateText(
  gate: GateReport,
  { paint = plain, areComparable }: GateTextOptions = {},
): string {
  checkHas(gate, "rules", "what `gate` returned");
  const lines = gate.rules.map(
    (rule) =>
      `${paint(rule.passed ? "pass" : "FAIL", rule.passed ? "good" : "bad")}  ${ruleTitle(rule)}: ` +
      ruleWhy(rule),
  );
  return `${[paint(gateSummary(gate, areComparable), "strong"), ...lines].join("\n")}\n`;
}
