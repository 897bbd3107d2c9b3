import {
  checkCompared,
  checkOptions,
  type ComparisonSettings,
  correctedDifference,
  prepareQrels,
  type QrelsInput,
  type ScoreComparison,
} from "../records/index.js";
import {
  evaluate,
  isRecordedRun,
  resolveConventions,
  resolveMetrics,
  type Evaluation,
} from "../evaluate/index.js";
import type { Metric } from "../metrics/index.js";
import { otherDepths, seenDepth, type DoubtOfRuns } from "./other-depths.js";
import { severalRuns } from "./several-runs.js";
import { noMean, refuseNoMeans } from "./comparison-settings.js";
import type { ScoreTable } from "./score-table.js";
import { tableOfSystem, type ComparedSystem } from "./compared-system.js";
import { comparisonOf, type AuditFindings, type CompareScoresOptions } from "./compare-scores.js";
import { prepareCorrection, countBySign, worthSentence } from "./label-correction.js";
import { selfJudgedRuns, type LabelEvidence } from "./label-evidence.js";
import { warnOfUnevenDepths } from "./uneven-depths.js";
import { JudgedRankings, type JudgedRankingsOptions } from "./judged-rankings.js";

/** How {@link compareSystems} scores and compares. */
export interface CompareSystemsOptions extends CompareScoresOptions, JudgedRankingsOptions {
  /**
   * Who made the judgments. On a model's alone no verdict rests; with a sample of queries that people
   * labelled it rests on what these make of the differences.
   */
  readonly labels?: LabelEvidence | undefined;
}

/**
 * Scores runs against judgments and compares them with the first one, the baseline: what
 * {@link compareScores} does, and with the rankings at hand also what became of every relevant item, whether
 * unjudged hits could turn the verdict around, and which to judge next.
 *
 * @param metrics names (`"nDCG@10"`), or metrics. The first one decides unless `primary` names another.
 * @throws InputError as {@link evaluate} and {@link compareScores} do.
 */
export function compareSystems(
  given: readonly ComparedSystem[],
  qrels: QrelsInput,
  metrics: readonly (string | Metric)[],
  options: CompareSystemsOptions = {},
): ScoreComparison {
  checkOptions(options);
  checkCompared(given, "systems");
  const selfJudged = selfJudgedRuns(given, options.labels?.labelerModel);
  const systems = given.map((system) =>
    selfJudged.includes(system.name)
      ? { ...system, name: `${system.name} (judged by its own model)` }
      : system,
  );
  const prepared = prepareQrels(qrels);
  checkMeans(metrics, options);
  const evaluations = systems.map(({ run }) => evaluate(run, prepared, metrics, options));
  const evidence = new JudgedRankings(systems, evaluations, prepared, options);
  const cut = warnOfUnevenDepths(
    evidence.depths().map((depths, at) => {
      const { name, run } = systems[at] as ComparedSystem;
      // A recorded run says how many hits it was asked for.
      return { run: name, depths: isRecordedRun(run) ? [] : depths };
    }),
    (evaluations[0] as Evaluation).aggregates.map(({ metric }) => metric),
  );
  const tables = systems.map((system, index) => {
    const table = tableOfSystem(system, evaluations[index] as Evaluation, prepared);
    return { ...table, warnings: [...(table.warnings ?? []), ...(cut[index] ?? [])] };
  });
  const { labels } = options;
  return comparisonOf(tables, options, {
    evidence,
    several: severalRuns,
    undecided: doubtOfRuns(
      systems,
      (evaluations[0] as Evaluation).aggregates.map(({ metric }) => metric),
    ),
    ...(labels && {
      audit: (settings) => findingsOf(given, labels, evaluations[0] as Evaluation, tables, settings, options),
    }),
  });
}

/** Where an audit falls short for the queries that the baseline answered. */
const TOO_FEW_ASKED =
  "Of the queries that people labelled the baseline answered too few; the others count as 0 in it, which " +
  "is no gain of this run.";

/** Why nothing follows from a metric of runs that were recorded with other numbers of hits. */
function doubtOfRuns(systems: readonly ComparedSystem[], metrics: readonly Metric[]): DoubtOfRuns {
  const recorded = systems.map(({ run }) => (isRecordedRun(run) ? run : undefined));
  const depths = new Map(metrics.map((metric) => [metric.name, seenDepth(metric)]));
  return (metric, from, to) => {
    const [depth, a, b] = [depths.get(metric), recorded[from], recorded[to]];
    return depth && a && b && otherDepths(metric, depth, a, b);
  };
}

/** What people's labels make of the differences of every run from the first. */
function findingsOf(
  systems: readonly ComparedSystem[],
  labels: LabelEvidence,
  { aggregates }: Evaluation,
  tables: readonly ScoreTable[],
  { primary, guards, confidence }: ComparisonSettings,
  { unit = "doc" }: CompareSystemsOptions,
): AuditFindings {
  const metrics = aggregates
    .map(({ metric }) => metric)
    .filter(({ definition }) => definition.aggregate === undefined);
  const decisive = [...(primary === null ? [] : [primary]), ...guards.map(({ metric }) => metric)];
  const audit = prepareCorrection(systems, labels, metrics, { confidence, decisive, unit });
  const isHigherBetter = new Map(metrics.map(({ name, definition }) => [name, definition.higherIsBetter]));
  const notAnswered = new Set(tables[0]?.notAnswered);
  const corrected = systems.slice(1).map((_, at) => {
    const ofBoth = audit.correctScores(at + 1, 0, notAnswered);
    const scores = ofBoth ?? audit.correctScores(at + 1, 0);
    const deciding = scores?.find(({ score }) => score.metric === primary);
    if (scores === null || deciding === undefined) return null;
    const counted = scores.map((each) => countBySign(each, isHigherBetter.get(each.score.metric) ?? true));
    return {
      scores: counted,
      differences: counted.map(correctedDifference),
      sentence: worthSentence(deciding.score),
      undecided:
        deciding.tooAlike !== null
          ? { why: deciding.tooAlike }
          : ofBoth === null
            ? { why: TOO_FEW_ASKED, but: "worse" as const }
            : undefined,
    };
  });
  return { trust: audit.trust, corrected };
}

/** @throws InputError `ARGUMENT` where no metric, or not what decides, is the mean of its queries' scores. */
function checkMeans(metrics: readonly (string | Metric)[], options: CompareSystemsOptions): void {
  const settled = resolveMetrics(metrics, resolveConventions({}));
  const noMeans = settled.filter(({ definition }) => definition.aggregate !== undefined);
  const names = noMeans.map(({ name }) => name);
  refuseNoMeans(names, options);
  if (names.length > 0 && names.length === settled.length) throw noMean(names);
}
