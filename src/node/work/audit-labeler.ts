import { auditConclusions, auditLabels, labelOutliers, type AuditedLabel } from "../../audit/index.js";
import { itemTitle, labelsOf, normalizeQuery, raterId } from "../../label/index.js";
import type { Metric } from "../../metrics/index.js";
import type { JudgeProbes, LabelAudit, Rater } from "../../records/index.js";
import { auditOutputs } from "../../report/index.js";
import { writeAuditFile } from "../datasets/audit-files.js";
import { labelsBy, peoplesLabels, type AuditedLabels } from "../datasets/audited-labels.js";
import type { Dataset } from "../datasets/dataset.js";
import { newBatchId } from "../datasets/new-batch-id.js";
import type { AuditedSystems } from "./audited-systems.js";

/** A labeler by its name, with the identity under which it has labelled. */
export interface NamedRater {
  readonly name: string;
  readonly rater: string | null;
}

/** Whose labels are held against each other. */
export interface AuditedRaters {
  /** Null: people's. */
  readonly first: NamedRater | null;
  readonly second: NamedRater;
}

/** The labels of both. */
export function labelsOfBoth(
  { said }: AuditedLabels,
  { first, second }: AuditedRaters,
): { readonly first: AuditedLabel[]; readonly second: AuditedLabel[] } {
  return {
    first:
      first === null
        ? peoplesLabels(said.filter(({ rater }) => rater.kind !== "model"))
        : labelsBy(said, first.rater),
    second: labelsBy(said, second.rater),
  };
}

/** What an audit is made of besides the labels. */
export interface AuditLabelerOptions {
  /** Of intervals. */
  readonly seed: number;
  /** Systems of which both labels are asked what is the best, and what they are measured by. */
  readonly systems?: AuditedSystems | undefined;
  readonly metric?: Metric | undefined;
  readonly probes?: JudgeProbes | null | undefined;
}

/** Whether something was said by one side of an audit; null are people. */
function isOf(side: AuditedRaters["first"], rater: Rater): boolean {
  return side === null ? rater.kind !== "model" : raterId(rater) === side.rater;
}

/** How far the labels of a labeler agree with people's, or with another labeler's. */
export function auditLabeler(
  dataset: Dataset,
  labels: AuditedLabels,
  pair: AuditedRaters,
  { seed, systems, metric, probes }: AuditLabelerOptions,
): LabelAudit {
  const { first, second } = labelsOfBoth(labels, pair);
  const queries = dataset.queries.map(({ id, query }) => ({ id, query: normalizeQuery(query) }));
  const titleOf = (item: string): string | null => {
    const known = dataset.items.get(item);
    return known === undefined ? null : itemTitle(known);
  };
  return auditLabels(first, second, {
    auditId: newBatchId(),
    dataset: dataset.id,
    tenant: dataset.tenant,
    createdAt: new Date().toISOString(),
    first:
      pair.first === null
        ? { name: "people", kind: "people", rater: null }
        : { ...pair.first, kind: "model" },
    second: { ...pair.second, kind: "model" },
    queries,
    seed,
    titleOf,
    stale: labels.stale.filter(({ rater }) => isOf(pair.first, rater) || isOf(pair.second, rater)).length,
    // An adjudicator has seen what the others said.
    people:
      pair.first !== null
        ? []
        : labels.said.flatMap(({ rater, query, item, grade }) =>
            grade === null || rater.kind !== "human" ? [] : [{ rater: raterId(rater), query, item, grade }],
          ),
    outliers: labelOutliers({
      queries,
      labels: labelsOf(labels.said, { labeler: pair.second.rater ?? undefined, people: false }),
      titleOf,
      systems: systems?.heads ?? [],
    }),
    ...(systems !== undefined &&
      metric !== undefined && {
        conclusions: auditConclusions(systems.scored, {
          metric: metric.name,
          higherIsBetter: metric.definition.higherIsBetter,
          seed,
        }),
      }),
    probes,
  });
}

/**
 * Keeps an audit in all its forms, below `datasets/<dataset>/audits/`.
 *
 * @returns the path of its JSON.
 */
export function writeAudit(artifacts: string, audit: LabelAudit): string {
  const json = writeAuditFile(artifacts, audit, "report.json", `${JSON.stringify(audit, null, 2)}\n`);
  for (const output of auditOutputs)
    writeAuditFile(artifacts, audit, `report.${output.name}`, output.render(audit));
  return json;
}
