import { raceAbort } from "../foundation/async/index.js";
import { InputError, quote } from "../foundation/errors/index.js";
import { fuse, parseFusion, readsDistances, type FuseOptions } from "../fusion/index.js";
import { settleNormalizer } from "../fusion/internal.js";
import {
  rankList,
  type Retriever,
  type ScoredRanking,
  type SearchHit,
  type SearchOptions,
} from "../records/index.js";
import { checkLimit, checkKnownOptions, searchOptions } from "../foundation/checks/index.js";
import { checkHits } from "./check-hits.js";

/** How {@link hybridRetriever} fuses. */
export interface HybridOptions extends FuseOptions {
  /** Hits of each channel that are fused, or `limit` where that is more. Default 100. */
  readonly depth?: number | undefined;
}

const DEPTH = 100;
/** The only name under which the fusion room is asked, for one question at a time. */
const QUESTION = "";

/**
 * Several retrievers as one: asks all at once and fuses their rankings, by reciprocal rank fusion unless
 * another method of the fusion room is named. Each hit says in `features` at which rank each channel had it:
 * `lexical_rank`, `embedding_rank`.
 *
 * @param channels by name; the order matters for weights.
 * @throws InputError `ARGUMENT` for fewer than two channels, and for methods that do not exist; when it is
 * asked, AdapterError `RETRIEVER_FAILED` for a channel that returns no list of hits.
 */
export function hybridRetriever(
  channels: Readonly<Record<string, Retriever>>,
  options: HybridOptions = {},
): Retriever {
  const named = Object.entries(channels);
  const depth = checkLimit(checkKnownOptions(options, ["depth", "method", "normalize"]).depth ?? DEPTH);
  const method = typeof options.method === "object" ? options.method : parseFusion(options.method ?? "rrf");
  const normalizer = settleNormalizer(options.normalize ?? method.definition.normalizer);
  const isOfDistances = readsDistances(normalizer);
  if (named.length < 2)
    throw new InputError("ARGUMENT", `a hybrid needs two channels or more, got ${named.length}`);
  return {
    async search(query: string, options: SearchOptions): Promise<SearchHit[]> {
      const { limit, ...rest } = searchOptions(options);
      checkLimit(limit);
      const asked = { ...rest, limit: Math.max(depth, limit) };
      const lists = await Promise.all(
        named.map(async ([channel, retriever]) =>
          checkHits(
            await raceAbort(async () => retriever.search(query, asked), asked.signal),
            `channel ${quote(channel)}`,
          ),
        ),
      );
      const fused = fuse(
        lists.map((hits) => new Map([[QUESTION, asRanking(hits, isOfDistances)]])),
        { method, normalize: normalizer },
      ).get(QUESTION);
      const known = new Map<string, SearchHit>();
      const ranks = new Map<string, Record<string, number>>();
      lists.forEach((hits, channel) =>
        hits.forEach((hit, index) => {
          if (!known.has(hit.chunk_id)) known.set(hit.chunk_id, hit);
          ranks.set(hit.chunk_id, {
            ...ranks.get(hit.chunk_id),
            [`${(named[channel] as [string, Retriever])[0]}_rank`]: index + 1,
          });
        }),
      );
      return (fused?.ids ?? []).slice(0, limit).map((id, index) => ({
        ...(known.get(id) as SearchHit),
        rank: index + 1,
        score: fused?.scores[index] ?? null,
        features: { ...known.get(id)?.features, ...ranks.get(id) },
      }));
    },
  };
}

/**
 * In the order of the hits. Scores that some lack, or that rise from hit to hit as distances do, are replaced
 * by ones that fall; distances stay where a normalizer turns them round.
 */
export function asRanking(hits: readonly SearchHit[], isOfDistances: boolean): ScoredRanking {
  return rankList(
    hits.map(({ chunk_id }) => chunk_id),
    hits.map(({ score }) => score),
    isOfDistances ? "distances" : "level",
  );
}
