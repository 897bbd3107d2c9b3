import { InputError } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import type { Metric } from "../metrics/index.js";
import {
  checkPartials,
  type EvaluationPartial,
  type GivenWarning,
  joinShards,
  type PartialAspects,
  prepareQrels,
  type QrelsInput,
  checkQueriesOnce,
  refuseSharedQueries,
  type Shard,
  shardNames,
  type ShardsHeld,
  type Warning,
  warnOfMissingShards,
} from "../records/index.js";
import { fillSheet, resolveMetrics, type EvaluateOptions, type FilledSheet } from "./evaluate.js";
import type { Evaluation } from "./evaluation.js";
import { judgmentDigest, type JudgmentDigest } from "./judgment-digest.js";
import { LikelyIdMismatch } from "./likely-id-mismatch.js";
import type { RunInput } from "./run-input.js";
import { ScoreSheet, type SheetContent, type SheetOptions, type SpanColumns } from "./score-sheet.js";

const WHOLE: Shard = { index: 1, of: 1 };

/**
 * Scores the queries of one shard of a run. Partials of all shards, made anywhere and merged in any order and
 * grouping, give the bytes of {@link evaluate}.
 *
 * @param options as for `evaluate`; `shard` is the whole run unless given.
 * @throws InputError as `evaluate` does.
 */
export function evaluatePartial(
  run: RunInput,
  qrels: QrelsInput,
  metrics: readonly (string | Metric)[],
  options: EvaluateOptions = {},
): EvaluationPartial {
  const prepared = prepareQrels(qrels);
  return partialOf(fillSheet(run, prepared, metrics, options), options.shard, judgmentDigest(prepared));
}

/** What a filled sheet holds, as a record. */
export function partialOf(
  { sheet, metrics, options, runId, nearIds, warnings }: FilledSheet,
  shard: Shard = WHOLE,
  digest: JudgmentDigest,
): EvaluationPartial {
  const judgments = { ...digest, highest: options.highest };
  return recordOf(sheet.content(), nearIds, {
    schema_version: 1,
    kind: "evaluation_partial",
    run: runId,
    conventions: options.conventions,
    metrics: metrics.map(({ name }) => name),
    tie_spread: options.tieSpread,
    bounds: options.bounds,
    judgments,
    shards: { of: shard.of, has: [shard.index] },
    warnings: [...warnings],
  });
}

/** How partials are merged. */
export interface MergeOptions {
  /** The metrics, where some are not of the catalogue; by name otherwise. */
  readonly metrics?: readonly Metric[] | undefined;
  /** Shards may be missing; the evaluation then has the warning `SHARDS_MISSING`. */
  readonly isIncomplete?: boolean | undefined;
}

/**
 * Merges partials of different shards into one, in any order and grouping.
 *
 * @throws InputError `PARTIAL_CONFLICT` for partials that do not belong together, or none; `PARTIAL_SHAPE`
 * for columns of different lengths.
 */
export function mergePartials(
  partials: readonly EvaluationPartial[],
  options: Pick<MergeOptions, "metrics"> = {},
): EvaluationPartial {
  const { sheet, nearIds, first, shards, warnings } = mergeSheets(partials, options);
  return recordOf(sheet.content(), nearIds, { ...first, shards, warnings });
}

/**
 * The evaluation that partials of all shards make: as if the run had been scored in one pass.
 *
 * @throws InputError `PARTIAL_GAP` where shards are missing; else as {@link mergePartials}.
 */
export function evaluationOfPartials(
  partials: readonly EvaluationPartial[],
  options: MergeOptions = {},
): Evaluation {
  const { sheet, nearIds, first, shards, warnings } = mergeSheets(partials, options);
  const missing = warnOfMissingShards(shards, options.isIncomplete === true);
  return sheet.result(first.run, [...warnings, ...nearIds.warnings, ...missing]);
}

/** What is said once of all shards. */
type PartialHead = Pick<
  EvaluationPartial,
  | "schema_version"
  | "kind"
  | "run"
  | "conventions"
  | "metrics"
  | "tie_spread"
  | "bounds"
  | "judgments"
  | "shards"
  | "warnings"
>;

function recordOf(content: SheetContent, { found }: LikelyIdMismatch, head: PartialHead): EvaluationPartial {
  const plain = (columns: readonly Float64Array[]): number[][] => columns.map((column) => [...column]);
  const spans = (given: SpanColumns | null): EvaluationPartial["spreads"] =>
    given && { low: plain(given.low), high: plain(given.high) };
  return {
    ...head,
    query_ids: [...content.queryIds],
    missing_queries: [...content.missing],
    scores: plain(content.scores),
    spreads: spans(content.spreads),
    unjudged_bounds: spans(content.bounds),
    fractions: content.fractions.map(({ count, terms }): EvaluationPartial["fractions"][number] => ({
      count,
      terms: terms.map(([numerator, denominator]) => [numerator, denominator]),
    })),
    counts: content.counts,
    answered: content.answered,
    first_unjudged: content.firstUnjudged,
    has_subtopics: content.hasSubtopics,
    near_ids: [...found],
  };
}

