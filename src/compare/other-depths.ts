import { countOf, formatCount } from "../foundation/numbers/index.js";
import type { EvalRun, Undecided } from "../records/index.js";

/**
 * Why nothing follows from a metric of two recorded runs of which other numbers of hits were asked: a system
 * that was asked for more finds more, whatever else it has changed. Undefined where that is not so.
 *
 * @param cutoff the last rank that the metric looks at.
 */
export function otherDepths(
  metric: string,
  cutoff: number,
  ...configs: readonly [baseline: EvalRun["config_snapshot"], run: EvalRun["config_snapshot"]]
): Undecided | undefined {
  const [a, b] = configs.map(({ eval_k }) => eval_k);
  if (!isDepth(a) || !isDepth(b) || a === b || cutoff <= Math.min(a, b)) return undefined;
  const why =
    `${metric} sees more of one run than of the other: ${countOf(a, "hit")} a query were asked of the ` +
    `baseline, ${formatCount(b)} of this run (\`eval_k\`, --limit), and more hits alone make it better. ` +
    `Record both with one limit, or decide by a metric at ${Math.min(a, b)}.`;
  // Who finds less among more hits is worse, and the other way round.
  return { why, but: b > a ? "worse" : "better" };
}

function isDepth(given: unknown): given is number {
  return typeof given === "number" && Number.isInteger(given) && given > 0;
}
