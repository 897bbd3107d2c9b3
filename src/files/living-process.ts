import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { systemCode } from "./file-errors.js";

/** A process as others can tell it from a later one of the same number. */
export interface ProcessName {
  readonly pid: number;
  readonly host: string;
  /** When it began, where the system tells: numbers of processes are given anew, after a restart soonest. */
  readonly began: string;
  /** Where its number is one, where the system tells: containers may share a host's name. */
  readonly namespace?: string;
}

/** A process of this machine; this one by default. */
export function processName(pid = process.pid): ProcessName {
  return { pid, host: hostname(), began: beginningOf(pid), namespace: namespaceOfNumbers() };
}

/** Whether a process of this machine lives; undefined for one of another machine or container. */
export function isLiving({ pid, host, began, namespace }: ProcessName): boolean | undefined {
  const here = namespaceOfNumbers();
  if (host !== hostname() || (namespace ?? here) !== here) return undefined;
  return isAlive(pid) && beginningOf(pid) === began;
}

/** Whether any process of this machine has that number and has not ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that was killed has its number until its parent asks for it.
    return statOf(pid)[STATE] !== "Z";
  } catch (error) {
    // A process of another user lives, too.
    return systemCode(error) === "EPERM";
  }
}

/** Fields of Linux's `stat` behind the name of the program, which is the second. */
const [STATE, BEGAN] = [3 - 3, 22 - 3];

function beginningOf(pid: number): string {
  const began = statOf(pid)[BEGAN];
  // Counted from when the machine was started.
  return began === undefined ? "" : `${read("/proc/sys/kernel/random/boot_id").trim()} ${began}`;
}

function namespaceOfNumbers(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Empty where the system does not tell. */
function statOf(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`);
  // The name stands in brackets, and may have blanks and brackets in it.
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
