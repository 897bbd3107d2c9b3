import { InputError, quote } from "../foundation/errors/index.js";
import { judgeRun, listKnownPlaces, type RunJudge } from "../golden/index.js";
import {
  checkGoldenRecords,
  checkRunRecord,
  type EvalRun,
  type Golden,
  goldenChunkerVersion,
  goldenQueries,
} from "../records/index.js";
import { chunkerVersionOf, docSpanMatching, exactMatcher, type DocSpanMatching } from "../matching/index.js";
import type { CompareOptions } from "./compare-options.js";

/** Runs that are held against one golden set in the same way. */
export interface JudgedTogether {
  readonly judges: readonly RunJudge[];
  readonly versions: readonly (string | null)[];
  /** Null where all runs have one chunker, that of the golden set, and chunk ids match. */
  readonly docSpan: DocSpanMatching | null;
}

/**
 * Judges runs alike: where the chunkers of theirs and of the golden set differ, all of them by document and
 * span.
 *
 * @throws InputError `COMPARE_CHUNKER_VERSION` when the chunkers differ and `strictChunkerVersion` is set.
 */
export function judgeRuns(runs: readonly EvalRun[], golden: Golden, options: CompareOptions): JudgedTogether {
  for (const run of runs) checkRunRecord(run);
  const versions = runs.map(chunkerVersionOf);
  const other = versions.findIndex((version) => version !== versions[0]);
  if (other > 0 && options.strictChunkerVersion === true) {
    const [a, b] = [versions[0] ?? null, versions[other] ?? null];
    throw new InputError(
      "COMPARE_CHUNKER_VERSION",
      `runs ${quote(runs[0]?.run_id)} and ${quote(runs[other]?.run_id)} have different chunkers ` +
        `(${quote(a ?? "unknown")} and ${quote(b ?? "unknown")}); compare runs of one chunker, or ` +
        "allow matching by document and span",
      { a, b },
    );
  }
  // The queries are looked at before they are judged.
  const queries = goldenQueries(golden);
  const ofIds = goldenChunkerVersion(golden);
  const areApart = other !== -1 || (ofIds !== null && versions[0] != null && versions[0] !== ofIds);
  if (areApart) checkGoldenRecords(queries);
  const docSpan = areApart ? docSpanMatching(golden, listKnownPlaces(options), runs) : null;
  return {
    judges: runs.map((run) => judgeRun(run, golden, docSpan?.matcherFor(run) ?? exactMatcher)),
    versions,
    docSpan,
  };
}
