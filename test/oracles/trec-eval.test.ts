import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate, type EvaluateOptions } from "../../src/evaluate/index.js";
import { trecLines, trecMeasure, trecMeasures, type TrecLine } from "../../src/metrics/index.js";
import { cFixed } from "../../src/foundation/numbers/index.js";
import { inProcess } from "../cli/in-process.js";
import {
  COLLECTIONS,
  expectTable,
  oracle,
  oracleTable,
  qrelsOf,
  runOf,
  WITHOUT_ORACLES,
  type OracleTable,
} from "../support/oracles.js";
import { present } from "../support/present.js";

/** Further cutoffs that the tables have, and what version 10 prints besides. */
const FURTHER = [
  ["P", "1,3"],
  ["recall", "1,3"],
  ["ndcg_cut", "1,3"],
  ["map_cut", "1,3"],
  ["success", "3,20,100"],
  ["unj", "5,10,20"],
] as const;
/** The gains of `RUN.gains.tsv`. */
const GAINS: Readonly<Record<string, string>> = {
  cranfield: "1=1,2=3,3=7,4=15",
  "chorus-electronics": "1=1,2=3,3=7",
  synthetic: "1=1,2=3,3=7",
  "trec-eval-sample": "1=3,2=9,4=4.5",
};

interface Variant {
  readonly suffix: string;
  /** What the command is asked for, one time after the other: a measure has one list of cutoffs each time. */
  readonly asked: (collection: string) => readonly (readonly string[])[];
  readonly flags: readonly string[];
  readonly options: EvaluateOptions;
  readonly level?: number;
  readonly round?: "up" | "nearest";
}

const allMeasures: Variant["asked"] = () => [
  ["-m", "all_trec"],
  FURTHER.flatMap(([name, cutoffs]) => ["-m", `${name}.${cutoffs}`]),
];
const variants: readonly Variant[] = [
  { suffix: "", asked: allMeasures, flags: [], options: { profile: "trec_eval" } },
  { suffix: ".l2", asked: allMeasures, flags: ["-l", "2"], options: { profile: "trec_eval" }, level: 2 },
  {
    suffix: ".complete",
    asked: allMeasures,
    flags: ["-c"],
    options: { profile: "trec_eval", queries: "judged" },
  },
  {
    suffix: ".gains",
    asked: (collection) => [["-m", `ndcg.${present(GAINS[collection])}`]],
    flags: [],
    options: { profile: "trec_eval" },
  },
  {
    suffix: ".v10",
    asked: allMeasures,
    flags: ["-p", "trec_eval-10"],
    options: { profile: "trec_eval-10" },
    round: "nearest",
  },
];

function linesOf(collection: string, { suffix, level = 1, round = "up" }: Variant): Map<string, TrecLine> {
  const measures =
    suffix === ".gains"
      ? [["ndcg", present(GAINS[collection])] as const]
      : [...trecMeasures.map(({ name }) => [name, undefined] as const), ...FURTHER];
  return new Map(
    measures
      .flatMap(([name, argument]) => trecLines(present(trecMeasure(name)), argument, level, round))
      .map((line) => [line.name, line]),
  );
}

/** The values that the command prints, by measure and query. */
async function printedValues(args: readonly (readonly string[])[]): Promise<Map<string, string>> {
  const ended = await Promise.all(
    args.map((each) => inProcess("evaluate", "--format", "trec_eval", "-q", ...each)),
  );
  return new Map(
    ended
      .flatMap(({ stdout }) => stdout.split("\n"))
      .map((line) => line.split("\t").map((field) => field.trim()))
      .map(([measure, query, value = ""]) => [`${measure} ${query}`, value]),
  );
}

function printedByTrecEval(
  { columns, rows }: OracleTable,
  lines: ReadonlyMap<string, TrecLine>,
): [string, string][] {
  return rows.flatMap(({ query, cells }) =>
    cells.flatMap((cell, index): [string, string][] => {
      const column = columns[index] as string;
      const { isCount, isSummary } = present(lines.get(column)).measure;
      return cell === null || (isSummary === true && query !== "all")
        ? []
        : [[`${column} ${query}`, isCount === true ? String(cell) : cFixed(cell, 4)]];
    }),
  );
}

describe.each(Object.entries(COLLECTIONS))("trec_eval on %s", (collection, runs) => {
  const folder = oracle(collection);
  if (folder === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const qrels = qrelsOf(folder);
  describe.each(runs)("%s", (name) => {
    const run = join(folder, "runs", `${name}.run`);
    for (const variant of variants) {
      const table = oracleTable(join(folder, "expected/trec_eval", `${name}${variant.suffix}.tsv`));
      if (table === null) continue;
      const lines = linesOf(collection, variant);
      it(`every digit of ${variant.suffix || "the plain table"}, as the command prints it`, async () => {
        const got = await printedValues(
          variant
            .asked(collection)
            .map((asked) => [join(folder, "qrels.txt"), run, ...asked, ...variant.flags]),
        );
        const expected = printedByTrecEval(table, lines);
        expect(
          expected
            .filter(([key, text]) => got.get(key) !== text)
            .map(([key, text]) => `${key}: ${text} expected, got ${got.get(key)}`),
        ).toEqual([]);
        expect(expected.length).toBeGreaterThan(table.rows.length - 1);
      });
      it(`every bit of ${variant.suffix || "the plain table"} that no logarithm stands behind`, () => {
        const evaluation = evaluate(
          runOf(run),
          qrels,
          [...lines.values()].map(({ metric }) => metric),
          variant.options,
        );
        const nameOf = (column: string): string => present(lines.get(column)).metric.name;
        expectTable(evaluation, table, nameOf);
        // Math.log, log2 and exp are the engine's own, and may differ from C's in the last bit.
        if (variant.suffix !== ".gains")
          expectTable(
            evaluation,
            table,
            (column) => (/^(?:gm_|R?ndcg|binG|G$)/.test(column) ? null : nameOf(column)),
            undefined,
            0,
          );
      });
    }
    it("every byte of -m all_trec", async () => {
      const { stdout } = await inProcess(
        "evaluate",
        join(folder, "qrels.txt"),
        run,
        "--format",
        "trec_eval",
        "-m",
        "all_trec",
      );
      expect(stdout).toBe(readFileSync(join(folder, "expected/trec_eval", `${name}.summary.txt`), "utf8"));
    });
  });
});
