import { isRankproofError } from "../index.js";
import { OUTSIDE_FAILED, type Terminal } from "./terminal.js";

const INTERNAL = 1;
const BAD_INPUT = 2;
const GATE_FAILED = 3;
const NOT_COMPARABLE = 4;
const INTERRUPTED = 130;

/** Says what went wrong and returns the exit code for it. The codes are never renumbered. */
export function reportError(error: unknown, terminal: Terminal): number {
  if (!isRankproofError(error)) {
    const { signal } = terminal;
    if (signal.aborted && error === signal.reason) {
      terminal.error("interrupted");
      return INTERRUPTED;
    }
    terminal.talk(error instanceof Error ? (error.stack ?? error.message) : String(error));
    terminal.talk(
      "\nThis is a mistake in rankproof. Please report it with the lines above and the command that you ran.",
    );
    return INTERNAL;
  }
  for (const line of error.message.split("\n")) terminal.error(line);
  if (error.code === "COMPARE_CHUNKER_VERSION") return NOT_COMPARABLE;
  if (error.code === "NOT_BETTER") return GATE_FAILED;
  if (error.code === "GATE_FAILED")
    return error.details["isComparable"] === false ? NOT_COMPARABLE : GATE_FAILED;
  if (error.code === "RUN_INCOMPLETE") return INTERRUPTED;
  // By name: what the demo throws comes from another copy of the class.
  return error.name === "AdapterError" ? OUTSIDE_FAILED : BAD_INPUT;
}
