import { isRange, type Card } from "../foundation/cards/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import type { Fraction } from "../foundation/numbers/index.js";
import { condenseRanking, type JudgedRanking } from "./judged-ranking.js";
import {
  formatParameter,
  isPossible,
  type GivenParameters,
  type MetricParameters,
  type ParameterCard,
  type ParameterCards,
  type ParameterValue,
  type Settled,
} from "./metric-parameters.js";

/** A way to make one number of the scores of queries, of which there is at least one. */
export interface MetricAggregation {
  readonly name: string;
  /** Whether logarithms go into it, whose last digits differ from engine to engine. Default false. */
  readonly hasLogarithms?: boolean;
  /**
   * The one number.
   *
   * @param sum adds numbers up, exactly or one after the other.
   */
  of(scores: ArrayLike<number> & Iterable<number>, sum: (terms: Iterable<number>) => number): number;
}

/**
 * A law that metrics keep (see `metricContract`); a card names those that do not hold for it, and why.
 */
export type LawName =
  | "within its range"
  | "ideal attains the maximum"
  | "swapping a better item upwards never lowers it"
  | "what is below the cutoff does not matter"
  | "an unjudged item at the end changes nothing"
  | "not all rankings score the same";

/**
 * What a metric is: everything that help texts, reports, the metrics page and the laws need to know about it.
 */
export interface MetricDefinition extends Card {
  /** What comes out with fewer than k hits, nothing relevant, unjudged hits. */
  readonly edges: string;
  /** Whether a cutoff `@k` must, may or cannot be given, or whether `@x` is a recall level from 0 to 1. */
  readonly cutoff: "required" | "optional" | "none" | "recall level";
  readonly parameters: ParameterCards;
  /** Lowest and highest possible score, both included; null where there is no bound. */
  readonly range: readonly [number | null, number | null];
  readonly higherIsBetter: boolean;
  /** How the scores of queries become one; the mean unless given. */
  readonly aggregate?: MetricAggregation;
  /** The deepest rank that it looks at, where that is no cutoff. */
  readonly depth?: number;
  /** Whether it needs judgments by subtopic. */
  readonly needs?: "subtopics";
  /** Given as false where leaving out unjudged hits makes no sense. */
  readonly judgedOnly?: false;
  /** Laws that do not hold for it, with the reason. */
  readonly exempt?: Readonly<Partial<Record<LawName, string>>>;
  /**
   * How far unjudged hits can move the score. `rising`: an item's grade never lowers it, so all unjudged at
   * the top grade is its maximum. `counted`: items are relevant or not, and for a given number of newly
   * relevant ones the best places are the highest. `normalized gain`: gain over ideal gain. Left out where
   * there is no exact form.
   */
  readonly bounds?: "rising" | "counted" | "normalized gain";
}

/** What a metric is made with; left out are no cutoff, and the defaults. */
export interface MetricOptions<V = MetricParameters> {
  readonly cutoff?: number | undefined;
  readonly parameters?: (V & { readonly judged_only?: boolean | undefined }) | undefined;
}

/** One query's score. */
export type Score = (judged: JudgedRanking) => number;

/**
 * The scores of a ranking with the first of some labels, the first two and so on, but for rounding, in time
 * that is linear in hits and labels: which number of labels is best or worst is looked for in them.
 *
 * @param labels ranks of unjudged hits that become relevant one after another, from the top or from the end.
 * @returns one more value than labels: the first is without any.
 */
export type ScoresAlong = (judged: JudgedRanking, labels: readonly number[]) => Float64Array;

/** A score that adds up over the earned items: `gain(grade) * discount(rank)`, divided by `norm`. */
export interface LinearScore {
  /** The list it adds up over. */
  readonly over: "hits" | "finds" | "earned";
  /** From 0; never falls as the grade rises. */
  readonly gain: (grade: number) => number;
  /** Never rises with the rank. */
  readonly discount: (rank: number, judged: JudgedRanking) => number;
  /** 0 where the score is 0 whatever the ranking. */
  readonly norm: (judged: JudgedRanking) => number;
}

/** A metric with its parameters settled: scores one query. */
export interface Metric {
  /** As printed and parsed: `nDCG@10`. Defaults are not printed. */
  readonly name: string;
  readonly definition: MetricDefinition;
  /** 1-based, included, or a recall level; undefined means the whole ranking. */
  readonly cutoff: number | undefined;
  readonly parameters: MetricParameters;
  /** The score of one query. */
  readonly score: Score;
  /** The same as a fraction, for metrics whose scores are rational: their means are then exact. */
  readonly fraction?: (judged: JudgedRanking) => Fraction;
  /** The exact mean over all orders of tied hits, given `judged.tied`. */
  readonly expected?: Score;
  readonly linear?: LinearScore;
  /** For `counted` bounds of scores that would take as long for every number of labels as for all of them. */
  readonly along?: ScoresAlong;
}

/** Makes metrics of one kind: `ndcg({ cutoff: 10 })`. @throws InputError `METRIC_PARAMETER` */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the factory of whatever metric
export interface MetricFactory<V = any> {
  (options?: MetricOptions<V>): Metric;
  readonly definition: MetricDefinition;
}

