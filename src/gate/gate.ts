import { InputError, quote } from "../foundation/errors/index.js";
import type { GateRuleLine } from "../formats/index.js";
import type { GatedRule, GateReport } from "../records/index.js";
import { absent, type Candidate, type Finding } from "./candidate.js";
import { candidatesOf, type GatedResult } from "./candidates.js";
import { asGateRules, kindOf, type GateRule } from "./gate-rule.js";

/** Something that becomes a result as JSON, such as an `Evaluation`. */
export interface ResultSource {
  /** The result. */
  toJSON(): GatedResult;
}

/** What a gate is about. */
export type Gateable = GatedResult | ResultSource;

/**
 * Holds rules against a result: against its run, or, in a comparison, against every run but the baseline.
 *
 * Scores are the stored ones, of 4 decimals. What was not measured, what is null, what cannot be compared and
 * what has no such name does not pass, and `why` says so: absence is not a pass.
 *
 * @param result an aggregate, an evaluation (or its record), a comparison of scores, or a report of
 * `compareRuns`.
 * @param rules texts such as `nDCG@10 >= 0.45`, rules, or the lines of a file. At least one.
 * @throws InputError `GATE_RULE` when a rule cannot be read.
 */
export function gate(result: Gateable, rules: readonly (string | GateRule | GateRuleLine)[]): GateReport {
  if (!Array.isArray(rules) || !rules.every(isRule))
    throw new InputError(
      "ARGUMENT",
      `gate takes a result and a list of rules, as in ["nDCG@10 >= 0.45"], got ${quote(rules)}`,
    );
  const candidates = candidatesOf(recordOf(result));
  const settled = withAudit(asGateRules(rules), candidates);
  const gated = settled.flatMap((rule) => {
    const kind = kindOf(rule);
    const line = (run: string | null, { value, passed, why, warning }: Finding): GatedRule => ({
      rule: kind.print(rule),
      run,
      value,
      passed,
      why,
      ...(warning !== undefined && { warning }),
    });
    if (candidates.length === 0)
      return [line(null, absent("the comparison has no run besides the baseline"))];
    return candidates.map((candidate) => line(candidate.run, kind.check(rule, candidate)));
  });
  return { schema_version: 1, passed: gated.every(({ passed }) => passed), rules: gated };
}

/** A conclusion from a model's labels is asked for together with what these are worth. */
function withAudit(rules: readonly GateRule[], candidates: readonly Candidate[]): readonly GateRule[] {
  const isAsked = rules.some((rule) => kindOf(rule).concludes);
  const isGiven = rules.some(({ kind }) => kind === "audited");
  const isModels = candidates.some(({ trust }) => trust !== null && (trust.labels?.model ?? 0) > 0);
  return isAsked && isModels && !isGiven ? [...rules, { kind: "audited" }] : rules;
}

function recordOf(result: Gateable): GatedResult {
  return isConvertible(result) ? result.toJSON() : result;
}

function isConvertible(result: unknown): result is ResultSource {
  return (
    typeof result === "object" && result !== null && "toJSON" in result && typeof result.toJSON === "function"
  );
}

function isRule(rule: unknown): boolean {
  return (
    typeof rule === "string" ||
    (typeof rule === "object" && rule !== null && ("kind" in rule || "text" in rule))
  );
}
