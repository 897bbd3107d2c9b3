import { countOf } from "../../foundation/numbers/index.js";
import { InputError } from "../../index.js";
import { countFailedResults } from "../../records/index.js";
import { renderAggregateText, renderFailedResultsText, renderTable } from "../../report/index.js";
import { loadStoredRun } from "../../runs/index.js";
import { requireStore } from "../sources.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";

interface Flags {
  store?: string;
  json?: true;
}

export const runsCommand: CliCommand = {
  define(runs, terminal) {
    runs.addHelpText(
      "after",
      examples("runs list", "runs show baseline", "runs delete old-run --store eval.sqlite"),
    );

    storeOption(runs.command("list", { isDefault: true }).description("list the runs of a store"))
      .option("--json", "print JSON")
      .action(async ({ store, json }: Flags) => {
        const list = await (await requireStore(store)).listRuns();
        if (json === true) return terminal.out(formatJson(list));
        if (list.length === 0)
          return terminal.talk("the store has no runs yet; add one with `rankproof import FILE`");
        const rows = list.map(
          ({ run_id, suite, created_at, total_queries, failed_queries, has_aggregate, is_incomplete }) => [
            run_id,
            `${total_queries}${is_incomplete ? ", cut short" : ""}`,
            String(failed_queries),
            suite,
            created_at,
            has_aggregate ? "yes" : "no",
          ],
        );
        terminal.out(renderTable(["run", "results", "failed", "suite", "created", "scored"], rows));
      });

    storeOption(
      runs
        .command("show")
        .description("show a run: where it comes from, its configuration, its scores")
        .argument("<run>", "id of the run"),
    )
      .option("--json", "print JSON")
      .action(async (runId: string, { store: path, json }: Flags) => {
        const store = await requireStore(path);
        const { results, ...about } = await loadStoredRun(store, runId);
        const aggregate = await store.loadAggregate(runId);
        const failed = countFailedResults(results);
        const facts = { ...about, total_queries: results.length, failed_queries: failed.failed };
        if (json === true)
          return terminal.out(formatJson({ ...facts, failures: failed.failures, aggregate }));
        terminal.out(formatJson(facts));
        if (aggregate === null) {
          terminal.out(renderFailedResultsText(failed));
          terminal.talk(`no scores yet; \`rankproof aggregate ${runId}\` makes them`);
        } else
          terminal.out(`\n${renderAggregateText({ ...aggregate, failures: failed.failures }, terminal)}`);
      });

    storeOption(
      runs
        .command("delete")
        .description("delete a run, its results and its scores")
        .argument("<run>", "id of the run"),
    ).action(async (runId: string, { store: path }: Flags) => {
      const store = await requireStore(path);
      const { results } = await loadStoredRun(store, runId);
      if (!(await store.deleteRun(runId)))
        throw new InputError(
          "STORE_RUN_NOT_FOUND",
          `run ${runId} was deleted by another process in this moment`,
        );
      terminal.talk(`deleted run ${runId} with ${countOf(results.length, "result")}`);
    });
  },
};