/**
 * The ways to say how a query is scored, which must agree: a query by `score`, else the first that is there,
 * a mean by `fraction`. All get the settled parameters once.
 */
export interface Scoring<P extends ParameterCards> {
  /** A ratio of whole numbers: means are then rounded exactly. */
  readonly fraction?: (settled: Settled<P>) => (judged: JudgedRanking) => Fraction;
  /** Any other number. */
  readonly score?: (settled: Settled<P>) => Score;
  /** A sum over the ranks of what each relevant hit earns there. */
  readonly linear?: (settled: Settled<P>) => LinearScore;
  /** The scores with each number of labels, in one go: for `counted` bounds. */
  readonly along?: (settled: Settled<P>) => ScoresAlong;
  /**
   * The mean over all orders of tied hits; `score` where the order of hits does not matter; derived where
   * `linear` is given.
   */
  readonly expected?: "score" | ((settled: Settled<P>) => Score);
}

const JUDGED_ONLY = "judged_only";
const judgedOnlyCard: ParameterCard = {
  default: false,
  meaning: "leave unjudged hits out of the ranking first",
};

/** The parameters of a metric with those that all have. */
export function parameterCards(card: MetricDefinition): ParameterCards {
  return card.judgedOnly === false ? card.parameters : { ...card.parameters, [JUDGED_ONLY]: judgedOnlyCard };
}

/**
 * Defines a metric: a card, and a function from its settled parameters to a function that scores one query.
 * Give `fraction` when the score is a ratio of whole numbers, `linear` when it is a discounted sum of gains,
 * else `score`.
 *
 * @throws InputError `ARGUMENT` when the name could not be parsed back, or nothing says how to score.
 */
export function defineMetric<const P extends ParameterCards>(
  definition: MetricDefinition & { readonly parameters: P } & Scoring<P>,
): MetricFactory<GivenParameters<P>> {
  const { higherIsBetter: isRising }: { higherIsBetter?: unknown } = definition;
  const names = Object.keys(definition.parameters ?? {});
  const misnamed = [definition.name, ...names].find(
    (name: unknown) => typeof name !== "string" || !/^[A-Za-z]\w*$/.test(name),
  );
  if (misnamed !== undefined || definition.name === undefined || names.includes("cutoff"))
    throw new InputError(
      "ARGUMENT",
      `metric name must be a letter followed by letters, digits or _, as its parameters, got ` +
        quote(misnamed ?? "cutoff"),
    );
  for (const [name, card] of Object.entries(definition.parameters ?? {})) {
    const isGiven = (card.default as unknown) != null;
    const wanted = isGiven ? isPossible(card.default, card) : "given";
    if (wanted !== true)
      throw new InputError(
        "ARGUMENT",
        `the default of ${name} of metric ${quote(definition.name)} must be ${wanted}, got ` +
          quote(card.default),
      );
  }
  if (!(definition.score ?? definition.fraction ?? definition.linear))
    throw new InputError(
      "ARGUMENT",
      `metric ${quote(definition.name)} needs \`score\`, \`fraction\` or \`linear\``,
    );
  if (typeof isRising !== "boolean" || !isRange(definition.range))
    throw new InputError(
      "ARGUMENT",
      `metric ${quote(definition.name)}: higherIsBetter must be true or false, and range two scores, null ` +
        `where there is no bound, got ${quote(isRising)} and ` +
        quote(definition.range),
    );
  const factory = (options: MetricOptions<GivenParameters<P>> = {}): Metric => {
    checkOptions(definition, options);
    const { cutoff, parameters = {} } = options;
    checkCutoff(definition, cutoff);
    const values = resolveParameters(definition, parameters);
    const settled = { ...Object.fromEntries(values), cutoff: cutoff ?? Infinity } as unknown as Settled<P>;
    const metric = {
      name: formatMetricName(definition, cutoff, values),
      definition,
      cutoff,
      parameters: Object.fromEntries(values),
      ...scoring(definition, settled),
    };
    if (values.get(JUDGED_ONLY) !== true) return metric;
    const { name, parameters: all, score, fraction } = metric;
    return {
      name,
      definition,
      cutoff,
      parameters: all,
      score: (judged) => score(condenseRanking(judged)),
      ...(fraction && { fraction: (judged: JudgedRanking) => fraction(condenseRanking(judged)) }),
    };
  };
  return Object.assign(factory, { definition });
}

/** A factory whose parameters have other defaults, which are printed like any that are given. */
export function withDefaults(factory: MetricFactory, defaults: MetricParameters): MetricFactory {
  const makeVariant = (options: MetricOptions = {}): Metric => {
    checkOptions(factory.definition, options);
    // What is given as undefined has the default; its name is still looked at.
    const parameters = new Map(Object.entries({ ...options.parameters, ...defaults }));
    for (const [name, value] of Object.entries(options.parameters ?? {}))
      if ((value as unknown) !== undefined) parameters.set(name, value);
    return factory({ ...options, parameters: Object.fromEntries(parameters) });
  };
  return Object.assign(makeVariant, { definition: factory.definition });
}

