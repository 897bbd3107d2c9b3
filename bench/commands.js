// Whole commands in processes of their own: processor time and peak memory, in alternation.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const usage = fileURLToPath(new URL("./usage.cjs", import.meta.url));
const TIME = "/usr/bin/time";

/** Whether the processor time of a process that is not Node's can be found out. */
export const canTimeOthers = existsSync(TIME);

function run(file, args) {
  const { status, stderr, error } = spawnSync(file, args, {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    maxBuffer: Infinity,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${file} ${args.join(" ")}\n${stderr}`);
  const numbers = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  const kibibytes = numbers.pop();
  return { cpu: numbers.reduce((sum, seconds) => sum + seconds, 0), memory: kibibytes / 1024 };
}

/** A script of Node, as a user starts it. */
export const nodeScript =
  (...args) =>
  () =>
    run(process.execPath, ["--max-old-space-size=16000", "--require", usage, ...args]);

/** Any other command. */
export const otherCommand =
  (...args) =>
  () =>
    run(TIME, ["-f", "%U %S %M", ...args]);

const sorted = (values) => [...values].sort((a, b) => a - b);
const median = (values) => sorted(values)[values.length >> 1];

/**
 * The median ratio of processor times over alternating pairs A B, B A, …, its spread, and the median memory
 * of both.
 */
export function compareCommands(a, b, pairs) {
  a();
  b();
  const rows = Array.from({ length: pairs }, (_, index) => {
    if (index % 2 === 0) return [a(), b()];
    const second = b();
    return [a(), second];
  });
  const ratios = sorted(rows.map(([x, y]) => x.cpu / y.cpu));
  const memory = (side) => median(rows.map((row) => row[side].memory));
  return {
    ratio: median(ratios),
    lowest: ratios[0],
    highest: ratios.at(-1),
    cpu: median(rows.map(([x]) => x.cpu)),
    memory: memory(0),
    memoryOfOther: memory(1),
  };
}
