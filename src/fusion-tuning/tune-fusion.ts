import { InputError, quote } from "../foundation/errors/index.js";
import { exactMean, roundTo4, scoreDifference } from "../foundation/numbers/index.js";
import {
  fullFusionName,
  isTrainedFusion,
  parseNormalizer,
  type FusionMethod,
  type Normalizer,
} from "../fusion/index.js";
import { checkRunsToFuse } from "../fusion/internal.js";
import { parseMetric, type Metric } from "../metrics/index.js";
import { checkMetric, cardRecord } from "../metrics/internal.js";
import {
  checkOptions,
  type FusionTuning,
  type GivenWarning,
  prepareQrels,
  type QrelsInput,
  type ScoredRun,
} from "../records/index.js";
import type { AxisInterval } from "./curve.js";
import { drawCurve } from "./draw-curve.js";
import { familyOf, resolveMethod, type SearchedMethod } from "./families.js";
import { CurveFamily, type Family } from "./family.js";
import { holdOutParts, usualValidation } from "./folds.js";
import { fuseQueries, scoreFused, poolOf, topItems, type FusedQuery } from "./fused-queries.js";
import { gainTest } from "./gain-test.js";
import { choiceSpread, type FamilyChoice } from "./choice-spread.js";
import { groupNumbers, scoreHeldOut, type Scoring } from "./score-held-out.js";
import { checkTuneOptions, type TuneFusionOptions } from "./tune-fusion-options.js";
import { SAME } from "./step-functions.js";
import { tuningVerdict, verdictByLabels } from "./tuning-verdict.js";

/** What {@link tuneFusion} gives. */
export interface TunedFusion {
  readonly report: FusionTuning;
  /** Unjudged items that some setting brings into view, by query: what should be labelled first. */
  readonly unjudged: ReadonlyMap<string, readonly string[]>;
  /** By query: what the other queries chose; empty where nothing was held out. */
  readonly heldOut: ReadonlyMap<string, { readonly method: FusionMethod; readonly normalizer: Normalizer }>;
}

const CONFIDENCE = 0.95;

/**
 * Searches for the best way to fuse runs, and says whether it holds.
 *
 * The weight of one of two runs is not tried at points of a grid: a query's score changes only where two
 * items change places, and all of these places are found, so that the whole curve is known. Whether the
 * choice holds is said by queries that had no say in it (nested cross-validation), and one p value is for the
 * whole search.
 *
 * @param metric a mean of which higher is better: `"nDCG@10"`, or a metric.
 * @throws InputError `ARGUMENT` for fewer than two runs, and for names and settings that do not exist.
 */
export function tuneFusion(
  runs: readonly ScoredRun[],
  qrels: QrelsInput,
  metric: string | Metric,
  options: TuneFusionOptions = {},
): TunedFusion {
  checkOptions(options);
  const tuned = checkTunedMetric(metric);
  checkRunsToFuse(runs);
  const names = runNames(runs, options.names);
  checkTuneOptions(options);
  const { choice: rule = "one_standard_error", search = [{ method: "wsum" }], seed = 1 } = options;
  const { margin = 0, confidence = CONFIDENCE, onProgress } = options;
  const prepared = prepareQrels(qrels);
  const queries = fuseQueries(runs, prepared, tuned);
  if (queries.length === 0) throw new InputError("ARGUMENT", "no query is judged; give judgments");
  const views = new Views(queries);
  const seen = views.see.bind(views);
  const queryIds = queries.map(({ judged }) => judged.queryId);
  const groups = queryIds.map((id) => options.groups?.get(id) ?? id);
  const numbers = groupNumbers(groups);
  const source = { queries, groups: numbers, runs, qrels: prepared, runNames: names, rule, seen };
  const families = search.map((searched, at) => {
    onProgress?.(`searching ${searched.method}`, at, search.length);
    return familyOf(searched, source);
  });
  const current = currentSetting(options.current ?? defaultSetting(search[0] as SearchedMethod), runs.length);
  const scores = queries.map((query) => scoreWith(query, current));
  const all = queries.map((_, query) => query);
  const chosen = bestChoice(families, all);
  const validation = options.validation ?? usualValidation(families, new Set(groups).size, seed);
  const held = scoreHeldOut({
    parts: holdOutParts(queryIds, groups, validation),
    validation,
    groups: numbers,
    current: scores,
    choose: (training) => bestChoice(families, training),
    confidence,
    margin,
    seed,
    onPart: (done, total) => onProgress?.("holding out", done, total),
  });
  onProgress?.("flipping signs", 0, 1);
  const curves = families.flatMap((family) => family.curves);
  const test = gainTest(curves, scores, numbers, seed);
  const setting = settingOf(chosen);
  const chosenScores = queries.map((query) => scoreWith(query, setting));
  const [currentMean, chosenMean] = [exactMean(scores), exactMean(chosenScores)];
  const gain = scoreDifference(chosenMean, currentMean);
  return {
    unjudged: views.listUnjudged(),
    heldOut: new Map(held?.choices.map((choice, query) => [queryIds[query] as string, settingOf(choice)])),
    report: {
      schema_version: 1,
      kind: "fusion_tuning",
      runs: [...names],
      metric: tuned.name,
      metric_card: cardRecord(tuned.definition),
      queries: queries.length,
      groups: new Set(groups).size,
      seed,
      verdict: verdictByLabels(
        tuningVerdict(held?.record ?? null, test.p, { queries: all.length, metric: tuned.name, gain }),
        options.areLabelsAudited !== false,
      ),
      current: { ...namesOfSetting(current), mean: roundTo4(currentMean) },
      chosen: { ...namesOfSetting(setting), mean: roundTo4(chosenMean), point: pointOf(chosen) },
      choice: namesOfChoice(chosen),
      held_out: held && { ...held.record, chosen: choiceSpread(held.byPart) },
      search_test: { p: test.p, is_exact: test.isExact, flips: test.flips, variants: test.variants },
      searched: families.map((family) => recordSearched(family, all)),
      axis: axisRecord(chosen.family),
      curve: chosen.family instanceof CurveFamily ? drawCurve(chosen.family) : null,
      unjudged: { ...views.counts(), in_chosen: countUnjudgedInAll(queries, setting) },
      per_query: listQueries(queryIds, scores, chosenScores, held?.scores),
      warnings: warningsOf(queries, names),
    },
  };
}