const isScore = (given: unknown): given is Score => typeof given === "function";

function scoring<P extends ParameterCards>(
  definition: Scoring<P> & { readonly name: string },
  settled: Settled<P>,
): Pick<Metric, "score" | "fraction" | "expected" | "linear" | "along"> {
  const fraction = definition.fraction?.(settled);
  const linear = definition.linear?.(settled);
  const score: unknown =
    definition.score?.(settled) ?? (fraction ? quotient(fraction) : linear && linearScore(linear));
  if (!isScore(score) || (fraction && !isScore(fraction)))
    throw new InputError(
      "ARGUMENT",
      `metric ${quote(definition.name)}: \`score\` must return a function: \`({ cutoff }) => (judged) => …\``,
    );
  const expected = definition.expected === "score" ? score : definition.expected?.(settled);
  const along = definition.along?.(settled);
  return {
    score,
    ...(fraction && { fraction }),
    ...(linear && { linear }),
    ...(expected && { expected }),
    ...(along && { along }),
  };
}

/** The score that a fraction is. */
export function quotient(fraction: (judged: JudgedRanking) => Fraction): Score {
  return (judged) => {
    const { numerator, denominator } = fraction(judged);
    return numerator / denominator;
  };
}

/** The score that a sum of gains over its norm is. */
export function linearScore({ over, gain, discount, norm }: LinearScore): Score {
  return (judged) => {
    const { ranks, grades } = judged[over];
    // Also where nothing was found: it may refuse the judgments.
    const whole = norm(judged);
    let sum = 0;
    for (let i = 0; i < ranks.length; i++)
      sum += gain(grades[i] as number) * discount(ranks[i] as number, judged);
    return sum === 0 ? 0 : sum / whole;
  };
}

function refuse(message: string): never {
  throw new InputError("METRIC_PARAMETER", message);
}

/** `ndcg(10)` and `ndcg({ k: 10 })` would be nDCG without a cutoff. */
function checkOptions({ name }: MetricDefinition, options: object): void {
  if (
    Object(options) !== options ||
    Object.entries(options).some(
      ([key, value]) => value !== undefined && key !== "cutoff" && key !== "parameters",
    )
  )
    refuse(`${name} is made with \`{ cutoff, parameters }\` or nothing, got ${quote(options)}`);
}

function checkCutoff({ name, cutoff: kind }: MetricDefinition, cutoff: number | undefined): void {
  if (cutoff === undefined) {
    if (kind === "required") refuse(`${name} needs a cutoff, as in \`${name}@10\``);
    if (kind === "recall level") refuse(`${name} needs a recall level, as in \`${name}@0.1\``);
  } else if (kind === "none") refuse(`${name} has no cutoff; write \`${name}\``);
  else if (kind === "recall level") {
    if (!(cutoff >= 0 && cutoff <= 1))
      refuse(`the recall level of ${name} must be a number from 0 to 1, got ${quote(cutoff)}`);
  } else if (!Number.isSafeInteger(cutoff) || cutoff < 1)
    refuse(`the cutoff of ${name} must be a whole number from 1, got ${quote(cutoff)}`);
}

function resolveParameters(
  definition: MetricDefinition,
  given: MetricParameters,
): Map<string, ParameterValue> {
  const cards = new Map(Object.entries(parameterCards(definition)));
  const values = new Map([...cards].map(([name, card]) => [name, card.default]));
  for (const [name, value] of Object.entries(given)) {
    const card =
      cards.get(name) ??
      refuse(
        `${definition.name} has no parameter ${quote(name)}; it has ` +
          `${[...cards.keys()].map(quote).join(", ") || "none"}`,
      );
    if ((value as unknown) === undefined) continue;
    const wanted = isPossible(value, card);
    if (wanted !== true) refuse(`${name} of ${definition.name} must be ${wanted}, got ${quote(value)}`);
    values.set(name, value);
  }
  return values;
}

function formatMetricName(
  definition: MetricDefinition,
  cutoff: number | undefined,
  values: ReadonlyMap<string, ParameterValue>,
): string {
  const cards = parameterCards(definition);
  const list = [...values]
    .filter(
      ([name, value]) => formatParameter(value) !== formatParameter((cards[name] as ParameterCard).default),
    )
    .map(([name, value]) => `${name}=${formatParameter(value)}`);
  const set = list.length === 0 ? "" : `(${list.join(",")})`;
  return definition.name + set + (cutoff === undefined ? "" : `@${cutoff}`);
}

/** The deepest rank that a metric looks at; infinite where there is none. */
export function metricDepth({ cutoff, definition }: Metric): number {
  if (definition.cutoff === "recall level") return Infinity;
  return cutoff ?? definition.depth ?? Infinity;
}

/** Whether a metric was given gains by grade, which may fall where grades rise. */
export function hasOwnGains({ parameters: { gains } }: Metric): boolean {
  return Array.isArray(gains) && gains.length > 0;
}
