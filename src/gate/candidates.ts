import { ownValue } from "../foundation/checks/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { countOf, roundTo4, scoreDifference } from "../foundation/numbers/index.js";
import {
  isBatchReport,
  isResult,
  readDelta,
  metricRows,
  metricCardOf,
  correctedDifference,
  widthOf,
  type AggregateMetrics,
  type CompareReport,
  type CorrectedScore,
  type EvaluationRecord,
  type LabelTrust,
  type MetricDifference,
  type QueryComparison,
  type RunComparison,
  type RunReport,
  type ScoreComparison,
} from "../records/index.js";
import type { Baseline, Candidate, Difference, Fallen, Sought, WorseAnswers } from "./candidate.js";
import {
  scoresOfAggregate,
  listComparedScores,
  evaluationScores,
  findKnownName,
  findMeasured,
  namesOf,
  runReportScores,
  unknown,
  type NamedScores,
} from "./named-values.js";

/** The fields of an aggregate that answers are judged by. */
const ofAnswers = ["citation_coverage", "groundedness", "refusal_correctness"];

/** So far are the differences of two means from each other that are rounded before or after. */
const ROUNDING = 0.0001;

/** A result that rules can be held against. */
export type GatedResult = AggregateMetrics | EvaluationRecord | RunReport | CompareReport | ScoreComparison;

/** The runs of a result that rules are held against: of a comparison all but the baseline. */
export function candidatesOf(result: GatedResult): Candidate[] {
  if (isResult(result, "comparison")) {
    const [baseline, ...others] = result.runs;
    return others.map((run, index) =>
      candidate(
        run.run,
        [listComparedScores(run, result)],
        baselineOf(baseline?.run ?? "", result, index),
        result.trust,
      ),
    );
  }
  if (isResult(result, "report")) {
    const tested = result.statistics?.runs[1];
    return [
      candidate(
        result.run_b,
        [
          scoresOfAggregate(result.aggregate_b),
          ...(result.statistics == null || tested === undefined
            ? []
            : [listComparedScores(tested, result.statistics)]),
        ],
        reportBaseline(result),
      ),
    ];
  }
  if (isResult(result, "evaluation")) return [candidate(result.run, [evaluationScores(result)], null)];
  if (isResult(result, "run"))
    return [
      candidate(
        result.run.run,
        [...listCorrectedScores(result), runReportScores(result)],
        null,
        isBatchReport(result) ? result.trust : undefined,
      ),
    ];
  if (isResult(result, "aggregate")) return [candidate(null, [scoresOfAggregate(result)], null)];
  throw new InputError(
    "ARGUMENT",
    `a gate is about an aggregate, an evaluation, a report on a run, or a comparison, got ${quote(result)}`,
  );
}

function candidate(
  run: string | null,
  tables: readonly NamedScores[],
  baseline: Baseline | null,
  trust: LabelTrust | null | undefined = null,
): Candidate {
  return { run, measured: (name) => findMeasured(tables, name), baseline, trust };
}

/** What a run of a comparison is held against; `index` is its place behind the baseline. */
function baselineOf(baseline: string, result: ScoreComparison, index: number): Baseline {
  const comparison = findAudited(comparisonOf(result, index));
  const tested = comparison === undefined ? null : { comparison, settings: result.settings, result };
  return {
    run: baseline,
    tested,
    difference(name) {
      const found = differenceTested(tested, name);
      if (found === undefined)
        return (
          differenceOfValues(result, index, name) ?? {
            missing: unknown(name, comparison?.metrics.map(({ metric }) => metric) ?? []),
          }
        );
      if (comparison?.corrected == null) return withScores(found, differenceOfMeans(result, index, found));
      // What people's labels correct is no difference of the scores by all labels.
      return "found" in found && isTooAlike(comparison.corrected, found.found.metric)
        ? { missing: "is the same for nearly all queries that people labelled, from which nothing follows" }
        : found;
    },
    countFallen() {
      const falls = fallsByScore(result, index + 1);
      return "missing" in falls ? falls : countFalls(0, [...falls.found.values()]);
    },
    countWorseAnswers: () => ({ missing: "answers are compared in a comparison of two recorded runs only" }),
  };
}

/** A comparison by what people's labels make of it, where they do. */
function findAudited(comparison: RunComparison | undefined): RunComparison | undefined {
  if (comparison?.corrected == null) return comparison;
  return { ...comparison, metrics: comparison.corrected.map(correctedDifference), slices: [] };
}

/** Whether people's queries differ too little to say anything of the others. */
function isTooAlike(corrected: readonly CorrectedScore[], metric: string): boolean {
  return corrected.some((score) => score.metric === metric && score.interval === null && score.further > 0);
}

