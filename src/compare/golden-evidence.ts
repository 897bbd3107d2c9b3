import { InputError, quote } from "../foundation/errors/index.js";
import { listKnownPlaces, type AggregateOptions, type JudgedQuery } from "../golden/index.js";
import {
  cutoffOf,
  type EvalRun,
  type GoldenQuery,
  listGrades,
  type JudgedUnit,
  rankingOf,
  RELEVANT_FROM,
  resultsByQuery,
} from "../records/index.js";
import type { RankedQuery } from "./compare-scores.js";
import { diagnoseLosses, SHOWN_HITS, type ItemPlaces } from "./loss-diagnosis.js";
import { overlapsOf } from "./ranking-agreement.js";

/** Runs of the channels that a run was fused of, by name: `{ lexical, embedding }`. */
export type ChannelRuns = Readonly<Record<string, EvalRun>>;

/**
 * The rankings of a golden query in several runs, and what became of its expected items.
 *
 * @param channels by run; hits there are expected items by their ids alone.
 */
export function goldenEvidence(
  channels: readonly (ChannelRuns | undefined)[],
  runs: readonly EvalRun[],
  options: AggregateOptions,
  { primary, unit: preferred }: { readonly primary: string | null; readonly unit: JudgedUnit },
): (judged: readonly JudgedQuery[]) => RankedQuery {
  const { corpus } = options;
  const given: unknown = channels;
  if (!Array.isArray(given))
    throw new InputError("ARGUMENT", `channels must be a list, got ${quote(channels)}; one for each run`);
  const cutoff = cutoffOf(primary);
  const opened = channels.map((ofRun = {}) =>
    Object.entries(ofRun).map(([name, run]) => [name, resultsByQuery(run)] as const),
  );
  const indexed =
    corpus === undefined
      ? null
      : listKnownItems([
          ...listKnownPlaces(options),
          ...runs.flatMap(({ results }) => results.flatMap(({ hits_top_k }) => hits_top_k)),
        ]);
  return (judged) => {
    const { query } = judged[0] as JudgedQuery;
    const units: readonly JudgedUnit[] = preferred === "chunk" ? ["chunk", "doc"] : ["doc", "chunk"];
    const unit =
      units.find((each) => relevantIn(query, each).length > 0) ??
      units.find((each) => listGrades(query, each).size > 0) ??
      "doc";
    const grades = listGrades(query, unit);
    const relevant = relevantIn(query, unit);
    const places = judged.map(({ ranking: { hits, ranks }, foundChunks }, run): ItemPlaces => {
      const own = ranksOf(
        hits.map((hit) => hit[`${unit}_id`]),
        ranks,
      );
      const rank = (item: string): number | null => foundChunks.get(item) ?? own.get(item) ?? null;
      const ofChannels = (opened[run] ?? []).map(([name, results]) => {
        const ranking = rankingOf(results.get(query.id)?.hits_top_k ?? [], query.id);
        const inChannel = ranksOf(
          ranking.hits.map((hit) => hit[`${unit}_id`]),
          ranking.ranks,
        );
        return [name, (item: string): number | null => inChannel.get(item) ?? null] as const;
      });
      return { rank, channels: Object.fromEntries(ofChannels) };
    });
    const errors = judged.map(({ result }) => result?.error ?? null);
    return {
      rankings: judged.map(({ ranking, chunks, foundChunks }) => {
        // A hit of another chunker stands for an expected chunk without having its id.
        const standing = new Set(
          unit === "chunk" && foundChunks.size > 0 ? Array.from(chunks.hits.ranks) : [],
        );
        return ranking.hits.slice(0, SHOWN_HITS).map((hit, index) => ({
          id: hit[`${unit}_id`],
          grade: grades.get(hit[`${unit}_id`]) ?? (standing.has(ranking.ranks[index] as number) ? 1 : null),
        }));
      }),
      overlap: overlapsOf(
        judged.map(({ ranking }) => [...new Set(ranking.hits.map((hit) => hit[`${unit}_id`]))]),
      ),
      first_relevant: places.map(({ rank }) => firstRank(relevant.map(([item]) => rank(item)))),
      ...(errors.some((error) => error !== null) && { errors }),
      expected: diagnoseLosses(
        {
          expected: relevant,
          runs: places,
          isIndexed: indexed && ((item) => indexed[unit].has(item)),
        },
        cutoff,
      ),
    };
  };
}

/**
 * What an index holds or held for certain: chunks of the knowledge base, now and archived, and whatever came
 * back.
 */
function listKnownItems(
  chunks: readonly { readonly chunk_id: string; readonly doc_id: string }[],
): Readonly<Record<JudgedUnit, ReadonlySet<string>>> {
  return {
    chunk: new Set(chunks.map(({ chunk_id }) => chunk_id)),
    doc: new Set(chunks.map(({ doc_id }) => doc_id)),
  };
}

function relevantIn(query: GoldenQuery, unit: JudgedUnit): [item: string, grade: number][] {
  return [...listGrades(query, unit)].filter(([, grade]) => grade >= RELEVANT_FROM);
}

/** The lowest of some ranks; null where there is none. */
function firstRank(ranks: readonly (number | null)[]): number | null {
  return ranks.reduce(
    (first, rank) => (rank === null || (first !== null && first < rank) ? first : rank),
    null,
  );
}

/** Each id's best rank. */
function ranksOf(ids: readonly string[], ranks: readonly number[]): Map<string, number> {
  const best = new Map<string, number>();
  ids.forEach((id, index) => {
    if (!best.has(id)) best.set(id, ranks[index] as number);
  });
  return best;
}
