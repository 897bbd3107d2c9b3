import { countOf } from "../../foundation/numbers/index.js";
import { Option, type Command } from "commander";
import { labelsOfDataset, projectConfig } from "../../node/index.js";
import { featureRows, attachLabels } from "../../batch/index.js";
import { featureFormats, formatFeatures, type FeatureFormat } from "../../formats/index.js";
import { InputError } from "../../index.js";
import { loadStoredRun } from "../../runs/index.js";
import { datasetOfBatch, datasetOptionsOf, labelerOptionOf, type DatasetFlags } from "../dataset-flags.js";
import { requireStore } from "../sources.js";
import { plainLine, type Terminal } from "../terminal.js";
import { writeOutput } from "../write-output.js";
import { examples, storeOption } from "./cli-command.js";
import { OutputOption } from "../output-option.js";

interface Flags extends DatasetFlags {
  format: FeatureFormat;
  output?: string;
  store?: string;
}

/** `batch export-features`. */
export function defineExportFeatures(batch: Command, terminal: Terminal): void {
  storeOption(
    labelerOptionOf(
      datasetOptionsOf(
        batch
          .command("export-features")
          .description(
            "write the labelled hits of a batch with the numbers that came with them, to learn to rank",
          )
          .argument("<batch>", "its id")
          .argument("[dataset]", "of the configuration (default: that of the batch)"),
      ),
    ),
  )
    .addOption(
      new Option("--format <format>", "of the file").choices([...featureFormats]).default("svmlight"),
    )
    .addOption(new OutputOption("-o, --output <file>", "write to a file (default: stdout)"))
    .addHelpText(
      "after",
      examples(
        "batch export-features 20261122T101500Z-3f9a -o train.txt",
        "batch export-features 20261122T101500Z-3f9a --format csv",
      ),
    )
    .action(async (batchId: string, given: string | undefined, flags: Flags) => {
      const config = await projectConfig(terminal);
      const store = await requireStore(flags.store);
      const run = await loadStoredRun(store, batchId);
      await store.close();
      const dataset = await datasetOfBatch(config, run.suite, given, flags, terminal);
      const { labels } = await labelsOfDataset(config, dataset, flags, terminal.warn);
      const rows = featureRows(attachLabels(run, dataset.queries, labels, dataset.items));
      if (rows.length === 0)
        throw new InputError(
          "ARGUMENT",
          `no hit of batch ${plainLine(batchId)} has a label; label some first`,
        );
      if (!rows.some(({ features }) => Object.keys(features).length > 0))
        terminal.warn("no hit has a number with it: neither a score nor `features`");
      writeOutput(formatFeatures(rows, flags.format), flags.output, terminal);
      terminal.talk(`${countOf(rows.length, "labelled hit")}`);
    });
}
