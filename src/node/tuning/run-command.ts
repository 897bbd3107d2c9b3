import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { isLiving, makeFolders, processName, type ProcessName } from "../../files/index.js";
import { AdapterError, messageOf, quote, quoteWithin } from "../../foundation/errors/index.js";
import type { CommandConfig } from "../../records/index.js";

/** A command of the configuration, and how it is run. */
export interface CommandRun {
  readonly command: CommandConfig;
  /** The folder in which it is run. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** What it reads on its standard input. */
  readonly input?: string | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** The file to which its output is appended. */
  readonly log: string;
  /** The file that names its process while it runs, so that what is left over of it is ended. */
  readonly running: string;
}

/** How much of the output a message has. */
const SHOWN_BYTES = 2_000;
/** More than any restart has to say; what goes on printing would fill the disk. */
const MOST_OUTPUT = 10 * 2 ** 20;
const LOOK_MS = 50;
/** After it was asked to end, a command has so long. */
const LAST_GRACE_MS = 2_000;

/**
 * Runs a command to its end, without a shell unless it asks for one. It has a process group of its own, so
 * that Ctrl-C does not reach it, and what it leaves running in the background stays: a search that it
 * started. Its output goes to a file, since such a search goes on writing.
 *
 * @throws AdapterError `TUNING_COMMAND` when it cannot be started, fails or takes too long.
 */
export async function runCommand(run: CommandRun): Promise<void> {
  const { command, folder, timeoutMs, input, environment, log, running } = run;
  makeFolders(dirname(log));
  const output = openSync(log, "a+", 0o600);
  const from = fstatSync(output).size;
  try {
    const child = startNamed(command, running, {
      cwd: folder,
      env: { ...process.env, ...environment },
      detached: true,
      stdio: ["pipe", output, output, "pipe"],
    });
    // A command need not read what it is given.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input ?? "");
    let ending: string | null = null;
    const end = (signal: NodeJS.Signals, why: string): void => {
      ending ??= why;
      endGroup(child.pid, signal);
    };
    const late = `took longer than ${timeoutMs / 1000} s`;
    const watch = setInterval(() => {
      if (fstatSync(output).size - from > MOST_OUTPUT)
        end("SIGKILL", `printed more than ${MOST_OUTPUT} bytes`);
    }, LOOK_MS);
    const timers = [
      setTimeout(() => end("SIGTERM", late), timeoutMs),
      setTimeout(() => end("SIGKILL", late), timeoutMs + LAST_GRACE_MS),
    ];
    // Not `close`: what it leaves in the background may keep its output open.
    const ended = await new Promise<string | null>((resolve) => {
      child.on("error", (error) => resolve(`cannot be started: ${messageOf(error)}`));
      child.on("exit", (code, signal) =>
        resolve(code === 0 ? null : `ended with ${signal ?? `code ${code}`}`),
      );
    });
    timers.forEach((timer) => clearTimeout(timer));
    clearInterval(watch);
    // Set by timers.
    const problem = (ending as string | null) ?? ended;
    if (problem !== null)
      throw new AdapterError(
        "TUNING_COMMAND",
        `${nameCommand(command)} ${problem}${outputOf(output, from)}; all of it is in ${log}`,
      );
  } finally {
    closeSync(output);
    rmSync(running, { force: true });
  }
}

const SHELL = "/bin/sh";
const WHEN_TOLD = 'read -r go <&3 && exec "$@" 3<&-';

/** Starts a command that begins once its process is named: never where its guard is killed before. */
function startNamed(command: CommandConfig, running: string, options: SpawnOptions): ChildProcess {
  const child = spawnWaiting(command, options);
  const told = child.stdio[3] as Writable | null;
  told?.on("error", () => undefined);
  try {
    if (child.pid !== undefined) writeFileSync(running, JSON.stringify(processName(child.pid)));
    told?.end("go\n");
    return child;
  } catch (error) {
    told?.destroy();
    throw error;
  }
}

function spawnWaiting(command: CommandConfig, options: SpawnOptions): ChildProcess {
  const isList = !("shell" in command);
  // Windows has no such shell.
  if (process.platform === "win32")
    return isList
      ? spawn(command[0] ?? "", command.slice(1), options)
      : spawn(command.shell, { ...options, shell: true });
  const words = isList ? command : [SHELL, "-c", command.shell];
  return spawn(SHELL, ["-c", WHEN_TOLD, words[0] ?? "", ...words], options);
}

/**
 * Ends a command whose guard was killed, with all that it has started: it might yet change a configuration,
 * or start a search with one that is not wanted any more.
 */
export function endLeftover(running: string): void {
  try {
    const leftover = JSON.parse(readFileSync(running, "utf8")) as ProcessName;
    if (isLiving(leftover) === true) endGroup(leftover.pid, "SIGKILL");
    rmSync(running, { force: true });
  } catch {
    // Nothing runs.
  }
}

/** A command as messages show it. */
export function nameCommand(command: CommandConfig): string {
  return quote(commandText(command));
}

/** A command as somebody reads it who is asked whether it may run: all of it, its own backticks, too. */
export function tellCommand(command: CommandConfig): string {
  return quoteWithin(Infinity, commandText(command));
}

function commandText(command: CommandConfig): string {
  return "shell" in command ? command.shell : command.join(" ");
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** The end of what was printed, for a message. */
function outputOf(file: number, from: number): string {
  const end = fstatSync(file).size;
  const start = Math.max(from, end - SHOWN_BYTES);
  const bytes = Buffer.alloc(end - start);
  readSync(file, bytes, 0, bytes.length, start);
  const text = bytes.toString("utf8").trim();
  return text === "" ? ", and printed nothing" : `:\n${text}\n`;
}
