import type { FusionFactory, FusionMethod, FusionPool, Normalizer } from "../fusion/index.js";
import { ascending, exactMean } from "../foundation/numbers/index.js";
import { choosePoint, type ChoiceRule } from "./choose-point.js";
import { Curve } from "./curve.js";
import type { Choice, Family } from "./family.js";
import { scoreFused, poolOf, type FusedQuery } from "./fused-queries.js";
import { addSweep, SAME, StepFunctions } from "./step-functions.js";
import { rightScores, type RightScores } from "./top-sweep.js";

/** The scores of each item with all of the weight on one run, by query and run. */
export class UnitScores {
  readonly queries: readonly FusedQuery[];
  readonly pools: readonly FusionPool[];
  readonly #byQuery: readonly (readonly Float64Array[])[];
  readonly #right: RightScores[][] = [];

  constructor(queries: readonly FusedQuery[], runs: number, factory: FusionFactory, normalizer: Normalizer) {
    const units = Array.from({ length: runs }, (_, run) => factory({ weights: unitWeights(runs, run) }));
    const [first] = units as [FusionMethod];
    this.queries = queries;
    this.pools = queries.map((query) => poolOf(query, first, normalizer));
    this.#byQuery = this.pools.map((pool) => units.map((unit) => unit.score(pool)));
  }

  of(query: number, run: number): Float64Array {
    return this.#byQuery[query]?.[run] as Float64Array;
  }

  /** The same, and who can rise towards it. */
  right(query: number, run: number): RightScores {
    const ofQuery = (this.#right[query] ??= []);
    return (ofQuery[run] ??= rightScores(this.of(query, run), this.queries[query]?.judged.ids ?? []));
  }

  /** The sum of the runs' scores, each times its weight. */
  mixScores(query: number, weights: readonly number[]): Float64Array {
    const sum = new Float64Array(this.queries[query]?.judged.ids.length ?? 0);
    weights.forEach((weight, run) => {
      if (weight === 0) return;
      const scores = this.of(query, run);
      for (let item = 0; item < sum.length; item++)
        (sum[item] as number) += weight * (scores[item] as number);
    });
    return sum;
  }
}

function unitWeights(runs: number, run: number): number[] {
  return Array.from({ length: runs }, (_, other) => (other === run ? 1 : 0));
}

/** Passes over all runs after which a search that still climbs is cut short. */
const MOST_PASSES = 10;
/** From so many runs alone it begins: from all of them the time would grow with their third power. */
const MOST_ALONE = 5;

/**
 * The weights of three or more runs: along the weight of one run, the others in proportion, the curve is
 * exact. From equal weights and from each of the best runs alone, one run after the other is set to its best,
 * until nothing rises any more; a higher top that none of these beginnings reaches can be missed.
 */
export class LineSearch implements Family {
  readonly method: string;
  readonly normalizer: Normalizer;
  readonly rule: ChoiceRule = "plateau";
  readonly axis = null;
  readonly tuned = "weights, one run after the other";
  readonly axes: number;
  readonly #factory: FusionFactory;
  readonly #scores: UnitScores;
  readonly #runs: number;
  readonly #seen: (query: number, item: number) => void;
  /** By run, what each query scores with it alone. */
  readonly #alone: readonly (readonly number[])[];
  #curves: Curve[] | null = null;

  constructor(
    factory: FusionFactory,
    normalizer: Normalizer,
    queries: readonly FusedQuery[],
    runs: number,
    seen: (query: number, item: number) => void,
  ) {
    this.method = factory.definition.name;
    this.normalizer = normalizer;
    this.#factory = factory;
    this.#runs = runs;
    this.axes = runs - 1;
    this.#scores = new UnitScores(queries, runs, factory, normalizer);
    this.#seen = seen;
    this.#alone = Array.from({ length: runs }, (_, run) => {
      const method = factory({ weights: unitWeights(runs, run) });
      return queries.map((_, query) => this.#score(query, method));
    });
  }

  /**
   * Lines that do not depend on what is relevant: along the weight of each run with the others equal, and
   * between every two runs. Those of the climb do, and flipped signs would climb elsewhere.
   */
  get curves(): readonly Curve[] {
    if (this.#curves !== null) return this.#curves;
    const runs = Array.from({ length: this.#runs }, (_, run) => run);
    const all = this.#scores.queries.map((_, query) => query);
    const alone = runs.map((run) => unitWeights(this.#runs, run));
    this.#curves = [
      ...runs.map((run) => this.#alongWeight(without(alone[run] as number[], run), run, all)),
      ...runs.flatMap((run) =>
        runs.slice(run + 1).map((other) => this.#alongWeight(alone[run] as number[], other, all)),
      ),
    ];
    return this.#curves;
  }

  choose(queries: readonly number[]): Choice {
    const { weights, mean } = this.#search(queries);
    const method = this.#factory({ weights });
    return { maximum: mean, method, chosen: null, point: null, score: (query) => this.#score(query, method) };
  }

  #score(query: number, method: FusionMethod): number {
    return scoreFused(
      this.#scores.queries[query] as FusedQuery,
      this.#scores.pools[query] as FusionPool,
      method,
    );
  }

  #search(queries: readonly number[]): { weights: readonly number[]; mean: number } {
    const runs = this.#runs;
    let best = this.#climb(
      Array.from({ length: runs }, () => 1 / runs),
      queries,
    );
    for (const run of this.#bestAlone(queries)) {
      // From the first run alone, the first line is the one from equal weights.
      if (run === 0) continue;
      const top = this.#climb(unitWeights(runs, run), queries);
      if (top.mean > best.mean + SAME) best = top;
    }
    return best;
  }

  /** The runs that score highest without the others, in the order in which they were given. */
  #bestAlone(queries: readonly number[]): number[] {
    const means = this.#alone.map((scores) => exactMean(queries.map((query) => scores[query] as number)));
    return [...means.keys()]
      .sort((a, b) => (means[b] as number) - (means[a] as number))
      .slice(0, MOST_ALONE)
      .sort(ascending);
  }

  #climb(
    beginning: readonly number[],
    queries: readonly number[],
  ): { weights: readonly number[]; mean: number } {
    let weights = beginning;
    let mean = -Infinity;
    let unmoved = 0;
    for (let step = 0; unmoved < this.#runs && step < MOST_PASSES * this.#runs; step++) {
      const run = step % this.#runs;
      const others = without(weights, run);
      const curve = this.#alongWeight(others, run, queries);
      const all = queries.map((_, at) => at);
      const { maximum, point } = choosePoint(curve, all, [], this.rule);
      if (maximum <= mean + SAME) {
        unmoved++;
        continue;
      }
      mean = maximum;
      weights = others.map((weight, other) => (other === run ? point : (1 - point) * weight));
      unmoved = 1;
    }
    return { weights, mean };
  }

  /** The curve by the weight of one run. */
  #alongWeight(others: readonly number[], run: number, queries: readonly number[]): Curve {
    const steps = new StepFunctions();
    for (const query of queries)
      addSweep(
        steps,
        (this.#scores.queries[query] as FusedQuery).judged,
        this.#scores.mixScores(query, others),
        this.#scores.right(query, run),
        (item) => this.#seen(query, item),
      );
    return new Curve(steps);
  }
}

/** The weights of the other runs, adding up to 1; equal ones where they have none. */
function without(weights: readonly number[], run: number): number[] {
  const sum = weights.reduce((total, weight, other) => (other === run ? total : total + weight), 0);
  return weights.map((weight, other) =>
    other === run ? 0 : sum === 0 ? 1 / (weights.length - 1) : weight / sum,
  );
}
