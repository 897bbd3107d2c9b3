import { evaluatePartial, InputError, trecOutputLines, TrecEvalOutput } from "../index.js";
import { formatPartial } from "../formats/index.js";
import type { Metric } from "../metrics/index.js";
import { evaluateFilePartial, loadQrels, withOrigin } from "../node/evaluate/index.js";
import { optionsOf, tellOrigin, type EvaluateFlags } from "./evaluated-run.js";
import { metricsToEvaluate } from "./metric-names.js";
import { wantsRunForm } from "./run-report-outputs.js";
import { findStoredRun } from "./runs-by-name.js";
import type { Terminal } from "./terminal.js";
import { writeOutput } from "./write-output.js";

/** Scores one shard of a run and writes it for `merge`. */
export async function writePartial(
  qrelsPath: string,
  paths: readonly string[],
  flags: EvaluateFlags,
  terminal: Terminal,
): Promise<void> {
  const [path] = paths;
  if (path === undefined || paths.length > 1)
    throw new InputError("ARGUMENT", "--partial is of one run; call it once for each");
  if (
    flags.json === true ||
    flags.perQuery === true ||
    flags.scores !== undefined ||
    flags.gate ||
    flags.failUnder ||
    wantsRunForm(flags)
  )
    throw new InputError(
      "ARGUMENT",
      "--partial writes scores for `rankproof merge`, with which --json, -q, --scores and gates go; --md " +
        "and --html take a whole run",
    );
  const { metrics, profile } = metricsOf(flags);
  const hasSubtopics = metrics.some(({ definition }) => definition.needs === "subtopics");
  const qrels = await loadQrels(qrelsPath, {
    unit: flags.unit,
    subtopics: flags.subtopics === true || hasSubtopics,
  });
  terminal.progress(`scoring ${path}`);
  const options = { ...optionsOf(flags), ...(profile && { profile }) };
  const stored = await findStoredRun(path, flags.store, terminal);
  const partial =
    stored === null
      ? await evaluateFilePartial(path, qrels, metrics, options)
      : evaluatePartial(stored, qrels.qrels(), metrics, withOrigin(qrels, options));
  writeOutput(formatPartial(partial), flags.partial, terminal);
  tellOrigin(qrels, terminal);
}

function metricsOf(flags: EvaluateFlags): {
  readonly metrics: readonly Metric[];
  readonly profile: EvaluateFlags["profile"];
} {
  if (flags.format !== "trec_eval") {
    const profile = flags.profile ?? "default";
    const names = flags.metrics?.join();
    return {
      metrics: metricsToEvaluate(names, flags.subtopics === true, profile, flags.level),
      profile: flags.profile,
    };
  }
  const profile = flags.profile ?? "trec_eval";
  const lines = trecOutputLines(flags.metrics ?? [], {
    level: flags.level,
    profile,
    isComplete: flags.complete,
  });
  return { metrics: new TrecEvalOutput(lines).metrics, profile };
}
