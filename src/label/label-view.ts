import { compareIds } from "../foundation/ids/index.js";
import { groupBy } from "../foundation/columns/index.js";
import {
  raterIds,
  standingAssessments,
  isStaleLabel,
  type Assessment,
  type Rater,
} from "../records/index.js";
import { medianGrade } from "./median-grade.js";

/** Which of several assessments count. */
export interface LabelPolicy {
  /** The rater whose votes count where no person said anything, by {@link raterId}; none by default. */
  readonly labeler?: string | undefined;
  /** Whether people count, before the labeler. Default true. */
  readonly people?: boolean | undefined;
  /** The hash of an item's label fields as they are now; undefined for an item that is not known. */
  readonly currentHash?: ((item: string) => string | undefined) | undefined;
  /** Labels of items that have changed since are kept and marked, or left out. Default `keep`. */
  readonly stale?: "keep" | "ignore" | undefined;
}

/** The grade of an item for a query, by a policy. */
export interface Label {
  readonly tenant: string;
  readonly query: string;
  readonly item: string;
  readonly grade: number;
  /** Who decided: an adjudicator before people, people before the labeler. */
  readonly by: "adjudicator" | "people" | "labeler";
  /** Identities of those whose assessments decided, each once, sorted. */
  readonly raters: readonly string[];
  /** Assessments that decided. */
  readonly votes: number;
  /** Largest minus smallest of their grades. */
  readonly spread: number;
  /** Whether the item has changed since. */
  readonly isStale: boolean;
}

/**
 * The labels that assessments come to: adjudicated, before what people say (the latest of one person, the
 * median of several), before the median of the chosen labeler's votes; of an even number the lower one.
 * A model is never mixed with another, nor lost under a person's label: with `people: false` it is there
 * again.
 *
 * `withdrawn` takes back the latest assessment of the same rater, vote by vote, that is not taken back yet.
 *
 * @param assessments in any order; of two of the same time the later in the list counts as later.
 * @returns sorted by tenant, query and item; a pair without a grade is left out.
 */
export function labelsOf(assessments: Iterable<Assessment>, policy: LabelPolicy = {}): Label[] {
  const idOf = raterIds();
  return sortGroups(assessments, ({ tenant }) => tenant).flatMap((ofTenant) =>
    sortGroups(ofTenant, ({ query }) => query).flatMap((ofQuery) =>
      sortGroups(ofQuery, ({ item }) => item).flatMap((pair) => labelOf(pair, policy, idOf) ?? []),
    ),
  );
}

function sortGroups(
  assessments: Iterable<Assessment>,
  keyOf: (assessment: Assessment) => string,
): Assessment[][] {
  return [...groupBy(assessments, keyOf)].sort(([a], [b]) => compareIds(a, b)).map(([, group]) => group);
}

function labelOf(
  pair: readonly Assessment[],
  policy: LabelPolicy,
  idOf: (rater: Rater) => string,
): Label | null {
  const { labeler, people = true, stale = "keep", currentHash } = policy;
  const isStale = (each: Assessment): boolean => isStaleLabel(each, currentHash?.(each.item));
  const graded = standingAssessments(pair)
    .filter(({ grade }) => grade !== null)
    .filter((assessment) => stale === "keep" || !isStale(assessment));
  const ofKind = (kind: Assessment["rater"]["kind"]): Assessment[] =>
    graded.filter(({ rater }) => rater.kind === kind);
  const adjudicated = ofKind("adjudicator")
    .sort((a, b) => compareIds(a.at, b.at))
    .slice(-1);
  const candidates = [
    ["adjudicator", people ? adjudicated : []],
    ["people", people ? ofKind("human") : []],
    ["labeler", graded.filter(({ rater }) => labeler !== undefined && idOf(rater) === labeler)],
  ] as const;
  const [by, deciding] = candidates.find(([, list]) => list.length > 0) ?? [];
  if (by === undefined || deciding === undefined) return null;
  const grades = deciding.map(({ grade }) => grade as number);
  const { tenant, query, item } = deciding[0] as Assessment;
  return {
    tenant,
    query,
    item,
    grade: medianGrade(grades) as number,
    by,
    raters: [...new Set(deciding.map(({ rater }) => idOf(rater)))].sort(compareIds),
    votes: deciding.length,
    spread: Math.max(...grades) - Math.min(...grades),
    isStale: deciding.some(isStale),
  };
}
