import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { showProof, tries } from "../support/proof.js";

const script = fileURLToPath(new URL("fuzz-parsers.js", import.meta.url));

/** The half is read by one process that lives long, the other half by fresh ones. */
const INPUTS = tries(20_000, 500_000);
const FRESH_PROCESSES = 25;

function fuzz(seed: number, count: number): { read: number; refused: number } {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [script, String(seed), String(count)],
    { encoding: "utf8", timeout: 3_000_000 },
  );
  expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: "" });
  return JSON.parse(stdout) as { read: number; refused: number };
}

describe("mutated inputs to every parser", () => {
  it(`${INPUTS} are read or refused with an error of ours; no process aborts, none hangs`, () => {
    const long = fuzz(2026, INPUTS / 2);
    const fresh = Array.from({ length: FRESH_PROCESSES }, (_, seed) =>
      fuzz(seed, INPUTS / 2 / FRESH_PROCESSES),
    );
    const [read, refused] = (["read", "refused"] as const).map((what) =>
      [long, ...fresh].reduce((sum, found) => sum + found[what], 0),
    ) as [number, number];
    showProof("mutated inputs to every parser", {
      inputs: read + refused,
      "processes, one of them long-lived": 1 + FRESH_PROCESSES,
      read,
      refused,
      "aborts, hangs, errors of others": 0,
    });
    expect(read).toBeGreaterThan(INPUTS / 10);
    expect(refused).toBeGreaterThan(INPUTS / 10);
  });
});
