import { firstOf } from "../foundation/text/index.js";
import { quote } from "../foundation/errors/index.js";
import { countOf } from "../foundation/numbers/index.js";
import type { EvalRun, Golden } from "../records/index.js";
import { listReworded } from "../runs/index.js";
import type { Terminal } from "./terminal.js";

const MOST_NAMED = 5;

/** Warns of golden queries whose words have changed since a run was recorded. */
export function tellReworded(runs: readonly EvalRun[], golden: Golden, terminal: Terminal): void {
  for (const run of runs) {
    const ids = listReworded(run, golden);
    if (ids.length === 0) continue;
    terminal.warn(
      `${countOf(ids.length, "query")} ${ids.length === 1 ? "was" : "were"} worded otherwise when ` +
        `${run.run_id} was recorded, which answers other words there: ` +
        `${firstOf(ids.map(quote), MOST_NAMED)}; record it again, or give a query that ` +
        "is worded anew an id of its own",
    );
  }
}
