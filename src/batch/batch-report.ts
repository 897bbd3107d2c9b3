import { groupBy } from "../foundation/columns/index.js";
import {
  prepareCorrection,
  reportSystem,
  worthSentence,
  type ReportSystemOptions,
} from "../compare/index.js";
import { compareIds } from "../foundation/ids/index.js";
import { roundTo4 } from "../foundation/numbers/index.js";
import { itemTitle, type Label } from "../label/index.js";
import type { Metric, Scorecard } from "../metrics/index.js";
import {
  TOP_LABEL_GRADE,
  type BackendHit,
  type BatchHit,
  type BatchQuery,
  type BatchReport,
  type BatchSummary,
  type EvalRun,
  type LabelItem,
  type MissedItem,
  type QueryLabels,
  type QueryResult,
  type ReportedQuery,
  type SearchHit,
} from "../records/index.js";
import { labelSequence } from "./label-sequence.js";
import {
  evidenceOf,
  labelGradesOf,
  attachLabels,
  type BatchQueryText,
  type DatasetJudgments,
} from "./attach-labels.js";
import { tipsFor } from "./tips.js";

/** Hits of the lists that a reader looks at. */
const [SHOWN, FIRST] = [20, 10];
/** Metrics of a scorecard that a list has, from the head: there may be thousands of batches. */
const LISTED = 9;

/** What a batch is made of. */
export interface BatchInput {
  /** Its `run_id` is the id of the batch. */
  readonly run: EvalRun;
  readonly dataset: string;
  readonly tenant: string;
  readonly licence?: string | undefined;
  readonly backend: BatchReport["backend"];
  readonly topK: number;
  readonly queries: readonly (BatchQueryText & { readonly labels?: QueryLabels | undefined })[];
  readonly judgments: DatasetJudgments;
  readonly items: ReadonlyMap<string, LabelItem>;
  /** The first metric decides. */
  readonly scorecard: Scorecard;
  /** When it is scored, in UTC. */
  readonly evaluatedAt: string;
  readonly statistics?: Pick<ReportSystemOptions, "seed" | "resamples" | "confidence"> | undefined;
}

/**
 * A live search held against labels. Every query counts, with 0 where nothing is labelled or came back, and
 * a hit without a label counts as Irrelevant.
 *
 * @throws InputError as `evaluate` does.
 */
export function batchReport(input: BatchInput): BatchReport {
  const { run, labels } = attachLabels(input.run, input.queries, input.judgments.labels, input.items);
  const [primary] = input.scorecard.metrics as readonly [Metric];
  const report = reportSystem(
    { name: input.run.run_id, run, channels: channelRuns(run) },
    labelGradesOf(labels),
    input.scorecard.metrics,
    {
      ...input.statistics,
      primary: primary.name,
      unit: "doc",
      known: new Map(
        input.queries.map(({ id, query, labels: words = {} }) => [id, { query, labels: words }]),
      ),
    },
  );
  const results = new Map(run.results.map((result) => [result.query_id, result]));
  const perQuery = report.per_query.map((query) =>
    batchQuery(query, results.get(query.query_id), {
      labels: labels.get(query.query_id) ?? new Map<string, Label>(),
      items: input.items,
      primary,
      topK: input.topK,
    }),
  );
  const audit = prepareCorrection(
    [{ name: input.run.run_id, run }],
    evidenceOf(input.queries, input.judgments),
    input.scorecard.metrics.filter(({ definition }) => definition.aggregate === undefined),
    { confidence: report.settings.confidence, decisive: [primary.name], unit: "doc" },
  );
  const corrected = audit.correctScores(0, null);
  const deciding = corrected?.find(({ score }) => score.metric === primary.name);
  const worth = deciding && worthSentence(deciding.score);
  return {
    ...report,
    kind: "batch_report",
    batch_id: input.run.run_id,
    dataset: input.dataset,
    tenant: input.tenant,
    ...(input.licence !== undefined && { licence: input.licence }),
    created_at: input.run.created_at,
    evaluated_at: input.evaluatedAt,
    top_k: input.topK,
    backend: input.backend,
    scorecard: {
      name: input.scorecard.name,
      primary: primary.name,
      gain: "the grade itself: 3, 2, 1, 0",
      top_grade: TOP_LABEL_GRADE,
    },
    labels: labelFacts(run, labels, perQuery, input.judgments.labeler),
    trust: { ...audit.trust, ...(worth && { sentence: worth }) },
    corrected: corrected?.map(({ score }) => score) ?? null,
    per_query: perQuery,
  };
}

/** What a list of batches shows of one. */
export function batchSummary(report: BatchReport): BatchSummary {
  return {
    schema_version: 1,
    kind: "batch_summary",
    batch_id: report.batch_id,
    dataset: report.dataset,
    created_at: report.created_at,
    backend: report.backend.name,
    queries: report.run.queries,
    failed: report.failed_results?.failed ?? 0,
    primary: report.scorecard.primary,
    metrics: Object.fromEntries(report.metrics.slice(0, LISTED).map(({ metric, mean }) => [metric, mean])),
    interval: report.metrics.find(({ metric }) => metric === report.scorecard.primary)?.interval ?? null,
    trust: report.trust.status,
    corrected: roundOrNull(
      report.corrected?.find(({ metric }) => metric === report.scorecard.primary)?.corrected,
    ),
  };
}

function roundOrNull(value: number | undefined): number | null {
  return value === undefined ? null : roundTo4(value);
}

