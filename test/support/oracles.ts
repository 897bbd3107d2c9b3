import { existsSync } from "node:fs";
import { join } from "node:path";

const root = process.env["RANKPROOF_ORACLES"];

/** The folder of an oracle collection, or null where the collections are not on this machine. */
export function oracle(name: string): string | null {
  const folder = root === undefined ? null : join(root, name);
  return folder !== null && existsSync(folder) ? folder : null;
}

export const WITHOUT_ORACLES = "skipped: set RANKPROOF_ORACLES to the folder of the oracle collections to run it";
