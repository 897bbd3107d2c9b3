import { Option, type Command } from "commander";
import { AdapterError, InputError } from "../../index.js";
import { beginBuild, type BuildSummary, type Cost } from "../../label/index.js";
import {
  openBackend,
  openLabeler,
  openLabelStore,
  withListedCorpus,
  type Dataset,
  type OpenLabeler,
  backendFrom,
  labelerFrom,
  labelsPath,
  projectConfig,
  rerankerFrom,
} from "../../node/index.js";
import type { Backend, BackendConfig } from "../../records/index.js";
import type { LabelStore } from "../../storage/index.js";
import { datasetFrom, datasetOptionsOf, labelerOptionOf, type DatasetFlags } from "../dataset-flags.js";
import { plannedRebuild, rebuild, rebuildOptionsOf, type RebuildFlags } from "../label-rebuild.js";
import {
  labelWindows,
  SearchFailures,
  plannedWindows,
  type LabelPlan,
  type LabelWork,
  type WindowFlags,
} from "../label-work.js";
import { aNumber, wholeNumber } from "../number-flag.js";
import { counted, plainLine, type Terminal } from "../terminal.js";
import { examples, printedJson } from "./cli-command.js";

interface Flags extends DatasetFlags, WindowFlags, RebuildFlags {
  deep?: true;
  forceRefreshLabels?: true;
  forceRefreshRerank?: true;
  newQueries?: true;
  refreshCorpus?: true;
  mode?: "simple" | "complex";
  pool?: string[];
  votes?: number;
  batchSize?: number;
  concurrency?: number;
  seed: number;
  maxCalls?: number;
  maxTokens?: number;
  maxMoney?: number;
  refreshStale?: true;
  retryInvalid?: true;
  dryRun?: true;
  json?: true;
}

/** `label build`. */
export function defineBuild(label: Command, terminal: Terminal): void {
  const command = labelerOptionOf(
    datasetOptionsOf(
      label
        .command("build")
        .description("label what has no label of this labeler yet; what is answered is never asked again")
        .argument("[dataset]", "of the configuration"),
    ),
  )
    .addOption(new Option("--mode <mode>", "how a model is asked").choices(["simple", "complex"]))
    .option(
      "--annotate-search-top-k <n>",
      "hits of each query that are labelled",
      wholeNumber("annotate-search-top-k"),
      120,
    )
    .option(
      "--annotate-rerank-top-k <n>",
      "and so many of what the dataset's reranker makes of the search",
      wholeNumber("annotate-rerank-top-k", 0),
      100,
    )
    .option(
      "--pool <run>",
      "label the heads of this run in place of the search; repeat it for several",
      collected,
    )
    .option(
      "--votes <n>",
      "how often each item is judged (default: of the labeler, or 1)",
      wholeNumber("votes"),
    )
    .option(
      "--batch-size <n>",
      "most items in a request (default: of the labeler, or 50)",
      wholeNumber("batch-size"),
    )
    .option(
      "--concurrency <n>",
      "queries that are labelled at once (default: of the labeler)",
      wholeNumber("concurrency"),
    )
    .option("--seed <n>", "of the order of items in requests", wholeNumber("seed", 0), 1)
    .option(
      "--max-calls <n>",
      "end after so many requests; the same command goes on",
      wholeNumber("max-calls", 0),
    )
    .option("--max-tokens <n>", "end before so many tokens are passed", wholeNumber("max-tokens", 0))
    .option(
      "--max-money <n>",
      "end before so much is paid, in the currency of the labeler's price",
      aNumber("max-money", 0),
    )
    .option("--refresh-stale", "ask again for items that have changed since they were judged")
    .option("--retry-invalid", "ask again for items whose answer could not be used")
    .option("--refresh-corpus", "list the items of the search again, where the dataset has no corpus")
    .option("--new-queries", "go on though the queries have changed since a build was interrupted");
  rebuildOptionsOf(command)
    .option("--dry-run", "say what would be asked, and ask no labeler and no live search")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      examples(
        "label build shop",
        "label build --queries queries.tsv --corpus products.jsonl",
        "label build shop --labeler gpt --dry-run",
        "label build shop --labeler gpt --max-money 5 --pool bm25.run --pool dense.run",
        "label build shop --labeler gpt --deep",
      ),
    )
    .action((dataset: string | undefined, flags: Flags) => build(dataset, flags, terminal));
}

function collected(run: string, before: string[] = []): string[] {
  return [...before, run];
}

