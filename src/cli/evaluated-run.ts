import type { Surroundings } from "../files/index.js";
import {
  evaluate,
  InputError,
  type EvaluateOptions,
  type Evaluation,
  type ProfileName,
  type Shard,
} from "../index.js";
import type { Metric } from "../metrics/index.js";
import { evaluateFile, withOrigin, type LoadedQrels } from "../node/evaluate/index.js";
import type { ScoreTableFormat } from "../report/index.js";
import type { GateFlags } from "./gate-flags.js";
import type { TextFlags } from "./run-report-outputs.js";
import { findStoredRun } from "./runs-by-name.js";
import { plainLine, type Terminal } from "./terminal.js";

/** Options of `evaluate`. */
export interface EvaluateFlags extends GateFlags, TextFlags {
  metrics?: string[];
  perQuery?: true;
  profile?: ProfileName;
  json?: true;
  format: "table" | "tsv" | "csv" | "trec_eval" | ScoreTableFormat;
  complete?: true;
  level?: number;
  depth?: number;
  judgedOnly?: true;
  ties?: "trec" | "expected" | "input";
  withoutRelevant?: "zero" | "skip" | "one";
  tieSpread?: true;
  bounds?: true;
  strict?: true;
  allowEmpty?: true;
  subtopics?: true;
  queries?: string;
  corpus?: string;
  store?: string;
  unit: "chunk" | "doc";
  shard?: Shard;
  partial?: string;
  scores?: string;
}

/** How the flags ask for runs to be scored. */
export function optionsOf(flags: EvaluateFlags): EvaluateOptions {
  return {
    unit: flags.unit,
    ...(flags.shard && { shard: flags.shard }),
    ...(flags.profile && { profile: flags.profile }),
    ...(flags.complete && { queries: "judged" }),
    ...(flags.depth && { depth: flags.depth }),
    ...(flags.judgedOnly && { unjudged: "remove" }),
    ...(flags.ties && { ties: flags.ties }),
    ...(flags.withoutRelevant && { noRelevant: flags.withoutRelevant }),
    ...(flags.tieSpread && { tieSpread: true }),
    ...(flags.bounds && { bounds: true }),
    ...(flags.strict && { duplicates: "error" }),
  };
}

/** A run by its file, else a stored one by its id. */
export async function evaluateByName(
  name: string,
  qrels: LoadedQrels,
  metrics: readonly Metric[],
  flags: EvaluateFlags,
  around: Surroundings,
  more: EvaluateOptions = {},
): Promise<Evaluation> {
  const options = { ...optionsOf(flags), ...more };
  const stored = await findStoredRun(name, flags.store, around);
  return stored === null
    ? evaluateFile(name, qrels, metrics, options)
    : evaluate(stored, qrels.qrels(), metrics, withOrigin(qrels, options));
}

/**
 * Means over no query read like those of a bad run.
 *
 * @throws InputError `RUN_UNANSWERED` where trec_eval is followed and the run answers no judged query.
 */
export function refuseUnansweredAsTrecEval(
  { conventions, counts, missingQueries }: Evaluation,
  qrelsPath: string,
  path: string,
): void {
  const [judged] = missingQueries;
  if (!conventions.profile.startsWith("trec_eval") || counts.hits > 0 || judged === undefined) return;
  throw new InputError(
    "RUN_UNANSWERED",
    `${path}: answers none of the ${missingQueries.length} queries that ${qrelsPath} judges, which ` +
      `trec_eval refuses; do both files name queries the same way, as in \`${plainLine(judged)}\`, and ` +
      "are they of one collection?",
  );
}

/** Says it where judgments are labels of a model. */
export function tellOrigin({ warnings }: LoadedQrels, terminal: Terminal): void {
  for (const { message } of warnings) terminal.warn(message);
}
