/**
 * What a benchmark and its retrievers give for a fixture; the same calls wherever the modules come from. The
 * clock stands still.
 */
export async function measuredBench({ bench, report, retrieve }, fixture) {
  const made = bench.paperBenchFixture(fixture, { name: "fixture" });
  const lexical = retrieve.lexicalIndex(made.chunks);
  const embedding = await retrieve.embeddingIndex(made.chunks, retrieve.hashEmbedder());
  const hybrid = retrieve.hybridRetriever({ lexical, embedding });
  const hits = await Promise.all(
    made.cases.flatMap(({ query }) =>
      [lexical, embedding, hybrid].map((retriever) => retriever.search(query, { limit: 5 })),
    ),
  );
  const systems = await bench.standardSystems(made, { embedder: retrieve.hashEmbedder() });
  const { report: measured, runs } = await bench.runBench(made, systems, {
    now: () => 0,
    createdAt: "2000-01-01T00:00:00.000Z",
  });
  return {
    hits: JSON.stringify(hits),
    indexes: [lexical, embedding].map((index) => index.toBytes().join()),
    report: JSON.stringify(measured),
    runs: JSON.stringify(runs),
    markdown: report.renderBenchMd(measured),
    html: report.renderBenchHtml(measured),
  };
}
