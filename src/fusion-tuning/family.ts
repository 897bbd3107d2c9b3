import type { FusionMethod, Normalizer } from "../fusion/index.js";
import { choosePoint, type ChoiceRule, type ChosenPoint } from "./choose-point.js";
import type { Curve } from "./curve.js";
import { poolOf, scoreFused, type FusedQuery } from "./fused-queries.js";
import { shortestPoint } from "./shortest-point.js";

/** A setting that some queries chose. */
export interface Choice {
  /** The highest mean that the family has over those queries: what families are chosen by. */
  readonly maximum: number;
  readonly method: FusionMethod;
  /** Where the family's curve is best; null where it has more than one axis. */
  readonly chosen: ChosenPoint | null;
  /** The point that is taken, from 0 to 1; null as above. */
  readonly point: number | null;
  /** What any query scores with it. */
  score(query: number): number;
}

/** What is tuned: a line of values, on which points lie from 0 to 1. */
export interface Axis {
  /** In words: `weight of b`, `k`. */
  readonly name: string;
  /** The value at a point. */
  at(point: number): number;
  /** Whether any number is a value, so that a short one may be taken. */
  readonly isDense: boolean;
  /** The last value before a point, where a part of the axis ends there. */
  before(point: number): number;
}

/** Every value from 0 to 1. */
export function weightAxis(name: string): Axis {
  return { name, isDense: true, at: (point) => point, before: (point) => point };
}

/** Single values, each as wide as the others. */
export function valuesAxis(name: string, values: readonly number[]): Axis {
  const count = values.length;
  return {
    name,
    isDense: false,
    at: (point) => values[cellAt(point, count)] as number,
    before: (point) => values[Math.max(0, Math.ceil(point * count - ROUNDING) - 1)] as number,
  };
}

/** Which of so many values, each as wide as the others, a point lies in. */
export function cellAt(point: number, count: number): number {
  // A point at the beginning of a value may lie a rounding before it.
  return Math.min(count - 1, Math.max(0, Math.floor(point * count + ROUNDING)));
}

const ROUNDING = 1e-6;

/** Settings that belong together: a method and a normalizer, with all that can be tuned in them. */
export interface Family {
  /** The method's name without parameters. */
  readonly method: string;
  readonly normalizer: Normalizer;
  /** The rule by which its points are chosen. */
  readonly rule: ChoiceRule;
  /** What is tuned; null where that is more than one number. */
  readonly axis: Axis | null;
  /** The same in words. */
  readonly tuned: string;
  /** How many numbers are tuned. */
  readonly axes: number;
  /** All that was looked at, over all queries. */
  readonly curves: readonly Curve[];
  /** The setting that these queries would choose. */
  choose(queries: readonly number[]): Choice;
}

/** A family with one axis from 0 to 1, all of which is known. */
export class CurveFamily implements Family {
  readonly method: string;
  readonly normalizer: Normalizer;
  readonly rule: ChoiceRule;
  readonly axis: Axis;
  readonly axes = 1;
  readonly curve: Curve;
  readonly #methodAt: (point: number) => FusionMethod;
  readonly #queries: readonly FusedQuery[];
  readonly #all: readonly number[];

  constructor(
    facts: Pick<Family, "method" | "normalizer" | "rule"> & { readonly axis: Axis },
    queries: readonly FusedQuery[],
    curve: Curve,
    methodAt: (point: number) => FusionMethod,
  ) {
    this.method = facts.method;
    this.normalizer = facts.normalizer;
    this.rule = facts.rule;
    this.axis = facts.axis;
    this.curve = curve;
    this.#methodAt = methodAt;
    this.#queries = queries;
    this.#all = Array.from({ length: curve.functions.size }, (_, query) => query);
  }

  get tuned(): string {
    return this.axis.name;
  }

  get curves(): readonly Curve[] {
    return [this.curve];
  }

  choose(queries: readonly number[]): Choice {
    const isIn = new Set(queries);
    const left = this.#all.filter((query) => !isIn.has(query));
    const chosen = choosePoint(this.curve, queries, left, this.rule);
    const interval = this.rule === "plateau" ? chosen.widest : chosen.widestNear;
    const point = this.axis.isDense ? shortestPoint(this.curve, chosen.point, interval, left) : chosen.point;
    const method = this.#methodAt(point);
    return {
      maximum: chosen.maximum,
      method,
      chosen,
      point,
      // Fused in fact: a query that had no say may have a tie at the point, which the curve does not know.
      score: (query) => this.#score(query, method),
    };
  }

  #score(query: number, method: FusionMethod): number {
    const fused = this.#queries[query] as FusedQuery;
    return scoreFused(fused, poolOf(fused, method, this.normalizer), method);
  }
}