async function build(given: string | undefined, flags: Flags, terminal: Terminal): Promise<void> {
  const config = await projectConfig(terminal);
  const known = await datasetFrom(config, given, flags, terminal);
  const isForced = flags.forceRefreshLabels === true;
  const isDeep = flags.deep === true || isForced;
  if (isDeep && flags.pool !== undefined)
    throw new InputError(
      "ARGUMENT",
      "--pool labels the heads of runs, and --deep what the search finds; give one of them",
    );
  const { name, settings } = labelerFrom(config, known, flags.labeler);
  const path = labelsPath(config, flags.labels);
  const store = await openLabelStore(path, { create: true });
  const backendConfig = backendFrom(config, known);
  const deepest = Math.max(flags.annotateSearchTopK, flags.searchDepth, flags.searchRecallTopK);
  const isSearched = flags.pool === undefined || known.config.corpus === undefined;
  const search = isSearched ? await openBackend(known, backendConfig, deepest) : null;
  const backend = flags.pool === undefined ? search : null;
  try {
    const dataset = await listedWhereNeeded(known, search, store, {
      backend: backendConfig,
      flags,
      isDeep,
      path,
      terminal,
    });
    const { labeler, currency, ...asked } = await openLabeler(name, settings, dataset, {
      mode: flags.mode,
      env: terminal.env,
    });
    if (flags.maxMoney !== undefined && currency === undefined)
      throw new InputError(
        "ARGUMENT",
        `--max-money needs a price; write one into the labeler ${plainLine(name)}`,
      );
    const key = { tenant: dataset.tenant, dataset: dataset.id, labeler: name };
    const begun = await beginBuild(store, key, {
      queries: dataset.queries,
      isForced,
      takesNewQueries: flags.newQueries,
    });
    const work: LabelWork = {
      config,
      dataset,
      backend,
      backendConfig,
      terminal,
      failures: new SearchFailures(terminal, config.stopAfterFailures),
      batchSize: flags.batchSize ?? asked.batchSize,
      options: {
        ...buildOptions(flags, asked, { dataset, path, terminal }),
        labeler,
        store,
        since: begun.since,
      },
    };
    if (flags.dryRun === true) {
      const isReranked = backend !== null && rerankerFrom(config, dataset) !== undefined;
      if (isDeep || isReranked || (backend !== null && isLive(backendConfig))) {
        const plan = isDeep ? plannedRebuild(work, flags) : plannedWindows(work, flags);
        return terminal.out(flags.json === true ? printedJson(plan) : boundsOf(plan, name));
      }
      const summary = await labelWindows(work, flags, true);
      return terminal.out(flags.json === true ? printedJson(summary) : planned(summary, name));
    }
    await begun.begun();
    const built = isDeep ? rebuild(work, flags) : labelWindows(work, flags, false);
    const summary = await built.catch(
      interrupted(terminal, `what was answered is kept in ${path}, and the same command goes on`),
    );
    await begun.ended(summary.isDone && work.failures.count === 0);
    if (flags.json === true) terminal.out(printedJson(summary));
    else terminal.out(summaryText(summary, name, path));
    refuseFailures(work, summary, name);
  } finally {
    await search?.close?.();
    await store.close();
  }
}

/** How a build asks, pays and tells, as far as the flags and the labeler's settings say it. */
function buildOptions(
  flags: Flags,
  asked: Pick<OpenLabeler, "votes" | "concurrency">,
  {
    dataset: { tenant, queries: all },
    path,
    terminal,
  }: { readonly dataset: Dataset; readonly path: string; readonly terminal: Terminal },
): Omit<LabelWork["options"], "labeler" | "store" | "since"> {
  return {
    tenant,
    votes: flags.votes ?? asked.votes,
    concurrency: flags.concurrency ?? asked.concurrency,
    seed: flags.seed,
    budget: { calls: flags.maxCalls, tokens: flags.maxTokens, money: flags.maxMoney },
    refreshStale: flags.refreshStale,
    retryInvalid: flags.retryInvalid,
    signal: terminal.signal,
    onProgress: ({ queries, answers, calls }) =>
      terminal.progress(
        `${queries} of ${counted(all.length, "query")}, ` +
          `${counted(total(answers), "answer")}, ${counted(calls, "request")}`,
      ),
    onWait: (query) =>
      terminal.talk(
        `another build is at ${plainLine(query)}; waiting for it; where its process is gone, ` +
          `delete ${path}.claim-*`,
      ),
  };
}

/**
 * Ends a build that a search or a labeler failed.
 *
 * @throws AdapterError `RETRIEVER_FAILED`, `LABELER_FAILED`
 */
function refuseFailures({ dataset, failures }: LabelWork, { answers }: BuildSummary, name: string): void {
  const { count, first } = failures;
  if (count > 0)
    throw new AdapterError(
      "RETRIEVER_FAILED",
      `the search failed for ${counted(count, "query")} of ${dataset.queries.length}, which have no new ` +
        `labels; the same command asks again; the first failure: ${first}`,
    );
  if (total(answers) > 0 && answers.graded + answers.cannot_tell === 0)
    throw new AdapterError(
      "LABELER_FAILED",
      `no answer of ${plainLine(name)} could be used; look at the reasons with \`rankproof label export\``,
    );
}

