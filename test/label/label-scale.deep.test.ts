import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { functionLabeler, rebuildLabels, rerankItems, type LabelItem } from "../../src/label/index.js";
import { openLabelStore } from "../../src/node/index.js";
import { showProof, tries } from "../support/proof.js";

const DOCUMENTS = tries(10_000);
const QUERIES = tries(100);
const SCORES_EACH = 10_000;

const itemAt = (at: number): LabelItem => ({
  id: `item-${at}`,
  fields: {
    title: `Product ${at} of a shop with a title that is neither long nor short`,
    description:
      "What it is made of, what it is good for, whom it is for, and how long it will last. ".repeat(4),
  },
});

describe("a label store that has grown", () => {
  it("keeps a million scores and ten thousand documents, and a rebuild goes on in it", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "rankproof-scale-")), "labels.sqlite");
    const store = await openLabelStore(path, { create: true });
    const began = Date.now();
    const items = Array.from({ length: DOCUMENTS }, (_, at) => itemAt(at));
    await store.keepCorpus({ tenant: "default", source: "live" }, { listed_at: "2026-05-01", items });
    let asked = 0;
    const reranker = {
      identity: "counted",
      score: (_: string, documents: readonly { readonly id: string }[]) => {
        asked += documents.length;
        return documents.map(({ id }) => (Number(id.slice(5)) % 997) / 2000);
      },
    };
    for (let query = 0; query < QUERIES; query++) {
      const from = (query * 7919) % DOCUMENTS;
      const some = Array.from(
        { length: SCORES_EACH },
        (_, at) => items[(from + at) % DOCUMENTS] as LabelItem,
      );
      await rerankItems({ reranker, store, query: `query ${query}`, items: some, batchSize: SCORES_EACH });
    }
    await store.close();
    const written = Date.now();
    expect(asked).toBe(QUERIES * SCORES_EACH);

    const again = await openLabelStore(path);
    const kept = await again.corpus({ tenant: "default", source: "live" });
    const corpus = new Map(kept?.items.map((item) => [item.id, item]));
    let first = 0;
    await rebuildLabels({
      store: again,
      labeler: functionLabeler({
        name: "judge",
        version: "1",
        grade: () => {
          first ||= Date.now();
          return 0;
        },
      }),
      queries: [{ query: "query 0" }],
      search: () => [],
      corpus,
      reranker,
      stop: { minBatches: 0, streak: 1 },
    });
    await again.close();
    expect(asked).toBe(QUERIES * SCORES_EACH);
    expect(first).toBeGreaterThan(0);
    const megabytes = statSync(path).size / 1e6;
    const memory = process.resourceUsage().maxRSS / 1000;
    showProof("rerank scores and documents in one file", {
      node: process.version,
      scores: QUERIES * SCORES_EACH,
      documents: DOCUMENTS,
      "seconds to write": (written - began) / 1000,
      "file, MB": megabytes,
      "memory of the test process, MB": memory,
      "seconds from opening to the first label": (first - written) / 1000,
    });
    expect(megabytes).toBeLessThan(700);
  });
});
