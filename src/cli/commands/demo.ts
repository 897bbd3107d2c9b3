import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderFor } from "../../files/index.js";
import { InputError } from "../../index.js";
import { plainLine, type Terminal } from "../terminal.js";
import { interruptible } from "../interruptible.js";
import { packageRoot } from "../package-root.js";
import { examples, type CliCommand } from "./cli-command.js";

/** Says of a folder that a demo wrote it, and may write it anew. */
const MARK = "made-by-rankproof-demo.txt";

/** What demos wrote before they left the mark. */
const WRITTEN = ["demo-labels.sqlite", "runs", "shop", "shop.html", "store.sqlite"];

/** @throws InputError `FILE_EXISTS` for a folder with files that no demo wrote, which it would replace. */
function claimFolder(out: string): void {
  if (existsSync(out) && !statSync(out).isDirectory())
    throw new InputError("ARGUMENT", `${plainLine(out)} is no folder; name a new one with --out`);
  const held = existsSync(out) ? readdirSync(out).filter((name) => !name.startsWith(".")) : [];
  const isOfDemo = held.includes(MARK) || WRITTEN.every((name) => held.includes(name));
  if (held.length > 0 && !isOfDemo)
    throw new InputError(
      "FILE_EXISTS",
      `${plainLine(out)} has files that no demo wrote, which could be replaced; name a new folder with --out`,
    );
  // Its labels begin as a copy of those that the demo makes; others are of somebody who was asked to label.
  const made = join(out, "demo-labels.sqlite");
  const own = join(out, "shop/.rankproof/labels.sqlite");
  if (existsSync(own) && (!existsSync(made) || !readFileSync(made).equals(readFileSync(own))))
    throw new InputError(
      "FILE_EXISTS",
      `${plainLine(out)}/shop has labels that were given since; name a new folder with --out, or delete ` +
        "this one",
    );
  makeFolderFor(join(out, MARK), out);
  writeFileSync(join(out, MARK), "The next `rankproof demo` writes this folder anew.\n");
}

/** The demo is an example program of its own, which uses the package as any other would. */
interface DemoModule {
  runDemo(out: string, terminal: Terminal): Promise<void>;
}

export const demoCommand: CliCommand = {
  define(command, terminal) {
    command
      .option("--out <dir>", "where the store and the reports go", ".rankproof/demo")
      .addHelpText("after", examples("demo", "demo --out /tmp/rankproof-demo"))
      .action(async ({ out }: { out: string }) => {
        claimFolder(out);
        const demo = (await import(new URL("fixtures/demo/demo.js", packageRoot).href)) as DemoModule;
        await interruptible(terminal, "interrupted; `rankproof demo` begins anew", () =>
          demo.runDemo(out, terminal),
        );
      });
  },
};
