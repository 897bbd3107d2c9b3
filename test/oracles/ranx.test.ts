import { join } from "node:path";
import { describe, it } from "vitest";
import { evaluate } from "../../src/evaluate/index.js";
import { parseMetric } from "../../src/metrics/index.js";
import {
  COLLECTIONS,
  expectTable,
  oracle,
  oracleTable,
  qrelsOf,
  runOf,
  WITHOUT_ORACLES,
} from "../support/oracles.js";
import { present } from "../support/present.js";

const STEMS: Readonly<Record<string, readonly [plain: string, cut: string]>> = {
  hits: ["NumRelRet", ""],
  hit_rate: ["Success@1000000", "Success"],
  precision: ["SetP", "P"],
  recall: ["SetR", "R"],
  f1: ["SetF", "F"],
  "r-precision": ["Rprec", ""],
  mrr: ["RR", "RR"],
  map: ["AP", "AP"],
  dcg: ["DCG", "DCG"],
  dcg_burges: ["DCG(dcg='exp-log2')", "DCG(dcg='exp-log2')"],
  ndcg: ["nDCG", "nDCG"],
  ndcg_burges: ["nDCG(dcg='exp-log2')", "nDCG(dcg='exp-log2')"],
};

/**
 * The metric of a column, with `-l2` for relevance from grade 2 on; null where ranx has another definition.
 */
function metricOf(column: string, isBinary: boolean): string | null {
  const [, name = "", level] = /^(.*?)(?:-l(\d))?$/.exec(column) ?? [];
  const [, rbp] = /^rbp\.(\d+)$/.exec(name) ?? [];
  // ranx adds grades up undivided, which is RBP for grades 0 and 1 only; with -l2 it adds up grades from 2
  // on.
  if (rbp !== undefined) return isBinary && level === undefined ? parseMetric(`RBP(p=0.${rbp})`).name : null;
  // Its bpref counts negative grades as judged, gives NaN where nothing was judged non-relevant, and divides
  // by other counts.
  if (name === "bpref") return null;
  const [stem = "", cutoff] = name.split("@");
  const known = STEMS[stem];
  if (known === undefined) return null;
  // There is no count of hits at a cutoff here: it is precision without the division.
  if (cutoff !== undefined && known[1] === "") return null;
  // Gains below the level are 0 in ranx's nDCG and count in everybody else's.
  if (level !== undefined && stem === "ndcg") return null;
  const metric = cutoff === undefined ? known[0] : `${known[1]}@${cutoff}`;
  return parseMetric(level === undefined ? metric : metric.replace(/^(\w+)/, `$1(rel=${level})`)).name;
}

describe.each(Object.entries(COLLECTIONS))("ranx on %s", (collection, runs) => {
  const folder = oracle(collection);
  if (folder === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const qrels = qrelsOf(folder);
  it.each(runs)("every value of %s", (name) => {
    const table = present(oracleTable(join(folder, "expected/ranx", `${name}.tsv`)));
    const names = new Set(table.columns.flatMap((column) => metricOf(column, qrels.highest <= 1) ?? []));
    // The runs were handed to ranx in trec_eval's order.
    const evaluation = evaluate(runOf(join(folder, "runs", `${name}.run`)), qrels, [...names], {
      profile: "ranx",
      ties: "trec",
      precision: "single",
    });
    expectTable(
      evaluation,
      table,
      (column) => metricOf(column, qrels.highest <= 1),
      // Counts are averaged in ranx, and added up in trec_eval and here.
      (query, column, metric) =>
        query !== "all"
          ? evaluation.score(query, metric)
          : evaluation.mean(metric) / (column.startsWith("hits") ? evaluation.queryIds.length : 1),
    );
  });
});
