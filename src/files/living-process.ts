import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { systemCode } from "./file-errors.js";

/** A process as others can tell it from a later one of the same number. */
export interface ProcessName {
  readonly pid: number;
  readonly host: string;
  /** When it began, where the system tells: numbers of processes are given anew, after a restart soonest. */
  readonly began: string;
}

/** This process. */
export function thisProcess(): ProcessName {
  return { pid: process.pid, host: hostname(), began: beginningOf(process.pid) };
}

/** Whether a process of this machine lives; undefined for one of another machine. */
export function isLiving({ pid, host, began }: ProcessName): boolean | undefined {
  if (host !== hostname()) return undefined;
  return isAlive(pid) && beginningOf(pid) === began;
}

/** Whether any process of this machine has that number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user lives, too.
    return systemCode(error) === "EPERM";
  }
}

/** The 22nd field of Linux's `stat`, behind a name in brackets that may have blanks, and the boot it is of. */
const BEGAN = 22 - 3;

function beginningOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${fields[BEGAN] ?? ""}`;
  } catch {
    return "";
  }
}
