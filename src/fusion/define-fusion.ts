import type { Card } from "../foundation/cards/index.js";
import { kindOfObject } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import type { FusionPool } from "./fusion-pool.js";

/**
 * A parameter of a fusion method: a number in a range (both ends included), or one number for each run, which
 * has no default.
 */
export type FusionParameterCard =
  | {
      readonly default: number;
      readonly minimum: number;
      readonly maximum: number;
      readonly meaning: string;
      /** Whether it counts something. */
      readonly isWhole?: boolean;
      /** The values that a search tries, both ends included. */
      readonly tuned?: { readonly from: number; readonly to: number; readonly step: number };
    }
  | { readonly perRun: true; readonly meaning: string };

/** What a fusion method is: everything that help texts and the laws need to know about it. */
export interface FusionDefinition extends Card {
  /** What comes out when a run lacks an item, when items tie, when all scores are equal. */
  readonly edges: string;
  /**
   * What the method reads of a run: its scores, which must be comparable between runs, or only the order of
   * its hits.
   */
  readonly reads: "scores" | "ranks";
  /**
   * Name of the normalizer that is used when none is asked for: one that makes scores comparable, or `none`.
   */
  readonly normalizer: string;
  readonly parameters: Readonly<Record<string, FusionParameterCard>>;
  /**
   * Whether the score of an item is a sum over the runs of `weights[run]` times something that no weight
   * changes: then the best weights can be found exactly.
   */
  readonly isLinear?: true;
}

/** Values for a method's parameters; numbers that are left out have their defaults. */
export type FusionParameters = Readonly<Record<string, number | readonly number[]>>;

/** A fusion method with its parameters settled: fuses one query. */
export interface FusionMethod {
  /** As printed and parsed: `rrf(k=10)`, `wsum(weights=0.7/0.3)`. Defaults are not printed. */
  readonly name: string;
  readonly definition: FusionDefinition;
  readonly parameters: FusionParameters;
  /** How many runs it is for: the length of its weights; undefined when it has none. */
  readonly runs: number | undefined;
  /** The fused score of each item of the pool, higher is better. */
  score(pool: FusionPool): Float64Array;
}

/** What a method can be told, by name. */
export type FusionParameterCards = Readonly<Record<string, FusionParameterCard>>;

/** What a parameter can be given as. */
type Given<C> = C extends { readonly perRun: true } ? readonly number[] : number;

/** Values for the parameters of one method. Inferred anew, so that declarations hold them, not the cards. */
export type GivenParameters<P extends FusionParameterCards> = P extends infer Cards extends
  FusionParameterCards
  ? keyof Cards extends never
    ? Readonly<Record<string, never>>
    : { readonly [Name in keyof Cards]?: Given<Cards[Name]> }
  : never;

/** Makes methods of one kind: `reciprocalRankFusion({ k: 10 })`. @throws InputError `ARGUMENT` */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the factory of whatever method
export interface FusionFactory<V = any> {
  (parameters?: V): FusionMethod;
  readonly definition: FusionDefinition;
}

/** The settled parameters as the fusing function gets them. */
export interface FusionSettled {
  /** The value of a parameter that is a number. */
  number(name: string): number;
  /** The value of a parameter that has one number for each run. */
  perRun(name: string): readonly number[];
}

/**
 * Defines a fusion method: a card, and a function from what all runs say about one query to the fused score
 * of each item. The function is called once for each query that has hits.
 *
 * @throws InputError `ARGUMENT` when the name could not be parsed back, or the card lacks what fusing needs.
 */
export function defineFusion<const P extends FusionParameterCards>(
  definition: FusionDefinition & {
    readonly parameters: P;
    readonly score: (pool: FusionPool, settled: FusionSettled) => Float64Array;
  },
): FusionFactory<GivenParameters<P>> {
  if (typeof definition !== "object" || (definition as unknown) === null)
    throw new InputError("ARGUMENT", `defineFusion takes an object, got ${quote(definition)}`);
  const misnamed = [definition.name, ...Object.keys(definition.parameters ?? {})].find(
    (name: unknown) => typeof name !== "string" || !/^[A-Za-z]\w*$/.test(name),
  );
  if (misnamed !== undefined || definition.name === undefined)
    throw new InputError(
      "ARGUMENT",
      `fusion method name must be a letter followed by letters, digits or _, as its parameters, got ` +
        quote(misnamed),
    );
  const { reads, normalizer, parameters, score }: Partial<Record<keyof typeof definition, unknown>> =
    definition;
  if (
    (reads !== "scores" && reads !== "ranks") ||
    typeof normalizer !== "string" ||
    typeof parameters !== "object" ||
    typeof score !== "function"
  )
    throw new InputError(
      "ARGUMENT",
      `fusion method ${quote(definition.name)} must say what it reads (scores or ranks), the name of its ` +
        "normalizer (or none), its parameters ({}) and how it scores",
    );
  const factory = (given?: GivenParameters<P>): FusionMethod => {
    const values = resolveParameters(definition, (given === undefined ? {} : given) as FusionParameters);
    const settled = resolveValues(values);
    const lengths = [...values].flatMap(([, value]) => (typeof value === "number" ? [] : [value.length]));
    if (lengths.some((length) => length !== lengths[0]))
      throw new InputError("ARGUMENT", `${definition.name}: lists for the runs must be equally long`);
    return {
      name: formatFusionName(definition, values),
      definition,
      parameters: Object.fromEntries(values),
      runs: lengths[0],
      score: (pool) => definition.score(pool, settled),
    };
  };
  return Object.assign(factory, { definition });
}

