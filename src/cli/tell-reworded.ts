import type { EvalRun, Golden } from "../records/index.js";
import { describeReworded } from "../runs/index.js";
import type { Terminal } from "./terminal.js";

/** Warns of golden queries whose words have changed since runs were recorded. */
export function tellReworded(runs: readonly EvalRun[], golden: Golden, terminal: Terminal): void {
  for (const run of runs) {
    const reworded = describeReworded(run, golden);
    if (reworded !== null) terminal.warn(reworded);
  }
}
