import { existsSync, statSync } from "node:fs";
import type { Surroundings } from "../../files/index.js";
import { Option } from "commander";
import {
  asScoredRun,
  docsOfChunks,
  bytesLookGolden,
  formatGolden,
  formatLetor,
  formatQrels,
  goldenFormatOfFile,
  goldenFormats,
  isGoldenFile,
  likelyRole,
  parseAnyQrels,
  parseGolden,
  parseQueries,
  runParts,
  findWrittenFormat,
  findWrittenFormatOfFile,
  writtenFormats,
  type GoldenFormat,
  type Role,
  type WrittenFormatCard,
} from "../../formats/index.js";
import { InputError, quote } from "../../foundation/errors/index.js";
import type { EvalRun } from "../../records/index.js";
import { countOf, formatCount } from "../../foundation/numbers/index.js";
import { readGolden } from "../../node/index.js";
import { contentHead, contentOf, readAnyQrels } from "../../node/evaluate/index.js";
import { plainLine, type Terminal } from "../terminal.js";
import { refuseInput, refuseStore } from "../output-option.js";
import { isParquetName, writeOutput, writeRows } from "../write-output.js";
import { anyRunByName, findStoredRun } from "../runs-by-name.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";

interface ConvertFlags {
  as?: Role | "golden";
  to?: string;
  unit: "chunk" | "doc";
  subtopics?: true;
  qrels?: string;
  queries?: string;
  store?: string;
}

const LETOR = "letor";
const PARQUET = "parquet";
const NAMES = [...new Set([...writtenFormats.map(({ name }) => name), PARQUET, LETOR, ...goldenFormats])];
/** So many bytes are looked at to find out whether a file is a run. */
const HEAD = 65_536;

/** The format of a golden set, where one is to be written: asked for, or the only thing that is YAML. */
async function goldenFormatOf(
  path: string,
  output: string | undefined,
  { as, to }: ConvertFlags,
): Promise<GoldenFormat | null> {
  if (to === "rankproof" && bytesLookGolden(await contentHead(path, HEAD))) return "jsonl";
  const format =
    to === undefined ? goldenFormatOfFile(output ?? "") : goldenFormats.find((each) => each === to);
  if (as !== "golden") return format === "yaml" ? format : null;
  if (format !== undefined) return format;
  throw new InputError("ARGUMENT", `say how to write the golden set with --to: ${goldenFormats.join(", ")}`);
}

/** Judgments or a run in place of a golden set: its texts and expectations would be gone. */
async function refuseGoldenSet(output: string | undefined, format: string): Promise<void> {
  if (output === undefined || format === "rankproof" || !existsSync(output)) return;
  if (statSync(output).isFile() && bytesLookGolden(await contentHead(output, HEAD)))
    throw new InputError(
      "ARGUMENT",
      `output ${quote(output)} is a golden set, whose queries and expectations would be gone; to write a ` +
        "golden set add --as golden, else name another file",
    );
}

/** The format to write; LETOR's is for recorded runs only. */
function formatOf(to: string | undefined, output: string | undefined): WrittenFormatCard | typeof LETOR {
  if (to === LETOR) return LETOR;
  if (to === PARQUET || (to === undefined && isParquetName(output))) {
    if (isParquetName(output)) return { ...findWrittenFormat("jsonl"), name: PARQUET };
    throw new InputError("ARGUMENT", "Parquet is written into a file; name one that ends in .parquet");
  }
  if (isParquetName(output)) throw new InputError("ARGUMENT", `a file of ${to} does not end in .parquet`);
  const format = to === undefined ? findWrittenFormatOfFile(output ?? "") : findWrittenFormat(to);
  if (format === undefined)
    throw new InputError("ARGUMENT", `say what to write with --to: ${NAMES.join(", ")}`);
  return format;
}

