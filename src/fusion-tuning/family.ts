import type { FusionMethod, Normalizer } from "../fusion/index.js";
import { choosePoint, type ChoiceRule, type ChosenPoint } from "./choose-point.js";
import type { Curve } from "./curve.js";

/** A setting that some queries chose. */
export interface Choice {
  /** The highest mean that the family has over those queries: what families are chosen by. */
  readonly maximum: number;
  readonly method: FusionMethod;
  /** Where on the family's axis; null where it has more than one. */
  readonly chosen: ChosenPoint | null;
  /** What any query scores with it. */
  score(query: number): number;
}

/** Settings that belong together: a method and a normalizer, with all that can be tuned in them. */
export interface Family {
  /** The method's name without parameters. */
  readonly method: string;
  readonly normalizer: Normalizer;
  /** The rule by which its points are chosen. */
  readonly rule: ChoiceRule;
  /** What is tuned, in words: `weight of b`. */
  readonly axis: string;
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
  readonly axis: string;
  readonly axes = 1;
  readonly curve: Curve;
  readonly #methodAt: (point: number) => FusionMethod;
  readonly #all: readonly number[];

  constructor(
    facts: Pick<Family, "method" | "normalizer" | "rule" | "axis">,
    curve: Curve,
    methodAt: (point: number) => FusionMethod,
  ) {
    this.method = facts.method;
    this.normalizer = facts.normalizer;
    this.rule = facts.rule;
    this.axis = facts.axis;
    this.curve = curve;
    this.#methodAt = methodAt;
    this.#all = Array.from({ length: curve.functions.size }, (_, query) => query);
  }

  get curves(): readonly Curve[] {
    return [this.curve];
  }

  choose(queries: readonly number[]): Choice {
    const isIn = new Set(queries);
    const left = this.#all.filter((query) => !isIn.has(query));
    const chosen = choosePoint(
      this.curve,
      left.length === 0 ? this.curve.sums : this.curve.without(left),
      queries,
      this.rule,
    );
    const { functions } = this.curve;
    return {
      maximum: chosen.maximum,
      method: this.#methodAt(chosen.point),
      chosen,
      score: (query) => functions.at(query, chosen.point),
    };
  }
}
