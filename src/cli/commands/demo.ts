import type { Terminal } from "../terminal.js";
import { interruptible } from "../interruptible.js";
import { packageRoot } from "../package-root.js";
import { examples, type CliCommand } from "./cli-command.js";

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
        const demo = (await import(new URL("fixtures/demo/demo.js", packageRoot).href)) as DemoModule;
        await interruptible(terminal, "interrupted; `rankproof demo` begins anew", () =>
          demo.runDemo(out, terminal),
        );
      });
  },
};
