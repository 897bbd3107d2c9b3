import { oneLine } from "../foundation/text/index.js";
import type { RunFacts } from "../records/index.js";

const ISO_TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/;
const FULL_HASH = /^[0-9a-f]{40,64}$/;
const SHORT_HASH = 10;

/**
 * `2026-11-22 16:17 UTC, commit 1b2c3d4e5f`: when and where a run was recorded; empty where it does not tell.
 */
export function runFactsLine({ created_at, commit_hash }: RunFacts): string {
  return [
    ...(created_at == null ? [] : [created_at.replace(ISO_TIME, "$1 $2 UTC")]),
    ...(commit_hash == null
      ? []
      : [`commit ${FULL_HASH.test(commit_hash) ? commit_hash.slice(0, SHORT_HASH) : commit_hash}`]),
  ]
    .map(oneLine)
    .join(", ");
}
