import { countOf } from "../foundation/numbers/index.js";
import { probeEstimate, probeJudge, type ProbeOptions } from "../audit/index.js";
import { interruptible } from "./interruptible.js";
import {
  artifactsPath,
  labelerProbes,
  type AuditedLabels,
  type Dataset,
  type ProbeSettings,
} from "../node/index.js";
import { openProbeAnswers, probePlanText } from "../node/internal.js";
import type { Config, JudgeProbes } from "../records/index.js";
import { plainLine, type Terminal } from "./terminal.js";

/** A labeler that is tried, and what it has labelled. */
export interface Probed {
  readonly config: Config;
  readonly dataset: Dataset;
  readonly labels: AuditedLabels;
  readonly rater: string;
  readonly flags: ProbeSettings;
  readonly terminal: Terminal;
}

/** Tries a labeler; every answer is kept, so that the same command goes on. */
export async function runProbes(work: Probed): Promise<JudgeProbes> {
  const { config, dataset, terminal } = work;
  const options = await probeOptions(work);
  const answers = openProbeAnswers(artifactsPath(config), dataset.id);
  const message = `interrupted; what was answered is kept in ${answers.path}, and the same command goes on`;
  const probes = await interruptible(terminal, message, (signal) =>
    probeJudge({
      ...options,
      answers,
      signal,
      onProgress: (done, all) => terminal.progress(`${plainLine(options.name)}: ${done} of ${all} requests`),
    }),
  );
  if (answers.used > 0)
    terminal.talk(
      `${countOf(answers.used, "answer")} of an earlier time taken from ${answers.path}; another --seed ` +
        "asks anew",
    );
  return probes;
}

/** Says what trying a labeler would take. */
export async function probesPlanned(work: Probed): Promise<void> {
  const answers = openProbeAnswers(artifactsPath(work.config), work.dataset.id);
  const options = { ...(await probeOptions(work)), answers };
  work.terminal.out(`${plainLine(probePlanText(probeEstimate(options), options.name))}\n`);
}

function probeOptions({ config, dataset, labels, rater, flags, terminal }: Probed): Promise<ProbeOptions> {
  return labelerProbes(
    config,
    dataset,
    { labels, rater },
    {
      ...flags,
      env: terminal.env,
      onRetry: terminal.progress,
    },
  );
}
