/**
 * A process of its own that outlives the tuning it guards: it runs the commands of the configuration, and
 * when the tuning's process is gone, whatever ended it, it puts the original configuration back.
 *
 * @module
 */
import { onLines } from "../on-lines.js";
import { messageOf } from "../../foundation/errors/index.js";
import type { GuardReply, GuardRequest } from "./guard-messages.js";
import { HEARTBEAT_MS, touchRestorePoint } from "../restore/index.js";
import { restorePatiently } from "./restore.js";
import { runCommand } from "./run-command.js";

let guarded: Extract<GuardRequest, { do: "guard" }> | undefined;
/** The command that runs, or ran last. */
let running: Promise<unknown> = Promise.resolve();
let isOver = false;

// Only the end of its input ends it: a shutdown that sends signals to all must find it at work.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
// Nobody may be there to read.
process.stdout.on("error", () => undefined);

const heartbeat = setInterval(() => {
  try {
    if (guarded !== undefined) touchRestorePoint(guarded.path);
  } catch {
    // It is made a moment after it is announced.
  }
}, HEARTBEAT_MS);

async function answer(request: GuardRequest): Promise<void> {
  switch (request.do) {
    case "guard":
      guarded = request;
      return;
    case "run":
      return runCommand(request.run);
    case "let go":
      isOver = true;
  }
}

function reply(said: GuardReply): void {
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

onLines(
  process.stdin,
  (line) => {
    // The last one may be cut, where its writer was killed.
    running = (async () => answer(JSON.parse(line) as GuardRequest))().then(
      () => reply({ ok: true }),
      (error: unknown) => reply({ ok: false, message: messageOf(error) }),
    );
  },
  () => void waitForEnd(),
);
reply({ ok: true });

/** The tuning has ended. Unless it said before that all is well, it was killed. */
async function waitForEnd(): Promise<void> {
  try {
    // Files first; a restart that is under way must have ended before the next one.
    if (!isOver && guarded !== undefined) {
      const { path, point, settings } = guarded;
      const { state, problem } = await restorePatiently(path, settings, { point, running: () => running });
      process.stderr.write(`${new Date().toISOString()} ${state}${problem === null ? "" : `: ${problem}`}\n`);
    }
  } catch (error) {
    process.stderr.write(`${new Date().toISOString()} ${messageOf(error)}\n`);
    process.exitCode = 1;
  } finally {
    clearInterval(heartbeat);
  }
}
