import { groupBy } from "../../foundation/columns/index.js";
import type { Surroundings } from "../../files/index.js";
import type { ProbedQuery, ProbeOptions } from "../../audit/index.js";
import { labelsOf, normalizeQuery } from "../../label/index.js";
import type { Config } from "../../records/index.js";
import type { AuditedLabels } from "../datasets/audited-labels.js";
import type { Dataset } from "../datasets/dataset.js";
import { openLabeler, openReworded } from "../datasets/labelers.js";
import { labelerFrom } from "../datasets/project-config.js";

/** How a labeler is tried. */
export interface ProbeSettings {
  /** Pairs of query and item that are changed. */
  readonly pairs: number;
  /** Items in a request. */
  readonly batchSize: number;
  /** Default of the labeler. */
  readonly concurrency?: number | undefined;
  /** Another wording of the labeler's prompt, by its id or file. */
  readonly wording?: string | undefined;
  /** Default that of the dataset. */
  readonly labeler?: string | undefined;
  readonly seed: number;
  /** Has keys and addresses where the configuration has none; default: that of the process. */
  readonly env?: Surroundings["env"] | undefined;
  /** Told, before a request is sent again, why and when; for progress. */
  readonly onRetry?: ((message: string) => void) | undefined;
}

/** How a labeler is tried where nothing else is said. */
export const usualProbes = { pairs: 30, batchSize: 10, seed: 1 } as const;

/**
 * What trying a labeler of a dataset takes, for `probeJudge` and `probeEstimate`.
 *
 * @param known labels of which pairs are chosen, and the labeler's identity among their raters.
 */
export async function labelerProbes(
  config: Config,
  dataset: Dataset,
  known: { readonly labels: AuditedLabels; readonly rater: string },
  settings: ProbeSettings,
): Promise<ProbeOptions> {
  const { labels, rater } = known;
  const { env, onRetry } = settings;
  const { name, settings: labelerConfig } = labelerFrom(config, dataset, settings.labeler);
  const { labeler, concurrency } = await openLabeler(name, labelerConfig, dataset, { env, onRetry });
  const reworded = await openReworded(name, labelerConfig, dataset, {
    wording: settings.wording,
    env,
    onRetry,
  });
  // What turned out of the model another time is a part of who answered.
  labeler.recall?.(labels.raters);
  reworded?.recall?.(labels.raters);
  return {
    labeler,
    name,
    reworded,
    queries: listProbedQueries(dataset, labels, rater),
    seed: settings.seed,
    pairs: settings.pairs,
    batchSize: settings.batchSize,
    concurrency: settings.concurrency ?? concurrency,
  };
}

/** The queries and what is labelled of them, by people before the labeler. */
function listProbedQueries(
  { queries, items }: Dataset,
  { said }: AuditedLabels,
  rater: string,
): ProbedQuery[] {
  const byQuery = groupBy(labelsOf(said, { labeler: rater }), ({ query }) => query);
  return queries.flatMap(({ query }) => {
    const labelled = (byQuery.get(normalizeQuery(query)) ?? []).flatMap(({ item, grade }) => {
      const known = items.get(item);
      return known === undefined ? [] : [{ item: known, grade }];
    });
    return labelled.length === 0 ? [] : [{ query, labelled }];
  });
}
