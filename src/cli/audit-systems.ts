import { existsSync } from "node:fs";
import { twiceScored, type AuditedLabel, type OutlierSources, type TwiceScored } from "../audit/index.js";
import { labelledRun } from "../batch/index.js";
import type { Metric } from "../metrics/index.js";
import { normalizedQuery } from "../label/index.js";
import { listBatches, type Dataset, artifactsPath } from "../node/index.js";
import type { Config, EvalRun } from "../records/index.js";
import { DEFAULT_STORE } from "./defaults.js";
import { requiredStore, storedRuns } from "./sources.js";
import type { Terminal } from "./terminal.js";

/** So many of the latest batches are looked at where none is named. */
const LATEST = 8;

/** What is asked of systems by two sets of labels. */
export interface AuditedSystemsOptions {
  readonly config: Config;
  readonly dataset: Dataset;
  readonly flags: { readonly run?: string[]; readonly store?: string };
  readonly metric: Metric;
  readonly first: readonly AuditedLabel[];
  readonly second: readonly AuditedLabel[];
  readonly terminal: Terminal;
}

/** Systems with their scores by both sets of labels, and what they put first. */
export interface AuditedSystems {
  readonly scored: readonly TwiceScored[];
  readonly heads: OutlierSources["systems"];
}

/** The named batches, or the latest ones, as both sets of labels see them. */
export async function auditedSystems(options: AuditedSystemsOptions): Promise<AuditedSystems> {
  const { dataset, metric, first, second, terminal } = options;
  const systems = (await runsOf(options)).map((run) => ({
    name: run.run_id,
    run: labelledRun(run, dataset.queries, [], dataset.items).run,
  }));
  const labels = { first: gradesOf(first, dataset), second: gradesOf(second, dataset) };
  const scored = systems.length < 2 ? [] : twiceScored(systems, metric, labels);
  if (scored.length > 0 && scored[0]?.first.length === 0 && first.length > 0)
    terminal.talk(
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

async function runsOf({ config, dataset, flags }: AuditedSystemsOptions): Promise<EvalRun[]> {
  if (flags.run !== undefined) return storedRuns(flags.run, flags.store);
  const latest = listBatches(artifactsPath(config), dataset.id).slice(0, LATEST);
  if (latest.length < 2 || !existsSync(flags.store ?? DEFAULT_STORE)) return [];
  // A batch whose run was forgotten has nothing to say.
  const store = await requiredStore(flags.store);
  const kept = new Set((await store.listRuns()).map(({ run_id }) => run_id));
  await store.close();
  const ids = latest.map(({ batch_id }) => batch_id).filter((id) => kept.has(id));
  return storedRuns(ids, flags.store);
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
      const grades = byText.get(normalizedQuery(query));
      return grades === undefined ? [] : [[id, grades] as const];
    }),
  );
}