function listQueries(
  queryIds: readonly string[],
  current: readonly number[],
  chosen: readonly number[],
  heldOut: readonly number[] | undefined,
): FusionTuning["per_query"] {
  return queryIds.map((query_id, query) => ({
    query_id,
    current: current[query] as number,
    chosen: chosen[query] as number,
    held_out: heldOut?.[query] ?? null,
  }));
}

/** The names of runs: those that were given, else A, B and so on. */
function runNames(
  runs: readonly ScoredRun[],
  given: TuneFusionOptions["names"],
): NonNullable<TuneFusionOptions["names"]> {
  const names = given ?? runs.map((_, run) => String.fromCharCode(65 + run));
  if (runs.length < 2)
    throw new InputError("ARGUMENT", `there must be two runs or more to fuse, got ${runs.length}`);
  if (names.length !== runs.length)
    throw new InputError(
      "ARGUMENT",
      `there must be one name for each of ${runs.length} runs, got ${names.length}`,
    );
  return names;
}

function settingOf({ family: { normalizer }, choice: { method } }: ReturnType<typeof bestChoice>): Setting {
  return { method, normalizer };
}

function countUnjudgedInAll(queries: readonly FusedQuery[], setting: Setting): number {
  return queries.reduce((sum, query) => sum + countUnjudgedWith(query, setting), 0);
}

type SearchedFamily = ReturnType<typeof familyOf>;

function recordSearched(
  family: SearchedFamily,
  queries: readonly number[],
): FusionTuning["searched"][number] {
  return {
    method: family.method,
    normalize: family.normalizer.name,
    axis: family.tuned,
    maximum: roundTo4(family.choose(queries).maximum),
    variants: family.curves.reduce((sum, { starts }) => sum + starts.length, 0),
  };
}

function axisRecord({ axis }: SearchedFamily): FusionTuning["axis"] {
  return axis && { name: axis.name, from: axis.at(0), to: axis.before(1) };
}

interface Setting {
  readonly method: FusionMethod;
  readonly normalizer: Normalizer;
}

function checkTunedMetric(metric: string | Metric): Metric {
  const tuned = typeof metric === "string" ? parseMetric(metric) : checkMetric(metric);
  const { aggregate, higherIsBetter } = tuned.definition;
  if (aggregate !== undefined || !higherIsBetter)
    throw new InputError(
      "ARGUMENT",
      `${tuned.name} is ${higherIsBetter ? "no mean over queries" : "better the lower it is"}; tune for ` +
        "a mean of which higher is better, such as nDCG@10",
    );
  return tuned;
}

/** What a searched method is without tuning; one that learns is nothing yet. */
function defaultSetting({ method, normalize }: SearchedMethod): NonNullable<TuneFusionOptions["current"]> {
  return isTrainedFusion(method) ? { method: "wsum" } : { method, normalize };
}

/** Weights that are not given are equal. */
function currentSetting(
  { method, normalize }: NonNullable<TuneFusionOptions["current"]>,
  runs: number,
): Setting {
  const settled = resolveMethod(method, runs);
  if (settled.runs !== undefined && settled.runs !== runs)
    throw new InputError(
      "ARGUMENT",
      `the current setting ${quote(settled.name)} is for ${settled.runs} runs, got ${runs}`,
    );
  return { method: settled, normalizer: parseNormalizer(normalize ?? settled.definition.normalizer) };
}

