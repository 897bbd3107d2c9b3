import {
  benchMetricNames,
  type BenchMode,
  type KnownQuery,
  RELEVANT_FROM,
  type ScoreComparison,
  scoreField,
} from "../records/index.js";
import {
  severalRuns,
  comparisonOf,
  diagnoseLosses,
  overlapsOf,
  SHOWN_HITS,
  type RankingEvidence,
  type ScoreTable,
  type StatisticsOptions,
} from "../compare/index.js";
import type { BenchFixture } from "./bench-fixture.js";

const CARD = { higher_is_better: true, range: [0, 1] as [number, number] };

/**
 * The modes of a benchmark compared with the first one, by the stored scores of their cases: statistics,
 * slices by query type, and what became of every relevant item.
 *
 * @param channels by mode the modes that it is fused of.
 */
export function benchComparison(
  fixture: BenchFixture,
  modes: readonly BenchMode[],
  topK: number | null,
  channels: ReadonlyMap<string, readonly string[]>,
  options: StatisticsOptions,
): ScoreComparison {
  const known = new Map(
    fixture.cases.map(({ case_id, query, query_type }): [string, KnownQuery] => [
      case_id,
      { query, labels: { query_type } },
    ]),
  );
  return comparisonOf(
    modes.map((mode) => tableOf(mode, topK)),
    { ...options, known },
    { evidence: new BenchRankings(fixture, modes, channels), several: severalRuns },
  );
}

function tableOf({ mode, overall, per_case }: BenchMode, topK: number | null): ScoreTable {
  const { ndcg, mrr, recall, hitRate } = benchMetricNames(topK);
  const field = overall as Readonly<Record<string, number>>;
  return {
    run: mode,
    metrics: [ndcg, recall, mrr, hitRate].map((name) => ({ name, card: CARD })),
    queryIds: per_case.map(({ case_id }) => case_id),
    columns: [
      per_case.map((one) => one.ndcg),
      per_case.map((one) => one.recall),
      per_case.map((one) => one.mrr),
      per_case.map((one) => (one.is_hit ? 1 : 0)),
    ],
    means: Object.fromEntries([
      [ndcg, field[scoreField("ndcg", topK)]],
      [recall, field[scoreField("recall", topK)]],
      [mrr, field[scoreField("mrr", topK)]],
      [hitRate, overall.evidence_hit_rate],
    ] as [string, number][]),
    isAnswering: per_case.some(({ ranked }) => ranked.length > 0),
  };
}

/** What the modes returned, for reports. */
class BenchRankings implements RankingEvidence {
  readonly relevantFrom = RELEVANT_FROM;
  readonly #cases: ReadonlyMap<string, BenchFixture["cases"][number]>;
  /** By mode, then by case. */
  readonly #ranked: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  readonly #channels: ReadonlyMap<string, readonly string[]>;

  constructor(
    { cases }: BenchFixture,
    modes: readonly BenchMode[],
    channels: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#cases = new Map(cases.map((one) => [one.case_id, one]));
    this.#ranked = new Map(
      modes.map(({ mode, per_case }) => [
        mode,
        new Map(per_case.map(({ case_id, ranked }) => [case_id, ranked])),
      ]),
    );
    this.#channels = channels;
  }

  query(caseId: string): ReturnType<RankingEvidence["query"]> {
    const { grades, top_k } = this.#cases.get(caseId) as BenchFixture["cases"][number];
    const rankings = [...this.#ranked.values()].map((ranked) => ranked.get(caseId) ?? []);
    const ranksOf = (ids: readonly string[]): ((item: string) => number | null) => {
      const ranks = new Map(ids.map((id, index) => [id, index + 1]));
      return (item) => ranks.get(item) ?? null;
    };
    const runs = [...this.#ranked.keys()].map((mode, at) => ({
      rank: ranksOf(rankings[at] ?? []),
      channels: Object.fromEntries(
        (this.#channels.get(mode) ?? []).map((channel) => [
          channel,
          ranksOf(this.#ranked.get(channel)?.get(caseId) ?? []),
        ]),
      ),
    }));
    return {
      rankings: rankings.map((ids) =>
        ids.slice(0, SHOWN_HITS).map((id) => ({ id, grade: grades.get(id) ?? null })),
      ),
      overlap: overlapsOf(rankings),
      expected: diagnoseLosses(
        { expected: [...grades].filter(([, grade]) => grade >= RELEVANT_FROM), runs, isIndexed: null },
        top_k,
      ),
    };
  }

  /** Not asked: the conventions of the profile count what is found twice, for which there are no bounds. */
  listUnjudged(): ReturnType<RankingEvidence["listUnjudged"]> {
    return { doubt: null, judgeNext: [] };
  }
}
