import { closeSync, openSync, readSync, statSync } from "node:fs";
import { constants, totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import type { Surroundings } from "../files/index.js";
import { bytesLookLikeTrec } from "../formats/trec/index.js";

/**
 * Files that are larger than this together take more memory as records than Node gives by default (4 GB at
 * most).
 */
const LARGE_BYTES = 2 ** 28;
/** Of the machine's memory; a limit, which is used only as far as it is needed. */
const SHARE_OF_MEMORY = 0.75;
const MIB = 2 ** 20;
/** So much of a file is looked at to find out what it is. */
const HEAD = 4096;

/**
 * The heap in MiB that a command on these arguments should have, where it is more than this process can have
 * and no limit was chosen.
 *
 * @param env of the process: `NODE_OPTIONS` may have chosen one.
 */
export function roomierHeap(args: readonly string[], env: Surroundings["env"]): number | undefined {
  // Files in TREC's format are scored without records; starting Node again would take a tenth of the time.
  const countKeptBytes = (arg: string): number => (args[0] === "evaluate" && isTrec(arg) ? 0 : sizeOf(arg));
  if (args.reduce((sum, arg) => sum + countKeptBytes(arg), 0) <= LARGE_BYTES) return undefined;
  if (/max[-_]old[-_]space/.test(`${env["NODE_OPTIONS"] ?? ""} ${process.execArgv.join(" ")}`))
    return undefined;
  const roomier = Math.min(totalmem(), process.constrainedMemory() || Infinity) * SHARE_OF_MEMORY;
  return roomier > getHeapStatistics().heap_size_limit ? Math.floor(roomier / MIB) : undefined;
}

/** Most arguments are no files. */
function sizeOf(arg: string): number {
  try {
    return statSync(arg).size;
  } catch {
    return 0;
  }
}

function isTrec(path: string): boolean {
  if (sizeOf(path) === 0 || !statSync(path).isFile()) return false;
  const file = openSync(path, "r");
  try {
    const head = new Uint8Array(HEAD);
    return bytesLookLikeTrec(head.subarray(0, readSync(file, head)), "run");
  } finally {
    closeSync(file);
  }
}

/**
 * Runs the same command in a Node with a larger heap, which can only be asked for when it starts, and returns
 * its exit code.
 */
export async function withHeap(heapMib: number, script: string, args: readonly string[]): Promise<number> {
  const { spawn } = await import("node:child_process");
  const child = spawn(
    process.execPath,
    [...process.execArgv, `--max-old-space-size=${heapMib}`, script, ...args],
    { stdio: "inherit" },
  );
  // Ctrl-C reaches both; what it means is decided by the one that works.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}
