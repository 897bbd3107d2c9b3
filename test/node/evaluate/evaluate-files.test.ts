import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { evaluateFile, loadQrels } from "../../../src/node/evaluate/index.js";
import { parseMetric } from "../../../src/metrics/index.js";

it("a run file is scored by subtopic, whether the metric is given or named", async () => {
  const folder = mkdtempSync(join(tmpdir(), "evaluate-files-"));
  const [run, judged] = [join(folder, "a.run"), join(folder, "qrels")];
  writeFileSync(run, "q Q0 a 1 2 mine\nq Q0 b 2 1 mine\n");
  writeFileSync(judged, "q 1 a 1\nq 2 b 1\n");
  const qrels = await loadQrels(judged, { subtopics: true });
  for (const metric of ["alpha_nDCG@5", parseMetric("alpha_nDCG@5")]) {
    const evaluation = await evaluateFile(run, qrels, [metric]);
    expect(evaluation.record()).toMatchObject({ run: "mine", metrics: { "alpha_nDCG@5": 1 } });
  }
});
