// Scoring files with the command that a user types, and scoring in memory: ratios to the naive implementation
// beside it, and to the command that RANKPROOF_PEER names (`trec_eval -m all_trec`, say): the judgments and
// the run are put after it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { evaluate } from "rankproof";
import { prepareQrels } from "rankproof/formats";
import { canTimeOthers, compareCommands, nodeScript, otherCommand } from "./commands.js";
import { METRICS } from "./metrics.js";
import { naiveScores } from "./naive-evaluate.js";
import { pairedRatio } from "./paired.js";
import { writeTrecInput } from "./trec-input.js";

const scriptAt = (path) => fileURLToPath(new URL(path, import.meta.url));
const fixed = (value, digits = 2) => value.toFixed(digits);
const peer = process.env.RANKPROOF_PEER?.split(/\s+/).filter((word) => word !== "") ?? [];

const HITS = 1_000;
const [S, M, L] = [200, 1_000, 7_000];
const TREC = ["--format", "trec_eval", "-m", "all_trec"];
const FEW = ["-m", "nDCG@10,AP,R@100"];

/** What files look like, what is asked of them, and how many pairs of runs are timed. */
const CASES = [
  { name: "S grouped", queries: S, flags: [TREC], pairs: 9 },
  { name: "M grouped", queries: M, flags: [TREC, FEW], pairs: 5 },
  { name: "M one judgment a query", queries: M, judged: 1, flags: [TREC], pairs: 5 },
  { name: "M scores of 17 digits", queries: M, scores: "dense", flags: [TREC], pairs: 5 },
  { name: "M ids with a common beginning", queries: M, ids: "names", flags: [TREC], pairs: 5 },
  { name: "M uuids", queries: M, ids: "uuids", flags: [TREC], pairs: 5 },
  { name: "L grouped", queries: L, flags: [TREC, [...TREC, "-q"], FEW], pairs: 3 },
  { name: "L interleaved", queries: L, order: "interleaved", flags: [TREC], pairs: 3 },
  { name: "L shuffled", queries: L, order: "shuffled", flags: [TREC], pairs: 3 },
];

const row = ({ ratio, lowest, highest, memoryOfOther }) =>
  `${fixed(ratio)} (${fixed(lowest)} to ${fixed(highest)}), ${fixed(memoryOfOther, 0)} MiB there`;

console.log(
  "rankproof evaluate, the whole command: processor time as a ratio to another process (median, " +
    "lowest and highest of alternating pairs; below 1 is faster)",
);
const folder = mkdtempSync(join(tmpdir(), "rankproof-bench-"));
try {
  for (const { name, flags, pairs, queries, ...form } of CASES) {
    const input = join(folder, name.replaceAll(" ", "-"));
    writeTrecInput(input, { queries, hits: HITS, ...form });
    const files = [join(input, "qrels.txt"), join(input, "run.txt")];
    for (const given of flags) {
      const ours = nodeScript(scriptAt("../bin/rankproof.js"), "evaluate", ...files, ...given);
      const toNaive = compareCommands(ours, nodeScript(scriptAt("./naive-evaluate.js"), ...files), pairs);
      console.log(
        `  ${name}, ${given.join(" ")}: ${fixed(toNaive.cpu)} s, ` +
          `${fixed((toNaive.cpu * 1e9) / (queries * HITS), 0)} ns a line, ${fixed(toNaive.memory, 0)} MiB`,
      );
      console.log(`    to naive: ${row(toNaive)}`);
      if (peer.length > 0 && canTimeOthers)
        console.log(
          `    to ${peer[0].split("/").at(-1)}: ` +
            `${row(compareCommands(ours, otherCommand(...peer, ...files), pairs))}`,
        );
    }
    rmSync(input, { recursive: true });
  }
  if (peer.length === 0) console.log("  RANKPROOF_PEER names no other command");
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
    for (let i = 0; i < 1_000; i++)
      hits.set(`clueweb-${q}-${String(i * 7919).padStart(9, "0")}`, (score -= random(1000) / 50_000 + 1e-9));
    run.set(`q${q}`, hits);
    const judged = new Map();
    while (judged.size < 200)
      judged.set(
        `clueweb-${q}-${String(random(3_000) * 7919).padStart(9, "0")}`,
        random(10) < 6 ? 0 : 1 + random(3),
      );
    qrels.set(`q${q}`, judged);
  }
  return { run, qrels };
}

console.log(
  "scoring in memory, 1,000,000 hits, 60 metrics (ratio to the naive implementation, which computes 40)",
);
{
  const { run, qrels } = inMemory();
  const prepared = prepareQrels(qrels);
  const metrics = METRICS.split(",");
  const columns = new Map(
    [...run].map(([query, hits]) => [
      query,
      { ids: [...hits.keys()], scores: Float64Array.from(hits.values()) },
    ]),
  );
  const list = [...run].flatMap(([query_id, hits]) =>
    [...hits].map(([doc_id, score]) => ({ query_id, doc_id, score })),
  );
  const objects = Object.fromEntries([...run].map(([query, hits]) => [query, Object.fromEntries(hits)]));
  const naive = () => naiveScores(run, qrels);
  for (const [name, input] of [
    ["Map of Map", run],
    ["columns", columns],
    ["list of hits", list],
    ["plain objects", objects],
  ]) {
    const { ratio, a } = pairedRatio(() => evaluate(input, prepared, metrics), naive, 7);
    console.log(`  ${name.padEnd(14)} ${fixed(a, 0)} ms, ratio ${fixed(ratio)}`);
  }
}
