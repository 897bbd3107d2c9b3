import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readDataset, tuneBatches } from "../../../src/node/index.js";
import { parseMetric } from "../../../src/metrics/index.js";
import { aRun, result } from "../../support/records.js";

it("holds the wordings of one intent out together, as everywhere", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fuse-batches-"));
  const [queries, corpus] = [join(folder, "golden.yaml"), join(folder, "corpus.jsonl")];
  const items = ["x", "y", "z"];
  writeFileSync(corpus, items.map((id) => `{"id":"${id}","title":"${id}"}\n`).join(""));
  const wordings = ["a", "b", "c"].flatMap((intent) =>
    [1, 2, 3, 4].map((wording) => ({
      intent,
      id: `${intent}${wording}`,
      words: `intent ${intent} ${wording}`,
    })),
  );
  const golden = { queries: wordings.map(({ id, words, intent }) => ({ id, query: words, group: intent })) };
  writeFileSync(queries, JSON.stringify(golden));
  const runs = [0, 1].map((turn) =>
    aRun({
      run_id: `r${turn}`,
      results: wordings.map(({ id, words, intent }) => {
        const order = intent === "a" || turn === 0 ? items : [...items].reverse();
        const hits = order.map((item, at) => ({ chunk_id: item, doc_id: item, score: 3 - at }));
        return { ...result(id, hits), query: words };
      }),
    }),
  );
  const labels = wordings.flatMap(({ words }) =>
    items.map((item) => ({ query: words, item, grade: item === "z" ? 1 : 0 })),
  );
  const { report } = await tuneBatches({
    config: {},
    dataset: await readDataset("made", { queries, corpus }),
    labels: labels as never,
    runs,
    metric: parseMetric("nDCG@5"),
    areLabelsAudited: true,
    onProgress: () => undefined,
  });
  expect(report).toMatchObject({ queries: 12, groups: 3 });
});
