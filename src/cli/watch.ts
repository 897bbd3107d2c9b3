import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { plainLine, type Terminal } from "./terminal.js";

/** Between two looks at the files. */
const LOOK_EVERY_MS = 250;

/** What a watched run tells the process that watches. */
export type WatchedMessage = { readonly runId: string } | { readonly file: string };

/** What is watched. */
export interface Watched {
  readonly golden: string;
  /** Files that are part of the system from the start. */
  readonly files: readonly string[];
  /** The arguments of the command, without `--watch`. */
  readonly args: readonly string[];
  /** Whether the user chose the id, which then belongs to every run. */
  readonly hasId: boolean;
}

/**
 * Runs the command again and again, each time in a process of its own, since a module that was imported stays
 * as it was. A changed golden set goes on with the last run, so that only new and changed queries are asked;
 * a changed file of the system asks all of them again.
 */
export async function watch({ golden, files, args, hasId }: Watched, terminal: Terminal): Promise<void> {
  const { signal } = terminal;
  const system = new Set(files.map((file) => resolve(file)));
  let runId: string | undefined;
  const start = (more: readonly string[]): ChildProcess => {
    // What stands behind -- belongs to the program.
    const end = args.includes("--") ? args.indexOf("--") : args.length;
    const child = spawn(
      process.execPath,
      [...process.execArgv, process.argv[1] ?? "", ...args.slice(0, end), ...more, ...args.slice(end)],
      { stdio: ["inherit", "inherit", "inherit", "ipc"] },
    );
    child.on("message", (message: WatchedMessage) => {
      if ("runId" in message) runId = message.runId;
      else system.add(message.file);
    });
    return child;
  };
  let more: readonly string[] = [];
  while (!signal.aborted) {
    const seen = new Map([...system, resolve(golden)].map((file) => [file, stampOf(file)]));
    const child = start(more);
    let isRunning = true;
    const ended = new Promise<void>((done) =>
      child.on("close", () => {
        isRunning = false;
        done();
      }),
    );
    for (;;) {
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      const changed = [...system, resolve(golden)].filter((file) => {
        const stamp = stampOf(file);
        const before = seen.get(file);
        seen.set(file, stamp);
        return before !== undefined && before !== stamp;
      });
      const isOfSystem = changed.some((file) => file !== resolve(golden));
      if (changed.length === 0) continue;
      // A run of a system that is no more is not worth its end.
      if (isRunning && isOfSystem) child.kill("SIGINT");
      await ended;
      more =
        isOfSystem || runId === undefined
          ? hasId
            ? ["--replace"]
            : []
          : ["--resume", ...(hasId ? [] : ["--id", runId])];
      const what = changed.map((file) => plainLine(file)).join(", ");
      terminal.talk(`\n${what} changed: ${isOfSystem ? "all queries" : "new and changed queries"}`);
      break;
    }
    if (signal.aborted) await ended;
  }
  terminal.talk("stopped watching");
}

/** What changes whenever a file is written; a file that is being replaced may not be there. */
function stampOf(file: string): string {
  if (!existsSync(file)) return "";
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.mtimeNs}:${stats.size}`;
}
