// Scoring files and scoring in memory: ratios to the naive implementation beside it, and to trec_eval where it is installed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { evaluate } from "rankproof";
import { prepareQrels } from "rankproof/formats";
import { METRICS } from "./metrics.js";
import { naiveScores } from "./naive-evaluate.js";
import { pairedRatio } from "./paired.js";
import { writeTrecInput } from "./trec-input.js";

const measured = fileURLToPath(new URL("./measured.js", import.meta.url));
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const fixed = (value, digits = 2) => value.toFixed(digits);

function node(contestant, { qrels, run }) {
  const start = performance.now();
  const { stdout, status, stderr } = spawnSync(process.execPath, ["--max-old-space-size=16000", measured, contestant, qrels, run], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return { wall: performance.now() - start, ...JSON.parse(stdout) };
}

function trecEval({ qrels, run }) {
  const start = performance.now();
  const { stderr } = spawnSync("/usr/bin/time", ["-f", "%U %S %M", "trec_eval", "-m", "all_trec", qrels, run], { encoding: "utf8" });
  const [user = 0, system = 0, memory = 0] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { wall: performance.now() - start, cpu: (user + system) * 1000, memory: memory / 1024 };
}

/** Median ratios of alternating runs in fresh processes. */
function against(ours, peer, pairs) {
  const rows = Array.from({ length: pairs }, (_, index) => {
    if (index % 2 === 0) return [ours(), peer()];
    const theirs = peer();
    return [ours(), theirs];
  });
  const ratio = (of) => median(rows.map(([a, b]) => a[of] / b[of]));
  const typical = (side, of) => median(rows.map((row) => row[side][of]));
  return `cpu ${fixed(ratio("cpu"))}, wall ${fixed(ratio("wall"))}, memory ${fixed(ratio("memory"))}  (${fixed(typical(0, "cpu"), 0)} of ${fixed(typical(1, "cpu"), 0)} ms cpu, ${fixed(typical(0, "memory"), 0)} of ${fixed(typical(1, "memory"), 0)} MiB)`;
}

const hasTrecEval = spawnSync("trec_eval", ["--version"]).error === undefined && existsSync("/usr/bin/time");
const folder = mkdtempSync(join(tmpdir(), "rankproof-bench-"));
const perLine = new Map();
try {
  console.log("scoring files, 60 metrics, every contestant in a process of its own (below 1 is less than the peer)");
  for (const [name, queries, pairs] of [["S", 200, 9], ["M", 1_000, 5], ["L", 7_000, 3]]) {
    for (const judged of [200, 1]) {
      const input = join(folder, `${name}-${judged}`);
      writeTrecInput(input, { queries, hits: 1_000, judged });
      const files = { qrels: join(input, "qrels.txt"), run: join(input, "run.txt") };
      const ours = () => node("ours", files);
      console.log(`  ${name}: ${queries} x 1,000 lines, ${judged} judged a query`);
      console.log(`    to naive:     ${against(ours, () => node("naive", files), pairs)}`);
      if (hasTrecEval) console.log(`    to trec_eval: ${against(ours, () => trecEval(files), pairs)}`);
      const one = ours();
      perLine.set(`${name} ${judged}`, `${fixed((one.cpu * 1e6) / (queries * 1_000), 0)} ns cpu a line, ${fixed(one.memory, 0)} MiB`);
      rmSync(input, { recursive: true });
    }
  }
  const shuffled = join(folder, "shuffled");
  writeTrecInput(shuffled, { queries: 1_000, hits: 1_000, judged: 200, shuffled: true });
  const files = { qrels: join(shuffled, "qrels.txt"), run: join(shuffled, "run.txt") };
  console.log(`  M with its lines shuffled, to naive: ${against(() => node("ours", files), () => node("naive", files), 3)}`);
  console.log("  cost as files grow");
  for (const [name, cost] of perLine) console.log(`    ${name}: ${cost}`);
  if (!hasTrecEval) console.log("  trec_eval is not on this machine");
} finally {
  rmSync(folder, { recursive: true });
}

/** A run of 1,000 x 1,000 hits and judgments of 200 a query, as objects of JavaScript. */
function inMemory() {
  let state = 1;
  const random = (below) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
  const run = new Map();
  const qrels = new Map();
  for (let q = 0; q < 1_000; q++) {
    const hits = new Map();
    let score = 20;
    for (let i = 0; i < 1_000; i++) hits.set(`clueweb-${q}-${String(i * 7919).padStart(9, "0")}`, (score -= random(1000) / 50_000 + 1e-9));
    run.set(`q${q}`, hits);
    const judged = new Map();
    while (judged.size < 200) judged.set(`clueweb-${q}-${String(random(3_000) * 7919).padStart(9, "0")}`, random(10) < 6 ? 0 : 1 + random(3));
    qrels.set(`q${q}`, judged);
  }
  return { run, qrels };
}

console.log("scoring in memory, 1,000,000 hits, 60 metrics (ratio to the naive implementation, which computes 40)");
{
  const { run, qrels } = inMemory();
  const prepared = prepareQrels(qrels);
  const metrics = METRICS.split(",");
  const columns = new Map([...run].map(([query, hits]) => [query, { ids: [...hits.keys()], scores: Float64Array.from(hits.values()) }]));
  const list = [...run].flatMap(([query_id, hits]) => [...hits].map(([doc_id, score]) => ({ query_id, doc_id, score })));
  const objects = Object.fromEntries([...run].map(([query, hits]) => [query, Object.fromEntries(hits)]));
  const naive = () => naiveScores(run, qrels);
  for (const [name, input] of [["Map of Map", run], ["columns", columns], ["list of hits", list], ["plain objects", objects]]) {
    const { ratio, a } = pairedRatio(() => evaluate(input, prepared, metrics), naive, 7);
    console.log(`  ${name.padEnd(14)} ${fixed(a, 0)} ms, ratio ${fixed(ratio)}`);
  }
}
