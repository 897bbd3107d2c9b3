import { isRecordedRun, type Evaluation, type RunInput } from "../evaluate/index.js";
import { latencyOf } from "../golden/index.js";
import { countFailedResults, failedQueries, runFacts, type Qrels } from "../records/index.js";
import { tableOfEvaluation, type ScoreTable } from "./score-table.js";

/** A run to be compared, with what is known of how it came about. */
export interface ComparedSystem {
  readonly name: string;
  readonly run: RunInput;
  /** The rankings that it was fused of, by name: `{ lexical, embedding }`. */
  readonly channels?: Readonly<Record<string, RunInput>> | undefined;
  /** How long its queries took, in milliseconds; a recorded run tells by itself. */
  readonly latency?: ScoreTable["latency"];
}

/** The scores of a run with its name, and what a recorded one tells besides. */
export function tableOfSystem(
  { name, run, latency }: ComparedSystem,
  evaluation: Evaluation,
  { queries }: Qrels,
): ScoreTable {
  return {
    ...tableOfEvaluation(evaluation, name),
    ...(isRecordedRun(run) && {
      notAnswered: [...evaluation.missingQueries, ...failedQueries(run.results)],
      facts: runFacts(run),
      latency: latencyOf(run.results),
      failedResults: countFailedResults(run.results, (id) => queries.has(id)),
    }),
    ...(latency !== undefined && { latency }),
  };
}
