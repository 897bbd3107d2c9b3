import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { runCommand, type CommandRun } from "../../src/node/tuning/run-command.js";

function runIn(folder: string, command: CommandRun["command"]): CommandRun {
  return {
    command,
    folder,
    timeoutMs: 10_000,
    log: join(folder, "log"),
    running: join(folder, "running"),
    input: "given",
    environment: { WORD: "it's" },
  };
}

const made = (): string => mkdtempSync(join(tmpdir(), "command-"));

it.each([
  ["a list", ["sh", "-c", 'cat > out; echo "$WORD $1" >> out', "sh", '$HOME "*"']],
  ["a line of the shell", { shell: `cat > out; echo "$WORD" '$HOME "*"' >> out` }],
])("%s gets its words, input and environment, and nothing else", async (_, command) => {
  const folder = made();
  await runCommand(runIn(folder, command));
  expect(readFileSync(join(folder, "out"), "utf8")).toBe('givenit\'s $HOME "*"\n');
  expect(existsSync(join(folder, "running"))).toBe(false);
});

it("never begins where it could not be ended, since its process is not written down", async () => {
  const folder = made();
  const run = { ...runIn(folder, ["touch", "begun"]), running: join(folder, "none", "running") };
  await expect(runCommand(run)).rejects.toThrow("ENOENT");
  await pause(300);
  expect(existsSync(join(folder, "begun"))).toBe(false);
});

it("is named while it runs, and has no further file open", async () => {
  const folder = made();
  await runCommand(
    runIn(folder, { shell: "cat running > seen; if { true >&3; } 2>&-; then touch open; fi" }),
  );
  expect(JSON.parse(readFileSync(join(folder, "seen"), "utf8"))).toMatchObject({ pid: expect.any(Number) });
  expect(existsSync(join(folder, "open"))).toBe(false);
});

it("says what is wrong with a program that is not there, or may not be run", async () => {
  const folder = made();
  writeFileSync(join(folder, "plain"), "");
  await expect(runCommand(runIn(folder, ["no-such-program"]))).rejects.toThrow(
    /^`no-such-program` ended with code 127:\n.*not found/,
  );
  await expect(runCommand(runIn(folder, ["./plain"]))).rejects.toThrow(/^`\.\/plain` ended with code 126:\n/);
});
