import { countOf } from "../foundation/numbers/index.js";
import type { Label } from "../label/index.js";
import { judgeRanking, type Metric } from "../metrics/index.js";
import { TOP_LABEL_GRADE, type BatchQuery, type SearchHit } from "../records/index.js";

const FIRST = 10;

/** What is known of one query's hits. */
export interface JudgedHits {
  readonly hits: readonly SearchHit[];
  /** By rank; null for a hit without a label. */
  readonly grades: readonly (number | null)[];
  readonly labels: ReadonlyMap<string, Label>;
  readonly stages: BatchQuery["stages"];
  /** What the result failed with. */
  readonly error: string | null | undefined;
  readonly primary: Metric;
  readonly topK: number;
}

/** What would make a query's scores surer, in sentences. */
export function tipsFor({ hits, grades, labels, stages, error, primary, topK }: JudgedHits): string[] {
  if (error != null) return ["The search failed, which counts as 0; ask again with `--retry-failed`."];
  if (hits.length === 0)
    return [
      labels.size === 0
        ? "Nothing came back, and nothing is labelled."
        : "Nothing came back, though something is labelled.",
      ...emptyStages(stages),
    ];
  if (labels.size === 0) return ["Nothing is labelled for this query; `--annotate` labels what came back."];
  const view = grades.slice(0, FIRST);
  const open = view.filter((grade) => grade === null).length;
  const stale = hits.slice(0, topK).filter(({ chunk_id }) => labels.get(chunk_id)?.isStale === true).length;
  return [
    ...(open === 0
      ? []
      : [
          `${view.length - open} of the first ${view.length} hits have a label; those without count as ` +
            "Irrelevant.",
          ...weightiest(hits, grades, labels, primary),
        ]),
    ...(stale === 0 ? [] : [`${stale} labelled ${stale === 1 ? "item has" : "items have"} changed since.`]),
    ...([...labels.values()].some(({ grade }) => grade > 0)
      ? []
      : ["No labelled item is useful; label deeper, or look at the query."]),
  ];
}

/** Which stage of a search let nothing through. */
function emptyStages(stages: BatchQuery["stages"]): string[] {
  const all = Object.entries(stages);
  const full = all.filter(([, { returned }]) => returned > 0);
  const empty = all.filter(([, { returned }]) => returned === 0).map(([name]) => name);
  if (full.length === 0) return [];
  const had = full.map(([name, { returned }]) => `${name} had ${countOf(returned, "item")}`);
  return [
    `${had.join(", ")}${empty.length === 0 ? "" : `, ${empty.join(", ")} none`}: look at what lies between.`,
  ];
}

/** The label that would change the primary metric most, were it the highest. */
function weightiest(
  hits: readonly SearchHit[],
  grades: readonly (number | null)[],
  labels: ReadonlyMap<string, Label>,
  primary: Metric,
): string[] {
  const pool = [...labels.values()].map(({ grade }) => grade);
  const scoreJudged = (all: readonly (number | null)[], whole: readonly number[]): number => {
    const judged = all.flatMap((grade, at) => (grade === null ? [] : [[at + 1, grade] as const]));
    return primary.score(
      judgeRanking(
        judged.map(([rank]) => rank),
        judged.map(([, grade]) => grade),
        whole,
        all.length,
      ),
    );
  };
  const before = scoreJudged(grades, pool);
  let best = { at: -1, change: 0 };
  for (let at = 0; at < Math.min(FIRST, grades.length); at++) {
    if (grades[at] !== null) continue;
    const change = scoreJudged(grades.with(at, TOP_LABEL_GRADE), [...pool, TOP_LABEL_GRADE]) - before;
    if (Math.abs(change) > Math.abs(best.change)) best = { at, change };
  }
  const hit = hits[best.at];
  return hit === undefined
    ? []
    : [
        `The label of ${hit.chunk_id} (rank ${best.at + 1}) would change ${primary.name} most: by up to ` +
          `${best.change.toFixed(4)}.`,
      ];
}
