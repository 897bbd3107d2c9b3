import {
  standingAssessments,
  type Assessment,
  type Backend,
  type LabelItem,
  type Reranker,
  type SearchTrace,
} from "../records/index.js";
import { wilsonInterval } from "../stats/index.js";
import type { BuildSummary, LabelingOptions } from "./build-options.js";
import { costOf, addCosts } from "./costs.js";
import { itemOfHit } from "./item-of-hit.js";
import { LabelingSession, type LabelledQuery } from "./labeling-session.js";
import type { BelowStop, BuiltBatch, QueryBuild } from "./query-build.js";
import { DEFAULT_TENANT } from "./query-text.js";
import {
  rebuildDefaults,
  rebuildOrder,
  rebuildPool,
  rebuildSearchSize,
  type RebuildOptions,
} from "./rebuild-order.js";
import { rerankItems, type RerankItemsOptions } from "./rerank-items.js";
import { StopRule, type BatchTrace, type StopOptions } from "./stop-rule.js";
import { voteSummary } from "./votes.js";

/** A query of a deep rebuild. */
export interface RebuildQuery {
  readonly query: string;
  /** For searches that look answers up. */
  readonly id?: string | undefined;
}

/** What is labelled from the head of the search on, and how deep. */
export interface RebuildLabelsOptions extends Omit<LabelingOptions, "batchSize" | "isDryRun"> {
  readonly queries: Iterable<RebuildQuery>;
  /** Where hits come from, best first. */
  readonly search: Backend["search"];
  /** Every item by its id, in the order of the corpus. */
  readonly corpus: ReadonlyMap<string, LabelItem>;
  readonly reranker: Reranker;
  /** How the reranker is asked. */
  readonly rerank?:
    Pick<RerankItemsOptions, "batchSize" | "concurrency" | "maxCharacters" | "isForced"> | undefined;
  readonly depth?: RebuildOptions | undefined;
  readonly stop?: StopOptions | undefined;
  /** Called while a query is reranked. */
  readonly onRerank?: ((query: string, done: number, total: number) => void) | undefined;
  /** Called after each batch; the first is 1. */
  readonly onBatch?: ((query: string, batch: number, trace: BatchTrace) => void) | undefined;
  /** Called with a query that the search fails for, which is left out; without it the rebuild fails. */
  readonly onFailed?: ((query: RebuildQuery, error: unknown) => void) | undefined;
  /** Called with each query that is done, and waited for. */
  readonly onQuery?: ((build: QueryBuild) => void | Promise<void>) | undefined;
}

/**
 * Labels each query from the head of its search on, batch by batch, and then what a reranker finds in the
 * rest of the corpus, until several batches in a row are nearly all irrelevant. What is labelled already is
 * taken as it is, so that a rebuild that is killed or ends goes on where it was.
 *
 * @throws what {@link buildLabels} throws, and the search and the reranker.
 */
export async function rebuildLabels(options: RebuildLabelsOptions): Promise<BuildSummary> {
  const { batchSize } = new StopRule(options.stop).settings;
  const session = new LabelingSession({ ...options, batchSize });
  await session.each(options.queries, async (target, labels, stop) => {
    const build = await rebuildQuery(session, options, target, labels, stop);
    if (build !== undefined) await options.onQuery?.(build);
  });
  return session.summary();
}

