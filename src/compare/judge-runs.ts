import { InputError, quote } from "../foundation/errors/index.js";
import { judgeRun, listKnownPlaces, type RunJudge } from "../golden/index.js";
import {
  checkGoldenRecords,
  checkRunRecord,
  type EvalRun,
  type Golden,
  goldenQueries,
} from "../records/index.js";
import { chunkerVersionOf, docSpanMatching, exactMatcher, type DocSpanMatching } from "../matching/index.js";
import type { CompareOptions } from "./compare-options.js";

/** Runs that are held against one golden set in the same way. */
export interface JudgedTogether {
  readonly judges: readonly RunJudge[];
  readonly versions: readonly (string | null)[];
  /** Null where all runs have one chunker, and chunk ids match. */
  readonly docSpan: DocSpanMatching | null;
}

/**
 * Judges runs alike: where their chunkers differ, all of them by document and span.
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
  // Places are looked up in the golden queries before they are judged.
  if (other !== -1) checkGoldenRecords(goldenQueries(golden));
  const docSpan =
    other === -1 ? null : docSpanMatching(goldenQueries(golden), listKnownPlaces(options), runs);
  return {
    judges: runs.map((run) => judgeRun(run, golden, docSpan?.matcherFor(run) ?? exactMatcher)),
    versions,
    docSpan,
  };
}
