// Paired statistics: ratios to the straight loops beside them, and to NumPy and SciPy where they are
// installed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { compareScores } from "../dist/compare/index.js";
import {
  meanInterval,
  meanIntervals,
  randomizationTest,
  randomizationTests,
  wilcoxonSignedRank,
} from "rankproof/stats";
import {
  generator,
  naiveBootstrap,
  naiveComparison,
  naiveSignFlips,
  naiveWilcoxon,
} from "./naive-statistics.js";
import { pairedRatio } from "./paired.js";

const QUERIES = 1_000;
const METRICS = 10;
const PAIRS = 15;
/** Of work that takes the straight loops ten seconds. */
const FEW_PAIRS = 5;

/** Scores such as nDCG@10 of two runs: many alike, the others moved a little; the same every time. */
function scoreTables() {
  const random = generator(7);
  const names = Array.from({ length: METRICS }, (_, metric) => ({
    name: `metric ${metric}`,
    card: { higher_is_better: true, range: [0, 1] },
  }));
  const queryIds = Array.from({ length: QUERIES }, (_, query) => `query-${query}`);
  const a = names.map(() => Float64Array.from(queryIds, () => random()));
  const b = a.map((column) =>
    column.map((score) =>
      random() < 0.4 ? score : Math.min(1, Math.max(0, score + 0.3 * (random() - 0.47))),
    ),
  );
  return [a, b].map((scores, run) => ({ run: `run ${run}`, metrics: names, queryIds, columns: scores }));
}

const tables = scoreTables();
const columns = tables[1].columns.map((column, metric) =>
  column.map((score, query) => score - tables[0].columns[metric][query]),
);
const [column] = columns;

/**
 * Name, the work, the same work in straight loops, its names below in Python where it has them, and how many
 * pairs.
 */
const WORK = [
  [
    "sign flips, 10,000 x 1 metric",
    () => randomizationTest(column, { permutations: 10_000 }),
    () => naiveSignFlips(column, 10_000),
    ["NumPy: numpy_flips", "SciPy: scipy_flips"],
  ],
  [
    "sign flips, 100,000 x 10 metrics",
    () => randomizationTests(columns, { permutations: 100_000 }),
    () => columns.map((each) => naiveSignFlips(each, 100_000)),
    ["NumPy: numpy_flips_of_ten"],
    FEW_PAIRS,
  ],
  [
    "BCa, 10,000 resamples x 1 metric",
    () => meanInterval(column),
    () => naiveBootstrap(column, 10_000),
    ["SciPy: scipy_bca"],
  ],
  [
    "BCa, 10,000 resamples x 10 metrics",
    () => meanIntervals(columns),
    () => columns.map((each) => naiveBootstrap(each, 10_000)),
    ["SciPy: scipy_bca_of_ten"],
  ],
  [
    "Wilcoxon x 100",
    () => repeated(100, () => wilcoxonSignedRank(column)),
    () => repeated(100, () => naiveWilcoxon(column)),
    ["SciPy: scipy_wilcoxon"],
  ],
  [
    "compareScores, 2 runs x 10 metrics",
    () => compareScores(tables),
    () => naiveComparison(tables[0], tables[1]),
    [],
    FEW_PAIRS,
  ],
];

function repeated(times, work) {
  for (let time = 0; time < times; time++) work();
}

/**
 * Reads the differences, then a name a line; answers with the milliseconds that the work of that name took.
 */
