import type { Command } from "commander";
import { AdapterError } from "../../index.js";
import { normalizeQuery } from "../../label/index.js";
import { askOnce, backendFrom, labelsOfDataset, projectConfig, reportBatch } from "../../node/index.js";
import { backendNamed, checkDepth } from "../../node/internal.js";
import { renderBatchCaseText } from "../../report/index.js";
import {
  annotateLabels,
  scorecardFrom,
  scorecardOptionsOf,
  refreshOptionOf,
  hitsOptionsOf,
  type AnnotateFlags,
  type ScorecardFlags,
} from "../batch-work.js";
import { datasetFrom, datasetOptionsOf, labelerOptionOf } from "../dataset-flags.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples } from "./cli-command.js";
import { formatJson } from "../format-json.js";

interface Flags extends AnnotateFlags, ScorecardFlags {
  topK: number;
  json?: true;
}

/** `batch query`. */
export function defineQuery(batch: Command, terminal: Terminal): void {
  const command = labelerOptionOf(
    datasetOptionsOf(
      batch
        .command("query")
        .description("ask the live search one query, and hold what comes back against the stored labels")
        .argument("<dataset>", "of the configuration, or - with --queries and --corpus")
        .argument("<words>", "the query"),
    ),
  );
  scorecardOptionsOf(refreshOptionOf(hitsOptionsOf(command)))
    .option("--json", "print JSON")
    .addHelpText("after", examples('batch query shop "red shoe"', 'batch query shop "red shoe" --annotate'))
    .action(async (given: string, words: string, flags: Flags) => {
      const config = await projectConfig(terminal);
      const whole = await datasetFrom(config, given === "-" ? undefined : given, flags, terminal);
      const query = normalizeQuery(words);
      const known = whole.queries.find((each) => normalizeQuery(each.query) === query);
      const dataset = { ...whole, queries: [{ id: known?.id ?? query, query: words }] };
      const scorecard = scorecardFrom(config, dataset, flags);
      checkDepth(scorecard, flags.topK);
      const settings = backendFrom(config, dataset);
      const options = { backend: backendNamed(dataset, settings), topK: flags.topK, scorecard };
      const run = await askOnce(config, dataset, { topK: flags.topK, signal: terminal.signal });
      if (flags.annotate === true || flags.forceRefreshLabels === true)
        await annotateLabels(run, dataset, config, flags, terminal);
      const report = reportBatch(
        run,
        dataset,
        await labelsOfDataset(config, dataset, flags, terminal.warn),
        options,
      );
      const [found] = report.per_query;
      if (found === undefined) return;
      const { error } = run.results[0] ?? {};
      if (error != null) throw new AdapterError("RETRIEVER_FAILED", `the search failed: ${plainLine(error)}`);
      terminal.out(
        flags.json === true
          ? formatJson({ ...found, metrics: report.metrics })
          : renderBatchCaseText(found, report, terminal),
      );
    });
}