/** What an error is where Ctrl-C is behind it. */
function interrupted(terminal: Terminal, message: string): (error: unknown) => never {
  return (error) => {
    if (!terminal.signal.aborted) throw error;
    throw new AdapterError("RUN_INCOMPLETE", `interrupted; ${message}`, {}, error);
  };
}

/** Whether a search is a service, which says more of its hits than their ids. */
function isService(backend: BackendConfig | undefined): boolean {
  return backend !== undefined && !["builtin", "run", "module"].includes(backend.kind);
}

/** Whether a search may be one that others use, too. */
function isLive(backend: BackendConfig | undefined): boolean {
  return isService(backend) || backend?.kind === "module";
}

/** The items of a search that stands in for a corpus, as it listed them before or lists them now. */
async function listedWhereNeeded(
  dataset: Dataset,
  search: Backend | null,
  store: LabelStore,
  options: {
    readonly backend: BackendConfig | undefined;
    readonly flags: Flags;
    readonly isDeep: boolean;
    readonly path: string;
    readonly terminal: Terminal;
  },
): Promise<Dataset> {
  const { backend, flags, isDeep, path, terminal } = options;
  const isKept = dataset.items.size > 0 && flags.refreshCorpus !== true;
  if (search === null || isKept || flags.dryRun === true) return dataset;
  if (dataset.config.corpus !== undefined) return dataset;
  // The windows can be labelled by what hits say of their items; a deep rebuild and a pool look at all.
  const saysFields = isService(backend) && !isDeep && flags.pool === undefined;
  if (backend === undefined || (search.list === undefined && saysFields)) return dataset;
  const listed = await withListedCorpus(dataset, search, store, {
    backend,
    signal: terminal.signal,
    onProgress: (items) => terminal.progress(`${counted(items, "item")} listed`),
  }).catch(interrupted(terminal, "nothing was labelled, and the items have to be listed again"));
  terminal.talk(
    `the search lists ${counted(listed.items.size, "item")}, kept in ${path}; ` +
      "--refresh-corpus lists them again",
  );
  return listed;
}

function total(answers: BuildSummary["answers"]): number {
  return Object.values(answers).reduce((sum, count) => sum + count, 0);
}

function planned({ queries, pairs, known, calls, cost }: BuildSummary, name: string): string {
  return (
    `${name} would be asked ${counted(calls, "time")} for ${counted(pairs - known, "label")} of ` +
    `${counted(queries, "query")} (${pairs} wanted, ${known} there)${costLine(cost, "about ")}\n`
  );
}

function boundsOf(plan: LabelPlan, name: string): string {
  const { queries, searches_at_most: searches, rerank_requests_at_most: reranks } = plan;
  const { calls_at_least: least, isListed } = plan;
  const bound = least === 0 ? "at most " : least < plan.calls_at_most ? `${least} to ` : "";
  const rerank = reranks > 0 ? `, and at most ${counted(reranks, "rerank request")}` : "";
  return (
    `${plainLine(name)} would be asked ${bound}` +
    `${counted(plan.calls_at_most, "time")} for ${counted(queries, "query")}, of which nothing is counted ` +
    `that is known already${costLine(plan.cost_at_most, "at most about ")}; before it ` +
    `${counted(searches, "search request")}${rerank}${isListed ? "" : "; its items are not listed yet"}\n`
  );
}

function summaryText(summary: BuildSummary, name: string, path: string): string {
  const { queries, pairs, known, stale, calls, answers, cost, isDone } = summary;
  const { graded, cannot_tell, invalid, refused } = answers;
  const others = [
    [cannot_tell, "not to tell"],
    [invalid, "not usable (--retry-invalid asks again)"],
    [refused, "refused"],
  ] as const;
  const lines = [
    `${name}: ${graded} new of ${counted(pairs, "label")} for ${counted(queries, "query")}, ` +
      `${known} were there; ` +
      `${counted(calls, "request")}${costLine(cost, "")}`,
    ...others.filter(([count]) => count > 0).map(([count, what]) => `  ${count} ${what}`),
    ...(stale > 0 ? [`  ${stale} are of items that have changed since (--refresh-stale asks again)`] : []),
    ...(isDone ? [] : ["the budget ended it; the same command goes on where it was"]),
    `kept in ${path}`,
  ];
  return `${lines.join("\n")}\n`;
}

function costLine({ tokens, price }: Cost, about: string): string {
  const parts = [
    ...(tokens ? [`${about}${Math.round(tokens.input + tokens.output)} tokens`] : []),
    ...(price ? [`${about}${price.amount.toFixed(2)} ${price.currency}`] : []),
  ];
  return parts.length === 0 ? "" : `, ${parts.join(", ")}`;
}
