import { countOf } from "../../foundation/numbers/index.js";
import { lstatSync } from "node:fs";
import { Option, type Command } from "commander";
import {
  assessmentLines,
  formatAssessments,
  formatLabels,
  formatQrels,
  isLabelSheet,
  parseAssessments,
  parseLabelSheet,
} from "../../formats/index.js";
import {
  DEFAULT_TENANT,
  labelJudgments,
  labelOrigin,
  normalizeQuery,
  raterId,
  type Assessment,
} from "../../label/index.js";
import { AdapterError, InputError } from "../../index.js";
import { sleep } from "../../foundation/async/index.js";
import { quote } from "../../foundation/errors/index.js";
import { keepAssessments, type Config } from "../../records/index.js";
import {
  labelsOfDataset,
  labelsPath,
  openLabelStore,
  projectConfig,
  type Dataset,
} from "../../node/index.js";
import { contentOf, labelDigest, labelOriginPath } from "../../node/evaluate/index.js";
import { findByQuery, type LabelStore } from "../../storage/index.js";
import {
  datasetFrom,
  datasetOptionsOf,
  datasetWords,
  labelerOptionOf,
  requireLabels,
  tenantOf,
  type DatasetFlags,
} from "../dataset-flags.js";
import { refuseIdleOptions } from "../refuse-idle-options.js";
import { plainLine, type Terminal } from "../terminal.js";
import { writeLabelSheet } from "../sample-sheet.js";
import { itemOnSheet } from "../item-on-sheet.js";
import { writeOutput, writeRows } from "../write-output.js";
import { examples } from "./cli-command.js";
import { formatJson } from "../format-json.js";
import { OutputOption } from "../output-option.js";

interface ExportFlags extends DatasetFlags {
  format: "jsonl" | "qrels" | "csv";
  output?: string;
}

/** `label export`. */
export function defineExport(label: Command, terminal: Terminal): void {
  labelerOptionOf(
    datasetOptionsOf(
      label
        .command("export")
        .description("write labels: every assessment as JSONL, or the labels of a dataset as qrels or CSV")
        .argument("[dataset]", "of the configuration; without one all assessments of the store"),
    ),
  )
    .addOption(
      new Option("--format <format>", "of the file").choices(["jsonl", "qrels", "csv"]).default("jsonl"),
    )
    .addOption(new OutputOption("-o, --output <file>", "write to a file (default: stdout)"))
    .addHelpText(
      "after",
      examples("label export -o labels.jsonl", "label export shop --format qrels -o qrels.txt"),
    )
    .action(async (given: string | undefined, flags: ExportFlags) => {
      const config = await projectConfig(terminal);
      const isAll = flags.format === "jsonl" && given === undefined && flags.queries === undefined;
      const dataset = isAll ? undefined : await datasetFrom(config, given, flags, terminal);
      const store = await requireLabels(flags.labels, terminal, config);
      if (dataset === undefined || flags.format === "jsonl") {
        const queries = dataset?.queries.map(({ query }) => normalizeQuery(query));
        const said = await store.find({ tenant: tenantOf(flags, terminal) ?? dataset?.tenant, queries });
        await store.close();
        return writeRows(assessmentLines(said), flags.output, terminal);
      }
      await store.close();
      const { labels, raters } = await labelsOfDataset(config, dataset, flags, terminal.warn);
      if (labels.length === 0)
        throw new InputError("ARGUMENT", `there are no labels of dataset ${plainLine(dataset.id)} yet`);
      if (flags.format === "csv") {
        const queries = dataset.queries.map(({ id, query }) => ({ id, text: normalizeQuery(query) }));
        return writeOutput(formatLabels(labels, queries), flags.output, terminal);
      }
      const qrels = formatQrels(labelJudgments(labels, dataset.queries), "trec");
      writeOutput(qrels, flags.output, terminal);
      // A pipe has no place beside it.
      if (flags.output === undefined || !lstatSync(flags.output, { throwIfNoEntry: false })?.isFile()) return;
      const origin = labelOrigin(labels, raters, {
        digest: await labelDigest(qrels),
        dataset: dataset.id,
        tenant: dataset.tenant,
        licence: dataset.config.licence,
      });
      writeOutput(formatJson(origin), labelOriginPath(flags.output), terminal);
    });
}

const FOR_SHEETS = ["rater", "adjudicator", "tenant", "queries", "corpus", "language"];