export const convertCommand: CliCommand = {
  define(command, terminal) {
    storeOption(command)
      .argument(
        "<in>",
        "a run or judgments of any known format, plain, gzip or Parquet, or a stored run's id; - is stdin",
      )
      .argument("[out]", "the file to write; .gz packs it; stdout when left out")
      .addOption(
        new Option(
          "--as <role>",
          "what the input is, where that cannot be told; golden: a whole golden set stays or becomes one",
        ).choices(["run", "qrels", "golden"]),
      )
      .addOption(
        new Option("--to <format>", "what to write (default: by the extension of the output)").choices(NAMES),
      )
      .addOption(
        new Option("--unit <unit>", "which ids of golden sets and recorded runs")
          .choices(["chunk", "doc"])
          .default("doc"),
      )
      .option("--subtopics", "the second column of TREC qrels is the subtopic")
      .option("--qrels <file>", "judgments, for --to letor")
      .option(
        "--queries <file>",
        "the texts of a golden set: JSONL such as BEIR's queries.jsonl, a table, or lines of an id and words",
      )
      .addHelpText(
        "after",
        examples(
          "convert run.json run.trec",
          "convert qrels.tsv qrels.txt",
          "convert run.trec run.parquet",
          "convert golden.yaml qrels.txt --unit chunk",
          "convert golden.yaml golden.csv --as golden",
          "convert golden.csv golden.yaml",
          "convert qrels.tsv golden.yaml --queries queries.jsonl",
          "convert recorded.jsonl train.txt --to letor --qrels qrels.txt",
        ),
      )
      .action(async (path: string, output: string | undefined, flags: ConvertFlags) => {
        if (output !== undefined) {
          refuseInput("output", output, path);
          refuseStore("output", output);
        }
        const golden = await goldenFormatOf(path, output, flags);
        if (golden !== null) {
          await convertGolden(path, output, golden, flags, terminal);
          return;
        }
        const format = formatOf(flags.to, output);
        await refuseGoldenSet(output, format === LETOR ? format : format.name);
        if (format === LETOR) await convertToLetor(path, output, flags, terminal);
        else if ((flags.as ?? (await roleOf(path, flags.store, terminal))) === "qrels")
          await convertQrels(path, output, format, flags, terminal);
        else await convertRun(path, output, format, flags, terminal);
      });
  },
};

/** What is no file can only be a stored run. */
async function roleOf(
  path: string,
  store: string | undefined,
  around: Surroundings,
): Promise<"qrels" | "run"> {
  return (await findStoredRun(path, store, around)) === null
    ? likelyRole(await contentHead(path, HEAD))
    : "run";
}

async function convertToLetor(
  path: string,
  output: string | undefined,
  flags: ConvertFlags,
  terminal: Terminal,
): Promise<void> {
  const { run } = await anyRunByName(path, flags.store, terminal);
  if (flags.qrels === undefined || run instanceof Map)
    throw new InputError(
      "ARGUMENT",
      "--to letor needs a recorded run, whose hits have `features`, and judgments with --qrels",
    );
  const { judgments } = await readAnyQrels(flags.qrels, { unit: flags.unit });
  writeOutput(formatLetor(run as EvalRun, judgments), output, terminal);
}

async function convertQrels(
  path: string,
  output: string | undefined,
  format: WrittenFormatCard,
  flags: ConvertFlags,
  terminal: Terminal,
): Promise<void> {
  const {
    judgments,
    format: from,
    warnings,
  } = await readAnyQrels(path, {
    unit: flags.unit,
    subtopics: flags.subtopics === true,
  });
  for (const { message } of warnings) terminal.warn(`${plainLine(path)}: ${message}`);
  const texts = await textsFor(judgments, flags, terminal);
  await writeRows(formatQrels(judgments, format, texts), output, terminal);
  terminal.talk(
    `${plainLine(path)}: ${countOf(judgments.length, "judgment")} (${from}), written as ${format.name}`,
  );
  if (from !== "rankproof") return;
  terminal.talk("these are the judgments alone; the whole golden set is written with --as golden");
  if (path === "-") return;
  const { queries } = await readGolden(path);
  const written = new Set(judgments.map(({ query_id }) => query_id));
  const left = queries.filter(({ id }) => !written.has(id));
  const [unit, other] = flags.unit === "doc" ? ["document", "chunk"] : ["chunk", "doc"];
  const hasOther = left.some(
    ({ expected_chunk_ids: chunks, expected_doc_ids: docs, judgments: graded }) =>
      ((other === "chunk" ? chunks : docs)?.length ?? 0) + (graded?.length ?? 0) > 0,
  );
  if (left.length > 0)
    terminal.warn(
      `${left.length} of ${countOf(queries.length, "query")} ${left.length === 1 ? "has" : "have"} no ` +
        `judgment of a ${unit}, and ${left.length === 1 ? "is" : "are"} left out` +
        (hasOther ? `; --unit ${other} writes what there is besides` : ""),
    );
}

