import type { Command } from "commander";
import { labelsOfDataset, projectConfig } from "../../node/index.js";
import { deepestOf, documentsOf } from "../../node/internal.js";
import { evidenceOf, labelGradesOf, attachLabels } from "../../batch/index.js";
import { compareSystems, InputError } from "../../index.js";
import { reportTexts } from "../../report/index.js";
import { scorecardFrom, scorecardOptionsOf, type ScorecardFlags } from "../batch-work.js";
import { datasetOfBatch, datasetOptionsOf, labelerOptionOf, type DatasetFlags } from "../dataset-flags.js";
import { gateOptionsOf, openGate } from "../gate-flags.js";
import { reportOptionsOf, writeComparison, type ReportFlags } from "../report-outputs.js";
import { findStoredRuns } from "../sources.js";
import { statisticsOptions, statisticsOptionsOf, type StatisticsFlags } from "../statistics-flags.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples, storeOption } from "./cli-command.js";

interface Flags extends DatasetFlags, ScorecardFlags, ReportFlags, StatisticsFlags {
  store?: string;
  dataset?: string;
}

/** `batch compare`. */
export function defineCompare(batch: Command, terminal: Terminal): void {
  const command = labelerOptionOf(
    datasetOptionsOf(
      batch
        .command("compare")
        .description("compare batches with a baseline by the labels of today")
        .argument("<a>", "the baseline: id of a batch")
        .argument("<b>", "the batch that is held against it")
        .argument("[more...]", "further batches"),
    ),
  ).option("--dataset <id>", "of the configuration (default: that of the baseline)");
  gateOptionsOf(statisticsOptionsOf(reportOptionsOf(scorecardOptionsOf(storeOption(command)))))
    .addHelpText(
      "after",
      examples(
        "batch compare 20261122T101500Z-3f9a 20261123T090000Z-81c0",
        "batch compare 20261122T101500Z-3f9a 20261123T090000Z-81c0 --html compare.html --gate gates.txt",
      ),
    )
    .action(async (a: string, b: string, more: string[], flags: Flags) => {
      const gate = await openGate(flags);
      const config = await projectConfig(terminal);
      const runs = await findStoredRuns([a, b, ...more], flags.store);
      const suite = runs[0]?.suite ?? "";
      const other = runs.find((run) => run.suite !== suite);
      if (other !== undefined && flags.dataset === undefined)
        throw new InputError(
          "ARGUMENT",
          `${plainLine(a)} is of dataset ${plainLine(suite)}, ${plainLine(other.run_id)} of ` +
            `${plainLine(other.suite)}; name the dataset that both are compared on with --dataset`,
        );
      const dataset = await datasetOfBatch(config, suite, flags.dataset, flags, terminal);
      const known = await labelsOfDataset(config, dataset, flags, terminal.warn);
      const scorecard = scorecardFrom(config, dataset, flags);
      for (const { run_id, config_snapshot: asked } of runs)
        if (typeof asked["top_k"] === "number" && asked["top_k"] < deepestOf(scorecard))
          throw new InputError(
            "ARGUMENT",
            `${plainLine(run_id)} asked for ${asked["top_k"]} hits, and the scorecard looks at ` +
              `${deepestOf(scorecard)}: what was not asked for would count as 0; name metrics with --metrics`,
          );
      const labelled = runs.map((run) => attachLabels(run, dataset.queries, known.labels, dataset.items));
      const [first] = labelled as [(typeof labelled)[number]];
      terminal.progress(`comparing ${runs.length} batches`);
      const comparison = compareSystems(
        labelled.map(({ run }) => ({ name: run.run_id, run })),
        labelGradesOf(first.labels),
        scorecard.metrics,
        {
          ...statisticsOptions(flags),
          unit: "doc",
          labels: evidenceOf(dataset.queries, known),
          known: new Map(dataset.queries.map(({ id, query, labels = {} }) => [id, { query, labels }])),
        },
      );
      const texts = () => reportTexts({ runs, documents: documentsOf(dataset) });
      await writeComparison(comparison, flags, gate, terminal, texts);
    });
}
