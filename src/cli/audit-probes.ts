import { probeEstimate, probeJudge, type ProbedQuery, type ProbeOptions } from "../audit/index.js";
import { AdapterError } from "../index.js";
import { labelsOf, normalizedQuery } from "../label/index.js";
import {
  openLabeler,
  openProbeAnswers,
  openReworded,
  type Dataset,
  artifactsPath,
  labelerFrom,
  type AuditedLabels,
} from "../node/index.js";
import type { Config, JudgeProbes } from "../records/index.js";
import { counted, plainLine, type Terminal } from "./terminal.js";

/** How a labeler is tried. */
export interface ProbeFlags {
  probe?: true;
  pairs: number;
  batchSize: number;
  concurrency?: number;
  wording?: string;
  dryRun?: true;
  labeler?: string;
  seed: number;
}

/** A labeler that is tried, and what it has labelled. */
export interface Probed {
  readonly config: Config;
  readonly dataset: Dataset;
  readonly labels: AuditedLabels;
  readonly rater: string;
  readonly flags: ProbeFlags;
  readonly terminal: Terminal;
}

/** Tries a labeler; every answer is kept, so that the same command goes on. */
export async function probed(work: Probed): Promise<JudgeProbes> {
  const { config, dataset, terminal } = work;
  const options = await probeOptions(work);
  const answers = openProbeAnswers(artifactsPath(config), dataset.id);
  try {
    const probes = await probeJudge({
      ...options,
      answers,
      signal: terminal.signal,
      onProgress: (done, all) => terminal.progress(`${plainLine(options.name)}: ${done} of ${all} requests`),
    });
    if (answers.used > 0)
      terminal.talk(
        `${counted(answers.used, "answer")} of an earlier time taken from ${answers.path}; another ` +
          "--seed asks anew",
      );
    return probes;
  } catch (error) {
    if (!terminal.signal.aborted) throw error;
    throw new AdapterError(
      "RUN_INCOMPLETE",
      `interrupted; what was answered is kept in ${answers.path}, and the same command goes on`,
      {},
      error,
    );
  }
}

/** Says what trying a labeler would take. */
export async function probesPlanned(work: Probed): Promise<void> {
  const options = await probeOptions(work);
  const { requests, cost } = probeEstimate(options);
  const { tokens, price } = cost;
  work.terminal.out(
    `${plainLine(options.name)} would be asked ${counted(requests, "time")}` +
      (tokens ? `, about ${Math.round(tokens.input + tokens.output)} tokens` : "") +
      (price ? `, about ${price.amount.toFixed(2)} ${price.currency}` : "") +
      "\n",
  );
}

async function probeOptions({
  config,
  dataset,
  labels,
  rater,
  flags,
  terminal: { env },
}: Probed): Promise<ProbeOptions> {
  const { name, settings } = labelerFrom(config, dataset, flags.labeler);
  const { labeler, concurrency } = await openLabeler(name, settings, dataset, { env });
  const reworded = await openReworded(name, settings, dataset, { wording: flags.wording, env });
  // What turned out of the model another time is a part of who answered.
  labeler.recall?.(labels.raters);
  reworded?.recall?.(labels.raters);
  return {
    labeler,
    name,
    reworded,
    queries: probedQueries(dataset, labels, rater),
    seed: flags.seed,
    pairs: flags.pairs,
    batchSize: flags.batchSize,
    concurrency: flags.concurrency ?? concurrency,
  };
}

/** The queries and what is labelled of them, by people before the labeler. */
function probedQueries({ queries, items }: Dataset, { said }: AuditedLabels, rater: string): ProbedQuery[] {
  const byQuery = new Map<string, ProbedQuery["labelled"][number][]>();
  for (const { query, item, grade } of labelsOf(said, { labeler: rater })) {
    const known = items.get(item);
    if (known === undefined) continue;
    const labelled = byQuery.get(query) ?? [];
    labelled.push({ item: known, grade });
    byQuery.set(query, labelled);
  }
  return queries.flatMap(({ query }) => {
    const labelled = byQuery.get(normalizedQuery(query));
    return labelled === undefined ? [] : [{ query, labelled }];
  });
}
