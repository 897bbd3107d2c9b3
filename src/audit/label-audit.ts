import { checkSeed, wholeNumber } from "../foundation/checks/index.js";
import { groupBy } from "../foundation/columns/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { compareIds } from "../foundation/ids/index.js";
import {
  isLabelGrade,
  LABEL_SCALE,
  pairKey,
  type AssessmentOutcome,
  type AuditConclusions,
  type AuditedPair,
  type AuditedRater,
  type JudgeProbes,
  type LabelAudit,
  type LabelOutlier,
} from "../records/index.js";
import { krippendorffAlpha, labelConfusion } from "../stats/index.js";
import { agreementFigures, countFalseRelevant, quadraticKappa, type Grades } from "./agreement-figures.js";
import { peopleCeiling, type PersonLabel } from "./ceiling.js";
import { auditFindings } from "./findings.js";
import { FEWEST_RESAMPLES } from "./resampled-queries.js";

/** What one rater says of a pair of query and item. */
export interface AuditedLabel {
  /** The query's text, as labels are kept under it. */
  readonly query: string;
  readonly item: string;
  readonly outcome: Exclude<AssessmentOutcome, "withdrawn">;
  /** From 0 to 3; null unless it is `graded`. */
  readonly grade: number | null;
  /** Why, in the rater's words. */
  readonly reason?: string | null | undefined;
  /** Votes with a grade. Default 1. */
  readonly votes?: number | undefined;
  /** Largest minus smallest of them. Default 0. */
  readonly spread?: number | undefined;
}

/** What an audit is about, and how its intervals are made. */
export interface AuditOptions {
  readonly auditId: string;
  readonly dataset: string;
  readonly tenant: string;
  /** When, in UTC. */
  readonly createdAt: string;
  readonly first: AuditedRater;
  readonly second: AuditedRater;
  /** The queries of the dataset; labels of others are left out. */
  readonly queries: readonly { readonly id: string; readonly query: string }[];
  readonly seed: number;
  /** Resamples of queries. Default 2,000. */
  readonly resamples?: number | undefined;
  /** Share of the intervals. Default 0.95. */
  readonly confidence?: number | undefined;
  /** What each person says by itself, for how well people agree with each other. */
  readonly people?: readonly PersonLabel[] | undefined;
  /** What an item is called; null where it is not known. */
  readonly titleOf?: ((item: string) => string | null) | undefined;
  /** Pairs that were left out since their items have changed. Default 0. */
  readonly stale?: number | undefined;
  /** Most disagreements that are listed. Default 20. */
  readonly most?: number | undefined;
  readonly outliers?: readonly LabelOutlier[] | undefined;
  readonly conclusions?: AuditConclusions | null | undefined;
  readonly probes?: JudgeProbes | null | undefined;
}

const [RESAMPLES, CONFIDENCE, MOST] = [2000, 0.95, 20];

/** A pair with a grade of both. */
interface GradedPair extends Grades {
  readonly queryId: string;
  readonly query: string;
  readonly item: string;
  readonly labels: readonly [AuditedLabel, AuditedLabel];
}

/**
 * How far do two sets of labels of the same pairs agree? People and a model, two models, or a model asked
 * twice.
 *
 * Figures are over pairs with a grade of both; what came of asking is counted over all pairs of each. Kappa,
 * quadratic kappa and bias have intervals over whole queries, at each end the wider of the bootstrap's and of
 * Student's t by the jackknife; none for one query. Edges: without pairs in
 * common every figure is null and every list empty; a kappa is null where both use one and the same grade; of
 * a pair that a rater has twice the later counts.
 *
 * Agrees with scikit-learn, krippendorff and the formulas of `cohenKappa`, `krippendorffAlpha` and
 * `labelConfusion` of `rankproof/stats`.
 *
 * @throws InputError `ARGUMENT` for a grade outside 0 to 3, and for settings that are none.
 */
