import type { SearchHit } from "../records/index.js";
import type { LabelledRun } from "./attach-labels.js";

/** A labelled hit with the numbers that came with it, for learning to rank. */
export interface FeatureRow {
  readonly query_id: string;
  readonly item: string;
  readonly rank: number;
  readonly label: number;
  /** By name; `score` is the search's own. */
  readonly features: Readonly<Record<string, number>>;
}

/** The labelled hits of a run, in the order of its queries and ranks. */
export function featureRows({ run, labels }: LabelledRun): FeatureRow[] {
  return run.results.flatMap(({ query_id, hits_top_k }) =>
    hits_top_k.flatMap((hit): FeatureRow[] => {
      const label = labels.get(query_id)?.get(hit.chunk_id);
      if (label === undefined) return [];
      return [
        {
          query_id,
          item: hit.chunk_id,
          rank: hit.rank as number,
          label: label.grade,
          features: featuresOf(hit),
        },
      ];
    }),
  );
}

function featuresOf({ score, features }: SearchHit): Record<string, number> {
  return { ...(score != null && { score }), ...features };
}
