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

/** A recorded run by how deep it goes. */
export type OfDepth = Pick<EvalRun, "config_snapshot" | "results">;

/**
 * Why nothing follows from a metric of two recorded runs of which other numbers of hits were asked, or that
 * returned more than was asked: a system that returns more finds more, whatever else it has changed.
 * Undefined where that is not so.
 */
export function otherDepths(
  metric: string,
  { cutoff, neverFalls }: SeenDepth,
  baseline: OfDepth,
  run: OfDepth,
): Undecided | undefined {
  const [a, b] = [depthOf(baseline), depthOf(run)];
  if (a === undefined || b === undefined || a === b || cutoff <= Math.min(a, b)) return undefined;
  const why =
    `${metric} sees more of one run than of the other: the baseline has up to ${countOf(a, "hit")} a ` +
    `query, this run up to ${formatCount(b)} (\`eval_k\`, --limit), and more hits alone ` +
    `${neverFalls ? "make it better" : "change it"}. Record both with one limit, or decide by a metric at ` +
    `${Math.min(a, b)}.`;
  // Who finds less among more hits is worse, and the other way round.
  return neverFalls ? { why, but: b > a ? "worse" : "better" } : { why };
}

/** How many hits a query a run was asked for, or returned where those are more; undefined for not said. */
function depthOf({ config_snapshot: { eval_k }, results }: OfDepth): number | undefined {
  return typeof eval_k === "number" && Number.isInteger(eval_k) && eval_k > 0
    ? results.reduce((most, { hits_top_k }) => Math.max(most, hits_top_k.length), eval_k)
    : undefined;
}