/** The scores of a run by what people's labels make of them, where they do, before the others. */
function listCorrectedScores(result: RunReport): NamedScores[] {
  const corrected = isBatchReport(result) ? (result.corrected ?? []) : [];
  if (corrected.length === 0) return [];
  const byMetric = new Map(corrected.map((score) => [score.metric, roundTo4(score.corrected)]));
  return [
    runReportScores({
      ...result,
      metrics: result.metrics.flatMap((row) => {
        const mean = byMetric.get(row.metric);
        return mean === undefined ? [] : [{ ...row, mean }];
      }),
    }),
  ];
}

/** By place and by name, so that runs of the same name are not taken for each other. */
function comparisonOf({ runs, comparisons }: ScoreComparison, index: number): RunComparison | undefined {
  const name = runs[index + 1]?.run;
  return comparisons[index]?.run === name ? comparisons[index] : comparisons.find(({ run }) => run === name);
}

function reportBaseline(report: CompareReport): Baseline {
  const { run_a, aggregate_b, counts } = report;
  // Reports that were not read by our own reader may lack the field.
  const statistics = report.statistics ?? null;
  const comparison = statistics === null ? undefined : comparisonOf(statistics, 0);
  const tested =
    statistics === null || comparison === undefined
      ? null
      : { comparison, settings: statistics.settings, result: statistics };
  const byName = new Map(
    metricRows(aggregate_b).flatMap((row) => namesOf(row).map((name) => [name, row] as const)),
  );
  return {
    run: run_a,
    tested,
    difference(name) {
      const row = byName.get(findKnownName(name, byName) ?? "");
      // A metric of the aggregates is that one, not another whose alias its name is as well.
      const found = differenceTested(tested, row?.label ?? name);
      if (found !== undefined) return withScores(found, row === undefined ? null : readDelta(row, report));
      if (row === undefined)
        return {
          missing: unknown(name, [
            ...byName.keys(),
            ...(comparison?.metrics.map(({ metric }) => metric) ?? []),
          ]),
        };
      const difference = readDelta(row, report);
      return difference === null
        ? { missing: "was not measured in both runs" }
        : {
            found: {
              metric: row.label,
              difference,
              ofScores: difference,
              higherIsBetter: row.higherIsBetter,
              widest: Infinity,
              tested: null,
            },
          };
    },
    countFallen() {
      const { win, draw, regression, loss } = counts;
      if (win + draw + regression + loss === 0) return { missing: "no query has a result in either run" };
      const scored = statistics === null ? null : fallsByScore(statistics, 1);
      const byScore = scored !== null && "found" in scored ? scored.found : new Map<string, Fall>();
      const isRanked = ({ a_hit_rank, b_hit_rank }: QueryComparison): boolean =>
        (a_hit_rank ?? b_hit_rank) !== null;
      // Where no query expects anything by rank, the scores are all there is.
      if (scored !== null && "missing" in scored && !report.per_query.some(isRanked)) return scored;
      return countFalls(
        report.fallback_queries,
        report.per_query.map((query) => {
          const fell = byScore.get(query.query_id) ?? null;
          if (!isRanked(query)) return fell;
          return query.kind === "regression" ? "regression" : query.kind === "loss" || fell ? "loss" : null;
        }),
      );
    },
    countWorseAnswers: () => countWorseAnswers(report),
  };
}

function countWorseAnswers(report: CompareReport): Sought<WorseAnswers> {
  const runs = [
    { run: report.run_a, aggregate: report.aggregate_a },
    { run: report.run_b, aggregate: report.aggregate_b },
  ];
  const silent = runs.find(({ aggregate: { support } }) =>
    ofAnswers.every((name) => (support[name] ?? 0) === 0),
  );
  if (silent !== undefined)
    return { missing: `${quote(silent.run)} has no answer that anything is expected of` };
  if (report.per_query.some(({ answer_lost }) => answer_lost === undefined))
    return { missing: "the report does not say which answers got worse; make it anew" };
  const isUnchecked = runs.some(({ aggregate: { warnings } }) =>
    warnings.some(({ code }) => code === "CITATIONS_NOT_CHECKED"),
  );
  return {
    found: {
      answers: report.per_query.filter(({ answer_lost = [] }) => answer_lost.length > 0).length,
      warning: isUnchecked
        ? "citations were not checked and count for nothing; give the chunks, from a store or with --corpus"
        : undefined,
    },
  };
}

