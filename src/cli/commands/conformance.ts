import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  evaluate,
  InputError,
  isRankproofError,
  profileNames,
  type Evaluation,
  type ProfileName,
} from "../../index.js";
import { parseTrecQrels, parseTrecRun } from "../../formats/trec/index.js";
import { parseMetric, type Metric } from "../../metrics/index.js";
import { renderTable } from "../../report/index.js";
import { contentOf } from "../../node/evaluate/index.js";
import { packageRoot } from "../package-root.js";
import { examples, printedJson, type CliCommand } from "./cli-command.js";

/** The collection that the package brings along. */
const OWN_VECTORS = fileURLToPath(new URL("dist/vectors", packageRoot));
const TOLERANCE = 1e-9;

const PROGRAMS = [
  { name: "trec_eval 9", folder: "trec_eval", suffix: "" },
  { name: "trec_eval 10", folder: "trec_eval", suffix: ".v10" },
  { name: "ir_measures", folder: "ir_measures", suffix: "" },
  { name: "ranx", folder: "ranx", suffix: "" },
] as const;

/** What ir_measures does that its profile does not follow; docs/tools.md says why. */
const KNOWN_DIFFERENCES = [
  { measure: /^SetF\(beta=/, why: "does not square the beta of SetF" },
  { measure: /^Accuracy$/, why: "averages Accuracy over queries with a relevant hit only" },
  { measure: /^Num(?:Q|Rel)$/, why: "leaves unanswered queries out of NumQ and NumRel" },
] as const;

/** Why values differ under the profile that is named after the program, in one line; null where none does. */
function explanation({ program, compared, agreeing, differing }: Agreement): string | null {
  if (differing.length === 0) return null;
  const reasons = KNOWN_DIFFERENCES.filter(({ measure }) => differing.some((name) => measure.test(name))).map(
    ({ why }) => `it ${why}`,
  );
  const others = differing.filter((name) => !KNOWN_DIFFERENCES.some(({ measure }) => measure.test(name)));
  const why = [
    ...reasons,
    ...(others.length === 0 ? [] : [`the reason is not known for ${others.join(", ")}`]),
  ];
  return (
    `${compared - agreeing} of ${compared} values of ${program} differ under its profile: ` +
    `${why.join("; ")}`
  );
}

/** How far a profile agrees with a program. */
interface Agreement {
  readonly profile: ProfileName;
  readonly program: string;
  readonly compared: number;
  readonly agreeing: number;
  /** Measures of which some value differs. */
  readonly differing: readonly string[];
}

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A file of a collection, plain or packed; null where it has none. */
function fileIn(folder: string, ...name: readonly string[]): string | null {
  const path = join(folder, ...name);
  return [path, `${path}.gz`].find((each) => existsSync(each)) ?? null;
}

async function tableOf(path: string): Promise<Table> {
  const text = new TextDecoder().decode(await contentOf(path));
  const [head = "", ...lines] = text.trimEnd().split("\n");
  return { columns: head.split("\t").slice(1), rows: lines.map((line) => line.split("\t")) };
}

/** The metric of a column as a program names it; null for a name that is not known here. */
function metricOf(column: string): Metric | null {
  try {
    return parseMetric(column);
  } catch (error) {
    if (isRankproofError(error)) return null;
    throw error;
  }
}

function agreement(
  profile: ProfileName,
  program: string,
  table: Table,
  score: (metrics: readonly string[]) => Evaluation,
): Agreement {
  const named = table.columns.map((column) => (metricOf(column) === null ? null : column));
  const columns = named.flatMap((column) => (column === null ? [] : [column]));
  const evaluation = score(columns);
  const nameOf = new Map(
    columns.map((column, index) => [
      column,
      (evaluation.aggregates[index] as Evaluation["aggregates"][number]).metric.name,
    ]),
  );
  const differing = new Set<string>();
  let compared = 0;
  let agreeing = 0;
  for (const [query = "", ...cells] of table.rows) {
    cells.forEach((cell, index) => {
      const column = named[index];
      if (cell === "" || column === null || column === undefined) return;
      const name = nameOf.get(column) as string;
      const got = query === "all" ? evaluation.mean(name) : evaluation.score(query, name);
      compared++;
      if (got !== undefined && Math.abs(got - Number(cell)) <= TOLERANCE) agreeing++;
      else differing.add(column);
    });
  }
  return { profile, program, compared, agreeing, differing: [...differing] };
}

async function agreements(folder: string): Promise<Agreement[]> {
  const judgments = fileIn(folder, "qrels.txt");
  if (judgments === null || !existsSync(join(folder, "runs")))
    throw new InputError(
      "FILE_NOT_FOUND",
      `${folder}: there is no collection (qrels.txt, runs/, expected/) here`,
    );
  const qrels = parseTrecQrels([await contentOf(judgments)], judgments);
  const found = new Map<string, Agreement>();
  for (const file of readdirSync(join(folder, "runs")).sort()) {
    const path = join(folder, "runs", file);
    const { run } = parseTrecRun([await contentOf(path)], path);
    for (const { name: program, folder: of, suffix } of PROGRAMS) {
      const expected = fileIn(folder, "expected", of, file.replace(/\.run(?:\.gz)?$/, `${suffix}.tsv`));
      if (expected === null) continue;
      const table = await tableOf(expected);
      for (const profile of profileNames) {
        const one = agreement(profile, program, table, (metrics) =>
          evaluate(run, qrels, metrics, { profile }),
        );
        const before = found.get(`${profile} ${program}`);
        found.set(
          `${profile} ${program}`,
          before === undefined
            ? one
            : {
                ...one,
                compared: before.compared + one.compared,
                agreeing: before.agreeing + one.agreeing,
                differing: [...new Set([...before.differing, ...one.differing])],
              },
        );
      }
    }
  }
  return [...found.values()];
}

export const conformanceCommand: CliCommand = {
  define(command, terminal) {
    command
      .argument(
        "[folder]",
        "a collection with qrels.txt, runs/ and expected/ (default: the one that comes with the package)",
        OWN_VECTORS,
      )
      .option("--json", "print JSON, with the measures that differ")
      .option("-v, --verbose", "name the measures that differ")
      .addHelpText("after", examples("conformance", "conformance -v"))
      .action(async (folder: string, { json, verbose }: { json?: true; verbose?: true }) => {
        const all = await agreements(folder);
        if (json === true) {
          terminal.out(printedJson(all));
          return;
        }
        const programs = [...new Set(all.map((one) => one.program))];
        const cell = (profile: string, of: string): string => {
          const one = all.find((each) => each.profile === profile && each.program === of);
          return one === undefined ? "—" : `${one.agreeing} of ${one.compared}`;
        };
        terminal.out(
          renderTable(
            ["profile", ...programs],
            profileNames.map((profile) => [profile, ...programs.map((of) => cell(profile, of))]),
          ),
        );
        const own = all.find(({ profile, program: of }) => profile === "ir_measures" && of === "ir_measures");
        const why = own === undefined ? null : explanation(own);
        if (why !== null) terminal.out(`\n${why}\n`);
        if (verbose === true)
          for (const { profile, program: of, differing } of all)
            if (differing.length > 0)
              terminal.out(`\n${profile} and ${of} differ in ${differing.join(", ")}\n`);
        terminal.talk("more on differences: docs/tools.md");
      });
  },
};
