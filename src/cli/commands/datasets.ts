import { countOf } from "../../foundation/numbers/index.js";
import { InputError, isRankproofError } from "../../index.js";
import { normalizeQuery } from "../../label/index.js";
import {
  backendFrom,
  isStoreThere,
  labelerFrom,
  labelsPath,
  openBackend,
  openLabeler,
  openLabelStore,
  openReranker,
  projectConfig,
  readDataset,
  rerankerFrom,
  scorecardOf,
} from "../../node/index.js";
import { withKeptCorpus } from "../../node/internal.js";
import { renderTable } from "../../report/index.js";
import { labelsOption } from "../dataset-flags.js";
import { type Terminal } from "../terminal.js";
import { examples, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";

/** A dataset as it is listed. */
interface DatasetRow {
  readonly id: string;
  readonly queries: number;
  readonly items: number;
  readonly labelled_queries: number;
  readonly tenant: string;
  readonly backend: string;
  readonly reranker: string | null;
  readonly labeler: string;
  readonly licence: string | null;
}

export const datasetsCommand: CliCommand = {
  define(datasets, terminal) {
    datasets.addHelpText("after", examples("datasets", "datasets check"));

    labelsOption(
      datasets
        .command("list", { isDefault: true })
        .description("datasets with their counts, and how much is labelled"),
    )
      .option("--json", "print JSON")
      .action(async (flags: { labels?: string; json?: true }) => {
        const rows = await datasetRows(flags.labels, terminal);
        if (flags.json === true) return terminal.out(formatJson(rows));
        if (rows.length === 0)
          return terminal.talk(
            "the configuration has no datasets; `rankproof init --search` in an empty folder writes an " +
              "example",
          );
        terminal.out(
          renderTable(
            [
              "dataset",
              "queries",
              "items",
              "labelled",
              "tenant",
              "backend",
              "reranker",
              "labeler",
              "licence",
            ],
            rows.map((row) => [
              row.id,
              String(row.queries),
              String(row.items),
              `${row.labelled_queries} of ${row.queries}`,
              row.tenant,
              row.backend,
              row.reranker ?? "",
              row.labeler,
              row.licence ?? "",
            ]),
          ),
        );
      });

    datasets
      .command("check")
      .description(
        "read every dataset, open its search and its labeler, ask neither, and say all that is wrong",
      )
      .action(() => checkDatasets(terminal));
  },
};

async function datasetRows(labels: string | undefined, terminal: Terminal): Promise<DatasetRow[]> {
  const config = await projectConfig(terminal);
  const path = labelsPath(config, labels);
  const store = isStoreThere(path) ? await openLabelStore(path, { create: true }) : null;
  const judged = (await store?.queries()) ?? [];
  const rows: DatasetRow[] = [];
  for (const [id, given] of Object.entries(config.datasets ?? {})) {
    const read = await readDataset(id, given);
    const whole = store && (await withKeptCorpus(read, backendFrom(config, read), store));
    const { queries, items, tenant, config: settings } = whole ?? read;
    const texts = new Set(queries.map(({ query }) => normalizeQuery(query)));
    const labelled = judged.filter((each) => each.tenant === tenant && texts.has(each.query)).length;
    rows.push({
      id,
      queries: queries.length,
      items: items.size,
      labelled_queries: labelled,
      tenant,
      backend: settings.backend ?? "builtin",
      reranker: settings.reranker ?? null,
      labeler: settings.labeler ?? "overlap",
      licence: settings.licence ?? null,
    });
  }
  await store?.close();
  return rows;
}

/** @throws InputError `CONFIG` with all that is wrong. */
async function checkDatasets(terminal: Terminal): Promise<void> {
  const config = await projectConfig(terminal);
  const ids = Object.entries(config.datasets ?? {});
  const wrong: string[] = [];
  for (const [id, given] of ids) {
    try {
      const dataset = await readDataset(id, given);
      const { name, settings } = labelerFrom(config, dataset, undefined);
      await openLabeler(name, settings, dataset, terminal);
      scorecardOf(config, dataset);
      const reranked = rerankerFrom(config, dataset);
      if (reranked !== undefined) await openReranker(reranked.name, reranked.settings, dataset, terminal);
      const backend = await openBackend(dataset, backendFrom(config, dataset), 1);
      await backend.close?.();
      terminal.talk(
        `${id}: ${countOf(dataset.queries.length, "query")}, ${countOf(dataset.items.size, "item")}, fine`,
      );
    } catch (error) {
      if (!isRankproofError(error)) throw error;
      wrong.push(...error.message.split("\n").map((line) => `dataset ${id}: ${line}`));
    }
  }
  if (wrong.length > 0) throw new InputError("CONFIG", wrong.join("\n"));
  if (ids.length === 0) terminal.talk("the configuration has no datasets");
}
