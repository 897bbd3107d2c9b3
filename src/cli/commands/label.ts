import { defineBuild } from "./label-build.js";
import { defineExport, defineImport, defineSheet } from "./label-files.js";
import { defineForget, defineMigrate, definePrompt } from "./label-forget.js";
import { defineShow, defineStatus } from "./label-status.js";
import { examples, type CliCommand } from "./cli-command.js";

export const labelCommand: CliCommand = {
  define(label, terminal) {
    for (const define of [
      defineBuild,
      defineStatus,
      defineShow,
      defineSheet,
      defineExport,
      defineImport,
      definePrompt,
      defineForget,
      defineMigrate,
    ])
      define(label, terminal);
    label.addHelpText(
      "after",
      examples(
        "label build --queries queries.tsv --corpus products.jsonl",
        "label status shop",
        'label show "red shoe"',
        "label export --format qrels -o qrels.txt",
      ),
    );
  },
};