/** The difference of a metric that was tested; undefined where it was not. */
function differenceTested(tested: Baseline["tested"], name: string): Sought<Difference> | undefined {
  if (tested === null) return undefined;
  const byName = new Map<string, MetricDifference>(tested.comparison.metrics.map((row) => [row.metric, row]));
  const row = byName.get(findKnownName(name, byName) ?? "");
  if (row === undefined) return undefined;
  if (row.difference === null) return { missing: "was not measured in both runs" };
  const { answered_by_both } = tested.comparison;
  const ofBoth = answered_by_both?.metrics.find(({ metric }) => metric === row.metric);
  if (answered_by_both !== undefined && ofBoth?.difference == null)
    return { missing: "was measured on no query that the baseline answered" };
  const found = {
    metric: row.metric,
    higherIsBetter: metricCardOf(tested.result, row.metric).higher_is_better,
    widest: widthOf(tested.result, row.metric) ?? Infinity,
  };
  const differenceOf = (row: MetricDifference): Difference => {
    const difference = roundTo4(row.difference ?? 0);
    return { ...found, difference, ofScores: difference, tested: row };
  };
  return {
    found: {
      ...differenceOf(row),
      answeredByBoth: ofBoth && differenceOf(ofBoth),
    },
  };
}

/** How far the mean of a run is from that of the first; null where one of them has none. */
function differenceOfMeans(
  { runs }: ScoreComparison,
  index: number,
  sought: Sought<Difference>,
): number | null {
  if ("missing" in sought) return null;
  const [before, after] = [runs[0], runs[index + 1]].map((run) => run?.means[sought.found.metric] ?? null);
  return before == null || after == null ? null : roundTo4(scoreDifference(after, before));
}

/** The difference of what is no mean over queries, such as a count; undefined where a run has none. */
function differenceOfValues(
  result: ScoreComparison,
  index: number,
  name: string,
): Sought<Difference> | undefined {
  const [before, after] = [result.runs[0], result.runs[index + 1]].map(
    (run) => ownValue(run?.means, name) ?? null,
  );
  if (before == null || after == null) return undefined;
  const difference = roundTo4(scoreDifference(after, before));
  const { higher_is_better: higherIsBetter } = metricCardOf(result, name);
  return {
    found: { metric: name, difference, ofScores: difference, higherIsBetter, widest: Infinity, tested: null },
  };
}

/** A difference that was tested, with that of the scores; both are of rounded means. */
function withScores(sought: Sought<Difference>, ofScores: number | null): Sought<Difference> {
  if (ofScores === null || "missing" in sought) return sought;
  const isSame = Math.abs(scoreDifference(ofScores, sought.found.difference)) <= ROUNDING;
  return isSame ? sought : { found: { ...sought.found, ofScores } };
}

/** How a query got worse: it lost everything, or something. */
type Fall = "regression" | "loss";

/** @param unplaced of how many an expected chunk was matched by its document. */
function countFalls(unplaced: number, falls: readonly (Fall | null)[]): Sought<Fallen> {
  const count = (sought: Fall): number => falls.filter((fall) => fall === sought).length;
  const warning =
    unplaced > 0
      ? `${countOf(unplaced, "query")} had an expected chunk of unknown place, for which any hit in its ` +
        "document counts"
      : undefined;
  return { found: { regressions: count("regression"), losses: count("loss"), warning } };
}

/**
 * How queries fell by the primary metric, beyond the tolerance; null for those that did not. One that fell to
 * the worst score that there is, usually 0, lost everything.
 */
function fallsByScore(result: ScoreComparison, run: number): Sought<ReadonlyMap<string, Fall | null>> {
  const { metrics, settings, per_query } = result;
  const metric = settings.primary ?? "";
  const column = metrics.indexOf(metric);
  if (settings.primary === null || column === -1)
    return { missing: "the comparison has no primary metric to count by" };
  const higherIsBetter = metricCardOf(result, metric).higher_is_better;
  const [low, high] = ownValue(result.metric_cards, metric)?.range ?? [0, null];
  const worst = higherIsBetter ? low : high;
  const falls = new Map<string, Fall | null>();
  const leftOut = new Set(result.runs[run]?.left_out);
  for (const { query_id, scores } of per_query) {
    const before = scores[0]?.[column] ?? null;
    const after = scores[run]?.[column] ?? null;
    if (before === null || leftOut.has(query_id)) continue;
    const fell =
      after === null
        ? Infinity
        : higherIsBetter
          ? scoreDifference(before, after)
          : scoreDifference(after, before);
    const isFall = fell > settings.tolerance && before !== worst;
    falls.set(query_id, isFall ? (after === null || after === worst ? "regression" : "loss") : null);
  }
  return falls.size === 0 ? { missing: `no query has a score of ${metric} in both runs` } : { found: falls };
}
