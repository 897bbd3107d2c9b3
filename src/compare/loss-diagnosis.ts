import { compareIds } from "../foundation/ids/index.js";
import type { ComparedQuery, Fate } from "../records/index.js";

/** Where one run has a query's items: its own ranking, and those of the channels that it was made of. */
export interface ItemPlaces {
  readonly rank: (item: string) => number | null;
  readonly channels: Readonly<Record<string, (item: string) => number | null>>;
}

/** A query's rankings and judgments, as far as a diagnosis needs them. */
export interface DiagnosedQuery {
  /** Relevant items with their grades. */
  readonly expected: readonly (readonly [item: string, grade: number])[];
  readonly runs: readonly ItemPlaces[];
  /** Null where the content of the index is unknown. */
  readonly isIndexed: ((item: string) => boolean) | null;
}

/** Most relevant items of a query that are followed. */
const MOST_EXPECTED = 20;
/** What became of a query's relevant items in every run, best grade first. */
export function diagnoseLosses(
  { expected, runs, isIndexed }: DiagnosedQuery,
  cutoff: number,
): NonNullable<ComparedQuery["expected"]> {
  const best = [...expected].sort(([x, a], [y, b]) => b - a || compareIds(x, y)).slice(0, MOST_EXPECTED);
  return best.map(([id, grade]) => ({
    id,
    grade,
    runs: runs.map((places) => fateOf(id, places, cutoff, isIndexed)),
  }));
}

function fateOf(
  item: string,
  { rank: rankOf, channels: ofRun }: ItemPlaces,
  cutoff: number,
  isIndexed: DiagnosedQuery["isIndexed"],
): Fate {
  const rank = rankOf(item);
  const channels = Object.fromEntries(Object.entries(ofRun).map(([name, channel]) => [name, channel(item)]));
  return {
    rank,
    channels,
    fate: nameLosses(rank, Object.values(channels), cutoff, isIndexed?.(item) ?? true),
  };
}

function nameLosses(
  rank: number | null,
  channels: readonly (number | null)[],
  cutoff: number,
  isIndexed: boolean,
): Fate["fate"] {
  if (rank !== null && rank <= cutoff) return "found";
  if (channels.some((channel) => channel !== null && channel <= cutoff)) return "lost_by_fusion";
  if (rank !== null || channels.some((channel) => channel !== null)) return "cut_off";
  return isIndexed ? "never_retrieved" : "not_in_index";
}

/** Hits shown of each ranking. */
export const SHOWN_HITS = 10;
