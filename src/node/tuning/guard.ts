import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolders } from "../../files/index.js";
import { AdapterError, messageOf } from "../../foundation/errors/index.js";
import { onLines } from "../on-lines.js";
import type { RestorePoint } from "../restore/index.js";
import type { GuardReply, GuardRequest } from "./guard-messages.js";
import type { RestartSettings } from "./restore.js";
import { runCommand, type CommandRun } from "./run-command.js";

const PROGRAM = fileURLToPath(new URL("./restore-guard.js", import.meta.url));
const LOG = "guard.log";

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The process that restores a configuration when this one is gone. */
export class Guard {
  readonly #process: ChildProcess;
  readonly #waiting: Waiting[] = [];
  #problem: Error | undefined;

  private constructor(folder: string) {
    makeFolders(folder);
    const log = openSync(join(folder, LOG), "a");
    // A session of its own: neither Ctrl-C nor a terminal that is closed reaches it.
    this.#process = spawn(process.execPath, [PROGRAM], { detached: true, stdio: ["pipe", "pipe", log] });
    closeSync(log);
    const { stdin, stdout } = this.#process;
    stdin?.on("error", () => undefined);
    if (stdout !== null)
      onLines(stdout, (line) => {
        const said = JSON.parse(line) as GuardReply;
        const waiting = this.#waiting.shift();
        if (said.ok) waiting?.resolve();
        else waiting?.reject(new AdapterError("TUNING_COMMAND", said.message));
      });
    this.#process.on("error", (error) => this.#fail(`cannot be started: ${messageOf(error)}`));
    this.#process.on("exit", (code, signal) => this.#fail(`ended with ${signal ?? `code ${code}`}`));
  }

  /** @throws AdapterError `TUNING_COMMAND` where it cannot be started. */
  static async start(folder: string): Promise<Guard> {
    const guard = new Guard(folder);
    await guard.#answer();
    return guard;
  }

  get isAlive(): boolean {
    return this.#problem === undefined;
  }

  /** From now on it restores this when this process is gone. */
  guard(path: string, point: Omit<RestorePoint, "owner">, settings: RestartSettings): Promise<void> {
    return this.#ask({ do: "guard", path, point, settings });
  }

  /**
   * Runs a command, as {@link runCommand} does: when this process is gone, the guard knows that it still
   * runs.
   */
  run(run: CommandRun): Promise<void> {
    return this.#problem === undefined ? this.#ask({ do: "run", run }) : runCommand(run);
  }

  /** Ends it; nothing is to be restored any more. */
  async letGo(): Promise<void> {
    await this.#ask({ do: "let go" }).catch(() => undefined);
    this.end();
  }

  /** Ends it: it restores what it guards, as it does when this process is gone. */
  end(): void {
    this.#process.stdin?.end();
  }

  #ask(request: GuardRequest): Promise<void> {
    this.#process.stdin?.write(`${JSON.stringify(request)}\n`);
    return this.#answer();
  }

  #answer(): Promise<void> {
    if (this.#problem !== undefined) return Promise.reject(this.#problem);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #fail(what: string): void {
    this.#problem ??= new AdapterError("TUNING_COMMAND", `the process that guards the configuration ${what}`);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#problem);
  }
}
