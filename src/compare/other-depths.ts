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

/** Why nothing follows from a metric of two runs, by their places; undefined where something does. */
export type DoubtOfRuns = (metric: string, from: number, to: number) => Undecided | undefined;

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
  const [asked, askedOfRun] = [baseline, run].map(({ config_snapshot }) => config_snapshot["eval_k"]);
  if (!isDepth(asked) || !isDepth(askedOfRun) || cutoff <= Math.min(asked, askedOfRun)) return undefined;
  const [a, b] = [deepest(asked, baseline, run), deepest(askedOfRun, run, baseline)];
  // Who was asked for as much and returns less has lost what it lacks.
  if (a === b || cutoff <= Math.min(a, b) || (asked === askedOfRun && b < a)) return undefined;
  const why =
    `${metric} sees more of one run than of the other: the baseline has up to ${countOf(a, "hit")} a ` +
    `query, this run up to ${formatCount(b)} (\`eval_k\`, --limit), and more hits alone ` +
    `${neverFalls ? "make it better" : "change it"}. Cut both at one limit, or decide by a metric at ` +
    `${Math.min(a, b)}.`;
  // Who finds less among more hits is worse, and the other way round.
  return neverFalls ? { why, but: b > a ? "worse" : "better" } : { why };
}

function isDepth(given: unknown): given is number {
  return Number.isInteger(given) && (given as number) > 0;
}

/** How many hits a query a run was asked for, or returned where those are more, of what both were asked. */
function deepest(asked: number, { results }: OfDepth, other: OfDepth): number {
  const common = new Set(other.results.map(({ query_id }) => query_id));
  return results.reduce(
    (most, { query_id, hits_top_k: { length } }) => (common.has(query_id) ? Math.max(most, length) : most),
    asked,
  );
}
