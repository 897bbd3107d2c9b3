import { configDiff } from "../compare/index.js";

/** Differences of one configuration that are told. */
const MOST = 8;

/** In what a configuration differs from the one before it, a line each; secrets are left out. */
export function changesBetween(before: unknown, now: unknown): string[] {
  if (before === undefined || now === undefined) return [];
  const all = configDiff(before, now).map(
    ({ path, a, b }) => `${path}: ${JSON.stringify(a)} → ${JSON.stringify(b)}`,
  );
  const hidden = all.length - MOST;
  return [...all.slice(0, MOST), ...(hidden > 0 ? [`and ${hidden} more`] : [])];
}
