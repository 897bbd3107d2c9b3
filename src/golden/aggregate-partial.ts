import { InputError } from "../foundation/errors/index.js";
import { compareIds, fnv1a } from "../foundation/ids/index.js";
import { FractionMean, type FractionSum } from "../foundation/numbers/index.js";
import { canonicalJson } from "../foundation/text/index.js";
import { type Metric, parseMetric } from "../metrics/index.js";
import {
  aggregateFields,
  type AggregateMetrics,
  type AggregatePartial,
  checkOptions,
  checkPartials,
  checkShard,
  type ChunkRecord,
  type Citation,
  type EvalRun,
  type Golden,
  isInShard,
  joinShards,
  type PartialAspects,
  type QueryResult,
  checkQueriesOnce,
  refuseSharedQueries,
  type Shard,
  shardNames,
  warnOfMissingShards,
} from "../records/index.js";
import type { AggregateOptions } from "./aggregate-options.js";
import { Aggregator } from "./aggregator.js";
import { judgeAlone } from "./compute-aggregate.js";
import { finishAggregate, type AggregateParts } from "./finish-aggregate.js";
import { furtherMeans } from "./further-metrics.js";
import type { RunJudge } from "./judge-run.js";

/** How a shard of a run is scored. */
export interface AggregatePartialOptions extends AggregateOptions {
  /** Default: the whole run. */
  readonly shard?: Shard | undefined;
}

/**
 * What the golden queries of one shard add to the aggregate of a run. Partials of all shards, made anywhere
 * and merged in any order and grouping, give the bytes of `computeAggregate`.
 *
 * @throws InputError as `computeAggregate` does; `ARGUMENT` for what is no shard.
 */
export function aggregatePartial(
  run: EvalRun,
  golden: Golden,
  options: AggregatePartialOptions = {},
): AggregatePartial {
  checkOptions(options);
  const { index, of } = checkShard(options.shard ?? { index: 1, of: 1 });
  const judge = judgeAlone(run, golden, options);
  const aggregator = new Aggregator(judge, options);
  const queries = judge.queries
    .filter(({ id }) => isInShard(id, { index, of }))
    .sort((a, b) => compareIds(a.id, b.id));
  const rows = queries.map((query) => aggregator.add(judge.judge(query)).scores);
  const { metrics = [] } = options;
  const { of_run, chunker_version, missing_queries, noticed, fields, further } = aggregator.parts();
  return {
    schema_version: 1,
    kind: "aggregate_partial",
    run: run.run_id,
    run_digest: digestOf(run.results.map((result) => scoredPart(result, options.matching === "docSpan"))),
    golden: { digest: goldenDigest(judge), queries: judge.queries.length },
    settings: {
      matching: options.matching ?? "exact",
      missing_queries: options.missingQueries ?? "zero",
      text_match: options.textMatch ?? "caseSensitive",
      unit: options.unit ?? "chunk",
      checks_citations: options.corpus !== undefined,
      corpus_digest: options.corpus === undefined ? null : digestOf(options.corpus.chunks.map(placeOf)),
    },
    metrics: metrics.map(({ name }) => name),
    shards: { of, has: [index] },
    of_run,
    chunker_version,
    query_ids: queries.map(({ id }) => id),
    missing_queries: [...missing_queries],
    fractions: [...fields, ...further.map(({ mean }) => mean.exact)].map(({ fractions }) =>
      writeFractions(fractions),
    ),
    scores: metrics.map((_, at) => rows.map((row) => orNull(row?.[aggregateFields.length + at]))),
    noticed,
  };
}

/** Of all that a golden set says about what hits are worth. */
function goldenDigest({ queries, namedChunker: chunker_version }: RunJudge): string {
  return digestOf(
    [...queries, ...(chunker_version === null ? [] : [{ chunker_version }])].map(canonicalJson),
  );
}

const writeFractions = ({ count, terms }: FractionSum): AggregatePartial["fractions"][number] => ({
  count,
  terms: terms.map(([numerator, denominator]) => [numerator, denominator]),
});

const orNull = (score = NaN): number | null => (Number.isNaN(score) ? null : score);

/** Tells a mistake, not an attack; the same whatever the order of the texts. */
function digestOf(texts: readonly string[]): string {
  const sum = texts.reduce((total, text) => (total + fnv1a(text)) >>> 0, 0);
  return sum.toString(16).padStart(8, "0");
}

/** What of a result is scored besides its time: places of hits only where they are matched by them. */
function scoredPart({ query_id, hits_top_k, answer }: QueryResult, isByPlace: boolean): string {
  const said = answer && [answer.answer, answer.grounded, (answer.citations ?? []).map(placeOfCitation)];
  return JSON.stringify([
    query_id,
    said ?? null,
    hits_top_k.map(({ chunk_id, doc_id, rank, source_spans, citation }, at) => [
      chunk_id,
      doc_id,
      rank ?? at + 1,
      ...(isByPlace ? [canonicalJson([source_spans ?? [], citation ?? null])] : []),
    ]),
  ]);
}

const placeOfCitation = ({ citation }: { readonly citation: Citation }): string => canonicalJson(citation);

