import { defineExportFeatures } from "./batch-features.js";
import { defineCompare } from "./batch-compare.js";
import { defineList, defineShow } from "./batch-list.js";
import { defineQuery } from "./batch-query.js";
import { defineRun } from "./batch-run.js";
import { examples, type CliCommand } from "./cli-command.js";

export const batchCommand: CliCommand = {
  define(batch, terminal) {
    for (const define of [
      defineRun,
      defineQuery,
      defineList,
      defineShow,
      defineCompare,
      defineExportFeatures,
    ])
      define(batch, terminal);
    batch.addHelpText(
      "after",
      examples(
        "batch run shop",
        'batch query shop "red shoe"',
        "batch list shop",
        "batch compare 20261122T101500Z-3f9a 20261123T090000Z-81c0 --html compare.html",
      ),
    );
  },
};