export function auditLabels(
  first: readonly AuditedLabel[],
  second: readonly AuditedLabel[],
  options: AuditOptions,
): LabelAudit {
  const { resamples = RESAMPLES, confidence = CONFIDENCE, most = MOST, seed } = options;
  wholeNumber("resamples", resamples, FEWEST_RESAMPLES);
  checkSeed(seed);
  wholeNumber("most", most, 0);
  if (!(confidence > 0 && confidence < 1))
    throw new InputError("ARGUMENT", `confidence must lie between 0 and 1, got ${quote(confidence)}`);
  const ids = new Map([...options.queries].reverse().map(({ id, query }) => [query, id]));
  const [ofFirst, ofSecond] = [byPair(first, ids), byPair(second, ids)];
  const pairs = pairsOf(ofFirst, ofSecond, ids);
  const [a, b] = [pairs.map((pair) => pair.first), pairs.map((pair) => pair.second)];
  const confusion = labelConfusion(a, b, LABEL_SCALE);
  // Resamples draw from them: in an order of their own.
  const byQuery = [...groupBy(pairs, ({ queryId }) => queryId)].sort(([x], [y]) => compareIds(x, y));
  const ofQueries = byQuery.map(([, ofQuery]) => ofQuery);
  const titleOf = options.titleOf ?? (() => null);
  const found = {
    schema_version: 1 as const,
    kind: "label_audit" as const,
    audit_id: options.auditId,
    dataset: options.dataset,
    tenant: options.tenant,
    created_at: options.createdAt,
    settings: { seed, resamples, confidence },
    first: options.first,
    second: options.second,
    counts: {
      first: ofFirst.size,
      second: ofSecond.size,
      both: pairs.length,
      queries: byQuery.length,
      stale: options.stale ?? 0,
    },
    answers: { first: answersOf(ofFirst.values()), second: answersOf(ofSecond.values()) },
    agreement: {
      ...agreementFigures(ofQueries, { seed, resamples, confidence }),
      alpha_nominal: krippendorffAlpha([a, b], "nominal"),
      alpha_ordinal: krippendorffAlpha([a, b], "ordinal"),
      alpha_interval: krippendorffAlpha([a, b], "interval"),
      exact: confusion.accuracy,
      mean_absolute_error: confusion.meanAbsoluteError,
      scale: [...LABEL_SCALE],
      confusion: confusion.counts.map((row) => [...row]),
    },
    by_grade: LABEL_SCALE.map((grade) => {
      const [row, column] = [pairs.filter((pair) => pair.first === grade), b.filter((own) => own === grade)];
      const accuracy = confusion.perLabel[grade];
      return {
        grade,
        first: row.length,
        second: column.length,
        both: row.filter((pair) => pair.second === grade).length,
        first_share: shareOf(row.length, pairs.length),
        second_share: shareOf(column.length, pairs.length),
        recall: accuracy?.recall ?? null,
        precision: accuracy?.precision ?? null,
        bias: row.length === 0 ? null : meanOf(row, differenceOf),
      };
    }),
    by_query: byQuery
      .map(([queryId, ofQuery]) => queryRow(queryId, ofQuery))
      .sort((x, y) => y.mean_absolute_error - x.mean_absolute_error || compareIds(x.query_id, y.query_id)),
    by_spread: bySpread(pairs),
    false_relevant: countFalseRelevant(ofQueries, confidence),
    disagreements: worst(pairs, most).map((pair) => recordOf(pair, titleOf)),
    ceiling: peopleCeiling((options.people ?? []).filter(({ query }) => ids.has(query))),
    outliers: [...(options.outliers ?? [])],
    conclusions: options.conclusions ?? null,
    probes: options.probes ?? null,
  };
  return { ...found, findings: auditFindings(found) };
}