/** What of a chunk citations are looked up by, and hits matched. */
const placeOf = ({ chunk_id, doc_id, doc_path, chunker_version, source_spans }: ChunkRecord): string =>
  canonicalJson([chunk_id, doc_id, doc_path ?? null, chunker_version ?? null, source_spans ?? []]);

/** How partials of an aggregate are merged. */
export interface MergeAggregateOptions {
  /** The further metrics, where some are not of the catalogue; by name otherwise. */
  readonly metrics?: readonly Metric[] | undefined;
  /** Shards may be missing; the aggregate then has the warning `SHARDS_MISSING`. */
  readonly isIncomplete?: boolean | undefined;
}

/**
 * Merges partials of different shards into one, in any order and grouping.
 *
 * @throws InputError `PARTIAL_CONFLICT` for partials that do not belong together, or none; `PARTIAL_SHAPE`
 * for one that was edited.
 */
export function mergeAggregatePartials(partials: readonly AggregatePartial[]): AggregatePartial {
  checkPartials(partials, "aggregate_partial");
  const { first, shards } = joinShards(partials, ASPECTS);
  refuseSharedQueries(partials.map(({ query_ids }) => query_ids));
  for (const partial of partials) checkColumns(partial);
  const order = partials
    .flatMap(({ query_ids }, of) => query_ids.map((id, at) => ({ id, of, at })))
    .sort((a, b) => compareIds(a.id, b.id));
  const sorted = (ids: (partial: AggregatePartial) => readonly string[]): string[] =>
    partials.flatMap(ids).sort(compareIds);
  return {
    ...first,
    shards,
    query_ids: order.map(({ id }) => id),
    missing_queries: sorted(({ missing_queries }) => missing_queries),
    fractions: first.fractions.map((_, column) => {
      const mean = new FractionMean();
      for (const { fractions } of partials) mean.addFractions(fractions[column] as FractionSum);
      return writeFractions(mean.fractions);
    }),
    scores: first.metrics.map((_, column) =>
      order.map(({ of, at }) => partials[of]?.scores[column]?.[at] ?? null),
    ),
    noticed: {
      repeats: partials.reduce((total, { noticed }) => total + noticed.repeats, 0),
      repeating: sorted(({ noticed }) => noticed.repeating),
      tied: sorted(({ noticed }) => noticed.tied),
      unplaced: sorted(({ noticed }) => noticed.unplaced),
      without_spans: partials.reduce((total, { noticed }) => total + noticed.without_spans, 0),
      foreign: sorted(({ noticed }) => noticed.foreign),
      near: sorted(({ noticed }) => noticed.near),
      blind: partials.some(({ noticed }) => noticed.blind === null)
        ? null
        : partials.flatMap(({ noticed }) => noticed.blind ?? []).sort((a, b) => compareIds(a.query, b.query)),
    },
  };
}

const OF_RUN = ["run_digest", "of_run", "chunker_version"] as const;
const ASPECTS: PartialAspects<AggregatePartial> = [
  ["the run differs", ({ run }) => run],
  ["golden queries differ", ({ golden }) => golden],
  ["metrics differ", ({ metrics }) => metrics],
  ["the corpus differs", ({ settings }) => settings.corpus_digest],
  ["matching or scoring differs", ({ settings }) => settings],
  ["the run differs in what it returned", (partial) => OF_RUN.map((name) => partial[name])],
];

/** @throws InputError `PARTIAL_SHAPE` for columns that do not fit what the partial says it has. */
function checkColumns(partial: AggregatePartial): void {
  const { metrics, query_ids, fractions, scores } = partial;
  for (const ids of [query_ids, partial.missing_queries]) checkQueriesOnce(partial, ids);
  if (
    fractions.length !== aggregateFields.length + metrics.length ||
    scores.length !== metrics.length ||
    scores.some(({ length }) => length !== query_ids.length)
  )
    throw new InputError(
      "PARTIAL_SHAPE",
      `the partial of shards ${shardNames(partial)} has not a sum for each of its fields and metrics and a ` +
        `score for each of ${query_ids.length} queries; was it edited?`,
    );
}

/**
 * The aggregate that partials of all shards make: the bytes of `computeAggregate`.
 *
 * @throws InputError `PARTIAL_GAP` where shards are missing; else as {@link mergeAggregatePartials}.
 */
export function aggregateOfPartials(
  partials: readonly AggregatePartial[],
  options: MergeAggregateOptions = {},
): AggregateMetrics {
  const merged = mergeAggregatePartials(partials);
  const missing = warnOfMissingShards(merged.shards, options.isIncomplete === true);
  const aggregate = finishAggregate(partsOf(merged, options.metrics));
  return { ...aggregate, warnings: [...aggregate.warnings, ...missing] };
}

function partsOf(merged: AggregatePartial, given: readonly Metric[] = []): AggregateParts {
  const own = new Map(given.map((metric) => [metric.name, metric]));
  const fields = aggregateFields.map(() => new FractionMean());
  const further = furtherMeans(merged.metrics.map((name) => own.get(name) ?? parseMetric(name)));
  [...fields, ...further.map(({ mean }) => mean.exact)].forEach((mean, at) =>
    mean.addFractions(merged.fractions[at] as FractionSum),
  );
  further.forEach(({ scores }, at) => {
    for (const score of merged.scores[at] ?? []) if (score !== null) scores.push(score);
  });
  return { ...merged, fields, further };
}
