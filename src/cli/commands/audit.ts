import { defineLabels } from "./audit-labels.js";
import { defineSample } from "./audit-sample.js";
import { examples, type CliCommand } from "./cli-command.js";

export const auditCommand: CliCommand = {
  define(audit, terminal) {
    audit.addHelpText("after", "\n`rankproof audit labels --help` has the options of the audit itself.");
    audit.addHelpText(
      "after",
      examples("audit shop", "audit sample shop --size 40", "audit sample shop --complete --run A --run B"),
    );
    defineLabels(audit, terminal);
    defineSample(audit, terminal);
  },
};
