import { evaluate, rankIds, resolveConventions } from "../evaluate/index.js";
import { metricDepth, type Metric } from "../metrics/index.js";
import type { JudgedUnit } from "../records/index.js";
import type { ComparedSystem } from "./compared-system.js";
import type { GradesByQuery } from "./label-evidence.js";

/** Queries of a sample that are evaluated, by stratum. */
export type Strata = ReadonlyMap<
  string,
  { readonly drawn: readonly string[]; readonly further: readonly string[] }
>;

/** One metric's scores by both kinds of labels: by run, then by query. */
export interface AuditedScores {
  /** Of the queries that people labelled. */
  readonly byPeople: readonly ReadonlyMap<string, number>[];
  /** Of all queries. */
  readonly byModel: readonly ReadonlyMap<string, number>[];
  /** What an ideal is over: all labelled items, or the items in view of the runs. */
  readonly pool: "labelled" | "viewed";
}

/** Scores by both kinds of labels, where people labelled what a metric looks at. */
export interface Audited {
  /** By printed name; a metric of which people have something still to label is not there. */
  readonly scores: ReadonlyMap<string, AuditedScores>;
  /** Pairs of query and item that a metric looks at and people have still to label, by its printed name. */
  readonly missing: ReadonlyMap<string, number>;
}

const NONE: ReadonlyMap<string, number> = new Map();

/**
 * The scores of runs by people's labels and by a model's.
 *
 * Only a query counts whose items in view of every run, down to the metric's cutoff, all have a person's
 * label; if a drawn query lacks one there is no score of that metric, since to leave it out would choose.
 * An ideal is over all items that the model labelled where people labelled all of these in every drawn
 * query; else it is over the items in view, as deep as people labelled all of it, for queries outside the
 * sample alike: both groups need one measure.
 */
export function auditScores(
  systems: readonly ComparedSystem[],
  metrics: readonly Metric[],
  strata: Strata,
  labels: { readonly byPeople: GradesByQuery; readonly byModel: GradesByQuery },
  unit: JudgedUnit,
): Audited {
  const { byPeople, byModel } = labels;
  const parts = [...strata.values()];
  const [drawn, further] = [parts.flatMap((part) => part.drawn), parts.flatMap((part) => part.further)];
  const all = [...drawn, ...further];
  const isWhole = drawn.every((id) =>
    [...(byModel.get(id) ?? NONE).keys()].every((item) => byPeople.get(id)?.has(item) === true),
  );
  const ranked = systems.map(({ run }) => rankIds(run, unit, resolveConventions({})));
  const rankings = new Map(all.map((id) => [id, ranked.map((ofRun) => ofRun(id))]));
  const scores = new Map<string, AuditedScores>();
  const missing = new Map<string, number>();
  const view = (id: string, depth: number): Set<string> =>
    new Set((rankings.get(id) ?? []).flatMap((ids) => ids.slice(0, depth)));
  const isDone = (id: string, item: string): boolean => byPeople.get(id)?.has(item) === true;
  // One pool for all metrics, as deep as people labelled everything of every drawn query.
  const labelledDepth = Math.min(
    ...drawn.flatMap((id) =>
      (rankings.get(id) ?? []).map((ids) => {
        const first = ids.findIndex((item) => !isDone(id, item));
        return first === -1 ? Infinity : first;
      }),
    ),
  );
  for (const depth of new Set(metrics.map(metricDepth))) {
    const ofDepth = metrics.filter((metric) => metricDepth(metric) === depth);
    const open = drawn.reduce(
      (sum, id) => sum + [...view(id, depth)].filter((item) => !isDone(id, item)).length,
      0,
    );
    for (const { name } of ofDepth) missing.set(name, open);
    if (open > 0) continue;
    const within = (grades: GradesByQuery, ids: readonly string[]): GradesByQuery =>
      new Map(
        ids.map((id) => [
          id,
          isWhole ? (grades.get(id) ?? NONE) : only(grades.get(id) ?? NONE, view(id, labelledDepth)),
        ]),
      );
    const people = scoresBy(
      systems,
      ofDepth,
      within(isWhole ? findSeen(byPeople, byModel, (id) => view(id, depth)) : byPeople, drawn),
      unit,
    );
    const model = scoresBy(systems, ofDepth, within(byModel, all), unit);
    for (const { name } of ofDepth)
      scores.set(name, {
        byPeople: people.map((ofRun) => ofRun(name)),
        byModel: model.map((ofRun) => ofRun(name)),
        pool: isWhole ? "labelled" : "viewed",
      });
  }
  return { scores, missing };
}

/** What people say of items that the model labelled, too, or that are in view. */
function findSeen(
  byPeople: GradesByQuery,
  byModel: GradesByQuery,
  view: (id: string) => ReadonlySet<string>,
): GradesByQuery {
  return new Map(
    [...byPeople].map(([id, grades]) => [
      id,
      only(grades, new Set([...(byModel.get(id) ?? NONE).keys(), ...view(id)])),
    ]),
  );
}

function only(grades: ReadonlyMap<string, number>, items: ReadonlySet<string>): ReadonlyMap<string, number> {
  return new Map([...grades].filter(([item]) => items.has(item)));
}

/** By run: the scores of a metric by query. */
function scoresBy(
  systems: readonly ComparedSystem[],
  metrics: readonly Metric[],
  grades: GradesByQuery,
  unit: JudgedUnit,
): ((metric: string) => ReadonlyMap<string, number>)[] {
  return systems.map(({ run }) => {
    const evaluation = evaluate(run, grades, metrics, { unit });
    return (metric) => {
      const column = evaluation.column(metric);
      return new Map(evaluation.queryIds.map((id, row) => [id, column[row] as number]));
    };
  });
}
