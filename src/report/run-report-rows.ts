import { countOf, formatShare } from "../foundation/numbers/index.js";
import { oneLine } from "../foundation/text/index.js";
import {
  cutoffOf,
  isBatchReport,
  type BatchReport,
  type MeanScore,
  type ReportedQuery,
  type RunReport,
} from "../records/index.js";
import { wrongChecks, type answerChecks } from "./answer-checks.js";
import { formatScoreOf } from "./printed-statistics.js";

/** Both ends of an interval of scores. */
export function formatSpan(interval: MeanScore["interval"]): string {
  return interval === null ? "—" : `${formatScoreOf(interval.low)} to ${formatScoreOf(interval.high)}`;
}

/** What a run comes to, in sentences: its primary metric, what was missed, which answers are wrong. */
export function runSummary(report: RunReport): string[] {
  const { metrics, primary, settings, run, first_ranks } = report;
  const decisive = metrics.find(({ metric }) => metric === primary);
  const relevant = first_ranks.ranks.reduce((sum, { queries }) => sum + queries, first_ranks.missed);
  const missed = listMissedQueries(report);
  const cutoff = cutoffOf(primary);
  const checked = answersChecked(report, ["refusal", "text"]);
  const citing = answersChecked(report, ["citations"]);
  const unanswered = run.queries - run.answered;
  // Where labels come from what came back, a query without any hit is among those of which nothing is known.
  const judged = countOf(relevant, "query") + (relevant < run.queries ? " with a known relevant item" : "");
  return [
    ...(decisive?.mean == null
      ? []
      : isBatchReport(report)
        ? [batchSentence(report, decisive)]
        : [scoreSentence(decisive, settings.confidence)]),
    ...(relevant === 0
      ? []
      : [
          (missed.length === 0
            ? `All of ${judged} found something `
            : `${missed.length} of ${judged} found nothing `) +
            `relevant ${cutoff === 1 ? "as the first hit" : `among the first ${cutoff} hits`}.`,
        ]),
    ...(checked.wrong === 0
      ? []
      : [`${checked.wrong} of ${checked.all} checked answers do not say what they must.`]),
    ...(citing.wrong === 0
      ? []
      : [
          `${citing.wrong} of ${citing.all} grounded answers cite nothing, or what the knowledge base lacks.`,
        ]),
    ...(unanswered === 0 ? [] : [`The run has no result for ${countOf(unanswered, "query")}.`]),
  ].map(oneLine);
}

function scoreSentence({ metric, mean, queries, interval }: MeanScore, confidence: number, by = ""): string {
  return (
    `${metric} is ${formatScoreOf(mean)}${by} over ${countOf(queries, "query")}` +
    (interval === null ? "." : ` (${formatShare(confidence)} interval ${formatSpan(interval)}).`)
  );
}

/** The score that decides: people's where they have corrected it, else that it is the labels' alone. */
function batchSentence({ corrected, trust, settings }: BatchReport, decisive: MeanScore): string {
  const { metric, mean } = decisive;
  const byPeople = corrected?.find((each) => each.metric === metric);
  if (byPeople !== undefined)
    return (
      `${metric} is ${formatScoreOf(byPeople.corrected)} by what people say ` +
      `(${formatShare(settings.confidence)} interval ` +
      `${formatSpan(byPeople.interval)}); by the labels as they are ${formatScoreOf(mean)}.`
    );
  const by = trust.status === "not_audited" ? " by labels that are not audited" : "";
  return scoreSentence(decisive, settings.confidence, by);
}

/** Queries with something relevant, of which nothing came back within the cutoff of the primary metric. */
export function listMissedQueries({ per_query, primary }: RunReport): ReportedQuery[] {
  const cutoff = cutoffOf(primary);
  return per_query.filter(({ expected, first_relevant }) => {
    if (first_relevant == null || expected?.length === 0) return false;
    return (first_relevant[0] ?? Infinity) > cutoff;
  });
}

/** Where the first relevant hit of a missed query is. */
export function describeMissed({ first_relevant, errors }: ReportedQuery): string {
  if (errors?.[0] != null) return "failed";
  const rank = first_relevant?.[0] ?? null;
  return rank === null ? NOT_FOUND : `rank ${rank}`;
}

/** How many answers could be checked for something, and how many of them failed. */
function answersChecked(
  { per_query }: RunReport,
  checks: readonly (keyof typeof answerChecks)[],
): { readonly all: number; readonly wrong: number } {
  const found = per_query.map(({ answer }) => checks.map((check) => answer?.[check] ?? null));
  return {
    all: found.filter((results) => results.some((result) => result !== null)).length,
    wrong: found.filter((results) => results.includes(false)).length,
  };
}

/** Queries whose answer got something wrong. */
export function wrongAnswers({ per_query }: RunReport): ReportedQuery[] {
  return per_query.filter(({ answer }) => wrongChecks(answer).length > 0);
}

/** Of queries with something relevant, nothing of which came back. */
export const NOT_FOUND = "not found";

/** Where first relevant hits stand: the ranks, the number of queries, and their share. */
export function firstRankRows({
  first_ranks: { ranks, missed },
}: RunReport): { readonly name: string; readonly queries: number; readonly share: number }[] {
  const all = ranks.reduce((sum, { queries }) => sum + queries, missed);
  if (all === 0) return [];
  return [
    ...ranks.map(({ from, to, queries }) => ({
      name: to === from ? String(from) : to === null ? `from ${from}` : `${from}–${to}`,
      queries,
    })),
    { name: NOT_FOUND, queries: missed },
  ].map((row) => ({ ...row, share: row.queries / all }));
}