function scoreWith(query: FusedQuery, { method, normalizer }: Setting): number {
  return scoreFused(query, poolOf(query, method, normalizer), method);
}

function countUnjudgedWith(query: FusedQuery, { method, normalizer }: Setting): number {
  return topItems(query, poolOf(query, method, normalizer), method).filter(
    (item) => !query.judged.isJudged(item),
  ).length;
}

function namesOfSetting({ method, normalizer }: Setting): { method: string; normalize: string } {
  return { method: fullFusionName(method), normalize: normalizer.name };
}

/**
 * The family with the highest mean, the first of equally good ones, and what it chooses. Sums of the same
 * scores may differ by rounding.
 */
function bestChoice(families: readonly Family[], queries: readonly number[]): FamilyChoice & Scoring {
  const choices = families.map((family) => {
    const choice = family.choose(queries);
    return { family, choice, score: (query: number) => choice.score(query) };
  });
  return choices.reduce((best, other) => (other.choice.maximum > best.choice.maximum + SAME ? other : best));
}

const MOST_SHOWN = 20;

/** Where the chosen setting lies on its axis. */
function pointOf({ family, choice }: FamilyChoice): number | null {
  return family.axis === null || choice.point === null ? null : family.axis.at(choice.point);
}

function namesOfChoice({ family, choice }: FamilyChoice): FusionTuning["choice"] {
  const { axis, rule } = family;
  if (axis === null || choice.chosen === null) return null;
  const { maximum, plateau, standardError, widest, widestNear } = choice.chosen;
  const onAxis = ({ from, to }: AxisInterval): AxisInterval => ({ from: axis.at(from), to: axis.before(to) });
  return {
    rule,
    maximum: roundTo4(maximum),
    plateau: [...plateau]
      .sort((a, b) => b.to - b.from - (a.to - a.from))
      .slice(0, MOST_SHOWN)
      .map(onAxis),
    standard_error: roundTo4(standardError),
    interval: onAxis(rule === "plateau" ? widest : widestNear),
  };
}

/** Which items any setting brings into view. */
class Views {
  readonly #queries: readonly FusedQuery[];
  readonly #isSeen: readonly Uint8Array[];

  constructor(queries: readonly FusedQuery[]) {
    this.#queries = queries;
    this.#isSeen = queries.map(({ judged }) => new Uint8Array(judged.ids.length));
  }

  see(query: number, item: number): void {
    (this.#isSeen[query] as Uint8Array)[item] = 1;
  }

  counts(): { items: number; of: number } {
    let items = 0;
    let of = 0;
    this.#each((_, isJudged) => {
      of++;
      if (!isJudged) items++;
    });
    return { items, of };
  }

  listUnjudged(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    this.#each(({ queryId, id }, isJudged) => {
      if (isJudged) return;
      const known = found.get(queryId);
      if (known === undefined) found.set(queryId, [id]);
      else known.push(id);
    });
    return found;
  }

  #each(visit: (pair: { queryId: string; id: string }, isJudged: boolean) => void): void {
    this.#queries.forEach(({ judged }, query) =>
      this.#isSeen[query]?.forEach((isSeen, item) => {
        if (isSeen === 1)
          visit({ queryId: judged.queryId, id: judged.ids[item] as string }, judged.isJudged(item));
      }),
    );
  }
}

function warningsOf(queries: readonly FusedQuery[], names: readonly string[]): GivenWarning[] {
  const unanswered = queries.filter(({ judged }) => judged.ids.length === 0);
  const answering = new Set(queries.flatMap(({ pooled }) => pooled.columns.map(({ run }) => run)));
  const silent = names.filter((_, run) => !answering.has(run));
  if (silent.length > 0)
    return [
      {
        code: "RUN_OUTSIDE_GOLDEN_SET",
        message:
          silent.length === names.length
            ? "no run answers any judged query; do the query ids agree?"
            : `${silent.join(", ")}: answers no judged query, so that nothing can be said of fusing it; do ` +
              "the query ids agree?",
        count: queries.length,
        query_ids: firstIds(queries),
      },
    ];
  if (unanswered.length === 0) return [];
  return [
    {
      code: "MISSING_QUERIES",
      message:
        `${unanswered.length} of ${queries.length} judged queries are answered by no run, and score ` +
        "what an empty ranking does",
      count: unanswered.length,
      query_ids: firstIds(unanswered),
    },
  ];
}

function firstIds(queries: readonly FusedQuery[]): string[] {
  return queries.slice(0, 5).map(({ judged }) => judged.queryId);
}
