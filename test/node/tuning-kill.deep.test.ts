import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/foundation/numbers/index.js";
import type { BackendTuning } from "../../src/records/index.js";
import {
  childrenOf,
  endSearch,
  ORIGINAL,
  runningSearch,
  tunableProject,
} from "../support/live-search/index.js";
import { showProof, tries } from "../support/proof.js";

const KILLS = tries(6, 200);
const CLI = join(import.meta.dirname, "../../bin/rankproof.js");
const LONGEST_MS = 2_500;

const folders: string[] = [];
afterAll(() => folders.forEach(endSearch));

async function project(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tuning-kill-"));
  folders.push(folder);
  await tunableProject(folder);
  return folder;
}

const command = (...args: string[]): string[] => [
  CLI,
  "tune",
  "backend",
  "shop",
  "--score-metric",
  "nDCG@10",
  ...args,
];
const BEGIN = command("--experiments-file", "experiments.json", "--annotate");

function began(folder: string, args: readonly string[]): ChildProcess & { readonly said: () => string } {
  const child = spawn(process.execPath, args, { cwd: folder });
  const parts: string[] = [];
  child.stderr.on("data", (part: Buffer) => parts.push(part.toString()));
  child.stdout.resume();
  return Object.assign(child, { said: () => parts.join("") });
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) =>
    child.exitCode === null && child.signalCode === null ? child.on("close", () => resolve()) : resolve(),
  );

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
};

const restorePoints = (folder: string): string[] => {
  const there = join(folder, ".rankproof/restore");
  // The process that is waited for removes the folder with the last of them.
  try {
    return readdirSync(there);
  } catch {
    return [];
  }
};

async function untilRestored(folder: string): Promise<void> {
  for (let wait = 0; wait < 500 && restorePoints(folder).length > 0; wait++) await pause(20);
}

/** What guards and restores said, for when a test fails. */
const logs = (folder: string): string =>
  spawnSync("sh", ["-c", "tail -n 5 .rankproof/tuning_runs/*/*.log .rankproof/restore/*"], {
    cwd: folder,
    encoding: "utf8",
  }).stdout;

/** All of a report but ids and times. */
function comparable(folder: string): unknown {
  const runs = join(folder, ".rankproof/tuning_runs");
  const last = readdirSync(runs).sort().at(-1) as string;
  const report = JSON.parse(readFileSync(join(runs, last, "report.json"), "utf8")) as BackendTuning;
  return {
    ...report,
    tuning_id: "",
    started_at: "",
    evaluated_at: "",
    experiments: report.experiments.map((each) => ({ ...each, batch_id: "" })),
    restored: report.restored.map(({ sha256 }) => sha256),
  };
}

describe("a tuning that is killed", () => {
  it(`${KILLS} times leaves the original configuration, and resumed ends with the same result`, async () => {
    const whole = await project();
    await ended(began(whole, BEGIN));
    const expected = comparable(whole);
    const random = seededRandom(15);
    const counts = { kills: 0, guards: 0, restored: 0, running: 0, tunings: 0, changedWhenKilled: 0 };
    while (counts.kills < KILLS) {
      const folder = await project();
      let args = BEGIN;
      for (;;) {
        const child = began(folder, args);
        // On a busy machine nothing may end before a kill: the last ones are left alone.
        const isKilled = counts.kills < KILLS;
        await Promise.race([ended(child), ...(isKilled ? [pause(random() * LONGEST_MS)] : [])]);
        if (child.exitCode !== null) {
          expect([child.exitCode, child.said()]).toEqual([0, expect.stringContaining("wrote")]);
          break;
        }
        const withGuard = random() < 0.5;
        const guards = withGuard ? childrenOf(child.pid as number) : [];
        if (random() < 0.5) guards.forEach(kill);
        child.kill("SIGKILL");
        guards.forEach(kill);
        await ended(child);
        counts.kills++;
        counts.guards += guards.length > 0 ? 1 : 0;
        if (readFileSync(join(folder, "search.json"), "utf8") !== ORIGINAL) counts.changedWhenKilled++;
        // Without its guard, the next command finds what is to be done.
        const next =
          guards.length === 0
            ? null
            : spawnSync(process.execPath, [CLI, "runs"], { cwd: folder, encoding: "utf8" });
        await untilRestored(folder);
        const left = restorePoints(folder);
        expect(left, `${next?.stderr ?? "its guard lives"}\n${logs(folder)}`).toEqual([]);
        expect(readdirSync(folder).filter((name) => name.endsWith(".rankproof-original"))).toEqual([]);
        expect(readFileSync(join(folder, "search.json"), "utf8")).toBe(ORIGINAL);
        counts.restored++;
        const search = await runningSearch(folder);
        if (search !== null) {
          expect(search.boost).toBe(0.5);
          counts.running++;
        }
        const isBegun = existsSync(join(folder, ".rankproof/tuning_runs"));
        args = isBegun ? command("--resume", "--annotate") : BEGIN;
      }
      counts.tunings++;
      expect(comparable(folder)).toEqual(expected);
      endSearch(folder);
    }
    showProof("tuning-kill", { "kill -9 of a tuning": counts });
  });
});
