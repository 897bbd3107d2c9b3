import type { Candidate, Finding } from "./candidate.js";

/**
 * A kind of rule: how it is written, and when it passes. The parser, the messages and the tests walk the list
 * of all kinds.
 */
export interface RuleKind<R extends { readonly kind: string }> {
  readonly kind: R["kind"];
  /** How it is written, with places in capitals: `METRIC >= NUMBER`. */
  readonly written: string;
  /** When it passes, in one sentence. */
  readonly meaning: string;
  /** Rules of this kind as they are printed. */
  readonly examples: readonly [string, ...string[]];
  /** Whether it draws a conclusion, and so asks whose labels that rests on. */
  readonly concludes?: true;
  /** Whether the scores of one run are enough for it: no baseline is asked for. */
  readonly isOfScores?: true;
  /** The rule that a text is, whose white space is single blanks; null for a rule of another kind. */
  parse(text: string): R | null;
  /** The text of a rule: parsed again, it is the same rule. */
  print(rule: R): string;
  /** Holds it against one run. What was not measured does not pass. */
  check(rule: R, candidate: Candidate): Finding;
}

/** A number as rules are written: a decimal number of this language, which is printed as it was read. */
export const NUMBER = String.raw`-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?`;

/**
 * The name of a metric as rules have it: one word, or two such as `doc recall@5`, so that no other rule can
 * be taken for one.
 */
export const METRIC = String.raw`[^\s<>]+(?: [^\s<>]+)?`;
