import { describe, expect, it } from "vitest";
import type { TextChunk } from "../../src/chunk/index.js";
import {
  embeddingIndex,
  fts5Analyzer,
  fts5Retriever,
  httpRetriever,
  hybridRetriever,
  lexicalIndex,
  loadEmbeddingIndex,
  loadLexicalIndex,
  plainAnalyzer,
  runRetriever,
  type Retriever,
} from "../../src/retrieve/index.js";
import { retrieverContract } from "../../src/testing/index.js";
import { loopback } from "../support/loopback.js";
import { nodeSqlite, wasmSqlite, WITHOUT_NODE_SQLITE } from "../support/sqlite.js";
import { wordEmbedder } from "../support/word-embedder.js";

const runner = { describe, it, expect };

retrieverContract(runner, "lexicalIndex", (chunks) => lexicalIndex(chunks));
retrieverContract(runner, "lexicalIndex of plain words", (chunks) =>
  lexicalIndex(chunks, { analyzer: plainAnalyzer, k1: 0.9, b: 0.4 }),
);
retrieverContract(runner, "lexicalIndex as FTS5", (chunks) =>
  lexicalIndex(chunks, { analyzer: fts5Analyzer, idf: "fts5", weights: { title: 1 } }),
);
retrieverContract(runner, "a loaded lexicalIndex", (chunks) =>
  loadLexicalIndex(lexicalIndex(chunks).toBytes()),
);
retrieverContract(runner, "embeddingIndex", async (chunks) => embeddingIndex(chunks, wordEmbedder()), {
  findsUnknownWords: true,
});
retrieverContract(
  runner,
  "a loaded embeddingIndex",
  async (chunks) =>
    loadEmbeddingIndex((await embeddingIndex(chunks, wordEmbedder())).toBytes(), wordEmbedder()),
  { findsUnknownWords: true },
);
for (const method of ["rrf", "sum", "condorcet"]) {
  retrieverContract(
    runner,
    `hybridRetriever by ${method}`,
    async (chunks) =>
      hybridRetriever(
        { lexical: lexicalIndex(chunks), embedding: await embeddingIndex(chunks, wordEmbedder()) },
        { method },
      ),
    { findsUnknownWords: true },
  );
}
retrieverContract(runner, "runRetriever of what an index found", recordedAtOnce);
retrieverContract(runner, "httpRetriever of a server on this machine", overHttp);
retrieverContract(runner, "fts5Retriever in WebAssembly", (chunks) => fts5Retriever(wasmSqlite(), chunks));
retrieverContract(runner, "fts5Retriever by trigrams in WebAssembly", (chunks) =>
  fts5Retriever(wasmSqlite(), chunks, { tokenize: "trigram" }),
);

const native = nodeSqlite();
if (native === null) it.skip(WITHOUT_NODE_SQLITE, () => undefined);
else retrieverContract(runner, "fts5Retriever in Node", (chunks) => fts5Retriever(native(), chunks));

/** Asks an index, records that as a run of one query, and asks the run. */
function recordedAtOnce(chunks: readonly TextChunk[]): Retriever {
  const index = lexicalIndex(chunks);
  return {
    search: (query, options) =>
      runRetriever({
        run_id: "recorded",
        suite: "s",
        created_at: "",
        config_snapshot: {},
        results: [{ query_id: "q", query, hits_top_k: index.search(query, { limit: 1000 }) }],
      }).search(query, options),
  };
}

async function overHttp(chunks: readonly TextChunk[]): Promise<Retriever> {
  const index = lexicalIndex(chunks);
  const address = await loopback((body, response) => {
    const { query, limit } = JSON.parse(body) as { query: string; limit: number };
    response.end(JSON.stringify({ hits: index.search(query, { limit }) }));
  });
  return httpRetriever(address);
}
