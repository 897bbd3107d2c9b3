import { InputError, shown } from "../errors.js";
import type { Fraction } from "../numbers/index.js";
import type { JudgedRanking } from "../ranking.js";

/** A parameter of a metric: a number in a range, or one of a few words. */
export type ParameterCard =
  | { readonly default: number; readonly minimum: number; readonly maximum: number; readonly meaning: string }
  | { readonly default: string; readonly oneOf: readonly string[]; readonly meaning: string };

/** What a metric is: everything that help texts, reports, the metrics page and the laws need to know about it. */
export interface MetricDefinition {
  /** As printed, without parameters and cutoff: `nDCG`. Letters, digits and `_`. */
  readonly name: string;
  /** Further names that are read and never written. */
  readonly aliases?: readonly string[];
  /** The question it answers, in one sentence. */
  readonly question: string;
  readonly formula: string;
  /** What comes out with fewer than k hits, nothing relevant, unjudged hits. */
  readonly edges: string;
  /** The reference implementations that give the same number. */
  readonly agreesWith: string;
  /** Where it was introduced, with DOI where there is one. */
  readonly paper: string;
  /** Whether a cutoff `@k` must, may or cannot be given. */
  readonly cutoff: "required" | "optional" | "none";
  readonly parameters: Readonly<Record<string, ParameterCard>>;
  /** Lowest and highest possible score, both included; null where there is no bound. */
  readonly range: readonly [number, number | null];
  readonly higherIsBetter: boolean;
}

/** Values for a metric's parameters; those left out have their defaults. */
export type MetricParameters = Readonly<Record<string, number | string>>;

/** A metric with its parameters settled: scores one query. */
export interface Metric {
  /** As printed and parsed: `nDCG@10`. Defaults are not printed. */
  readonly name: string;
  readonly definition: MetricDefinition;
  /** 1-based, included; undefined means the whole ranking. */
  readonly cutoff: number | undefined;
  readonly parameters: MetricParameters;
  /** The score of one query. */
  score(judged: JudgedRanking): number;
  /** The same as a fraction, for metrics whose scores are rational: their means are then exact. */
  readonly fraction?: (judged: JudgedRanking) => Fraction;
}

/** Makes metrics of one kind: `ndcg({ cutoff: 10 })`. */
export interface MetricFactory {
  (options?: { cutoff?: number; parameters?: MetricParameters }): Metric;
  readonly definition: MetricDefinition;
}

/** The settled parameters as the scoring function gets them: numbers and words by name. */
export interface Settled {
  /** Infinity when no cutoff was given. */
  readonly cutoff: number;
  /** The value of a parameter that is a number. */
  number(name: string): number;
  /** The value of a parameter that is a word. */
  word(name: string): string;
}

type Scoring =
  | { readonly fraction: (judged: JudgedRanking, settled: Settled) => Fraction }
  | { readonly score: (judged: JudgedRanking, settled: Settled) => number };

/**
 * Defines a metric: a card and a scoring function. Give `fraction` when the score is a ratio of whole numbers (means are then
 * rounded exactly), else `score`.
 *
 * @throws InputError `ARGUMENT` when the name could not be parsed back.
 */
export function defineMetric(definition: MetricDefinition & Scoring): MetricFactory {
  if (!/^[A-Za-z]\w*$/.test(definition.name)) {
    throw new InputError("ARGUMENT", `metric name must be a letter followed by letters, digits or _, got ${shown(definition.name)}`);
  }
  const factory = ({ cutoff, parameters = {} }: { cutoff?: number; parameters?: MetricParameters } = {}): Metric => {
    checkCutoff(definition, cutoff);
    const values = settledParameters(definition, parameters);
    const settled: Settled = { cutoff: cutoff ?? Infinity, number: (name) => values.get(name) as number, word: (name) => values.get(name) as string };
    const common = { name: printedName(definition, cutoff, values), definition, cutoff, parameters: Object.fromEntries(values) };
    if (!("fraction" in definition)) return { ...common, score: (judged) => definition.score(judged, settled) };
    const fraction = (judged: JudgedRanking) => definition.fraction(judged, settled);
    return {
      ...common,
      fraction,
      score: (judged) => {
        const { numerator, denominator } = fraction(judged);
        return numerator / denominator;
      },
    };
  };
  return Object.assign(factory, { definition });
}

function checkCutoff(definition: MetricDefinition, cutoff: number | undefined): void {
  const { name } = definition;
  if (cutoff === undefined) {
    if (definition.cutoff === "required") throw new InputError("METRIC_PARAMETER", `${name} needs a cutoff, as in \`${name}@10\``);
    return;
  }
  if (definition.cutoff === "none") throw new InputError("METRIC_PARAMETER", `${name} has no cutoff; write \`${name}\``);
  if (!Number.isSafeInteger(cutoff) || cutoff < 1) throw new InputError("METRIC_PARAMETER", `the cutoff of ${name} must be a whole number from 1, got ${shown(cutoff)}`);
}

function settledParameters(definition: MetricDefinition, given: MetricParameters): Map<string, number | string> {
  const cards = new Map(Object.entries(definition.parameters));
  const values = new Map<string, number | string>([...cards].map(([name, card]) => [name, card.default]));
  for (const [name, value] of Object.entries(given)) {
    const card = cards.get(name);
    if (card === undefined) {
      const known = cards.size === 0 ? "it has none" : `it has ${[...cards.keys()].map(shown).join(", ")}`;
      throw new InputError("METRIC_PARAMETER", `${definition.name} has no parameter ${shown(name)}; ${known}`);
    }
    if ("oneOf" in card) {
      if (typeof value !== "string" || !card.oneOf.includes(value)) {
        throw new InputError("METRIC_PARAMETER", `${name} of ${definition.name} must be one of ${card.oneOf.map(shown).join(", ")}, got ${shown(value)}`);
      }
    } else if (typeof value !== "number" || !(value >= card.minimum && value <= card.maximum)) {
      throw new InputError("METRIC_PARAMETER", `${name} of ${definition.name} must be a number from ${card.minimum} to ${card.maximum}, got ${shown(value)}`);
    }
    values.set(name, value);
  }
  return values;
}

function printedName(definition: MetricDefinition, cutoff: number | undefined, values: ReadonlyMap<string, number | string>): string {
  const given = [...values].filter(([name, value]) => definition.parameters[name]?.default !== value);
  const list = given.map(([name, value]) => `${name}=${typeof value === "string" ? `'${value}'` : value}`).join(",");
  return `${definition.name}${list === "" ? "" : `(${list})`}${cutoff === undefined ? "" : `@${cutoff}`}`;
}
