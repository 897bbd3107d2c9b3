// Makes reports of benchmarks from made-up cases: `node scripts/bench-results.js FOLDER`. Their files lie in
// fixtures/results, one folder for each version, and must still be read and rendered by later ones; never
// make those of an earlier version again.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runBench } from "../dist/bench/index.js";
import { seededRandom } from "../dist/foundation/numbers/index.js";
import { hybridRetriever } from "../dist/retrieve/index.js";

const TYPES = ["exact", "paraphrase", "term_mismatch", "paper_targeted", "cross_field"];
const SECTIONS = ["overview", "abstract", "method", "findings"];
const PAPERS = 8;
const DEPTH = 6;

const chunks = Array.from({ length: PAPERS }, (_, paper) =>
  SECTIONS.map((section) => ({
    chunk_id: `paper-${paper + 1}:${section}:0`,
    doc_id: `paper-${paper + 1}`,
    text: `The ${section} of made-up paper ${paper + 1}.`,
  })),
).flat();

/** Cases of all types by turns, each about two sections of one paper. */
function fixture(name, count, topK) {
  const cases = Array.from({ length: count }, (_, index) => {
    const [first, second] = [index % chunks.length, (index + 1) % chunks.length];
    return {
      case_id: `case-${String(index + 1).padStart(2, "0")}`,
      query: `made-up question ${index + 1}`,
      query_type: TYPES[index % TYPES.length],
      top_k: topK(index),
      grades: new Map([
        [chunks[first].chunk_id, 3],
        [chunks[second].chunk_id, 1],
      ]),
    };
  });
  return {
    name,
    version: "made-up-1",
    description: "Made-up papers and questions.",
    unit: "chunk",
    chunker_version: "papers-1",
    chunks,
    cases,
    warnings: [],
    digest: `${name}-${count}`,
  };
}

/** A clock that only made-up searches move on. */
let clock = 0;

/** Finds what is judged as far as its quality for the type of the query goes, and the rest by chance. */
function madeUp({ cases }, seed, quality, latency) {
  return {
    search(_, { limit, queryId }) {
      const at = cases.findIndex(({ case_id }) => case_id === queryId);
      const { grades, query_type } = cases[at];
      const random = seededRandom(seed + 7919 * at);
      clock += latency * (0.8 + 0.4 * random());
      const scored = chunks.map(({ chunk_id, doc_id }) => ({
        chunk_id,
        doc_id,
        score: quality(query_type) * (grades.get(chunk_id) ?? 0) + random(),
      }));
      return scored.sort((a, b) => b.score - a.score).slice(0, limit);
    },
  };
}

/** Full text finds what is said in the same words. */
const words = (type) =>
  ({ exact: 0.6, paper_targeted: 0.6, cross_field: 0.25, paraphrase: 0.12, term_mismatch: 0.02 })[type];
/** Embeddings find what is said in other words. */
const meaning = (type) =>
  ({ exact: 0.15, paper_targeted: 0.18, cross_field: 0.35, paraphrase: 0.4, term_mismatch: 0.4 })[type];
const even = (value) => () => value;

function modes(made, suffix, model, quality, seed, latency) {
  const tier = suffix === "" ? "offline" : "live_shadow";
  const lexical = madeUp(made, 1, words, 0.12);
  const embedding = madeUp(made, seed, quality, latency);
  return [
    {
      mode: `embedding_only${suffix}`,
      tier,
      retriever: embedding,
      embeddingModel: model,
      description: `cosine of ${model}`,
    },
    {
      mode: `hybrid${suffix}`,
      tier,
      retriever: hybridRetriever({ lexical, embedding }, { method: "sum" }),
      embeddingModel: model,
      description: `fts_only and embedding_only${suffix}, fused by sum`,
      channels: ["fts_only", `embedding_only${suffix}`],
    },
  ];
}

const baseline = (made) => ({
  mode: "fts_only",
  retriever: madeUp(made, 1, words, 0.12),
  description: "BM25, english",
});

function failing({ search }, caseId) {
  return {
    search(query, options) {
      if (options.queryId === caseId) throw new Error("the endpoint answered 503");
      return search(query, options);
    },
  };
}

async function report(made, systems, options = {}) {
  const { report: made_up } = await runBench(made, systems, {
    repeats: 1,
    warmUp: 0,
    depth: DEPTH,
    resamples: 2_000,
    statistics: { permutations: 10_000 },
    now: () => clock,
    createdAt: "2026-01-01T00:00:00Z",
    ...options,
  });
  return made_up;
}

/** Every report by the name of its file. */
export async function benchResults() {
  const papers = fixture("papers", 20, even(5));
  const few = {
    ...fixture("few", 4, (index) => 3 + index),
    warnings: [{ code: "QUERY_TYPES", message: "the fixture has no case of type cross_field" }],
  };
  const [embedding] = modes(few, "", "small-vectors", even(0.3), 5, 0.4);
  return new Map([
    [
      "bench-keep-hybrid",
      await report(papers, [baseline(papers), ...modes(papers, "", "good-vectors", meaning, 3, 4.2)]),
    ],
    [
      "bench-two-tiers",
      await report(papers, [
        baseline(papers),
        ...modes(papers, "", "hash-128", even(0.02), 4, 0.4),
        ...modes(papers, "@live", "good-vectors", meaning, 3, 312),
      ]),
    ],
    [
      "bench-too-few",
      await report(few, [
        baseline(few),
        { ...embedding, retriever: failing(embedding.retriever, "case-02") },
      ]),
    ],
    ["bench-one-mode", await report(few, [baseline(few)])],
  ]);
}

const [, script, folder] = process.argv;
if (script?.endsWith("bench-results.js")) {
  for (const [name, made] of await benchResults()) {
    writeFileSync(join(folder ?? ".", `${name}.json`), `${JSON.stringify(made)}\n`);
    console.log(name, made.decision?.headline ?? "no decision");
  }
}
