import { InputError, quote } from "../foundation/errors/index.js";
import {
  fusionCatalog,
  isTrainedFusion,
  parseFusion,
  parseNormalizer,
  parseTrainedFusion,
  type FusionFactory,
  type FusionMethod,
  type Normalizer,
} from "../fusion/index.js";
import { checkRuns } from "../fusion/internal.js";
import type { Qrels, ScoredRun } from "../records/index.js";
import type { ChoiceRule } from "./choose-point.js";
import { Curve } from "./curve.js";
import { cellAt, CurveFamily, valuesAxis, weightAxis, type Axis, type Family } from "./family.js";
import { scoreFused, poolOf, type FusedQuery } from "./fused-queries.js";
import { LineSearch, UnitScores } from "./line-search.js";
import { addSweep, StepFunctions } from "./step-functions.js";
import { TrainedFamily } from "./trained-family.js";

/** What a search looks at: a method with all its parameters open, or with one setting of them. */
export interface SearchedMethod {
  /**
   * A name without parameters (`wsum`, `rrf`) opens all of them; `rrf(k=10)` is that setting alone. Methods
   * that learn (`probfuse`) do so from the other queries.
   */
  readonly method: string;
  /** Default: the method's own. */
  readonly normalize?: string | undefined;
}

/** What families are made of. */
export interface FamilySource {
  readonly queries: readonly FusedQuery[];
  /** By query the number of its group. */
  readonly groups: readonly number[];
  /** One for each run. */
  readonly runNames: readonly string[];
  readonly rule: ChoiceRule;
  readonly runs: readonly ScoredRun[];
  readonly qrels: Qrels;
  /** Is told every item that some setting brings into view. */
  readonly seen: (query: number, item: number) => void;
}

/** 1 - 0.7 is 0.3 in what is printed. */
const DIGITS = 15;
/** Points on the axis of weights of a method whose scores are no lines. */
const WEIGHT_POINTS = 101;

/**
 * The family of a searched method.
 *
 * @throws InputError `ARGUMENT` for names that do not exist, and for weights of several runs in a method
 * whose scores are no lines.
 */
export function familyOf({ method: name, normalize }: SearchedMethod, source: FamilySource): Family {
  if (isTrainedFusion(name)) {
    const trainable = parseTrainedFusion(name);
    return new TrainedFamily(
      trainable,
      parseNormalizer(normalize ?? trainable.definition.normalizer),
      source,
    );
  }
  const factory = openMethod(name);
  const hasWeights = factory !== undefined && "weights" in factory.definition.parameters;
  const normalizerOf = (given: string): Normalizer => parseNormalizer(normalize ?? given);
  if (factory === undefined || Object.keys(factory.definition.parameters).length === 0) {
    const method = parseFusion(name);
    checkRuns(method, source.runNames.length);
    return enumerateMethods(
      [method],
      normalizerOf(method.definition.normalizer),
      valuesAxis("nothing to tune", [0]),
      source,
    );
  }
  const normalizer = normalizerOf(factory.definition.normalizer);
  const runs = source.runNames.length;
  if (!hasWeights) return overParameter(factory, normalizer, source);
  if (factory.definition.isLinear === true)
    return runs === 2
      ? overWeight(factory, normalizer, source)
      : new LineSearch(factory, normalizer, source.queries, runs, source.seen);
  if (runs !== 2)
    throw new InputError(
      "ARGUMENT",
      `the weights of ${factory.definition.name} can be tuned for two runs, got ${runs}; use wsum`,
    );
  const points = Array.from({ length: WEIGHT_POINTS }, (_, at) => at / (WEIGHT_POINTS - 1));
  return enumerateMethods(
    points.map((weight) => factory({ weights: [1 - weight, weight] })),
    normalizer,
    valuesAxis(weightOf(source.runNames), points),
    source,
  );
}

/** The method of a name without parameters; undefined for any other. */
function openMethod(name: string): FusionFactory | undefined {
  return fusionCatalog.find(({ definition }) =>
    [definition.name, ...(definition.aliases ?? [])].includes(name.trim()),
  );
}

/**
 * A method by its name; weights that are not given are equal.
 *
 * @throws InputError `ARGUMENT` for one that has to learn first, which cannot be what is there.
 */
export function resolveMethod(name: string, runs: number): FusionMethod {
  if (isTrainedFusion(name))
    throw new InputError(
      "ARGUMENT",
      `${quote(name)} has to learn first, and cannot be the current setting; search it instead`,
    );
  const factory = openMethod(name);
  return factory !== undefined && "weights" in factory.definition.parameters
    ? factory({ weights: Array.from({ length: runs }, () => 1 / runs) })
    : parseFusion(name);
}

function weightOf(runNames: readonly string[]): string {
  return `weight of ${runNames[1] ?? ""}`;
}

/** Two runs whose scores add up by weight: every step of the curve. */
function overWeight(factory: FusionFactory, normalizer: Normalizer, source: FamilySource): Family {
  const { queries, runNames, rule, seen } = source;
  const scores = new UnitScores(queries, 2, factory, normalizer);
  const steps = new StepFunctions();
  queries.forEach(({ judged }, query) =>
    addSweep(steps, judged, scores.of(query, 0), scores.right(query, 1), (item) => seen(query, item)),
  );
  return new CurveFamily(
    { method: factory.definition.name, normalizer, rule, axis: weightAxis(weightOf(runNames)) },
    queries,
    new Curve(steps),
    (weight) => factory({ weights: [Number((1 - weight).toFixed(DIGITS)), weight] }),
  );
}

/** A method with one parameter that is a number: the values that its card names. */
function overParameter(factory: FusionFactory, normalizer: Normalizer, source: FamilySource): Family {
  const { name, parameters } = factory.definition;
  const [[parameter, card] = ["", undefined]] = Object.entries(parameters);
  if (card === undefined || "perRun" in card || card.tuned === undefined)
    throw new InputError("ARGUMENT", `nothing says which values of ${quote(parameter)} of ${name} to try`);
  const { from, to, step } = card.tuned;
  const count = Math.round((to - from) / step) + 1;
  // By division, since 3 * 0.1 is not 0.3.
  const perUnit = Math.round(1 / step);
  const values = Array.from({ length: count }, (_, at) =>
    step >= 1 ? from + at * step : Math.round(from * perUnit + at) / perUnit,
  );
  return enumerateMethods(
    values.map((value) => factory({ [parameter]: value })),
    normalizer,
    valuesAxis(parameter, values),
    source,
  );
}

/** Settings one after the other, each a cell of the same width. */
function enumerateMethods(
  methods: readonly FusionMethod[],
  normalizer: Normalizer,
  axis: Axis,
  { queries, rule, seen }: FamilySource,
): Family {
  const [first] = methods as readonly [FusionMethod, ...FusionMethod[]];
  const count = methods.length;
  const steps = new StepFunctions();
  queries.forEach((query, number) => {
    const pool = poolOf(query, first, normalizer);
    methods.forEach((method, at) =>
      steps.add(
        at / count,
        scoreFused(query, pool, method, (item) => seen(number, item)),
      ),
    );
    steps.end();
  });
  const methodAt = (point: number): FusionMethod => methods[cellAt(point, count)] as FusionMethod;
  return new CurveFamily(
    { method: first.definition.name, normalizer, rule, axis },
    queries,
    new Curve(steps),
    methodAt,
  );
}
