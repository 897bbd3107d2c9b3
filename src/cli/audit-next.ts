import { countOf } from "../foundation/numbers/index.js";
import { join } from "node:path";
import { chooseSample, nextPairs, type NextPair } from "../audit/index.js";
import { labelGradesOf, attachLabels, scorecardMetric } from "../batch/index.js";
import { InputError } from "../index.js";
import { itemTitle, normalizeQuery, type Label } from "../label/index.js";
import { artifactsPath, labelsOfDataset, projectConfig, type ProbeSettings } from "../node/index.js";
import { auditSampleFolder, writeAuditSample } from "../node/internal.js";
import type { EvalRun } from "../records/index.js";
import { renderTable } from "../report/index.js";
import { formatJson } from "./format-json.js";
import { datasetOfBatch, type DatasetFlags } from "./dataset-flags.js";
import { newSampleId, nextStep, withFields, writeLabelSheet } from "./sample-sheet.js";
import { findStoredRuns } from "./sources.js";
import { plainLine, type Terminal } from "./terminal.js";

/** What `audit` by itself is told. */
export interface AuditFlags extends DatasetFlags, Omit<ProbeSettings, "labeler"> {
  probe?: true;
  dryRun?: true;
  against?: string;
  run?: string[];
  metric: string;
  store?: string;
  next?: string[];
  size?: number;
  output?: string;
  seed: number;
  /** False after `--no-text`. */
  text: boolean;
  /** False after `--no-raters`. */
  raters: boolean;
  json?: true;
}

/** So many pairs are listed where nothing else is said. */
const MOST = 40;
/** So many pairs are printed; the sheet has them all. */
const PRINTED = 10;

/** `audit --next`: the pairs whose label may move a comparison most, as a sheet for people. */
export async function listNextPairs(
  given: string | undefined,
  { next = [], ...flags }: AuditFlags,
  terminal: Terminal,
): Promise<void> {
  if (next.length !== 2)
    throw new InputError(
      "ARGUMENT",
      `--next compares two batches, got ${next.length}; name the dataset before it`,
    );
  const config = await projectConfig(terminal);
  const runs = (await findStoredRuns(next, flags.store)) as [EvalRun, EvalRun];
  const [{ suite }] = runs;
  const dataset = await datasetOfBatch(config, suite, given, flags, terminal);
  const known = await labelsOfDataset(config, dataset, flags, terminal.warn);
  const { queries, items } = dataset;
  const labelled = runs.map((run) => attachLabels(run, queries, [], items).run) as [EvalRun, EvalRun];
  const gradesOf = (labels: readonly Label[]) =>
    labelGradesOf(attachLabels(runs[0], queries, labels, items).labels);
  const texts = new Map(queries.map(({ id, query }) => [id, normalizeQuery(query)]));
  const pairs = nextPairs({
    runs: labelled,
    texts,
    metric: scorecardMetric(flags.metric),
    people: gradesOf(known.people),
    model: gradesOf(known.model),
    size: flags.size ?? MOST,
  });
  if (pairs.length === 0)
    return terminal.talk(
      "no label of people's could move this comparison: both return the same, all is labelled, or what one " +
        "moves cancels out",
    );
  const sample = chooseSample(pairs, { dataset: dataset.id, tenant: dataset.tenant, ...newSampleId() });
  const artifacts = artifactsPath(config);
  writeAuditSample(artifacts, sample);
  const sheet = flags.output ?? join(auditSampleFolder(artifacts, sample), "sheet.csv");
  const rows = pairs.map(({ queryId, item }) => ({ queryId, item, query: texts.get(queryId) ?? queryId }));
  const title = (item: string): string => itemTitle(items.get(item) ?? { fields: {} }) ?? "";
  const textOf = ({ queryId }: NextPair): string => texts.get(queryId) ?? queryId;
  if (flags.json === true)
    terminal.out(
      formatJson(
        pairs.map((pair) => ({
          query_id: pair.queryId,
          query: textOf(pair),
          item: pair.item,
          title: title(pair.item),
          grade: pair.grade,
          chance: pair.chance,
          weight: pair.weight,
        })),
      ),
    );
  else if (sheet !== "-") terminal.out(tableOf(pairs, (pair) => [textOf(pair), title(pair.item)]));
  await writeLabelSheet(withFields(rows, dataset, labelled), sheet, terminal);
  terminal.talk(
    `${countOf(pairs.length, "pair")} that may move this comparison most; nothing follows from them for ` +
      "other queries, which `rankproof audit sample` is for; " +
      nextStep(sheet, given ?? dataset.id, flags),
  );
}

function tableOf(pairs: readonly NextPair[], textsOf: (pair: NextPair) => readonly [string, string]): string {
  return renderTable(
    ["query", "item", "title", "the model says", "chance", "weight"],
    pairs.slice(0, PRINTED).map((pair) => {
      const [query, title] = textsOf(pair);
      return [
        plainLine(query),
        plainLine(pair.item),
        plainLine(title),
        pair.grade === null ? "-" : String(pair.grade),
        pair.chance.toFixed(2),
        pair.weight.toFixed(4),
      ];
    }),
  );
}
