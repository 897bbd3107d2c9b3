import { existsSync } from "node:fs";
import { InputError } from "../../index.js";
import { dirname, join, relative } from "node:path";
import { replaceFile } from "../../node/evaluate/index.js";
import { configTemplate, GOLDEN_TEMPLATE, schemaLine } from "../golden-template.js";
import { DEFAULT_GOLDEN, DEFAULT_STORE } from "../defaults.js";
import { examples, type CliCommand } from "./cli-command.js";

const CONFIG = "rankproof.config.yaml";

export const initCommand: CliCommand = {
  define(command, terminal) {
    command
      .argument("[file]", "the golden set to write", DEFAULT_GOLDEN)
      .option("-s, --store [file]", `also begin an empty store (default: ${DEFAULT_STORE})`)
      .option("--force", "write over a golden set that is there already")
      .addHelpText("after", examples("init", "init eval/golden.yaml --store"))
      .action(async (file: string, { store, force }: { store?: string | true; force?: true }) => {
        const keep = existsSync(file) && force !== true;
        if (keep && store === undefined)
          throw new InputError(
            "FILE_EXISTS",
            `${file}: is there already; choose another name, or write over it with --force`,
            { file },
          );
        const schemaFor = (path: string, name: string): string =>
          schemaLine(
            relative(dirname(path), join("node_modules/rankproof/schemas", `${name}.schema.json`)).replaceAll(
              "\\",
              "/",
            ),
          );
        if (keep) terminal.talk(`${file} is there already and was left as it is`);
        else {
          replaceFile(file, schemaFor(file, "golden-set") + GOLDEN_TEMPLATE);
          terminal.talk(`wrote ${file}; fill it in, then \`rankproof check ${file}\``);
        }
        const { findConfig } = await import("../../node/index.js");
        if (findConfig(process.cwd()) === undefined) {
          replaceFile(CONFIG, schemaFor(CONFIG, "config") + configTemplate(file));
          terminal.talk(`wrote ${CONFIG}, which says where things are`);
        }
        if (store === undefined) return;
        const path = store === true ? DEFAULT_STORE : store;
        if (existsSync(path)) terminal.talk(`${path} is there already and was left as it is`);
        else {
          const { sqljsStore } = await import("../../storage/sqljs/index.js");
          replaceFile(path, await (await sqljsStore()).bytes());
          terminal.talk(`made an empty store in ${path}`);
        }
      });
  },
};
