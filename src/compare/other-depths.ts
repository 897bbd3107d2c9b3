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
 * returned more than was asked: a system that returns more finds more, whatever else it has changed. Undefined
 * where that is not so.
 */
export function otherDepths(
  metric: string,
  { cutoff, neverFalls }: SeenDepth,
  baseline: OfDepth,
  run: OfDepth,
): Undecided | undefined {
  const [a, b] = [depthOf(baseline), depthOf(run)];
  if (a === null || b === null || a.most === b.most || cutoff <= Math.min(a.most, b.most)) return undefined;
  const why =
    `${metric} sees more of one run than of the other: ${countOf(a.asked, "hit")} a query were asked of the ` +
    `baseline${a.beyond}, ${formatCount(b.asked)} of this run${b.beyond} (\`eval_k\`, --limit), and more ` +
    `hits alone ${neverFalls ? "make it better" : "change it"}. Record both with one limit, or decide by a ` +
    `metric at ${Math.min(a.most, b.most)}.`;
  // Who finds less among more hits is worse, and the other way round.
  return neverFalls ? { why, but: b.most > a.most ? "worse" : "better" } : { why };
}

/** How many hits a query a run was asked for, and how deep it goes where it returned more; null if unsaid. */
function depthOf({ config_snapshot: { eval_k: asked }, results }: OfDepth): {
  readonly asked: number;
  readonly most: number;
  readonly beyond: string;
} | null {
  if (typeof asked !== "number" || !Number.isInteger(asked) || asked <= 0) return null;
  const most = results.reduce((deepest, { hits_top_k }) => Math.max(deepest, hits_top_k.length), asked);
  return { asked, most, beyond: most === asked ? "" : `, which returned up to ${formatCount(most)}` };
}
