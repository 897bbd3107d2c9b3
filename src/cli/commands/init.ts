import { existsSync } from "node:fs";
import { InputError } from "../../index.js";
import { dirname, join, relative } from "node:path";
import { replaceFile } from "../../node/evaluate/index.js";
import { configTemplate, GOLDEN_TEMPLATE, schemaLine, SEARCH_TEMPLATE } from "../golden-template.js";
import { DEFAULT_GOLDEN, DEFAULT_STORE } from "../defaults.js";
import type { Terminal } from "../terminal.js";
import { examples, type CliCommand } from "./cli-command.js";

const CONFIG = "rankproof.config.yaml";

export const initCommand: CliCommand = {
  define(command, terminal) {
    command
      .argument("[file]", "the golden set to write", DEFAULT_GOLDEN)
      .option("-s, --store [file]", `also begin an empty store (default: ${DEFAULT_STORE})`)
      .option("--search", "write a configuration of datasets, searches and labelers instead, to fill in")
      .option("--force", "write over what is there already")
      .addHelpText("after", examples("init", "init eval/golden.yaml --store", "init --search"))
      .action(async (file: string, flags: { store?: string | true; search?: true; force?: true }) => {
        const { store, force } = flags;
        if (flags.search === true) {
          if (store !== undefined)
            throw new InputError(
              "ARGUMENT",
              "--search writes a configuration, which says `store:`; leave --store out, or --search",
            );
          return initSearch(force === true, terminal);
        }
        const { goldenFormatOfFile } = await import("../../formats/index.js");
        if ((goldenFormatOfFile(file) ?? "yaml") !== "yaml")
          throw new InputError("ARGUMENT", `${file}: init writes YAML; name a file that ends in .yaml`);
        const keep = existsSync(file) && force !== true;
        if (keep && store === undefined)
          throw new InputError(
            "FILE_EXISTS",
            `${file}: is there already; choose another name, or write over it with --force`,
            { file },
          );
        if (keep) terminal.talk(`${file} is there already and was left as it is`);
        else {
          replaceFile(file, schemaFor(file, "golden-set") + GOLDEN_TEMPLATE);
          terminal.talk(`wrote ${file}; fill it in, then \`rankproof check ${file}\``);
        }
        const { configPath } = await import("../../node/index.js");
        const config = configPath(terminal);
        if (config === undefined) {
          replaceFile(CONFIG, schemaFor(CONFIG, "config") + configTemplate(file));
          terminal.talk(`wrote ${CONFIG}, which says where things are`);
        } else if (!keep) {
          const named = relative(terminal.cwd, config);
          terminal.talk(`${named} is in use here; say \`-g ${file}\` where its golden set is another`);
        }
        if (store === undefined) return;
        const path = store === true ? DEFAULT_STORE : store;
        const { isPostgresUrl, openStore, storeName } = await import("../../node/index.js");
        if (isPostgresUrl(path)) {
          const database = await openStore(path, { create: true });
          // Whatever is written makes the tables.
          await database.saveChunks([]);
          await database.close();
          terminal.talk(`${storeName(path)} has the tables of a store`);
        } else if (existsSync(path)) terminal.talk(`${path} is there already and was left as it is`);
        else {
          const { sqljsStore } = await import("../../storage/sqljs/index.js");
          replaceFile(path, await (await sqljsStore()).bytes());
          terminal.talk(`made an empty store in ${path}`);
        }
      });
  },
};

/** The line for editors by which they find a schema of the installed package. */
function schemaFor(path: string, name: string): string {
  const schema = join("node_modules/rankproof/schemas", `${name}.schema.json`);
  return schemaLine(relative(dirname(path), schema).replaceAll("\\", "/"));
}

function initSearch(isForced: boolean, terminal: Terminal): void {
  if (existsSync(CONFIG) && !isForced)
    throw new InputError(
      "FILE_EXISTS",
      `${CONFIG}: is there already; write over it with --force, or write \`datasets\` into it by hand ` +
        "(docs/labels.md)",
      { file: CONFIG },
    );
  replaceFile(CONFIG, schemaFor(CONFIG, "config") + SEARCH_TEMPLATE);
  terminal.talk(
    `wrote ${CONFIG}; name your queries and your corpus in it, then \`rankproof datasets check\` and ` +
      "`rankproof label build`",
  );
}
