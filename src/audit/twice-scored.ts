import { evaluate } from "../evaluate/index.js";
import { metricDepth, type Metric } from "../metrics/index.js";
import type { EvalRun } from "../records/index.js";
import type { TwiceScored } from "./conclusions.js";

/** Grades by query id, then by item. */
type Grades = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Scores of systems by two sets of labels, for conclusions. Only a query counts of which every item in view
 * of any system, down to the metric's cutoff, has both labels; an ideal is over the items that have both.
 *
 * @param systems hits are named as labels name items.
 */
export function twiceScored(
  systems: readonly { readonly name: string; readonly run: EvalRun }[],
  metric: Metric,
  { first, second }: { readonly first: Grades; readonly second: Grades },
): TwiceScored[] {
  const depth = metricDepth(metric);
  const results = systems.map(({ run }) => new Map(run.results.map((result) => [result.query_id, result])));
  const shared = new Map(
    [...first].map(([id, grades]) => [id, [...grades.keys()].filter((item) => second.get(id)?.has(item))]),
  );
  const isWhole = (id: string): boolean => {
    const known = new Set(shared.get(id));
    return (
      known.size > 0 &&
      results.every((byQuery) => {
        const hits = byQuery.get(id)?.hits_top_k;
        return hits !== undefined && hits.slice(0, depth).every(({ doc_id }) => known.has(doc_id));
      })
    );
  };
  const ids = [...shared.keys()].filter(isWhole);
  const within = (grades: Grades): Grades =>
    new Map(
      ids.map((id) => [
        id,
        new Map((shared.get(id) ?? []).map((item) => [item, grades.get(id)?.get(item) ?? 0])),
      ]),
    );
  const scoresBy = (run: EvalRun, grades: Grades): number[] => {
    const evaluation = evaluate(run, grades, [metric], { unit: "doc" });
    const column = evaluation.column(metric.name);
    const scores = new Map(evaluation.queryIds.map((id, row) => [id, column[row] as number]));
    return ids.map((id) => scores.get(id) ?? 0);
  };
  const [byFirst, bySecond] = [within(first), within(second)];
  return systems.map(({ name, run }) => ({
    name,
    first: scoresBy(run, byFirst),
    second: scoresBy(run, bySecond),
  }));
}
