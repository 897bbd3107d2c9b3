import { examples, type CliCommand } from "./cli-command.js";

/** The demo is an example program of its own, which uses the package as any other would. */
interface DemoModule {
  runDemo(options: { out: string; print: (text: string) => void; talk: (line: string) => void; progress: (line: string) => void; paint: (text: string, as: "good" | "bad" | "strong" | "quiet") => string; signal: AbortSignal }): Promise<void>;
}

export const demoCommand: CliCommand = {
  define(program, terminal) {
    program
      .command("demo")
      .description("record and compare real runs over rankproof's own documentation")
      .option("--out <dir>", "where the store and the reports go", ".rankproof/demo")
      .addHelpText("after", examples("demo", "demo --out /tmp/rankproof-demo"))
      .action(async ({ out }: { out: string }) => {
        const demo = (await import(new URL("../../../fixtures/demo/demo.js", import.meta.url).href)) as DemoModule;
        await demo.runDemo({ out, print: terminal.out, talk: terminal.talk, progress: terminal.progress, paint: terminal.paint, signal: terminal.signal });
      });
  },
};