/** A Map, a list or a number has no parameters by name, and would pass for none. */
function isPlainObject(given: unknown): boolean {
  return typeof given === "object" && given !== null && kindOfObject(given) === "Object";
}

type ParameterValues = ReadonlyMap<string, number | readonly number[]>;

/** Settled parameters as functions get them. */
export function resolveValues(values: ParameterValues): FusionSettled {
  return {
    number: (name) => values.get(name) as number,
    perRun: (name) => values.get(name) as readonly number[],
  };
}

/**
 * Every parameter with its value, the default where none is given.
 *
 * @throws InputError `ARGUMENT` for parameters that there are not, and values out of range.
 */
export function resolveParameters(definition: FusionDefinition, given: FusionParameters): ParameterValues {
  const cards = new Map(Object.entries(definition.parameters));
  if (!isPlainObject(given))
    throw new InputError(
      "ARGUMENT",
      `${definition.name} is made with an object of its parameters, or nothing, got ${quote(given)}`,
    );
  const wanted = new Map(Object.entries(given));
  for (const name of wanted.keys()) {
    if (cards.has(name)) continue;
    const known = cards.size === 0 ? "it has none" : `it has ${[...cards.keys()].map(quote).join(", ")}`;
    throw new InputError("ARGUMENT", `${definition.name} has no parameter ${quote(name)}; ${known}`);
  }
  return new Map(
    [...cards].map(
      ([name, card]) =>
        [
          name,
          "perRun" in card
            ? resolveWeights(definition, name, wanted.get(name))
            : resolveNumber(definition, name, card, wanted.get(name)),
        ] as const,
    ),
  );
}

function resolveNumber(
  definition: FusionDefinition,
  name: string,
  card: Exclude<FusionParameterCard, { perRun: true }>,
  value: unknown = card.default,
): number {
  const isWhole = card.isWhole === true;
  const isPossible = typeof value === "number" && value >= card.minimum && value <= card.maximum;
  if (isPossible && (!isWhole || Number.isInteger(value))) return value;
  throw new InputError(
    "ARGUMENT",
    `${name} of ${definition.name} must be a ${isWhole ? "whole " : ""}number from ${card.minimum} to ` +
      `${card.maximum}, got ${quote(numberOrValue(value))}`,
  );
}

function resolveWeights(definition: FusionDefinition, name: string, value: unknown): readonly number[] {
  if (!Array.isArray(value) || value.length === 0) {
    const got = value === undefined ? "" : `, got ${quote(numberOrValue(value))}`;
    throw new InputError(
      "ARGUMENT",
      `${definition.name} needs ${name}, one number for each run, as in ` +
        `\`${definition.name}(${name}=0.7/0.3)\`${got}`,
    );
  }
  return value.map((weight: unknown, run) => {
    if (typeof weight === "number" && Number.isFinite(weight)) return weight;
    throw new InputError(
      "ARGUMENT",
      `${name}[${run}] of ${definition.name} must be a finite number, got ${quote(numberOrValue(weight))}`,
    );
  });
}

/** JSON writes NaN and Infinity as null. */
function numberOrValue(value: unknown): unknown {
  return typeof value === "number" ? String(value) : value;
}

/** A method's name with every parameter, those that have their defaults included: `rrf(k=60)`. */
export function fullFusionName({ definition, parameters }: FusionMethod): string {
  return withParameters(definition.name, Object.entries(parameters));
}

/** A method's name with the parameters that do not have their defaults. */
export function formatFusionName({ name, parameters }: FusionDefinition, values: ParameterValues): string {
  const cards = new Map(Object.entries(parameters));
  const given = [...values].filter(([key, value]) => {
    const card = cards.get(key);
    return card === undefined || "perRun" in card || card.default !== value;
  });
  return withParameters(name, given);
}

function withParameters(
  name: string,
  values: readonly (readonly [string, number | readonly number[]])[],
): string {
  const list = values
    .map(([key, value]) => `${key}=${typeof value === "number" ? value : value.join("/")}`)
    .join(",");
  return list === "" ? name : `${name}(${list})`;
}
