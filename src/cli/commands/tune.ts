import { defineTuneBackend } from "./tune-backend.js";
import { defineTuneFusion } from "./tune-fusion.js";
import { defineTuneRestore } from "./tune-restore.js";
import { examples, type CliCommand } from "./cli-command.js";

export const tuneCommand: CliCommand = {
  define(tune, terminal) {
    tune.addHelpText(
      "after",
      examples(
        "tune fusion bm25.run dense.run --qrels qrels.txt --metric nDCG@10",
        "tune fusion bm25.run dense.run --qrels qrels.txt --method wsum --method rrf --html tuning.html",
        "tune backend shop --experiments-file experiments.yaml",
      ),
    );
    defineTuneFusion(tune, terminal);
    defineTuneBackend(tune, terminal);
    defineTuneRestore(tune, terminal);
  },
};
