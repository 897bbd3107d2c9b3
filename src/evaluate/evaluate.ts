import { compareIds } from "../ids.js";
import { parseMetric, type Metric } from "../metrics/index.js";
import { nearlyJudged, prepareQrels, withWholeGrades, type QrelsInput, type QueryJudgments } from "../qrels.js";
import type { JudgedRanking } from "../ranking.js";
import type { Conventions, Warning } from "../schema/index.js";
import { profileCatalog, settledConventions, type ConventionOptions } from "./conventions.js";
import type { Evaluation } from "./evaluation.js";
import { judgeHits, unanswered } from "./judge-hits.js";
import type { JudgedUnit } from "./judge-run.js";
import { documentPlace, openRun, type OpenedQuery, type RunInput } from "./run-input.js";
import { ScoreSheet } from "./score-sheet.js";

/** How {@link evaluate} scores. Everything has a default, and is recorded in the result. */
export interface EvaluateOptions extends ConventionOptions {
  /** Also say what the aggregates would be with tied hits in the worst and in the best order. */
  readonly tieSpread?: boolean;
  /** Also say what the aggregates could be, were every unjudged hit in view judged. */
  readonly bounds?: boolean;
  /** Is shown every judged query that the run answers, as metrics see it. Must not change it. */
  readonly onQuery?: (queryId: string, judged: JudgedRanking) => void;
  /** Which id of a recorded run's hits judgments name; `doc` unless given. */
  readonly unit?: JudgedUnit;
}

/**
 * Scores a run against judgments, per query and over all queries.
 *
 * @param metrics names (`"nDCG@10"`), or metrics.
 * @throws InputError for an unknown metric, a score or grade that is not finite, an item judged twice.
 */
export function evaluate(run: RunInput, qrels: QrelsInput, metrics: readonly (string | Metric)[], options: EvaluateOptions = {}): Evaluation {
  const conventions = settledConventions(options);
  const prepared = prepareQrels(qrels);
  const { queries, highest } = conventions.grades === "cut" ? withWholeGrades(prepared) : prepared;
  const sheet = new ScoreSheet(settledMetrics(metrics, conventions), { conventions, highest, tieSpread: options.tieSpread ?? false, bounds: options.bounds ?? false });
  const opened = openRun(run, options.unit ?? "doc");
  const nearIds = new NearIds();
  for (const [queryId, judgments] of queries) {
    if (!opened.has(queryId)) {
      sheet.missing(queryId, unanswered(judgments));
      continue;
    }
    const query = opened.hits(queryId, judgments, conventions);
    const hits = judgeHits(query.hits, judgments, conventions, documentPlace(query, judgments.subtopics));
    sheet.answered(queryId, hits, query.hits.duplicates);
    options.onQuery?.(queryId, hits.judged);
    nearIds.look(queryId, query, judgments);
  }
  for (const queryId of opened.queryIds) if (!queries.has(queryId)) sheet.unjudged();
  return sheet.result(opened.runId, nearIds.warnings);
}

/** Metrics by name, with the parameters that the profile gives to those named without. */
export function settledMetrics(metrics: readonly (string | Metric)[], { profile }: Conventions): Metric[] {
  const catalog = profileCatalog(profile);
  return metrics.map((metric) => (typeof metric === "string" ? parseMetric(metric, catalog) : metric));
}

/** So many unjudged ids are compared with judged ones; who writes ids in another way does so from the start. */
const MOST_COMPARED = 10_000;
const MOST_NAMED = 5;

/** Looks for unjudged ids that are judged ones but for their Unicode form or white space. */
class NearIds {
  #left = MOST_COMPARED;
  readonly #found: { queryId: string; text: string }[] = [];

  look(queryId: string, { hits, idAt }: OpenedQuery, { grades }: QueryJudgments): void {
    for (let position = 0; position < hits.count && this.#left > 0; position++, this.#left--) {
      const id = idAt(position);
      const judged = grades.has(id) ? null : nearlyJudged(id, grades);
      if (judged !== null) this.#found.push({ queryId, text: `${JSON.stringify(id)} is not the judged ${JSON.stringify(judged)}` });
    }
  }

  get warnings(): Warning[] {
    if (this.#found.length === 0) return [];
    const message = `ids that differ from judged ones only by Unicode form or white space, and so count as unjudged: ${this.#found.slice(0, MOST_NAMED).map(({ text }) => text).join("; ")}`;
    return [{ code: "near_ids", message, count: this.#found.length, query_ids: [...new Set(this.#found.map(({ queryId }) => queryId))].sort(compareIds).slice(0, MOST_NAMED) }];
  }
}
