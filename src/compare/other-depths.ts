import { countOf, formatCount } from "../foundation/numbers/index.js";
import { metricDepth, type Metric } from "../metrics/index.js";
import type { EvalRun, Undecided } from "../records/index.js";

/** Metrics that hits at the end of a ranking can lower, as they count what came back. */
const FALLING = new Set([
  ...[
    "Accuracy",
    "Compat",
    "Judged",
    "NumNonrelRet",
    "RnDCG",
    "SetAP",
    "SetF",
    "SetP",
    "Unjudged",
    "Utility",
  ],
]);

/** What a metric makes of more hits. */
export interface SeenDepth {
  /** The last rank that it looks at. */
  readonly cutoff: number;
  /** Whether hits at the end of a ranking never lower it. */
  readonly neverFalls: boolean;
}

export function seenDepth(metric: Metric): SeenDepth {
  const { name } = metric.definition;
  const isOfAll = name === "P" && metric.cutoff === undefined;
  return { cutoff: metricDepth(metric), neverFalls: !isOfAll && !FALLING.has(name) };
}

/**
 * Why nothing follows from a metric of two recorded runs of which other numbers of hits were asked: a system
 * that was asked for more finds more, whatever else it has changed. Undefined where that is not so.
 */
export function otherDepths(
  metric: string,
  { cutoff, neverFalls }: SeenDepth,
  ...configs: readonly [baseline: EvalRun["config_snapshot"], run: EvalRun["config_snapshot"]]
): Undecided | undefined {
  const [a, b] = configs.map(({ eval_k }) => eval_k);
  if (!isDepth(a) || !isDepth(b) || a === b || cutoff <= Math.min(a, b)) return undefined;
  const why =
    `${metric} sees more of one run than of the other: ${countOf(a, "hit")} a query were asked of the ` +
    `baseline, ${formatCount(b)} of this run (\`eval_k\`, --limit), and more hits alone ` +
    `${neverFalls ? "make it better" : "change it"}. Record both with one limit, or decide by a metric at ` +
    `${Math.min(a, b)}.`;
  // Who finds less among more hits is worse, and the other way round.
  return neverFalls ? { why, but: b > a ? "worse" : "better" } : { why };
}

function isDepth(given: unknown): given is number {
  return typeof given === "number" && Number.isInteger(given) && given > 0;
}
