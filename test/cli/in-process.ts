import { runCommand } from "../../src/cli/all-commands.js";

/**
 * The command line without a process of its own, for what is refused before anything is done. Paths are those
 * of the test.
 */
export async function inProcess(
  ...args: string[]
): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const terminal = {
    env: process.env,
    cwd: process.cwd(),
    out: (text: string) => void stdout.push(text),
    talk: (line: string) => void stderr.push(`${line}\n`),
    warn: (message: string) => void stderr.push(`warning: ${message}\n`),
    error: (message: string) => void stderr.push(`error: ${message}\n`),
    command: (line: string) => void stderr.push(`${line}\n`),
    progress: () => undefined,
    paint: (text: string) => text,
    signal: new AbortController().signal,
  };
  const status = await runCommand(args, terminal, "0.0.0");
  return { status, stdout: stdout.join(""), stderr: stderr.join("") };
}