/** Partials that belong together, in one sheet. */
interface MergedSheet {
  readonly sheet: ScoreSheet;
  readonly nearIds: LikelyIdMismatch;
  readonly first: EvaluationPartial;
  readonly shards: ShardsHeld;
  readonly warnings: GivenWarning[];
}

function mergeSheets(
  given: readonly EvaluationPartial[],
  { metrics: known }: Pick<MergeOptions, "metrics">,
): MergedSheet {
  checkPartials(given, "evaluation_partial");
  const partials = withNames(given);
  const { first, shards } = joinShards(partials, ASPECTS);
  refuseSharedQueries(partials.map((each) => [...each.query_ids, ...each.missing_queries]));
  const options: SheetOptions = {
    conventions: first.conventions,
    highest: first.judgments.highest,
    tieSpread: first.tie_spread,
    bounds: first.bounds,
    queries: first.judgments.queries,
  };
  const own = new Map(known?.map((metric) => [metric.name, metric]));
  const metrics = resolveMetrics(
    first.metrics.map((name) => own.get(name) ?? name),
    first.conventions,
  );
  const sheet = new ScoreSheet(metrics, options);
  const nearIds = new LikelyIdMismatch(options.queries);
  for (const partial of partials) {
    sheet.add(contentOf(partial, first.metrics));
    nearIds.add(partial.near_ids);
  }
  return { sheet, nearIds, first, shards, warnings: distinct(partials) };
}

/** A shard without a line of the run is of the one that the others are of. */
function withNames(partials: readonly EvaluationPartial[]): readonly EvaluationPartial[] {
  const run = partials.find((partial) => partial.run !== null)?.run ?? null;
  return partials.map((partial) =>
    partial.run === null && partial.answered + partial.counts.unjudged_queries === 0
      ? { ...partial, run }
      : partial,
  );
}

const ASPECTS: PartialAspects<EvaluationPartial> = [
  ["the run differs", ({ run }) => run],
  ["judgments differ", ({ judgments }) => judgments],
  ["metrics differ", ({ metrics }) => [...metrics].sort(compareIds)],
  ["conventions differ", ({ conventions }) => conventions],
  ["only some have tie spreads", ({ tie_spread }) => tie_spread],
  ["only some have bounds", ({ bounds }) => bounds],
];

/** What was said of the run as a whole: by each partial the same. */
function distinct(partials: readonly EvaluationPartial[]): GivenWarning[] {
  const byText = new Map<string, Warning>();
  for (const { warnings } of partials)
    for (const warning of warnings) byText.set(JSON.stringify(warning), warning);
  return [...byText.values()] as GivenWarning[];
}

/** @throws InputError `PARTIAL_SHAPE` for columns or counts of another number of queries than there are. */
function contentOf(partial: EvaluationPartial, order: readonly string[]): SheetContent {
  const { metrics, query_ids } = partial;
  for (const ids of [query_ids, partial.missing_queries]) checkQueriesOnce(partial, ids);
  for (const [counted, named] of [
    [partial.counts.queries, query_ids],
    [partial.counts.missing_queries, partial.missing_queries],
  ] as const)
    if (counted !== named.length)
      throw new InputError(
        "PARTIAL_SHAPE",
        `the partial of shards ${shardNames(partial)} counts ${counted} queries and names ${named.length}; ` +
          "was it edited?",
      );
  const places = order.map((name) => metrics.indexOf(name));
  const columns = (given: readonly (readonly number[])[]): Float64Array[] => {
    if (given.length !== metrics.length || given.some(({ length }) => length !== query_ids.length))
      throw new InputError(
        "PARTIAL_SHAPE",
        `the partial of shards ${shardNames(partial)} has columns for ${given.length} metrics of ` +
          `${metrics.length}, and not a score for each of ${query_ids.length} queries; was it edited?`,
      );
    return places.map((place) => Float64Array.from(given[place] as readonly number[]));
  };
  const spans = (given: EvaluationPartial["spreads"]): SpanColumns | null =>
    given && { low: columns(given.low), high: columns(given.high) };
  return {
    queryIds: query_ids,
    missing: partial.missing_queries,
    scores: columns(partial.scores),
    spreads: spans(partial.spreads),
    bounds: spans(partial.unjudged_bounds),
    fractions: places.map((place) => partial.fractions[place] ?? { count: 0, terms: [] }),
    counts: partial.counts,
    answered: partial.answered,
    firstUnjudged: partial.first_unjudged,
    hasSubtopics: partial.has_subtopics,
  };
}
