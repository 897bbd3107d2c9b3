import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { benchGolden, type BenchFixture } from "../bench/index.js";
import { isPostgresUrl, openStore, replaceFile, storeName } from "../node/index.js";
import { quote } from "../foundation/errors/index.js";
import { InputError } from "../index.js";
import { importRun } from "../runs/index.js";
import type { EvalRun } from "../records/index.js";
import { formatJson } from "./format-json.js";
import { DEFAULT_STORE } from "./defaults.js";
import { shellWord } from "./shell-word.js";
import { plainLine, type Terminal } from "./terminal.js";

const DEFAULT_TOP_K = 10;

/** @throws InputError `FILE_EXISTS` for a golden set of its name that no benchmark wrote. */
export function checkKeptGolden(fixture: BenchFixture, path: string): void {
  const golden = goldenPath(fixture, path);
  const isThere = existsSync(golden);
  if (isThere && !(statSync(golden).isFile() && isBenchGolden(readFileSync(golden, "utf8"))))
    throw new InputError(
      "FILE_EXISTS",
      `${plainLine(golden)} is not the golden set of a benchmark, which would replace it; move it, give ` +
        "another --name, or keep nothing with --no-store",
    );
}

/** @throws InputError `STORE_RUN_EXISTS` for a run of one of its names that no benchmark wrote. */
export async function checkKeptRuns(
  fixture: BenchFixture,
  modes: readonly string[],
  path: string,
): Promise<void> {
  const store = await openStore(path, { create: true });
  try {
    for (const mode of modes) {
      const run = await store.loadRun(`${fixture.name}-${mode}`);
      if (run === null || "fixture" in (run.config_snapshot ?? {})) continue;
      throw new InputError(
        "STORE_RUN_EXISTS",
        `the store has a run ${quote(run.run_id)} that no benchmark wrote; give another --name, or keep ` +
          "nothing with --no-store",
      );
    }
  } finally {
    await store.close();
  }
}

const goldenPath = ({ name }: BenchFixture, store: string): string =>
  join(dirname(isPostgresUrl(store) ? DEFAULT_STORE : store), `${name}.golden.json`);

/** Whether a text is a golden set as benchmarks write it, to the space: of each query the same fields. */
function isBenchGolden(text: string): boolean {
  try {
    const golden: unknown = JSON.parse(text);
    const { queries } = golden as { queries?: unknown };
    return (
      text === formatJson(golden) &&
      Array.isArray(queries) &&
      queries.length > 0 &&
      queries.every((query: object | null) => query !== null && "query_type" in query && "judgments" in query)
    );
  } catch {
    return false;
  }
}

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
  const golden = goldenPath(fixture, path);
  replaceFile(golden, formatJson(benchGolden(fixture)));
  const ids = runs.map(({ run_id }) => run_id);
  terminal.talk(`kept ${ids.map(plainLine).join(", ")} in ${storeName(path)}, and the cases in ${golden}`);
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
