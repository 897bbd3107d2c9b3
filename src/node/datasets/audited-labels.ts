import type { AuditedLabel } from "../../audit/index.js";
import { groupBy } from "../../foundation/columns/index.js";
import { InputError, quote } from "../../foundation/errors/index.js";
import {
  labelsOf,
  normalizeQuery,
  raterId,
  standingAssessments,
  type Assessment,
  type Label,
  type Rater,
} from "../../label/index.js";
import { isStaleLabel, pairKey, type Config } from "../../records/index.js";
import { openLabelStore } from "../label-file.js";
import { currentHashes, ratersOf } from "./dataset-labels.js";
import type { Dataset } from "./dataset.js";
import { raterNamed } from "./labelers.js";
import { labelerFrom, labelsPath } from "./project-config.js";

/** What was said of a dataset and stands, of items as they are now. */
export interface AuditedLabels {
  readonly said: readonly Assessment[];
  /** What is left out, since the items have changed. */
  readonly stale: readonly Assessment[];
  /** Who spoke last at the end. */
  readonly raters: readonly Rater[];
  /** A labeler by its name, or that of the dataset, and whose labels are meant: null where it has none. */
  labeler(name: string | undefined): Promise<{ readonly name: string; readonly rater: string | null }>;
}

/** Everything that was said of a dataset, as far as it stands. */
export async function readAuditedLabels(
  config: Config,
  dataset: Dataset,
  labels: string | undefined,
): Promise<AuditedLabels> {
  const store = await openLabelStore(labelsPath(config, labels));
  const queries = dataset.queries.map(({ query }) => normalizeQuery(query));
  const all = await store.find({ tenant: dataset.tenant, queries }).finally(() => store.close());
  const hashes = currentHashes(dataset);
  const isStale = (each: Assessment): boolean => isStaleLabel(each, hashes(each.item));
  const standing = standingAssessments(all);
  const said = standing.filter((each) => !isStale(each));
  const raters = ratersOf(all);
  return {
    said,
    stale: standing.filter(isStale),
    raters,
    async labeler(flag) {
      const { name, settings } = labelerFrom(config, dataset, flag);
      return { name, rater: (await raterNamed(name, settings, dataset, raters)).rater ?? null };
    },
  };
}

/**
 * The identity of a labeler that has labelled something.
 *
 * @throws InputError `ARGUMENT` for one that has said nothing.
 */
export function requireRater(
  { name, rater }: { readonly name: string; readonly rater: string | null },
  { id }: Dataset,
): string {
  if (rater !== null) return rater;
  throw new InputError(
    "ARGUMENT",
    `${quote(name)} has labelled nothing of dataset ${quote(id)} yet; \`rankproof label build\` does it`,
  );
}

/** What one labeler says of each pair: the median of its votes. */
export function labelsBy(said: readonly Assessment[], rater: string | null): AuditedLabel[] {
  if (rater === null) return [];
  const own = said.filter((each) => raterId(each.rater) === rater);
  return auditPairOf(own, labelsOf(own, { labeler: rater, people: false }));
}

/** What people say of each pair, an adjudicator before the others. */
export function peoplesLabels(said: readonly Assessment[]): AuditedLabel[] {
  return auditPairOf(said, labelsOf(said));
}

/** The labels with the reason of somebody who gave that grade, and what was said of pairs without one. */
function auditPairOf(said: readonly Assessment[], labels: readonly Label[]): AuditedLabel[] {
  const byPair = groupBy(said, pairKey);
  const graded = labels.map(({ query, item, grade, votes, spread }) => ({
    query,
    item,
    outcome: "graded" as const,
    grade,
    reason: byPair.get(pairKey({ query, item }))?.findLast((each) => each.grade === grade)?.reason,
    votes,
    spread,
  }));
  const known = new Set(graded.map(pairKey));
  const open = [...byPair].flatMap(([pair, ofPair]) => (known.has(pair) ? [] : ofPair.slice(-1)));
  return [
    ...graded,
    ...open.map(({ query, item, outcome, reason }) => ({
      query,
      item,
      outcome: outcome as AuditedLabel["outcome"],
      grade: null,
      reason,
    })),
  ];
}