/** The stages that any query tells of, as runs. */
function channelRuns({ results }: EvalRun): Record<string, Map<string, string[]>> {
  const runs = new Map<string, Map<string, string[]>>();
  for (const { query_id, channels } of results)
    for (const [name, ids] of Object.entries(channels ?? {})) {
      const channel = runs.get(name) ?? new Map<string, string[]>();
      runs.set(name, channel.set(query_id, [...new Set(ids)]));
    }
  return Object.fromEntries(runs);
}

interface QueryFacts {
  readonly labels: ReadonlyMap<string, Label>;
  readonly items: ReadonlyMap<string, LabelItem>;
  readonly primary: Metric;
  readonly topK: number;
}

function batchQuery(query: ReportedQuery, result: QueryResult | undefined, facts: QueryFacts): BatchQuery {
  const { labels, items } = facts;
  const hits = result?.hits_top_k ?? [];
  const grades = hits.map(({ chunk_id }) => labels.get(chunk_id)?.grade ?? null);
  const title = (id: string, hit?: BackendHit): string | null => {
    const fields = items.get(id)?.fields ?? hit?.fields;
    return fields === undefined ? null : itemTitle({ fields });
  };
  const missed = listMissedItems(hits, result, labels).map((item): MissedItem => ({
    ...item,
    title: title(item.id),
  }));
  const first = hits.slice(0, FIRST);
  const stages = stagesOf(first, missed, result);
  return {
    ...query,
    request_ids: [...(result?.request_ids ?? [])],
    returned: hits.length,
    judged: grades.filter((grade) => grade !== null).length,
    top_label_sequence_top10: labelSequence(grades, FIRST),
    top_label_sequence_top20: labelSequence(grades, SHOWN),
    top_results: hits.slice(0, SHOWN).map((hit, at): BatchHit => ({
      rank: at + 1,
      id: hit.chunk_id,
      label: grades[at] ?? null,
      title: title(hit.chunk_id, hit),
      relevance_score: hit.score ?? null,
    })),
    missed: missed.slice(0, SHOWN),
    missed_count: missed.length,
    tips: tipsFor({
      ...facts,
      hits,
      grades,
      stages,
      error: result === undefined ? "no result" : result.error,
    }),
    stages,
    signals: signalsOf(first),
    ...(result?.plan !== undefined && { plan: result.plan }),
  };
}

/** Judged useful items that did not come back, best first, and where each stage had them. */
function listMissedItems(
  hits: readonly SearchHit[],
  result: QueryResult | undefined,
  labels: ReadonlyMap<string, Label>,
): Omit<MissedItem, "title">[] {
  const returned = new Set(hits.map(({ chunk_id }) => chunk_id));
  const channels = Object.entries(result?.channels ?? {});
  return [...labels.values()]
    .filter(({ item, grade }) => grade > 0 && !returned.has(item))
    .sort((a, b) => b.grade - a.grade || compareIds(a.item, b.item))
    .map(({ item, grade }) => ({
      id: item,
      label: grade,
      channels: Object.fromEntries(channels.map(([name, ids]) => [name, ids.indexOf(item) + 1 || null])),
    }));
}

function stagesOf(
  first: readonly SearchHit[],
  missed: readonly MissedItem[],
  result: QueryResult | undefined,
): BatchQuery["stages"] {
  return Object.fromEntries(
    Object.entries(result?.channels ?? {}).map(([name, ids]) => {
      const known = new Set(ids);
      return [
        name,
        {
          returned: known.size,
          first10: first.filter(({ chunk_id }) => known.has(chunk_id)).length,
          missed: missed.filter(({ id }) => known.has(id)).length,
        },
      ];
    }),
  );
}

/** Over those of the first hits that have the number. */
function signalsOf(first: readonly SearchHit[]): Record<string, number> {
  const values = groupBy(
    first.flatMap(({ features }) => Object.entries(features ?? {})),
    ([name]) => name,
  );
  return Object.fromEntries(
    [...values].map(([name, all]) => [
      name,
      roundTo4(all.reduce((sum, [, value]) => sum + value, 0) / all.length),
    ]),
  );
}

function labelFacts(
  { results }: EvalRun,
  labels: ReadonlyMap<string, ReadonlyMap<string, Label>>,
  queries: readonly BatchQuery[],
  labeler: string | null,
): BatchReport["labels"] {
  const all = [...labels.values()].flatMap((ofQuery) => [...ofQuery.values()]);
  const countDecided = (by: Label["by"]): number => all.filter((label) => label.by === by).length;
  const top10 = queries.flatMap(({ top_results }) => top_results.slice(0, FIRST));
  return {
    labeler,
    by: {
      adjudicator: countDecided("adjudicator"),
      people: countDecided("people"),
      labeler: countDecided("labeler"),
    },
    grades: byGrade(all.map(({ grade }) => grade)),
    top10: byGrade(top10.map(({ label }) => label)),
    pairs: queries.reduce((sum, { returned }) => sum + returned, 0),
    labelled: queries.reduce((sum, { judged }) => sum + judged, 0),
    stale: results.reduce(
      (sum, { query_id, hits_top_k }) =>
        sum +
        hits_top_k.filter(({ chunk_id }) => labels.get(query_id)?.get(chunk_id)?.isStale === true).length,
      0,
    ),
    queries_without: [...labels.values()].filter(({ size }) => size === 0).length,
  };
}

function byGrade(grades: readonly (number | null)[]): number[] {
  const counts = Array.from({ length: TOP_LABEL_GRADE + 1 }, () => 0);
  for (const grade of grades) if (grade !== null) counts[grade] = (counts[grade] ?? 0) + 1;
  return counts;
}
