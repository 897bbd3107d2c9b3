import type { AnyRun, CorpusDocument } from "../formats/index.js";
import {
  compareSystems,
  listKnownQueries,
  InputError,
  isRankproofError,
  profileCatalog,
  type ComparedSystem,
  type KnownQuery,
  type ProfileName,
  type RunInput,
  type StatisticsOptions,
} from "../index.js";
import { contentOf, loadQrels, readAnyRun, STANDARD_INPUT } from "../node/evaluate/index.js";
import { metricsToEvaluate } from "./metric-names.js";
import { addDecisiveMetrics, usualMetrics } from "../compare/index.js";
import { isRecordedRun } from "../evaluate/index.js";
import type { GoldenSet } from "../records/index.js";
import { reportTexts } from "../report/index.js";
import type { TextedComparison } from "./report-outputs.js";
import { anyRunsByName } from "./runs-by-name.js";
import { refuseUnanswered, refuseUnjudged } from "./refuse-unanswered.js";
import { plainLine, type Terminal } from "./terminal.js";

/** What is compared, and against what. */
export interface ComparedFilesFlags {
  readonly metrics: string | undefined;
  readonly profile: ProfileName | undefined;
  readonly channel: readonly string[] | undefined;
  readonly unit: "chunk" | "doc";
  readonly queries: string | undefined;
  /** Where runs are that no file is called like. */
  readonly store: string | undefined;
  /** Documents, for the texts of hits. */
  readonly corpus: string | undefined;
  readonly statistics: StatisticsOptions;
  readonly allowEmpty: boolean;
}

/** What decides where all metrics are asked for. */
const PRIMARY_OF_ALL = "nDCG@10";

/** Compares run files of any format by judgments of any format. */
export async function readComparedFiles(
  paths: readonly string[],
  {
    qrels: qrelsPath,
    metrics,
    profile,
    channel = [],
    unit,
    queries,
    store,
    corpus,
    statistics: asked,
    allowEmpty,
  }: ComparedFilesFlags & { readonly qrels: string },
  terminal: Terminal,
): Promise<TextedComparison> {
  const isAll = /(?:^|[\s,])all(?:[\s,]|$)/.test(metrics ?? "");
  const deciding = isAll ? { ...asked, primary: asked.primary ?? PRIMARY_OF_ALL } : asked;
  const { metrics: settled, statistics } = addDecisiveMetrics(
    metricsToEvaluate(metrics ?? usualMetrics.join(","), false, profile ?? "default", undefined),
    deciding,
    [],
    profileCatalog(profile ?? "default"),
  );
  if (qrelsPath === STANDARD_INPUT && paths.includes(STANDARD_INPUT))
    throw new InputError(
      "ARGUMENT",
      "stdin can be the judgments or a run, not both; name a file for one of them",
    );
  const qrels = await loadQrels(qrelsPath, { unit });
  if (!allowEmpty) refuseUnjudged(qrelsPath, qrels.queries);
  const systems = await anyRunsByName(paths, store, terminal, { inFileOrder: true });
  if (!allowEmpty)
    systems.forEach(({ run }, at) =>
      refuseUnanswered(
        { run: paths[at] as string, source: qrelsPath },
        queryIdsOf(run),
        qrels.qrels().queries,
      ),
    );
  const withChannels = await addChannels(systems, channel, terminal);
  const { known, golden } = await findKnownQueries(queries, qrelsPath);
  const documents = corpus === undefined ? [] : await documentsOf(corpus);
  terminal.progress(`comparing ${systems.length} runs`);
  const comparison = compareSystems(withChannels, qrels.qrels(), settled, {
    ...statistics,
    unit,
    labels: qrels.evidence,
    ...(profile && { profile }),
    known,
  });
  return {
    comparison: {
      ...comparison,
      warnings: [
        ...comparison.warnings,
        ...qrels.warnings,
        ...systems.flatMap(({ name, warnings }) =>
          warnings.map((warning) => ({ ...warning, message: `${name}: ${warning.message}` })),
        ),
      ],
    },
    texts: () =>
      reportTexts({
        runs: systems.map(({ run }) => (isRecordedRun(run) ? run : null)),
        golden,
        documents,
      }),
  };
}

/** The documents of a collection, for the texts of hits. */
export async function documentsOf(path: string): Promise<readonly CorpusDocument[]> {
  const { parseDocuments } = await import("../formats/index.js");
  return parseDocuments(await contentOf(path), path);
}

/** Words and labels of queries, from a file of their own or from judgments that are a golden set. */
export async function findKnownQueries(
  queries: string | undefined,
  qrelsPath: string,
): Promise<{ readonly known?: ReadonlyMap<string, KnownQuery> | undefined; readonly golden?: GoldenSet }> {
  if (queries !== undefined) return { known: await queriesOf(queries) };
  const golden = await goldenFrom(qrelsPath);
  return golden === null ? {} : { known: listKnownQueries(golden), golden };
}

function queryIdsOf(run: AnyRun["run"]): string[] {
  return isRecordedRun(run) ? run.results.map(({ query_id }) => query_id) : [...run.keys()];
}

async function addChannels(
  systems: readonly ComparedSystem[],
  channel: readonly string[],
  terminal: Terminal,
): Promise<ComparedSystem[]> {
  const byRun = new Map<string, [string, RunInput][]>(systems.map(({ name }) => [name, []]));
  for (const given of channel) {
    const [, run, name, path] = /^(.+?):([^:=]+)=(.+)$/.exec(given) ?? [];
    const channels = byRun.get(run ?? "");
    if (channels === undefined || name === undefined || path === undefined)
      throw new InputError(
        "ARGUMENT",
        "--channel must be RUN:NAME=FILE with one of the runs " +
          `${systems.map((system) => `\`${plainLine(system.name)}\``).join(", ")}, got \`${given}\``,
      );
    terminal.progress(`reading ${path}`);
    channels.push([name, (await readAnyRun(path, { inFileOrder: true })).run]);
  }
  return systems.map((system) => ({ ...system, channels: Object.fromEntries(byRun.get(system.name) ?? []) }));
}

async function queriesOf(path: string): Promise<ReadonlyMap<string, KnownQuery>> {
  const { parseQueries } = await import("../formats/index.js");
  return parseQueries(await contentOf(path), path);
}

/** Judgments that are a golden set bring words and labels with them. */
async function goldenFrom(qrelsPath: string): Promise<GoldenSet | null> {
  if (!/\.(?:ya?ml|json|jsonl)(?:\.gz)?$/i.test(qrelsPath)) return null;
  const { parseGolden } = await import("../formats/index.js");
  try {
    return parseGolden(await contentOf(qrelsPath), qrelsPath);
  } catch (error) {
    // They were read as judgments already; what else they are does not matter.
    if (isRankproofError(error)) return null;
    throw error;
  }
}
