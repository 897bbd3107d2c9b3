// What a user would write in an afternoon: the same fields with doubles, arrays and `includes`, without any
// checks. The baseline that the product is measured against; it rounds sums of doubles, so its last digit may
// be wrong.
const CUTOFFS = [1, 3, 5, 10];
const mean = (values) =>
  values.length === 0 ? 0 : Math.round((values.reduce((a, b) => a + b, 0) / values.length) * 1e4) / 1e4;

export function naiveAggregate(run, golden) {
  const byId = new Map(run.results.map((result) => [result.query_id, result]));
  const withChunks = golden.filter((query) => query.expected_chunk_ids?.length > 0);
  const withDocs = golden.filter((query) => query.expected_doc_ids?.length > 0);
  const hitsOf = (query) => [...(byId.get(query.id)?.hits_top_k ?? [])].sort((a, b) => a.rank - b.rank);
  const relevant = withChunks.map((query) =>
    hitsOf(query).map((hit) => query.expected_chunk_ids.includes(hit.chunk_id)),
  );
  const at = (score) => Object.fromEntries(CUTOFFS.map((k) => [k, score(k)]));
  return {
    hit_at_k: at((k) => mean(relevant.map((list) => (list.slice(0, k).includes(true) ? 1 : 0)))),
    mrr: mean(relevant.map((list) => (list.slice(0, 10).includes(true) ? 1 / (list.indexOf(true) + 1) : 0))),
    precision_at_k_chunk: at((k) =>
      mean(relevant.map((list) => list.slice(0, k).filter(Boolean).length / k)),
    ),
    recall_at_k_doc: at((k) =>
      mean(
        withDocs.map((query) => {
          const found = new Set(
            hitsOf(query)
              .slice(0, k)
              .map((hit) => hit.doc_id),
          );
          return query.expected_doc_ids.filter((id) => found.has(id)).length / query.expected_doc_ids.length;
        }),
      ),
    ),
    empty_result_rate: mean(run.results.map((result) => (result.hits_top_k.length === 0 ? 1 : 0))),
  };
}