/** How far two raters agree in one query. */
function queryRow(queryId: string, pairs: readonly GradedPair[]): LabelAudit["by_query"][number] {
  return {
    query_id: queryId,
    query: pairs[0]?.query ?? null,
    pairs: pairs.length,
    same: sameIn(pairs),
    quadratic_kappa: quadraticKappa(pairs),
    mean_absolute_error: meanOf(pairs, distanceOf),
    bias: meanOf(pairs, differenceOf),
  };
}

/** By pair; later ones in place of earlier ones. */
function byPair(
  labels: readonly AuditedLabel[],
  ids: ReadonlyMap<string, string>,
): ReadonlyMap<string, AuditedLabel> {
  const pairs = new Map<string, AuditedLabel>();
  for (const label of labels) {
    const { query, item, grade, outcome } = label;
    if (outcome === "graded" ? !isLabelGrade(grade) : grade !== null)
      throw new InputError(
        "ARGUMENT",
        `item ${quote(item)} of query ${quote(query)} must have a whole grade from 0 to 3 where it is ` +
          `graded, and else null, got ${quote(grade)}; an answer outside the scale is \`invalid\``,
      );
    if (ids.has(query)) pairs.set(pairKey(label), label);
  }
  return pairs;
}

function pairsOf(
  first: ReadonlyMap<string, AuditedLabel>,
  second: ReadonlyMap<string, AuditedLabel>,
  ids: ReadonlyMap<string, string>,
): GradedPair[] {
  return [...first].flatMap(([key, label]) => {
    const other = second.get(key);
    if (label.grade === null || other?.grade == null) return [];
    const { query, item } = label;
    return [
      {
        queryId: ids.get(query) as string,
        query,
        item,
        first: label.grade,
        second: other.grade,
        labels: [label, other] as const,
      },
    ];
  });
}

function answersOf(labels: Iterable<AuditedLabel>): LabelAudit["answers"]["first"] {
  const counts = { graded: 0, cannot_tell: 0, invalid: 0, refused: 0 };
  for (const { outcome } of labels) counts[outcome]++;
  return counts;
}

/** None where the second rater has one vote a pair, which says nothing of how steady it is. */
function bySpread(pairs: readonly GradedPair[]): LabelAudit["by_spread"] {
  const voted = pairs.filter(({ labels: [, { votes = 1 }] }) => votes > 1);
  return [...groupBy(voted, ({ labels: [, { spread = 0 }] }) => spread)]
    .map(([spread, ofSpread]) => ({
      spread,
      pairs: ofSpread.length,
      same: sameIn(ofSpread),
      mean_absolute_error: meanOf(ofSpread, distanceOf),
    }))
    .sort((x, y) => x.spread - y.spread);
}

/** The pairs with the largest differences; of equal ones those that the second rater lifts come first. */
function worst(pairs: readonly GradedPair[], most: number): GradedPair[] {
  return pairs
    .filter((pair) => pair.first !== pair.second)
    .sort(
      (x, y) =>
        distanceOf(y) - distanceOf(x) ||
        differenceOf(y) - differenceOf(x) ||
        compareIds(x.queryId, y.queryId) ||
        compareIds(x.item, y.item),
    )
    .slice(0, most);
}

function recordOf(pair: GradedPair, titleOf: (item: string) => string | null): AuditedPair {
  const { queryId, query, item, first, second, labels } = pair;
  return {
    query_id: queryId,
    query,
    item,
    title: titleOf(item),
    first,
    second,
    first_reason: labels[0].reason ?? null,
    second_reason: labels[1].reason ?? null,
  };
}

function differenceOf({ first, second }: GradedPair): number {
  return second - first;
}

function distanceOf({ first, second }: GradedPair): number {
  return Math.abs(second - first);
}

function sameIn(pairs: readonly GradedPair[]): number {
  return pairs.filter(({ first, second }) => first === second).length;
}

function meanOf(pairs: readonly GradedPair[], value: (pair: GradedPair) => number): number {
  return pairs.reduce((sum, pair) => sum + value(pair), 0) / pairs.length;
}

function shareOf(count: number, all: number): number | null {
  return all === 0 ? null : count / all;
}
