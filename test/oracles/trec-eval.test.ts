import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evaluate, type EvaluateOptions } from "../../src/evaluate/index.js";
import { trecLines, trecMeasure, trecMeasures, type TrecLine } from "../../src/metrics/index.js";
import { COLLECTIONS, expectTable, oracle, oracleTable, qrelsOf, runOf, WITHOUT_ORACLES } from "../support/oracles.js";
import { present } from "../support/present.js";

/** Further cutoffs that the tables have. */
const FURTHER = [["P", "1,3"], ["recall", "1,3"], ["ndcg_cut", "1,3"], ["map_cut", "1,3"], ["success", "3,20,100"]] as const;
/** The gains of `RUN.gains.tsv`. */
const GAINS: Readonly<Record<string, string>> = { cranfield: "1=1,2=3,3=7,4=15", "chorus-electronics": "1=1,2=3,3=7", synthetic: "1=1,2=3,3=7", "trec-eval-sample": "1=3,2=9,4=4.5" };

function linesOf(level: number, round: "up" | "nearest"): Map<string, TrecLine> {
  const lines = [...trecMeasures.flatMap((measure) => trecLines(measure, undefined, level, round)), ...[...FURTHER, ["unj", "5,10,20"] as const].flatMap(([name, cutoffs]) => trecLines(present(trecMeasure(name)), cutoffs, level, round))];
  return new Map(lines.map((line) => [line.name, line]));
}

const variants: readonly { suffix: string; level: number; round: "up" | "nearest"; options: EvaluateOptions }[] = [
  { suffix: "", level: 1, round: "up", options: { profile: "trec_eval" } },
  { suffix: ".l2", level: 2, round: "up", options: { profile: "trec_eval" } },
  { suffix: ".complete", level: 1, round: "up", options: { profile: "trec_eval", queries: "judged" } },
  { suffix: ".v10", level: 1, round: "nearest", options: { profile: "trec_eval-10" } },
];

describe.each(Object.entries(COLLECTIONS))("trec_eval on %s", (collection, runs) => {
  const folder = oracle(collection);
  if (folder === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const qrels = qrelsOf(folder);
  describe.each(runs)("%s", (name) => {
    const run = runOf(join(folder, "runs", `${name}.run`));
    it.each(variants)("every value of $suffix", ({ suffix, level, round, options }) => {
      const table = oracleTable(join(folder, "expected/trec_eval", `${name}${suffix}.tsv`));
      if (table === null) return;
      const lines = linesOf(level, round);
      const evaluation = evaluate(run, qrels, [...lines.values()].map(({ metric }) => metric), options);
      expectTable(evaluation, table, (column) => lines.get(column)?.metric.name ?? `no line ${column}`);
    });
    it("nDCG with gains of one's own", () => {
      const table = oracleTable(join(folder, "expected/trec_eval", `${name}.gains.tsv`));
      if (table === null) return;
      const [line] = trecLines(present(trecMeasure("ndcg")), GAINS[collection], 1) as [TrecLine];
      expect(table.columns).toEqual([line.name]);
      expectTable(evaluate(run, qrels, [line.metric], { profile: "trec_eval" }), table, () => line.metric.name);
    });
    it("what version 9 prints for all queries", () => {
      const lines = linesOf(1, "up");
      const evaluation = evaluate(run, qrels, [...lines.values()].map(({ metric }) => metric), { profile: "trec_eval" });
      const printed = readFileSync(join(folder, "expected/trec_eval", `${name}.summary.txt`), "utf8").trimEnd().split("\n").map((line) => line.split(/\s+/) as [string, string, string]);
      let compared = 0;
      for (const [measure, , value] of printed) {
        if (measure === "runid") continue;
        compared++;
        expect(evaluation.mean(present(lines.get(measure)).metric.name), measure).toBeCloseTo(Number(value), 4);
      }
      expect(compared).toBeGreaterThan(80);
    });
  });
});
