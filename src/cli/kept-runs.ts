import { dirname, join } from "node:path";
import { benchGolden, type BenchFixture } from "../bench/index.js";
import { isPostgresUrl, openStore, replaceFile } from "../node/index.js";
import { importRun } from "../runs/index.js";
import type { EvalRun } from "../records/index.js";
import { formatJson } from "./format-json.js";
import { DEFAULT_STORE } from "./defaults.js";
import { shellWord } from "./shell-word.js";
import { plainLine, type Terminal } from "./terminal.js";

const DEFAULT_TOP_K = 10;

/** Keeps the runs of a benchmark in a store, and its cases beside it, and says how they are compared. */
export async function keepRuns(
  fixture: BenchFixture,
  runs: readonly EvalRun[],
  path: string,
  terminal: Terminal,
): Promise<void> {
  const store = await openStore(path, { create: true });
  try {
    for (const run of runs) await importRun(store, run, { replace: true });
  } finally {
    await store.close();
  }
  const folder = dirname(isPostgresUrl(path) ? DEFAULT_STORE : path);
  const golden = join(folder, `${fixture.name}.golden.json`);
  replaceFile(golden, formatJson(benchGolden(fixture)));
  const ids = runs.map(({ run_id }) => run_id);
  terminal.talk(`kept ${ids.map(plainLine).join(", ")} in ${path}, and the cases in ${golden}`);
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined || ids.length < 2) return;
  const topK = new Set(fixture.cases.map(({ top_k }) => top_k));
  // The metric of the report, and that which decides.
  const metric = `nDCG(dcg='exp-log2')@${topK.size === 1 ? [...topK][0] : DEFAULT_TOP_K}`;
  const words = [
    "rankproof",
    "compare",
    first,
    last,
    "-g",
    golden,
    ...(path === DEFAULT_STORE ? [] : ["-s", path]),
    "--unit",
    fixture.unit,
    "-m",
    metric,
    "--primary",
    metric,
  ];
  terminal.talk(`compare them: ${plainLine(words.map(shellWord).join(" "))}`);
}
