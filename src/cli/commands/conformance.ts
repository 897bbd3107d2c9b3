import { fileURLToPath } from "node:url";
import { explainDifferences, profileNames } from "../../index.js";
import { conformance } from "../../node/evaluate/index.js";
import { renderTable } from "../../report/index.js";
import { packageRoot } from "../package-root.js";
import { examples, type CliCommand } from "./cli-command.js";
import { formatJson } from "../format-json.js";

/** The collection that the package brings along. */
const OWN_VECTORS = fileURLToPath(new URL("dist/vectors", packageRoot));

export const conformanceCommand: CliCommand = {
  define(command, terminal) {
    command
      .argument(
        "[folder]",
        "a collection with qrels.txt, runs/ and expected/ (default: the one that comes with the package)",
      )
      .option("--json", "print JSON, with the measures that differ")
      .option("-v, --verbose", "name the measures that differ")
      .addHelpText("after", examples("conformance", "conformance -v"))
      .action(async (folder: string | undefined, { json, verbose }: { json?: true; verbose?: true }) => {
        const all = await conformance(folder ?? OWN_VECTORS);
        if (json === true) {
          terminal.out(formatJson(all));
          return;
        }
        const programs = [...new Set(all.map((one) => one.program))];
        const cell = (profile: string, of: string): string => {
          const one = all.find((each) => each.profile === profile && each.program === of);
          return one === undefined ? "—" : `${one.agreeing} of ${one.compared}`;
        };
        terminal.out(
          renderTable(
            ["profile", ...programs],
            profileNames.map((profile) => [profile, ...programs.map((of) => cell(profile, of))]),
          ),
        );
        const own = all.find(({ profile, program: of }) => profile === "ir_measures" && of === "ir_measures");
        const why = own === undefined ? null : explainDifferences(own);
        if (why !== null) terminal.out(`\n${why}\n`);
        if (verbose === true)
          for (const { profile, program: of, differing } of all)
            if (differing.length > 0)
              terminal.out(`\n${profile} and ${of} differ in ${differing.join(", ")}\n`);
        terminal.talk("more on differences: docs/tools.md");
      });
  },
};