async function convertGolden(
  path: string,
  output: string | undefined,
  format: GoldenFormat,
  flags: ConvertFlags,
  terminal: Terminal,
): Promise<void> {
  const content = await contentOf(path);
  const golden = isGoldenFile(content, path)
    ? parseGolden(content, path)
    : parseGolden(await goldenLines(content, path, flags, terminal), "golden.jsonl");
  writeOutput(formatGolden(golden, format), output, terminal);
  const { queries, version, description } = golden;
  terminal.talk(
    `${plainLine(path)}: a golden set of ${countOf(queries.length, "query")}, written as ${format}`,
  );
  if (format !== "yaml" && format !== "json" && (version ?? description) !== undefined)
    terminal.talk(`${format} has no place for its version and description, which were left out`);
}

/** Judgments as a golden set in JSONL, one query a line. */
async function goldenLines(
  content: Uint8Array,
  path: string,
  flags: ConvertFlags,
  terminal: Terminal,
): Promise<string> {
  if (flags.as !== "qrels" && likelyRole(content) === "run")
    throw new InputError(
      "QRELS_SYNTAX",
      `${path}: is a run, whose scores are no grades; a golden set is made of judgments (if they are some, ` +
        "add --as qrels)",
    );
  const { judgments } = parseAnyQrels(content, path, { unit: flags.unit });
  if (judgments.length === 0)
    throw new InputError("QRELS_SYNTAX", `${path}: has no judgments, and so no query for a golden set`);
  const texts = await textsFor(judgments, flags, terminal);
  return formatQrels(judgments, "rankproof", texts);
}

/** The words of queries, where there is a file of them; without words a query has its id. */
async function textsFor(
  judgments: Parameters<typeof formatQrels>[0],
  { queries: path }: ConvertFlags,
  terminal: Terminal,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (path === undefined) return undefined;
  const queries = parseQueries(await contentOf(path), path);
  const texts = new Map(
    [...queries].flatMap(([id, { query }]) =>
      query == null || query.trim() === "" ? [] : [[id, query] as const],
    ),
  );
  const ids = [...new Set(judgments.map(({ query_id }) => query_id))];
  const without = ids.filter((id) => !texts.has(id));
  const told =
    `${plainLine(path)} has no words for ${formatCount(without.length)} of ` +
    `${countOf(ids.length, "query")}, such as ${quote(without[0])}`;
  if (without.length > 0 && without.length === ids.length)
    throw new InputError("ARGUMENT", `${told}; do the ids agree?`);
  if (without.length > 0) terminal.warn(`${told}; their ids stand in place of them`);
  return texts;
}

async function convertRun(
  path: string,
  output: string | undefined,
  format: WrittenFormatCard,
  flags: ConvertFlags,
  terminal: Terminal,
): Promise<void> {
  const { run, name, format: from, warnings } = await anyRunByName(path, flags.store, terminal);
  for (const { message } of warnings) terminal.warn(`${plainLine(path)}: ${message}`);
  const ranked: string[] = [];
  const scored = asScoredRun(run, flags.unit, "sorted", (id) => ranked.push(id));
  const docs = flags.unit === "chunk" ? docsOfChunks([run]) : undefined;
  await writeRows(runParts(scored, format, name, docs), output, terminal);
  terminal.talk(
    `${plainLine(path)}: a run of ${countOf(scored.size, "query")} (${from}), written as ${format.name}`,
  );
  const empty = [...scored.values()].filter(({ ids }) => ids.length === 0).length;
  if (empty > 0 && !format.hasEmptyQueries)
    terminal.talk(`${format.name} has no place for ${countOf(empty, "query")} without hits`);
  if (!(run instanceof Map))
    terminal.talk(
      `these are ids of ${flags.unit === "doc" ? "documents" : "chunks"} and scores alone, without answers ` +
        "and times; `rankproof import` and `export` keep a recorded run whole",
    );
  if (ranked.length > 0)
    terminal.talk(
      `${countOf(ranked.length, "query has", "queries have")} no scores, or some that do not give ` +
        `the order of the hits, so that ranks stand in their place, as of ${plainLine(ranked[0] ?? "")}`,
    );
}
