import { InputError, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { isSlip } from "../foundation/ids/index.js";
import type { GateRuleLine } from "../formats/index.js";
import { labelsAudited, type LabelsAudited } from "./labels-audited.js";
import { metricBound, type MetricBound } from "./metric-bound.js";
import { metricLoss, type MetricLoss } from "./metric-loss.js";
import { noSliceWorse, type NoSliceWorse } from "./no-slice-worse.js";
import { notWorseBy, type NotWorseBy } from "./not-worse-by.js";
import { queryCount, type QueryCount } from "./query-count.js";
import type { RuleKind } from "./rule-kind.js";
import { significantLoss, type SignificantLoss } from "./significant-loss.js";
import { unjudgedCannotOverturn, type UnjudgedCannotOverturn } from "./unjudged-cannot-overturn.js";
import { verdictIs, type VerdictIs } from "./verdict-is.js";
import { withinBaseline, type WithinBaseline } from "./within-baseline.js";
import { worseShare, type WorseShare } from "./worse-share.js";

/** A rule about a result. */
export type GateRule =
  | MetricBound
  | NotWorseBy
  | MetricLoss
  | SignificantLoss
  | WithinBaseline
  | QueryCount
  | WorseShare
  | VerdictIs
  | NoSliceWorse
  | UnjudgedCannotOverturn
  | LabelsAudited;

/** Every kind of rule. */
export const gateRuleKinds: readonly RuleKind<GateRule>[] = [
  metricBound,
  notWorseBy,
  metricLoss,
  significantLoss,
  withinBaseline,
  queryCount,
  worseShare,
  verdictIs,
  noSliceWorse,
  unjudgedCannotOverturn,
  labelsAudited,
];

/** The kind of a rule. */
export function kindOf(rule: GateRule): RuleKind<GateRule> {
  const kind = gateRuleKinds.find((each) => each.kind === rule.kind);
  if (kind === undefined)
    throw new InputError(
      "GATE_RULE",
      `kind of a rule must be one of ${gateRuleKinds.map((each) => quote(each.kind)).join(", ")}, ` +
        `got ${quote(rule)}`,
    );
  return kind;
}

/** Whether the scores of one run are enough for a rule, and no baseline is asked for. */
export function isRuleOfScores(rule: GateRule): boolean {
  return kindOf(rule).isOfScores === true;
}

/** A rule as it is printed: parsed again, it is the same rule. */
export function printGateRule(rule: GateRule): string {
  return kindOf(rule).print(rule);
}

/**
 * The rule that a text is: `parseGateRule("nDCG@10 >= 0.45")`. White space, and the case of words that are no
 * names, do not matter.
 *
 * @throws InputError `GATE_RULE` with the ways in which rules are written.
 */
export function parseGateRule(text: string): GateRule {
  const rule = parseRule(text);
  if (rule === null) throw new InputError("GATE_RULE", `gate rule: ${complaint(text)}`, { rule: text });
  return rule;
}

/**
 * Rules, each given as a text, as an object, or as a line of a file that `parseGateRules` of
 * `rankproof/formats` has read.
 *
 * @throws InputError `GATE_RULE` with all that cannot be read, each with its place, or when there is none: a
 * gate without rules would pass everything.
 */
export function asGateRules(rules: readonly (string | GateRule | GateRuleLine)[]): GateRule[] {
  const given: unknown = rules;
  if (!Array.isArray(given))
    throw new InputError("GATE_RULE", `a gate takes a list of rules, got ${quote(given)}; ${HINT}`);
  if (rules.length === 0) throw new InputError("GATE_RULE", `a gate needs at least one rule; ${HINT}`);
  const problems: Problem[] = [];
  const read = rules.flatMap((rule, index): GateRule[] => {
    const where = `rules[${index}]`;
    if (typeof rule !== "string" && !isLine(rule)) {
      if (isReadBack(rule)) return [rule];
      problems.push({
        code: "GATE_RULE",
        where,
        message: `has a value that no rule has, got ${quote(rule)}; ${HINT}`,
      });
      return [];
    }
    const written =
      typeof rule === "string"
        ? { text: rule, where }
        : { ...rule, where: (rule as Partial<GateRuleLine>).where ?? where };
    const found = parseRule(written.text);
    if (found === null)
      problems.push({
        code: "GATE_RULE",
        where: written.where,
        // Once: of a file that is no rules at all every line is wrong.
        message: complaint(written.text, problems.length === 0),
        ...("line" in written && { line: written.line }),
      });
    return found === null ? [] : [found];
  });
  throwProblems(problems);
  return read;
}

function isLine(rule: GateRule | GateRuleLine | null): rule is GateRuleLine {
  return typeof rule === "object" && rule !== null && "text" in rule;
}

const HINT = `rules are written ${gateRuleKinds.map(({ examples: [example] }) => quote(example)).join(", ")}`;

function complaint(text: string, isFirst = true): string {
  if (typeof text !== "string") return `must be a text, got ${quote(text)}; ${HINT}`;
  const near = nearestExample(text);
  const hint =
    near === undefined ? (isFirst ? `; ${HINT}` : "") : `; a rule like it is written ${quote(near)}`;
  return `cannot be read as a rule, got ${quote(text)}${hint}`;
}

/** Words of a rule that are neither names nor numbers. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/(?<![^\s])[a-z]+(?![^\s])/g) ?? [];
/** Below this share of words in common two rules are not alike. */
const ALIKE = 0.5;

/** The example that has most words in common with a text; any bound is like a bound. */
function nearestExample(text: string): string | undefined {
  if (/[<>=≤≥]/.test(text)) return metricBound.examples[0];
  const words = wordsOf(text);
  const isNear = (word: string, other: string): boolean => word === other || isSlip(word, other);
  const likeness = (example: string): number => {
    const others = wordsOf(example);
    const common = others.filter((other) => words.some((word) => isNear(word, other))).length;
    return common / Math.max(words.length, others.length, 1);
  };
  const examples = gateRuleKinds.flatMap((kind) => kind.examples);
  const best = examples.reduce((one, other) => (likeness(other) > likeness(one) ? other : one));
  return likeness(best) >= ALIKE ? best : undefined;
}

/** The grammars exclude each other, so the first that fits is the only one. */
function parseRule(text: string): GateRule | null {
  if (typeof text !== "string") return null;
  const plain = text.trim().replace(/\s+/g, " ");
  for (const kind of gateRuleKinds) {
    const rule = kind.parse(plain);
    if (rule !== null) return Object.values(rule).some(isEndless) ? null : rule;
  }
  return null;
}

/** What 1e999 is read as: no score can be held against it. */
function isEndless(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

/**
 * Whether a rule given as an object could have been written: NaN, a count of 1.5, a number as text or a name
 * with a line break could not.
 */
function isReadBack(rule: GateRule): boolean {
  if (typeof rule !== "object" || (rule as GateRule | null) === null) return false;
  const given = new Map<string, unknown>(Object.entries(rule));
  if ([...given].some(([name, value]) => value === null || (name === "metric" && typeof value !== "string")))
    return false;
  if (rule.kind === "verdict" && !Array.isArray(rule.verdicts)) return false;
  const text = printGateRule(rule);
  const again = parseRule(text);
  return (
    again !== null &&
    again.kind === rule.kind &&
    printGateRule(again) === text &&
    Object.entries(again).every(([name, value]) => typeof value === typeof given.get(name))
  );
}