/** `label import`. */
export function defineImport(label: Command, terminal: Terminal): void {
  datasetOptionsOf(
    label
      .command("import")
      .description("add assessments: JSONL of `label export`, or a sheet that a person has filled in")
      .argument("<file>", "JSONL of `label export`, or a sheet of `label sheet`; - is stdin")
      .argument("[dataset]", "of a sheet: its items, so that labels are stale when they change"),
  )
    .option("--rater <name>", "who filled the sheet in")
    .option("--adjudicator", "this person decides where others differ")
    .addHelpText("after", examples("label import labels.jsonl", "label import sheet.csv shop --rater anna"))
    .action(
      async (
        file: string,
        given: string | undefined,
        flags: DatasetFlags & { rater?: string; adjudicator?: true },
        called: Command,
      ) => {
        const config = await projectConfig(terminal);
        const content = await contentOf(file);
        const isSheet = /\.(?:csv|tsv)(?:\.gz)?$/i.test(file) || isLabelSheet(content, file);
        const lines = isSheet ? null : parseAssessments(content, file);
        if (lines !== null) refuseIdleOptions(called, FOR_SHEETS, "for JSONL, whose lines say it");
        const assessments =
          lines === null
            ? await sheetAssessments(content, file, given, flags, config, terminal)
            : checkQueries(lines, file);
        if (isSheet && assessments.some(({ item_hash }) => item_hash === undefined))
          terminal.warn(
            "what the items say is not known, so that these labels " +
              "will not be stale when it changes; name the dataset, or give --queries and --corpus",
          );
        const path = labelsPath(config, flags.labels);
        const store = await openLabelStore(path, { create: true });
        const fresh = await claimImports(store, path, terminal, async () => {
          const added = isSheet ? await newlySaid(store, assessments) : await unknownIn(store, assessments);
          await store.add(added);
          return added;
        }).finally(() => store.close());
        terminal.talk(
          `${countOf(fresh.length, "new assessment")} in ${path}` +
            (fresh.length < assessments.length ? `, ${assessments.length - fresh.length} were there` : ""),
        );
      },
    );
}

/** `label sheet`. */
export function defineSheet(label: Command, terminal: Terminal): void {
  datasetOptionsOf(
    label
      .command("sheet")
      .description("write a CSV file for people to grade in a spreadsheet: what any labeler has judged")
      .argument("[dataset]", "of the configuration"),
  )
    .addOption(new OutputOption("-o, --output <file>", "write to a file (default: stdout)"))
    .addHelpText("after", examples("label sheet shop -o sheet.csv"))
    .action(async (given: string | undefined, flags: DatasetFlags & { output?: string }) => {
      const config = await projectConfig(terminal);
      const dataset = await datasetFrom(config, given, flags, terminal);
      const store = await requireLabels(flags.labels, terminal, config);
      const rows = [];
      const { tenant, items } = dataset;
      const asked = dataset.queries.map(({ query }) => ({ tenant, query: normalizeQuery(query) }));
      for await (const { said } of findByQuery(store, asked))
        for (const [item, { query }] of new Map(said.map((each) => [each.item, each])))
          rows.push({ query, item, ...itemOnSheet(items.get(item)) });
      await store.close();
      if (rows.length === 0)
        throw new InputError(
          "ARGUMENT",
          "there is nothing to grade yet; build labels first: `rankproof label build`",
        );
      await writeLabelSheet(rows, flags.output, terminal);
      terminal.talk(
        `${countOf(rows.length, "pair")}; fill in the column grade (0 to 3, ? or undo), save it as CSV, ` +
          `then \`rankproof label import FILE${datasetWords(given, flags)} --rater NAME\``,
      );
    });
}

/** How long an import waits for another one, and how often it looks. */
const IMPORT_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 200;

/** Of two imports at once the second looks at what the first has added, so that nothing is stored twice. */
async function claimImports<T>(
  store: LabelStore,
  path: string,
  terminal: Terminal,
  work: () => Promise<T>,
): Promise<T> {
  for (let waited = 0; waited < IMPORT_WAIT_MS; waited += LOOK_AGAIN_MS) {
    const giveBack = await store.claim("label import");
    if (giveBack !== undefined) return work().finally(giveBack);
    terminal.progress("waiting for another import to end");
    await sleep(LOOK_AGAIN_MS, terminal.signal);
  }
  throw new AdapterError("STORE_LOCKED", `${path}: another import is at work; try again when it has ended`);
}

/** A label under a text that is no query's would never be found. */
function checkQueries(assessments: readonly Assessment[], file: string): readonly Assessment[] {
  const other = assessments.find(({ query }) => normalizeQuery(query) !== query);
  if (other !== undefined)
    throw new InputError(
      "LABEL_SHAPE",
      `${file}: the query ${plainLine(other.query)} is not normalized; write ${normalizeQuery(other.query)}`,
    );
  return assessments;
}

