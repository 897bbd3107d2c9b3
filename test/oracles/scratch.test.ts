import { existsSync, readFileSync, readdirSync } from "node:fs";
import { it } from "vitest";
import { evaluate } from "../../src/evaluate/index.js";
import { parseTrecQrels, parseTrecRun } from "../../src/formats/index.js";
import { trecLines, trecMeasures, type Metric } from "../../src/metrics/index.js";

const root = process.env["RANKPROOF_ORACLES"] as string;
const tsv = (path: string) => {
  const [head = "", ...rows] = readFileSync(path, "utf8").trimEnd().split("\n");
  return { columns: head.split("\t").slice(1), rows: rows.map((row) => row.split("\t")) };
};
const out: string[] = [];
function compare(label: string, file: string, evaluation: any, columns: string[], names: Map<string, string>, rows: string[][], tolerance = 1e-9) {
  const bad = new Map<string, string[]>();
  let checked = 0;
  for (const row of rows) {
    columns.forEach((column, i) => {
      const cell = row[i + 1];
      if (cell === undefined || cell === "") return;
      const name = names.get(column);
      if (name === undefined) { bad.set(column, ["unknown"]); return; }
      const mine = row[0] === "all" ? evaluation.mean(name) : evaluation.score(row[0], name);
      checked++;
      if (mine === undefined || Math.abs(mine - Number(cell)) > tolerance) (bad.get(column) ?? bad.set(column, []).get(column)!).push(`${row[0]}: ${cell} vs ${mine}`);
    });
  }
  out.push(`${label} ${file}: ${checked} checked, ${bad.size} bad columns`);
  for (const [column, list] of bad) out.push(`   ${column} ${list.length}: ${list.slice(0, 2).join(" | ")}`);
}
const allTrec = (level: number, extra = true, round: "up" | "nearest" = "up") => {
  const names = new Map<string, Metric>();
  for (const measure of trecMeasures) for (const line of trecLines(measure, undefined, level, round)) names.set(line.name, line.metric);
  if (extra) for (const [m, a] of [["P", "1,3"], ["recall", "1,3"], ["ndcg_cut", "1,3"], ["map_cut", "1,3"], ["success", "3,20,100"]] as const) for (const line of trecLines(trecMeasures.find(({ name }) => name === m)!, a, level, round)) names.set(line.name, line.metric);
  return names;
};
it("oracles", () => {
  for (const collection of ["synthetic", "cranfield", "chorus-electronics", "faq-ko", "qa-retrieval-zh", "qa-retrieval-en", "trec-eval-sample"]) {
    const dir = `${root}/${collection}`;
    const qrels = parseTrecQrels([readFileSync(`${dir}/qrels.txt`)], "qrels");
    for (const file of readdirSync(`${dir}/runs`)) {
      const name = file.replace(".run", "");
      const { run } = parseTrecRun([readFileSync(`${dir}/runs/${file}`)], file);
      for (const [suffix, level, profile] of [["", 1, "trec_eval"], [".l2", 2, "trec_eval"], [".complete", 1, "trec_eval"], [".v10", 1, "trec_eval-10"]] as const) {
        const path = `${dir}/expected/trec_eval/${name}${suffix}.tsv`;
        if (!existsSync(path)) continue;
        const names = allTrec(level, true, profile === "trec_eval-10" ? "nearest" : "up");
        const { columns, rows } = tsv(path);
        const e = evaluate(run, qrels, [...new Map([...names.values()].map((m) => [m.name, m])).values()], { profile, ...(suffix === ".complete" ? { queries: "judged" as const } : {}) });
        compare(`trec${suffix}`, `${collection}/${name}`, e, columns, new Map([...names].map(([n, m]) => [n, m.name])), rows);
      }
      const ir = `${dir}/expected/ir_measures/${name}.tsv`;
      if (existsSync(ir)) {
        const { columns, rows } = tsv(ir);
        const names = new Map<string, string>();
        const metrics: Metric[] = [];
        for (const c of columns) {
          try {
            const given = c.replace("gain=rel/", "gain='graded',max=");
            const e = evaluate(new Map(), new Map(), [given]);
            names.set(c, e.aggregates[0]!.metric.name);
            metrics.push(e.aggregates[0]!.metric);
          } catch (error) { out.push(`  ${c}: ${(error as Error).message}`); }
        }
        const e = evaluate(run, qrels, [...new Map(metrics.map((m) => [m.name, m])).values()], { profile: "ir_measures", precision: "single" });
        compare("ir", `${collection}/${name}`, e, columns, names, rows);
      }
    }
  }
  console.log(out.join("\n"));
});
