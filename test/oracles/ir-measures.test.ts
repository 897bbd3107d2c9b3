import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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

/** The name in this grammar of a column. `gain=rel/4` is how the tables write a graded RBP. */
function printed(column: string): string {
  // ir_measures hands beta to trec_eval, which does not square it.
  return column
    .replace(/^SetF\((beta=[\d.]+)\)$/, "SetF($1,weight='beta')")
    .replace(/gain=rel\/(\d+)/, "gain='graded',max=$1");
}

describe.each(Object.entries(COLLECTIONS))("ir_measures on %s", (collection, runs) => {
  const folder = oracle(collection);
  if (folder === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const qrels = qrelsOf(folder);
  it.each(runs)("every value of %s", (name) => {
    const table = present(oracleTable(join(folder, "expected/ir_measures", `${name}.tsv`)));
    const metrics = table.columns.map((column) => parseMetric(printed(column)));
    const evaluation = evaluate(runOf(join(folder, "runs", `${name}.run`)), qrels, metrics, {
      profile: "ir_measures",
      precision: "single",
    });
    const missing = new Set(evaluation.missingQueries);
    const answered = (metric: string): number[] =>
      evaluation.queryIds
        .filter((id) => !missing.has(id))
        .map((id) => evaluation.score(id, metric) as number);
    const withRelevantHit = (metric: string): number[] =>
      evaluation.queryIds
        .filter((id) => (evaluation.score(id, "SetR") as number) > 0)
        .map((id) => evaluation.score(id, metric) as number);
    expectTable(
      evaluation,
      table,
      (column) => parseMetric(printed(column)).name,
      (query, column, metric) => {
        // Counts leave out queries that the run does not answer.
        if (/^Num(Q|Rel)$/.test(column))
          return query === "all"
            ? answered(metric).reduce((sum, score) => sum + score, 0)
            : missing.has(query)
              ? 0
              : evaluation.score(query, metric);
        // Accuracy is averaged over queries with a relevant hit only.
        if (column === "Accuracy" && query === "all")
          return (
            withRelevantHit(metric).reduce((sum, score) => sum + score, 0) / withRelevantHit(metric).length
          );
        return query === "all" ? evaluation.mean(metric) : evaluation.score(query, metric);
      },
    );
    expect(table.columns.length).toBeGreaterThan(100);
  });
});

describe("ir_measures on judgments with subtopics", () => {
  const folder = oracle("diversity-web");
  if (folder === null) return it.skip(WITHOUT_ORACLES, () => undefined);
  const qrels = qrelsOf(folder, true);
  it.each(["good", "poor", "redundant"])("every value of %s", (name) => {
    const table = present(oracleTable(join(folder, "expected", `${name}.tsv`)));
    const evaluation = evaluate(
      runOf(join(folder, "runs", `${name}.run`)),
      qrels,
      table.columns.map((column) => parseMetric(column)),
    );
    expectTable(evaluation, table, (column) => parseMetric(column).name);
  });
  it.each(["good", "poor", "redundant"])("what ndeval prints of %s", (name) => {
    const [head = "", ...lines] = readFileSync(join(folder, "expected", `${name}.ndeval.csv`), "utf8")
      .trimEnd()
      .split("\n");
    const metrics = head
      .split(",")
      .slice(2)
      .map((column) =>
        parseMetric(column.replace("MAP", "AP").replace("strec", "StRecall").replace("-", "_")),
      );
    const evaluation = evaluate(runOf(join(folder, "runs", `${name}.run`)), qrels, metrics);
    const printed = (query: string): string[] =>
      metrics.map((metric) =>
        (query === "amean"
          ? evaluation.mean(metric.name)
          : (evaluation.score(query, metric.name) as number)
        ).toFixed(6),
      );
    for (const [, query = "", ...values] of lines.map((line) => line.split(",")))
      expect(printed(query), query).toEqual(values);
    expect(lines).toHaveLength(7);
  });
});
