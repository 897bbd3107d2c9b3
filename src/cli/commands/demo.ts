import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../index.js";
import { plainLine, type Terminal } from "../terminal.js";
import { interruptible } from "../interruptible.js";
import { packageRoot } from "../package-root.js";
import { examples, type CliCommand } from "./cli-command.js";

/** Says of a folder that a demo wrote it, and may write it anew. */
const MARK = "made-by-rankproof-demo.txt";

/** @throws InputError `FILE_EXISTS` for a folder with files that no demo wrote, which it would replace. */
function claimFolder(out: string): void {
  const held = existsSync(out) ? readdirSync(out) : [];
  if (held.length > 0 && !held.includes(MARK))
    throw new InputError(
      "FILE_EXISTS",
      `${plainLine(out)} has files that no demo wrote, which could be replaced; name a new folder with --out`,
    );
  mkdirSync(out, { recursive: true });
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
