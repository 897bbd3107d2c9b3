import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { WATCHED } from "./defaults.js";
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

/** Of the first run only: the others go on with it, or begin anew. */
const ONCE = ["--resume", "--retry-failed", "--replace"];

/**
 * Runs the command again and again, each time in a process of its own, since a module that was imported stays
 * as it was. A changed golden set goes on with the last run, so that only new and changed queries are asked;
 * a changed file of the system asks all of them again.
 */
export async function watch(watched: Watched, terminal: Terminal): Promise<void> {
  const { signal } = terminal;
  const golden = resolve(watched.golden);
  const files = new Files([golden, ...watched.files.map((file) => resolve(file))]);
  let args = watched.args;
  let more: readonly string[] = [];
  while (!signal.aborted) {
    const run = new WatchedRun(args, more, { env: terminal.env, onFile: (file) => files.add(file) });
    const nextChange = new Set<string>();
    while (!signal.aborted) {
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      files.listChanged().forEach((file) => nextChange.add(file));
      const isOfSystem = [...nextChange].some((file) => file !== golden);
      // A run of a system that is no more is not worth its end; for a golden set it is waited.
      if (run.isRunning && isOfSystem) run.stop();
      if (nextChange.size === 0 || run.isRunning) continue;
      args = watched.args.filter((argument, at) => !ONCE.includes(argument) || at > endOf(watched.args));
      more = isOfSystem || run.id === undefined ? (watched.hasId ? ["--replace"] : []) : ["--resume"];
      if (!isOfSystem && run.id !== undefined && !watched.hasId) more = [...more, "--id", run.id];
      const what = [...nextChange].map((file) => plainLine(file)).join(", ");
      terminal.talk(`\n${what} changed: ${isOfSystem ? "all queries" : "new and changed queries"}`);
      break;
    }
    if (!signal.aborted) continue;
    run.letGo();
    await run.ended;
  }
  terminal.talk("stopped watching");
}

/** Where the words of a program begin. */
function endOf(args: readonly string[]): number {
  return args.includes("--") ? args.indexOf("--") : args.length;
}

/** A run in a process of its own. */
class WatchedRun {
  readonly #process: ChildProcess;
  /** Known as soon as the run has begun. */
  id: string | undefined;
  isRunning = true;
  readonly ended: Promise<void>;

  constructor(
    args: readonly string[],
    more: readonly string[],
    { env, onFile }: { readonly env: Terminal["env"]; readonly onFile: (file: string) => void },
  ) {
    const end = endOf(args);
    this.#process = spawn(
      process.execPath,
      [...process.execArgv, process.argv[1] ?? "", ...args.slice(0, end), ...more, ...args.slice(end)],
      { stdio: ["inherit", "inherit", "inherit", "ipc"], env: { ...env, [WATCHED]: "1" } },
    );
    this.#process.on("message", (message: WatchedMessage) => {
      if ("runId" in message) this.id = message.runId;
      else onFile(message.file);
    });
    // Whoever ends this process without Ctrl-C ends the run, too.
    const stop = (): void => this.stop();
    process.on("exit", stop);
    this.ended = new Promise((done) =>
      // Not `close`, which never comes once this end of the channel was disconnected.
      this.#process.on("exit", () => {
        process.off("exit", stop);
        this.isRunning = false;
        done();
      }),
    );
  }

  stop(): void {
    this.#process.kill("SIGINT");
  }

  /** Stops it, unless Ctrl-C has reached it, too: a second signal would end it in the middle. */
  letGo(): void {
    if (this.#process.connected) this.#process.disconnect();
  }
}

/** Files, and how they were when they were last looked at. */
class Files {
  readonly #stamps = new Map<string, string>();

  constructor(files: readonly string[]) {
    for (const file of files) this.add(file);
  }

  add(file: string): void {
    if (!this.#stamps.has(file)) this.#stamps.set(file, stampOf(file));
  }

  /** Those that are not as they were at the last look. */
  listChanged(): string[] {
    return [...this.#stamps].flatMap(([file, before]) => {
      const stamp = stampOf(file);
      this.#stamps.set(file, stamp);
      return stamp === before ? [] : [file];
    });
  }
}

/** What changes whenever a file is written; a file that is being replaced may not be there. */
function stampOf(file: string): string {
  if (!existsSync(file)) return "";
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.mtimeNs}:${stats.size}`;
}
