import { Option } from "commander";
import {
  asScoredRun,
  formatLetor,
  formatQrels,
  likelyRole,
  parseAnyQrels,
  parseQueries,
  runParts,
  writtenFormat,
  writtenFormatOfFile,
  writtenFormats,
  type Role,
  type WrittenFormatCard,
} from "../../formats/index.js";
import { InputError } from "../../index.js";
import type { EvalRun } from "../../records/schema/index.js";
import { contentHead, contentOf } from "../../node/evaluate/index.js";
import { plainLine, type Terminal } from "../terminal.js";
import { writeOutput } from "../write-output.js";
import { anyRunByName, storedRun } from "../runs-by-name.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";

interface ConvertFlags {
  as?: Role;
  to?: string;
  unit: "chunk" | "doc";
  subtopics?: true;
  qrels?: string;
  queries?: string;
  store?: string;
}

const LETOR = "letor";
const NAMES = [...writtenFormats.map(({ name }) => name), LETOR];
/** So many bytes are looked at to find out whether a file is a run. */
const HEAD = 65_536;

/** The format to write; LETOR's is for recorded runs only. */
function formatOf(to: string | undefined, output: string | undefined): WrittenFormatCard | typeof LETOR {
  if (to === LETOR) return LETOR;
  if (/\.ya?ml(?:\.gz)?$/i.test(output ?? ""))
    throw new InputError(
      "ARGUMENT",
      "nothing is written as YAML; name the golden set " +
        `\`${(output ?? "").replace(/\.ya?ml(?:\.gz)?$/i, ".jsonl")}\`, which is read as well`,
    );
  const format = to === undefined ? writtenFormatOfFile(output ?? "") : writtenFormat(to);
  if (format === undefined)
    throw new InputError("ARGUMENT", `say what to write with --to: ${NAMES.join(", ")}`);
  return format;
}

export const convertCommand: CliCommand = {
  define(command, terminal) {
    storeOption(command)
      .argument(
        "<in>",
        "a run or judgments of any known format, plain or gzip, or the id of a stored run; - is stdin",
      )
      .argument("[out]", "the file to write; .gz packs it; stdout when left out")
      .addOption(
        new Option("--as <role>", "what the input is, where that cannot be told").choices(["run", "qrels"]),
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
        "the texts of a golden set: JSONL such as BEIR's queries.jsonl, or lines of an id and words",
      )
      .addHelpText(
        "after",
        examples(
          "convert run.json run.trec",
          "convert qrels.tsv qrels.txt",
          "convert golden.yaml qrels.txt --unit chunk",
          "convert qrels.tsv golden.jsonl --to rankproof --queries queries.jsonl",
          "convert recorded.jsonl train.txt --to letor --qrels qrels.txt",
        ),
      )
      .action(async (path: string, output: string | undefined, flags: ConvertFlags) => {
        const format = formatOf(flags.to, output);
        if (format === LETOR) await convertToLetor(path, output, flags, terminal);
        else if ((flags.as ?? (await roleOf(path, flags.store))) === "qrels")
          await convertQrels(path, output, format, flags, terminal);
        else await convertRun(path, output, format, flags, terminal);
      });
  },
};

/** What is no file can only be a stored run. */
async function roleOf(path: string, store: string | undefined): Promise<"qrels" | "run"> {
  return (await storedRun(path, store)) === null ? likelyRole(await contentHead(path, HEAD)) : "run";
}

async function convertToLetor(
  path: string,
  output: string | undefined,
  flags: ConvertFlags,
  terminal: Terminal,
): Promise<void> {
  const { run } = await anyRunByName(path, flags.store);
  if (flags.qrels === undefined || run instanceof Map)
    throw new InputError(
      "ARGUMENT",
      "--to letor needs a recorded run, whose hits have `features`, and judgments with --qrels",
    );
  const { judgments } = parseAnyQrels(await contentOf(flags.qrels), flags.qrels, { unit: flags.unit });
  writeOutput(formatLetor(run as EvalRun, judgments), output, terminal);
}

async function convertQrels(
  path: string,
  output: string | undefined,
  format: WrittenFormatCard,
  flags: ConvertFlags,
  terminal: Terminal,
): Promise<void> {
  const { judgments, format: from } = parseAnyQrels(await contentOf(path), path, {
    unit: flags.unit,
    subtopics: flags.subtopics === true,
  });
  const texts = flags.queries === undefined ? undefined : await queryTexts(flags.queries);
  writeOutput(formatQrels(judgments, format, texts), output, terminal);
  terminal.talk(`${plainLine(path)}: ${judgments.length} judgments (${from}), written as ${format.name}`);
}

async function queryTexts(path: string): Promise<Map<string, string>> {
  const queries = parseQueries(await contentOf(path), path);
  return new Map([...queries].map(([id, { query }]) => [id, query ?? ""]));
}

async function convertRun(
  path: string,
  output: string | undefined,
  format: WrittenFormatCard,
  flags: ConvertFlags,
  terminal: Terminal,
): Promise<void> {
  const { run, name, format: from } = await anyRunByName(path, flags.store);
  const scored = asScoredRun(run, flags.unit);
  writeOutput(runParts(scored, format, name), output, terminal);
  terminal.talk(`${plainLine(path)}: a run of ${scored.size} queries (${from}), written as ${format.name}`);
}
