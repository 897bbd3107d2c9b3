import { Console } from "node:console";
import { Writable } from "node:stream";
import { OUTSIDE_FAILED, type Terminal } from "./terminal.js";

/**
 * Does the work of a command that may load modules of the user's: what they log is talk, not data, and where
 * one ends the process, a gate that was not held must not look like one that has passed.
 */
export async function hostModules<T>(terminal: Terminal, work: () => Promise<T>): Promise<T> {
  const given = globalThis.console;
  const talk = new Writable({
    write(chunk, _encoding, done) {
      terminal.talk(String(chunk).replace(/\n$/, ""));
      done();
    },
  });
  const onExit = (): void => {
    terminal.error(
      "the process ended before the command was done: a module called " +
        "`process.exit`, or waits for what never comes",
    );
    process.exitCode = OUTSIDE_FAILED;
  };
  // What nothing has caught says itself what it is.
  const onUncaught = (): void => void process.off("exit", onExit);
  globalThis.console = new Console(talk);
  process.once("exit", onExit);
  process.once("uncaughtExceptionMonitor", onUncaught);
  try {
    return await work();
  } finally {
    process.off("exit", onExit);
    process.off("uncaughtExceptionMonitor", onUncaught);
    globalThis.console = given;
  }
}
