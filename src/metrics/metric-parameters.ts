import { quote } from "../foundation/errors/index.js";

/** Pairs of a grade and its gain. */
export type Gains = readonly (readonly [grade: number, gain: number])[];

/** A value that a parameter can have: a number, a word, yes or no, a list of numbers, or gains by grade. */
export type ParameterValue = number | string | boolean | readonly number[] | Gains;

/** A parameter of a metric; its default says what kind of value it takes. */
export interface ParameterCard<T extends ParameterValue = ParameterValue> {
  readonly default: T;
  readonly meaning: string;
  /** For numbers, and for the numbers in a list: both bounds are included. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** For words. */
  readonly oneOf?: readonly string[];
}

/** The parameters of a metric by name. */
export type ParameterCards = Readonly<Record<string, ParameterCard>>;

type Widened<T> = T extends number
  ? number
  : T extends string
    ? string
    : T extends boolean
      ? boolean
      : T extends readonly [] | Gains
        ? Gains
        : readonly number[];

/** Cutoff and parameters as the scoring function gets them. */
export type Settled<P extends ParameterCards = ParameterCards> = {
  readonly [K in keyof P]: Widened<P[K]["default"]>;
} & {
  /** Infinity when no cutoff was given. */
  readonly cutoff: number;
};

/** Values for a metric's parameters; those left out have their defaults. */
export type MetricParameters = Readonly<Record<string, ParameterValue>>;

/** What a parameter can be given as: one of its words, or a value of the kind of its default. */
type Given<C extends ParameterCard> = C extends { readonly oneOf: readonly (infer Word)[] }
  ? Word
  : Widened<C["default"]>;

/** Values for the parameters of one metric. Inferred anew, so that declarations hold them, not the cards. */
export type GivenParameters<P extends ParameterCards> = P extends infer Cards extends ParameterCards
  ? { readonly [Name in keyof Cards]?: Given<Cards[Name]> | undefined }
  : never;

/** True, or what the value must be. */
export function isPossible(
  value: ParameterValue,
  { default: usual, minimum = -Infinity, maximum = Infinity, oneOf = [] }: ParameterCard,
): true | string {
  const isNumber = (item: unknown): boolean =>
    Number.isFinite(item) && (item as number) >= minimum && (item as number) <= maximum;
  const bounds =
    (minimum === -Infinity ? "" : ` from ${minimum}`) + (maximum === Infinity ? "" : ` to ${maximum}`);
  if (typeof usual === "number") return isNumber(value) || `a number${bounds}`;
  if (typeof usual === "string")
    return (
      oneOf.includes(value as string) || `one of ${oneOf.map(quote).join(", ") || "the words of \`oneOf\`"}`
    );
  if (typeof usual === "boolean") return typeof value === "boolean" || "`True` or `False`";
  if (usual.length > 0 && !Array.isArray(usual[0]))
    return (
      (Array.isArray(value) && value.length > 0 && value.every(isNumber)) ||
      `a list of numbers${bounds}, as in \`[0.2,0.8]\``
    );
  return (
    (Array.isArray(value) &&
      value.every(
        (pair) => Array.isArray(pair) && pair.length === 2 && Number.isFinite(pair[0]) && isNumber(pair[1]),
      ) &&
      new Map(value as Gains).size === value.length) ||
    `gains${bounds} by grade, as in \`{1:3,2:9}\``
  );
}

/** As Python writes it, which is what the field's grammar is. */
export function formatParameter(value: ParameterValue): string {
  if (typeof value === "string") return `'${value}'`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  return Array.isArray(value[0])
    ? `{${(value as Gains).map((pair) => pair.join(":")).join(",")}}`
    : `[${value.join(",")}]`;
}