async function rebuildQuery(
  session: LabelingSession,
  options: RebuildLabelsOptions,
  target: RebuildQuery,
  labels: LabelledQuery,
  signal: AbortSignal,
): Promise<QueryBuild | undefined> {
  const { labeler, reranker, tenant = DEFAULT_TENANT, now = Date.now, onBatch, depth } = options;
  const { query } = labels;
  const time = (): string => new Date(now()).toISOString();
  const started_at = time();
  const looked = await findAnswers(options, target, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (options.onFailed === undefined) throw error;
    options.onFailed(target, error);
  });
  if (looked === undefined) return undefined;
  const { unknown, requests } = looked;
  const hits = [...looked.items.keys()];
  const itemOf = (id: string): LabelItem => (options.corpus.get(id) ?? looked.items.get(id)) as LabelItem;
  const toAnswer = (id: string): readonly Assessment[] => countIn(labels.said.get(id) ?? [], options);
  const rebuildable = rebuildPool(hits, options.corpus.keys(), depth);
  const scores = await rerankItems({
    ...options.rerank,
    reranker,
    store: options.store,
    tenant,
    query,
    items: rebuildable.outside.map(itemOf),
    signal,
    onProgress: (done, total) => options.onRerank?.(query, done, total),
  });
  const { order, high, isSkipped } = rebuildOrder(rebuildable, scores, depth);
  const rule = new StopRule(options.stop);
  const batches: BuiltBatch[] = [];
  let labelled = 0;
  let reasons = rule.reasons(labelled >= order.length);
  while (!isSkipped && reasons.length === 0) {
    const batch = order.slice(labelled, labelled + rule.settings.batchSize);
    const before = batch.map((id) => labels.said.get(id));
    await session.label(labels, batch.map(itemOf), signal);
    if (session.isSpent) break;
    const trace = rule.add(batch.map((id) => gradeOf(toAnswer(id))));
    const known = batch.filter((id, at) => before[at] !== undefined && labels.said.get(id) === before[at]);
    batches.push({ ...trace, known: known.length });
    onBatch?.(query, batches.length, trace);
    labelled += batch.length;
    reasons = rule.reasons(labelled >= order.length);
  }
  const [reason = isSkipped ? "skipped" : "budget", ...also_true] = isSkipped ? [] : reasons;
  // A batch that the budget ended in the middle is paid, too.
  const asked = isSkipped ? 0 : labelled + (reason === "budget" ? rule.settings.batchSize : 0);
  const paid = order.slice(0, asked).flatMap(toAnswer);
  const grades = order.slice(0, labelled).map((id) => gradeOf(toAnswer(id)));
  return {
    schema_version: 1,
    tenant,
    query,
    rater: labeler.rater,
    reranker: reranker.identity,
    settings: { ...rebuildDefaults, ...dropUndefined(depth), ...rule.settings },
    started_at,
    ended_at: time(),
    request_ids: requests,
    hits: hits.length,
    unknown_items: unknown,
    pool: rebuildable.pool,
    order,
    scores: order.map((id) => scores.get(id) ?? 1),
    high,
    batches,
    stop: { reason, also_true, items: labelled },
    below_stop: belowStop(grades, batches.slice(-rule.settings.streak), order.length - labelled),
    calls: new Set(paid.map(({ batch, at }) => `${batch} ${at}`)).size,
    cost: paid.map(costOf).reduce(addCosts, {}),
  };
}

/** What the search finds: distinct items by id, best first, and the ids of which nothing is known. */
async function findAnswers(
  { search, corpus, depth }: RebuildLabelsOptions,
  { query, id }: RebuildQuery,
  signal: AbortSignal,
): Promise<{
  readonly items: ReadonlyMap<string, LabelItem>;
  readonly unknown: readonly string[];
  readonly requests: readonly string[];
}> {
  const limit = rebuildSearchSize(depth);
  let requests: readonly string[] = [];
  const onTrace = ({ request_ids }: SearchTrace): void => void (requests = request_ids ?? []);
  const list = (await search(query, { limit, queryId: id, signal, onTrace })).slice(0, limit);
  const items = new Map<string, LabelItem>();
  const unknown = new Set<string>();
  for (const hit of list) {
    const item = itemOfHit(hit, corpus);
    if (item === undefined) {
      unknown.add(hit.chunk_id);
      continue;
    }
    // What the corpus says of an item counts; the hit's own fields stand in for what it lacks.
    if (!items.has(item.id)) items.set(item.id, item);
  }
  return { items, unknown: [...unknown], requests };
}

/** What counts of what a rater said: not what a forced rebuild replaces, nor votes that are not asked for. */
function countIn(
  said: readonly Assessment[],
  { since, votes = 1 }: RebuildLabelsOptions,
): readonly Assessment[] {
  return said.filter(
    ({ at, vote }) => vote <= votes && (since === undefined || Date.parse(at) >= Date.parse(since)),
  );
}

/** The grade of a rater's votes, the median; null without a valid one. */
function gradeOf(said: readonly Assessment[]): number | null {
  return voteSummary(standingAssessments(said).map(({ grade }) => grade)).label;
}

function belowStop(
  grades: readonly (number | null)[],
  last: readonly BatchTrace[],
  items: number,
): BelowStop {
  const size = last.reduce((sum, batch) => sum + batch.size, 0);
  const valid = grades.slice(grades.length - size).filter((grade) => grade !== null);
  const useful = valid.filter((grade) => grade >= 1).length;
  const { share, low, high } = wilsonInterval(useful, valid.length);
  const of = (part: number): number => Math.round(part * items * 10) / 10;
  return {
    items,
    last_useful: useful,
    last_valid: valid.length,
    estimate: of(share),
    low: of(low),
    high: of(high),
  };
}

function dropUndefined(depth: RebuildOptions = {}): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(depth).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}
