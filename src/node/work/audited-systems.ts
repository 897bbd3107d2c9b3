import { twiceScored, type AuditedLabel, type OutlierSources, type TwiceScored } from "../../audit/index.js";
import { attachLabels } from "../../batch/index.js";
import type { Metric } from "../../metrics/index.js";
import { normalizeQuery } from "../../label/index.js";
import type { Config, EvalRun } from "../../records/index.js";
import { loadStoredRun } from "../../runs/index.js";
import { listBatches } from "../datasets/batch-files.js";
import type { Dataset } from "../datasets/dataset.js";
import { artifactsPath } from "../datasets/project-config.js";
import { openStore } from "../store-file.js";
import { isStoreThere } from "../store-name.js";

/** So many of the latest batches are looked at where none is named. */
const LATEST = 8;

/** What is asked of systems by two sets of labels. */
export interface AuditedSystemsOptions {
  readonly config: Config;
  readonly dataset: Dataset;
  /** Ids of runs; default the latest batches. */
  readonly runs?: readonly string[] | undefined;
  /** The store of runs. */
  readonly store: string;
  readonly metric: Metric;
  readonly first: readonly AuditedLabel[];
  readonly second: readonly AuditedLabel[];
  /** Called with why nothing is said of conclusions. */
  readonly onNote: (message: string) => void;
}

/** Systems with their scores by both sets of labels, and what they put first. */
export interface AuditedSystems {
  readonly scored: readonly TwiceScored[];
  readonly heads: OutlierSources["systems"];
}

/** The named batches, or the latest ones, as both sets of labels see them. */
export async function scoreAuditedSystems(options: AuditedSystemsOptions): Promise<AuditedSystems> {
  const { dataset, metric, first, second, onNote } = options;
  const systems = (await runsOf(options)).map((run) => ({
    name: run.run_id,
    run: attachLabels(run, dataset.queries, [], dataset.items).run,
  }));
  const labels = { first: gradesOf(first, dataset), second: gradesOf(second, dataset) };
  const scored = systems.length < 2 ? [] : twiceScored(systems, metric, labels);
  if (scored.length > 0 && scored[0]?.first.length === 0 && first.length > 0)
    onNote(
      `no query has both labels for everything that ${systems.length} batches returned down to ` +
        `${metric.name}, so that nothing is said of conclusions; \`rankproof audit sample --complete\` ` +
        "asks for them",
    );
  return {
    scored,
    heads: systems.map(({ name, run }) => ({
      name,
      firstOf: new Map(
        run.results.flatMap(({ query_id, hits_top_k: [head] }) => (head ? [[query_id, head.doc_id]] : [])),
      ),
    })),
  };
}

async function runsOf({ config, dataset, runs, store: path }: AuditedSystemsOptions): Promise<EvalRun[]> {
  const latest = listBatches(artifactsPath(config), dataset.id).slice(0, LATEST);
  if (runs === undefined && (latest.length < 2 || !isStoreThere(path))) return [];
  const store = await openStore(path, { create: true });
  try {
    // A batch whose run was forgotten has nothing to say.
    const kept = new Set(runs ?? (await store.listRuns()).map(({ run_id }) => run_id));
    const ids = runs ?? latest.map(({ batch_id }) => batch_id).filter((id) => kept.has(id));
    const found: EvalRun[] = [];
    for (const id of ids) found.push(await loadStoredRun(store, id));
    return found;
  } finally {
    await store.close();
  }
}

function gradesOf(
  labels: readonly AuditedLabel[],
  { queries }: Dataset,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const byText = new Map<string, Map<string, number>>();
  for (const { query, item, grade } of labels) {
    if (grade === null) continue;
    const ofQuery = byText.get(query) ?? new Map<string, number>();
    byText.set(query, ofQuery.set(item, grade));
  }
  return new Map(
    queries.flatMap(({ id, query }) => {
      const grades = byText.get(normalizeQuery(query));
      return grades === undefined ? [] : [[id, grades] as const];
    }),
  );
}
