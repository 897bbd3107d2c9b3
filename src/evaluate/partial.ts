import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { canonicalJson } from "../foundation/text/index.js";
import type { Metric } from "../metrics/index.js";
import {
  type EvaluationPartial,
  type GivenWarning,
  prepareQrels,
  type QrelsInput,
  type Warning,
} from "../records/index.js";
import { fillSheet, resolveMetrics, type EvaluateOptions, type FilledSheet } from "./evaluate.js";
import type { Evaluation } from "./evaluation.js";
import { judgmentDigest, type JudgmentDigest } from "./judgment-digest.js";
import { LikelyIdMismatch } from "./likely-id-mismatch.js";
import type { RunInput } from "./run-input.js";
import { ScoreSheet, type SheetContent, type SheetOptions, type SpanColumns } from "./score-sheet.js";
import type { Shard } from "./shard.js";

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
  readonly metrics?: readonly Metric[];
  /** Shards may be missing; the evaluation then has the warning `SHARDS_MISSING`. */
  readonly isIncomplete?: boolean;
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
  const { sheet, nearIds, first, has, warnings } = mergeSheets(partials, options);
  const shards = { of: first.shards.of, has };
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
  const { sheet, nearIds, first, has, warnings } = mergeSheets(partials, options);
  const missing = Array.from({ length: first.shards.of }, (_, at) => at + 1).filter(
    (at) => !has.includes(at),
  );
  const message = missingShards(missing, first.shards.of);
  if (missing.length > 0 && options.isIncomplete !== true)
    throw new InputError(
      "PARTIAL_GAP",
      `${message}; make them with \`--shard ${missing[0] as number}/${first.shards.of}\`, or merge ` +
        "with `--incomplete`",
      { shards: missing },
    );
  return sheet.result(first.run, [
    ...warnings,
    ...nearIds.warnings,
    ...(missing.length > 0 ? [{ code: "SHARDS_MISSING" as const, message, count: missing.length }] : []),
  ]);
}

const MOST_NAMED = 5;

function missingShards(missing: readonly number[], of: number): string {
  const named = missing.slice(0, MOST_NAMED).join(", ");
  const more = missing.length > MOST_NAMED ? " and others" : "";
  return `${missing.length} of ${of} shards ${missing.length === 1 ? "is" : "are"} missing: ${named}${more}`;
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
  readonly has: number[];
  readonly warnings: GivenWarning[];
}

function mergeSheets(
  partials: readonly EvaluationPartial[],
  { metrics: given }: Pick<MergeOptions, "metrics">,
): MergedSheet {
  const [first, ...others] = partials;
  if (first === undefined)
    throw new InputError("PARTIAL_CONFLICT", "there are no partials; name at least one");
  for (const other of others) refuseOther(first, other);
  refuseOverlap(partials);
  const options: SheetOptions = {
    conventions: first.conventions,
    highest: first.judgments.highest,
    tieSpread: first.tie_spread,
    bounds: first.bounds,
    queries: first.judgments.queries,
  };
  const own = new Map(given?.map((metric) => [metric.name, metric]));
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
  return { sheet, nearIds, first, has: shardsOf(partials), warnings: distinct(partials) };
}

const shardsOf = (partials: readonly EvaluationPartial[]): number[] =>
  partials.flatMap(({ shards }) => shards.has).sort((a, b) => a - b);

/** What was said of the run as a whole: by each partial the same. */
function distinct(partials: readonly EvaluationPartial[]): GivenWarning[] {
  const byText = new Map<string, Warning>();
  for (const { warnings } of partials)
    for (const warning of warnings) byText.set(JSON.stringify(warning), warning);
  return [...byText.values()] as GivenWarning[];
}

/** @throws InputError `PARTIAL_CONFLICT` for partials of another evaluation. */
function refuseOther(first: EvaluationPartial, other: EvaluationPartial): void {
  const aspects: readonly (readonly [string, (partial: EvaluationPartial) => unknown])[] = [
    ["the number of shards differs", ({ shards }) => shards.of],
    ["the run differs", ({ run }) => run],
    ["judgments differ", ({ judgments }) => judgments],
    ["metrics differ", ({ metrics }) => [...metrics].sort(compareIds)],
    ["conventions differ", ({ conventions }) => conventions],
    ["only some have tie spreads", ({ tie_spread }) => tie_spread],
    ["only some have bounds", ({ bounds }) => bounds],
  ];
  for (const [problem, of] of aspects)
    if (canonicalJson(of(first)) !== canonicalJson(of(other)))
      throw new InputError(
        "PARTIAL_CONFLICT",
        `partials of shards ${shardNames(first)} and ${shardNames(other)} do not belong together: ${problem}`,
      );
}

function shardNames({ shards }: EvaluationPartial): string {
  const named = shards.has.slice(0, MOST_NAMED).join(", ");
  return `${named}${shards.has.length > MOST_NAMED ? ", …" : ""} of ${shards.of}`;
}

/** @throws InputError `PARTIAL_CONFLICT` for a shard or a query that stands in two partials. */
function refuseOverlap(partials: readonly EvaluationPartial[]): void {
  const [shard] = findRepeated(partials.map(({ shards }) => shards.has));
  if (shard !== undefined)
    throw new InputError("PARTIAL_CONFLICT", `shard ${shard} is there twice; leave one of them out`);
  const [query] = findRepeated(
    partials.map(({ query_ids, missing_queries }) => new Set([...query_ids, ...missing_queries])),
  );
  if (query !== undefined)
    throw new InputError(
      "PARTIAL_CONFLICT",
      `query ${quote(query)} is in two partials, which overlap; were they made by \`--shard\`?`,
    );
}

function findRepeated<T>(lists: readonly Iterable<T>[]): T[] {
  const seen = new Set<T>();
  for (const list of lists)
    for (const each of list) {
      if (seen.has(each)) return [each];
      seen.add(each);
    }
  return [];
}

/** @throws InputError `PARTIAL_SHAPE` for columns that are not as long as there are queries. */
function contentOf(partial: EvaluationPartial, order: readonly string[]): SheetContent {
  const { metrics, query_ids } = partial;
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
