import { countOf } from "../../foundation/numbers/index.js";
import { Argument, type Command } from "commander";
import { stringify } from "yaml";
import { InputError } from "../../index.js";
import { labelPrompts, normalizeQuery, raterId } from "../../label/index.js";
import { artifactsPath, labelsPath, migrateLabelFile, projectConfig } from "../../node/index.js";
import { forgetQueryBuilds } from "../../node/internal.js";
import { labelsOption, requireLabels } from "../dataset-flags.js";
import { type Terminal } from "../terminal.js";
import { examples } from "./cli-command.js";

/** `label forget`. */
export function defineForget(label: Command, terminal: Terminal): void {
  labelsOption(
    label
      .command("forget")
      .description("remove assessments for good, names and texts included; what several flags say together"),
  )
    .option("--rater <name>", "of this person or labeler")
    .option("--query <text>", "of this query")
    .option("--item <id>", "of this item")
    .option("--tenant <name>", "of this tenant")
    .addHelpText("after", examples("label forget --rater anna", 'label forget --query "my own name"'))
    .action(
      async (flags: { labels?: string; rater?: string; query?: string; item?: string; tenant?: string }) => {
        const { labels, rater, query, ...rest } = flags;
        const config = await projectConfig(terminal);
        const folder = artifactsPath(config);
        const store = await requireLabels(labels, terminal, config);
        const filter = { ...rest, ...(query !== undefined && { query: normalizeQuery(query) }) };
        // A name may have had several prompts, each of which is a rater.
        const raters =
          rater === undefined
            ? [undefined]
            : (await store.raters()).filter(({ name }) => name === rater).map((each) => raterId(each));
        if (raters.length === 0) throw new InputError("ARGUMENT", "there are no labels by this rater");
        let count = 0;
        let files = 0;
        // The labels go last: they alone say which raters there are, for one who is stopped in between.
        for (const one of raters) {
          const fitting = { ...filter, ...(one !== undefined && { rater: one }) };
          files += forgetQueryBuilds(folder, fitting);
          count += (await store.forget(fitting, new Date().toISOString())).assessments;
        }
        if (count + files === 0)
          terminal.warn(
            "there were no such labels" +
              (query === undefined ? "" : "; --query takes the text of a query, not its id"),
          );
        const builds = files > 0 ? ` and ${countOf(files, "query build")}` : "";
        terminal.talk(`forgot ${countOf(count, "assessment")}${builds}; that it was done is kept`);
        await store.close();
      },
    );
}

/** `label migrate`. */
export function defineMigrate(label: Command, terminal: Terminal): void {
  labelsOption(
    label
      .command("migrate")
      .description("bring the file of an older version up to date, as `label build` does, and keep a copy"),
  )
    .option("--dry-run", "only say what it would do")
    .addHelpText("after", examples("label migrate --dry-run"))
    .action(async (flags: { labels?: string; dryRun?: true }) => {
      const path = labelsPath(await projectConfig(terminal), flags.labels);
      const done = await migrateLabelFile(path, { isDryRun: flags.dryRun });
      terminal.talk(
        done === undefined
          ? `${path} is up to date`
          : flags.dryRun === true
            ? `${path} has schema ${done.from}; it would be brought to ${done.to}, and kept as ${done.backup}`
            : `${path}: brought from schema ${done.from} to ${done.to}; kept as ${done.backup} as it was`,
      );
    });
}

/** `label prompt`. */
export function definePrompt(label: Command, terminal: Terminal): void {
  label
    .command("prompt")
    .description("print a prompt that ships, as YAML to copy and change")
    .addArgument(new Argument("<id>", "which").choices(labelPrompts.map(({ id }) => id)))
    .addHelpText("after", examples("label prompt product > prompts/shop.yaml"))
    .action((id: string) => {
      terminal.out(
        stringify(
          labelPrompts.find((prompt) => prompt.id === id),
          { blockQuote: "literal", lineWidth: 0 },
        ),
      );
    });
}
