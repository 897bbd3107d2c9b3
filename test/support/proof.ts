/**
 * How many times the counts of the deep suite are run: 10 where a proof runs at its full count
 * (`npm run prove -- NAME`).
 */
const scale = Number(process.env["RANKPROOF_PROOF_SCALE"] ?? 1);

/** A count of tries: `count` in the deep suite; in a proof as many as are named, or ten times as many. */
export function tries(count: number, inProof = count * scale): number {
  return scale === 1 ? count : inProof;
}

/** Shows what a proof found, where somebody asked for the proof. */
export function showProof(name: string, found: Readonly<Record<string, unknown>>): void {
  if (scale === 1) return;
  process.stdout.write(
    `\n${name}\n${Object.entries(found)
      .map(
        ([what, value]) =>
          `  ${what.padEnd(44)} ${typeof value === "object" ? JSON.stringify(value) : String(value)}\n`,
      )
      .join("")}`,
  );
}