const PEER = String.raw`
import json, sys, time, warnings
import numpy as np
from scipy import stats
warnings.simplefilter("ignore")
columns = np.array(json.loads(sys.stdin.readline()))
one = columns[0]
rng = np.random.default_rng(1)

def flips(rows, permutations):
    extreme = np.zeros(len(rows), dtype=int)
    observed = np.abs(rows.sum(axis=1)) - 1e-9
    for start in range(0, permutations, 10_000):
        size = (min(10_000, permutations - start), -(-rows.shape[1] // 8))
        words = rng.integers(0, 256, size=size, dtype=np.uint8)
        kept = np.unpackbits(words, axis=1, count=rows.shape[1]).astype(float)
        extreme += (np.abs(2 * (kept @ rows.T) - rows.sum(axis=1)) >= observed).sum(axis=0)
    return (extreme + 1) / (permutations + 1)

def mean(x, axis):
    return np.mean(x, axis=axis)

def repeat(times, work):
    for _ in range(times):
        work()

draws = {"vectorized": True, "n_resamples": 10_000, "rng": rng}
work = {
    "numpy_flips": lambda: flips(columns[:1], 10_000),
    "numpy_flips_of_ten": lambda: flips(columns, 100_000),
    "scipy_flips": lambda: stats.permutation_test((one,), mean, permutation_type="samples", **draws),
    "scipy_bca": lambda: stats.bootstrap((one,), mean, method="BCa", **draws),
    "scipy_bca_of_ten": lambda: [stats.bootstrap((row,), mean, method="BCa", **draws) for row in columns],
    "scipy_wilcoxon": lambda: repeat(100, lambda: stats.wilcoxon(one, method="asymptotic")),
}
print("ready", np.__version__, __import__("scipy").__version__, flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    work[line.strip()]()
    print((time.perf_counter() - start) * 1000, flush=True)
`;

/** A Python that times work by name; null where there is none with NumPy and SciPy. */
async function pythonPeer() {
  const child = spawn("python3", ["-c", PEER], { stdio: ["pipe", "pipe", "ignore"] });
  // What cannot be started, or ends at once, says nothing.
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => (await lines.next()).value ?? null;
  child.stdin.write(`${JSON.stringify(columns.map((each) => [...each]))}\n`);
  const ready = await answer();
  if (ready === null) return null;
  return {
    versions: ready.split(" ").slice(1),
    async time(name) {
      child.stdin.write(`${name}\n`);
      return Number(await answer());
    },
    async close() {
      child.stdin.end();
      await once(child, "close");
    },
  };
}

const median = (values) => [...values].sort((x, y) => x - y)[values.length >> 1];
const shown = (milliseconds) => (milliseconds < 100 ? milliseconds.toFixed(1) : milliseconds.toFixed(0));

/** As `pairedRatio`, with the other side in a process of its own. */
async function ratioToPeer(work, peer, name, pairs) {
  work();
  await peer.time(name);
  const ours = () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const measured = [];
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 0) measured.push([ours(), await peer.time(name)]);
    else measured.push([await peer.time(name), ours()].reverse());
  }
  return { ratio: median(measured.map(([a, b]) => a / b)), b: median(measured.map(([, b]) => b)) };
}

const peer = await pythonPeer();
console.log(
  `paired statistics over ${QUERIES.toLocaleString("en")} queries, median ratios of ${PAIRS} ` +
    `alternating pairs, ${FEW_PAIRS} where naive takes seconds (below 1 is faster)`,
);
for (const [name, ours, naive, peers, pairs = PAIRS] of WORK) {
  const { ratio, a, b } = pairedRatio(ours, naive, pairs);
  const cells = [`${shown(a)} ms`.padStart(10), `naive ${shown(b)} ms, ratio ${ratio.toFixed(3)}`];
  for (const each of peer === null ? [] : peers) {
    const [label, work] = each.split(": ");
    const { ratio: toPeer, b: theirs } = await ratioToPeer(ours, peer, work, pairs);
    cells.push(`${label} ${shown(theirs)} ms, ratio ${toPeer.toFixed(3)}`);
  }
  console.log(`  ${name.padEnd(36)}${cells.join("; ")}`);
}
if (peer === null) console.log("  NumPy and SciPy: not on this machine, skipped");
else {
  console.log(`  NumPy ${peer.versions[0]}, SciPy ${peer.versions[1]}`);
  await peer.close();
}
