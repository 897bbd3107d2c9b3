import { execFileSync } from "node:child_process";
import { AdapterError, isRankproofError } from "../index.js";
import { storeName } from "../node/index.js";
import type { EvalRun, GoldenSet } from "../records/index.js";
import { recordRun } from "../runs/index.js";
import type { EvalStore } from "../storage/index.js";
import type { AskedSystem } from "./asked-system.js";
import type { AskingFlags } from "./asking-flags.js";
import { WATCHED } from "./defaults.js";
import { tellLoadedFiles } from "./loaded-files.js";
import type { Terminal } from "./terminal.js";
import type { WatchedMessage } from "./watch.js";
import { withPlace } from "./with-place.js";

/** The options that say how. */
export interface RecordFlags extends AskingFlags {
  commit?: string;
  resume?: true;
  retryFailed?: true;
  replace?: true;
  limit: number;
  stopAfterFailures?: number;
}

/** Where a run is recorded. */
export interface RecordPlace {
  readonly golden: GoldenSet;
  readonly store: EvalStore;
  readonly suite: string;
  readonly path: string;
  readonly runId: string;
  /** The run of this id that is gone on with. */
  readonly earlier: EvalRun | null;
  readonly awaitsGate: boolean;
}

/** A save that takes longer is told of. */
const SOON_MS = 1000;

/** Records a run, and tells whether anything was asked for it. */
export async function recordSystem(
  asked: AskedSystem,
  { golden, store, suite, path, runId, earlier, awaitsGate }: RecordPlace,
  flags: RecordFlags,
  terminal: Terminal,
): Promise<{ readonly run: EvalRun; readonly isAsked: boolean }> {
  const tell = tellWatcher(terminal);
  tell?.({ runId });
  const tellRest = tell === null ? null : tellLoadedFiles((file) => tell({ file }));
  const system = await asked.open(flags.limit, terminal.warn);
  tellRest?.();
  const { broken } = system;
  // Older runs do not say it, and could not be gone on with.
  const isUnsaid = earlier !== null && earlier.config_snapshot["eval_k"] === undefined;
  let isAsked = false;
  let soon: NodeJS.Timeout | undefined;
  const onStop = (): void => {
    soon = setTimeout(() => terminal.talk("saving what was answered; Ctrl-C again ends at once"), SOON_MS);
  };
  terminal.signal.addEventListener("abort", onStop, { once: true });
  try {
    const run = await recordRun({
      golden,
      runId,
      suite,
      store,
      retrieve: system.retrieve,
      answer: system.answer,
      // What the system says of itself counts more than what it was asked for.
      config: { ...(!isUnsaid && { eval_k: flags.limit }), ...system.config },
      commitHash: flags.commit ?? commitHere(),
      concurrency: flags.concurrency,
      timeoutMs: flags.timeout,
      stopAfterFailures: flags.stopAfterFailures,
      resume: flags.resume,
      retryFailed: flags.retryFailed,
      replace: flags.replace,
      awaitsGate,
      signal: broken === undefined ? terminal.signal : AbortSignal.any([terminal.signal, broken]),
      onWarning: ({ message }) => terminal.warn(message),
      onProgress({ done, total, failed }) {
        isAsked = true;
        terminal.progress(`${done} of ${total} queries${failed > 0 ? `, ${failed} failed` : ""}`);
      },
    });
    return { run, isAsked };
  } catch (error) {
    if (isRankproofError(error) && error.code === "RUN_FAILING") throw withPlace(error, terminal);
    if (!isRankproofError(error) || error.code !== "RUN_INCOMPLETE") throw error;
    const kept = (error.details["run"] as EvalRun | undefined)?.results.length ?? 0;
    const goOn =
      kept === 0
        ? "nothing was answered"
        : `what was answered is kept in ${storeName(path)}, and --resume goes on`;
    if (broken?.aborted === true && !terminal.signal.aborted) {
      const { code, message } = broken.reason as AdapterError;
      throw new AdapterError(code, `${message}; ${goOn}`, {}, error);
    }
    throw new AdapterError("RUN_INCOMPLETE", `interrupted; ${goOn}`, error.details, error);
  } finally {
    terminal.signal.removeEventListener("abort", onStop);
    clearTimeout(soon);
    await system.close().catch((error: unknown) => {
      terminal.warn(`${asked.name}: close failed: ${String(error)}`);
    });
  }
}

/** Tells the process that watches this one; null where none does. */
function tellWatcher(terminal: Terminal): ((message: WatchedMessage) => void) | null {
  // Other programs than ours may have started this one with a channel, too.
  if (process.send === undefined || terminal.env[WATCHED] === undefined) return null;
  // Whoever watches may be killed; what was answered until then is kept.
  const end = (): void => {
    // Where Ctrl-C has reached this process, too, a second signal would end it in the middle of saving.
    if (!terminal.signal.aborted) process.kill(process.pid, "SIGINT");
  };
  if (process.connected) process.once("disconnect", end);
  else end();
  return (message) => {
    // What comes too late for whoever watched is no failure.
    if (process.connected) process.send?.(message, () => undefined);
  };
}

/** The commit of the working folder; undefined where there is no Git. */
function commitHere(): string | undefined {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
