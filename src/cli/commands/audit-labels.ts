import type { Command } from "commander";
import { withoutRaters, withoutTexts } from "../../audit/index.js";
import { scorecardMetric } from "../../batch/index.js";
import { InputError } from "../../index.js";
import {
  artifactsPath,
  auditLabeler,
  isStoreThere,
  projectConfig,
  readAuditedLabels,
  requireRater,
  scoreAuditedSystems,
  storeName,
  usualProbes,
  writeAudit,
} from "../../node/index.js";
import { labelsOfBoth } from "../../node/internal.js";
import type { JudgeProbes } from "../../records/index.js";
import { renderAuditText } from "../../report/index.js";
import { listNextPairs, type AuditFlags } from "../audit-next.js";
import { runProbes, probesPlanned } from "../audit-probes.js";
import { collect } from "../collect.js";
import { datasetFrom, datasetOptionsOf, labelerOptionOf } from "../dataset-flags.js";
import { DEFAULT_STORE } from "../defaults.js";
import { seedOption, wholeNumberOption } from "../number-flag.js";
import { refuseIdleOptions } from "../refuse-idle-options.js";
import { plainLine, type Terminal } from "../terminal.js";
import { examples, storeOption } from "./cli-command.js";
import { formatJson } from "../format-json.js";
import { OutputOption } from "../output-option.js";

/** `audit labels`, which is `audit` by itself. */
export function defineLabels(audit: Command, terminal: Terminal): void {
  storeOption(
    labelerOptionOf(
      datasetOptionsOf(
        audit
          .command("labels", { isDefault: true })
          .description("how far the labeler's labels agree with people's, or with another labeler's")
          .argument("[dataset]", "of the configuration"),
      ),
    ),
  )
    .option("--against <labeler>", "another labeler in place of people")
    .option(
      "--run <batch>",
      "a system of which both labels are asked what is the best (default: the latest batches); repeat it",
      collect,
    )
    .option("-m, --metric <name>", "what systems are measured by", "nDCG@10")
    .option("--probe", "try the labeler with changed items as well (a model costs money)")
    .option(
      "--pairs <n>",
      "with --probe: pairs of query and item that are changed",
      wholeNumberOption("pairs"),
      usualProbes.pairs,
    )
    .option(
      "--batch-size <n>",
      "with --probe: items in a request",
      wholeNumberOption("batch-size"),
      usualProbes.batchSize,
    )
    .option(
      "--concurrency <n>",
      "with --probe: requests at once (default: of the labeler)",
      wholeNumberOption("concurrency"),
    )
    .option("--wording <prompt>", "with --probe: another wording of the labeler's prompt, an id or a file")
    .option("--dry-run", "with --probe: say what would be asked, and ask nothing")
    .option("--next <batches...>", "instead: the pairs that people should label next to compare two batches")
    .option("--size <n>", "with --next: most pairs (default: 40)", wholeNumberOption("size"))
    .addOption(
      new OutputOption(
        "-o, --output <file>",
        "with --next: the sheet (default: below the folder of artifacts)",
      ),
    )
    .addOption(seedOption("of intervals and probes", 1))
    .option("--no-text", "leave out what queries, items and raters say")
    .option("--no-raters", "leave out who said it")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      examples(
        "audit shop",
        "audit shop --against gpt --json",
        "audit shop --no-text --no-raters",
        "audit shop --probe --dry-run",
        "audit shop --next 20261122T101500Z-3f9a 20261123T090000Z-81c0 -o sheet.csv",
      ),
    )
    .action((given: string | undefined, flags: AuditFlags, called: Command) => {
      if (flags.next === undefined) {
        refuseIdleAudit(called, flags);
        return runAudit(given, flags, terminal);
      }
      refuseIdleOptions(called, FOR_AUDITS, "with --next, which writes pairs with their texts to a sheet");
      return listNextPairs(given, flags, terminal);
    });
}

const FOR_PROBES = ["pairs", "batchSize", "concurrency", "wording"];
const FOR_AUDITS = ["text", "dryRun", "probe", "against", "run", "pairs", "raters"];

/** @throws InputError for options that would do nothing, and for a store that is not there. */
function refuseIdleAudit(called: Command, { probe, dryRun, store }: AuditFlags): void {
  if (probe !== true) refuseIdleOptions(called, FOR_PROBES, "without --probe");
  if (dryRun === true && probe === true)
    refuseIdleOptions(called, ["json"], "with --dry-run, which asks nothing");
  if (store === undefined || called.getOptionValueSource("store") !== "cli" || isStoreThere(store)) return;
  throw new InputError(
    "FILE_NOT_FOUND",
    `${storeName(store)}: no such store, of whose batches conclusions would be drawn; leave --store out to ` +
      "audit labels alone",
  );
}

async function runAudit(given: string | undefined, flags: AuditFlags, terminal: Terminal): Promise<void> {
  if (flags.dryRun === true && flags.probe !== true)
    throw new InputError("ARGUMENT", "--dry-run is for --probe: no other part of an audit asks a judge");
  if (flags.output !== undefined || flags.size !== undefined)
    throw new InputError(
      "ARGUMENT",
      "--size and --output are for --next; a sample is drawn by `audit sample`",
    );
  const config = await projectConfig(terminal);
  const dataset = await datasetFrom(config, given, flags, terminal);
  const labels = await readAuditedLabels(config, dataset, flags.labels);
  const second = await labels.labeler(flags.labeler);
  const rater = requireRater(second, dataset);
  if (flags.dryRun === true) return probesPlanned({ config, dataset, labels, rater, flags, terminal });
  const other = flags.against === undefined ? null : await labels.labeler(flags.against);
  if (other?.rater === rater)
    throw new InputError(
      "ARGUMENT",
      `--against ${plainLine(other.name)} is the labeler itself; name another`,
    );
  const pair = { first: other, second };
  const labelled = labelsOfBoth(labels, pair);
  const metric = scorecardMetric(flags.metric);
  const systems = await scoreAuditedSystems({
    config,
    dataset,
    runs: flags.run,
    store: flags.store ?? DEFAULT_STORE,
    metric,
    ...labelled,
    onNote: (message) => terminal.talk(message),
  });
  const probes: JudgeProbes | null =
    flags.probe === true ? await runProbes({ config, dataset, labels, rater, flags, terminal }) : null;
  const audit = auditLabeler(dataset, labels, pair, { seed: flags.seed, metric, systems, probes });
  const shown = flags.text ? audit : withoutTexts(audit);
  const record = flags.raters ? shown : withoutRaters(shown);
  const artifacts = artifactsPath(config);
  const json = writeAudit(artifacts, record);
  terminal.out(flags.json === true ? formatJson(record) : renderAuditText(record, terminal));
  terminal.talk(`wrote ${json}, report.md and report.html`);
}