/** Those that are not in the store as they are, so that a file may be imported twice. */
async function unknownIn(store: LabelStore, assessments: readonly Assessment[]): Promise<Assessment[]> {
  const lineOf = (assessment: Assessment): string => formatAssessments([assessment]);
  const fresh = new Set<Assessment>();
  for await (const { asked, said } of findByQuery(store, assessments)) {
    const lines = new Set(said.map(lineOf));
    for (const assessment of asked) {
      const line = lineOf(assessment);
      if (!lines.has(line)) fresh.add(assessment);
      lines.add(line);
    }
  }
  return assessments.filter((each) => fresh.has(each));
}

/**
 * What a person says now and did not say before: a sheet may be imported twice, and what is taken back leaves
 * nothing of theirs, however often they changed their mind.
 */
async function newlySaid(store: LabelStore, assessments: readonly Assessment[]): Promise<Assessment[]> {
  const times = new Map<Assessment, number>();
  const rater = assessments[0] && raterId(assessments[0].rater);
  for await (const { asked, said } of findByQuery(store, assessments, rater)) {
    const kept = new Map<string, Assessment[]>();
    for (const one of keepAssessments(said)) kept.set(one.item, [...(kept.get(one.item) ?? []), one]);
    for (const assessment of asked) {
      const { item, outcome, grade, item_hash, reason } = assessment;
      const before = kept.get(item) ?? [];
      const last = before.at(-1);
      const isSaid =
        last?.outcome === outcome &&
        last.grade === grade &&
        (item_hash == null || last.item_hash === item_hash) &&
        (reason === undefined || last.reason === reason);
      // Each takes back one.
      times.set(assessment, outcome === "withdrawn" ? before.length : isSaid ? 0 : 1);
    }
  }
  return assessments.flatMap((each) =>
    Array.from({ length: times.get(each) ?? 0 }, (_, k) => later(each, k)),
  );
}

/** An assessment so many milliseconds later: of two that are alike an import takes one. */
function later(assessment: Assessment, milliseconds: number): Assessment {
  return { ...assessment, at: new Date(Date.parse(assessment.at) + milliseconds).toISOString() };
}

async function sheetAssessments(
  content: Uint8Array,
  file: string,
  given: string | undefined,
  flags: DatasetFlags & { rater?: string; adjudicator?: true },
  config: Config,
  terminal: Terminal,
): Promise<Assessment[]> {
  const { rater } = flags;
  if (rater === undefined || rater.trim() === "")
    throw new InputError("ARGUMENT", "say who filled the sheet in: --rater NAME");
  const isNamed =
    given !== undefined || flags.queries !== undefined || Object.keys(config.datasets ?? {}).length > 0;
  const dataset = isNamed ? await datasetFrom(config, given, flags, terminal) : undefined;
  const rows = parseLabelSheet(content, file, (message) => terminal.warn(`${file}: ${message}`));
  if (dataset !== undefined) checkDataset(rows, dataset, file, terminal);
  const at = new Date().toISOString();
  return rows.map(({ query, item, outcome, grade, note, item_hash: shown }) => {
    const item_hash = shown ?? itemOnSheet(dataset?.items.get(item)).item_hash;
    return {
      tenant: tenantOf(flags, terminal) ?? dataset?.tenant ?? DEFAULT_TENANT,
      query,
      item,
      ...(item_hash !== undefined && { item_hash }),
      outcome,
      grade,
      rater: { kind: flags.adjudicator === true ? "adjudicator" : "human", name: rater.trim() },
      vote: 1,
      at,
      ...(note !== undefined && { reason: note }),
    };
  });
}

/** Says which pairs are of no query of a dataset. @throws InputError `LABEL_SHAPE` where none is. */
function checkDataset(
  rows: readonly { readonly query: string }[],
  { id, queries }: Dataset,
  file: string,
  { warn }: Pick<Terminal, "warn">,
): void {
  const known = new Set(queries.map(({ query }) => normalizeQuery(query)));
  const foreign = rows.filter(({ query }) => !known.has(query));
  const [first] = foreign;
  if (first === undefined) return;
  const which = `dataset ${plainLine(id)} has no query ${quote(first.query)}`;
  if (foreign.length === rows.length)
    throw new InputError(
      "LABEL_SHAPE",
      `${file}: ${which}, nor any other of this sheet; name its own dataset`,
    );
  warn(`${file}: ${which}; the labels of ${countOf(foreign.length, "such pair")} are kept all the same`);
}
