// The project's benchmark: ratios against baselines measured in the same run, and cost per query as the work
// grows.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compareRuns, computeAggregate } from "rankproof";
import { naiveAggregate } from "./naive-aggregate.js";
import { pairedRatio } from "./paired.js";

const HITS = 100;

/**
 * A run with hits in rank order and a golden set with one to three expected chunks per query; the same every
 * time.
 */
function collection(queries, chunker = "v1") {
  let state = 1;
  const random = (below) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
  const golden = Array.from({ length: queries }, (_, q) => {
    const expected_chunk_ids = Array.from({ length: 1 + random(3) }, () => `doc-${q}-${random(120)}#0`);
    return {
      id: `query-${q}`,
      query: "",
      expected_chunk_ids,
      expected_doc_ids: expected_chunk_ids.map((id) => id.slice(0, -2)),
    };
  });
  const results = golden.map(({ id }, q) => ({
    query_id: id,
    elapsed_ms: random(1000) / 10,
    hits_top_k: Array.from({ length: HITS }, (_, rank) => {
      const doc_id = `doc-${q}-${(rank * 7 + random(2)) % 120}`;
      return {
        rank: rank + 1,
        chunk_id: `${doc_id}#0`,
        doc_id,
        source_spans: [{ kind: "line", start: 1, end: 10 }],
        chunker_version: chunker,
      };
    }),
  }));
  return {
    golden,
    run: {
      run_id: "run",
      suite: "bench",
      created_at: "",
      config_snapshot: { chunker_version: chunker },
      results,
    },
  };
}

const fixed = (value, digits = 2) => value.toFixed(digits);

console.log(
  `aggregate in memory, ${HITS} hits a query (ratio to the naive implementation beside it; below ` +
    "1 is faster)",
);
let perQueryAtFirst;
for (const queries of [1_000, 10_000, 100_000]) {
  const { golden, run } = collection(queries);
  const { ratio, a, b } = pairedRatio(
    () => computeAggregate(run, golden),
    () => naiveAggregate(run, golden),
    queries > 50_000 ? 5 : 15,
  );
  const perQuery = (a / queries) * 1000;
  perQueryAtFirst ??= perQuery;
  console.log(
    `  ${String(queries).padStart(7)} queries: ${fixed(a, 1)} ms, naive ${fixed(b, 1)} ms, ratio ` +
      `${fixed(ratio)}; ${fixed(perQuery)} µs a query, ${fixed(perQuery / perQueryAtFirst)} of that ` +
      "at 1,000",
  );
}

console.log("comparison of 10,000 queries (ratio to two aggregates)");
{
  const { golden, run } = collection(10_000);
  const other = collection(10_000, "v2").run;
  const twice = () => [computeAggregate(run, golden), computeAggregate(run, golden)];
  console.log(
    "  by chunk id: " +
      `${fixed(pairedRatio(() => compareRuns(run, run, golden, { statistics: false }), twice, 9).ratio)}`,
  );
  console.log(
    "  by document and span: " +
      `${fixed(pairedRatio(() => compareRuns(run, other, golden, { statistics: false }), twice, 9).ratio)}`,
  );
}

console.log("start of the command line (ratio to a bare `node -e 0`)");
{
  const bin = fileURLToPath(new URL("../bin/rankproof.js", import.meta.url));
  const node =
    (...args) =>
    () =>
      spawnSync(process.execPath, args);
  const { ratio } = pairedRatio(node(bin, "--version"), node("-e", "0"), 21);
  console.log(`  rankproof --version: ${fixed(ratio)}`);
}
