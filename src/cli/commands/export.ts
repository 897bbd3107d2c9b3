import { jsonParts } from "../../formats/index.js";
import { Option } from "commander";
import { resultParts } from "../../formats/index.js";
import { loadStoredRun } from "../../runs/index.js";
import { requireStore } from "../sources.js";
import { writeOutput } from "../write-output.js";
import { examples, storeOption, type CliCommand } from "./cli-command.js";
import { OutputOption } from "../output-option.js";

export const exportCommand: CliCommand = {
  define(command, terminal) {
    storeOption(command.argument("<run>", "id of the run"))
      .addOption(
        new Option("--format <format>", "one JSON run, or JSONL with one query result a line")
          .choices(["json", "jsonl"])
          .default("json"),
      )
      .addOption(new OutputOption("-o, --output <file>", "write to a file instead of stdout"))
      .addHelpText(
        "after",
        examples("export baseline > baseline.json", "export baseline --format jsonl -o baseline.jsonl"),
      )
      .action(
        async (
          runId: string,
          { store, format, output }: { store?: string; format: "json" | "jsonl"; output?: string },
        ) => {
          const run = await loadStoredRun(await requireStore(store), runId);
          writeOutput(format === "jsonl" ? resultParts(run.results) : jsonParts(run), output, terminal);
        },
      );
  },
};
