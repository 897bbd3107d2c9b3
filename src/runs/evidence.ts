import {
  type ChunkRecord,
  type CorpusSnapshot,
  type EvalRun,
  listExpectedChunkIds,
  type Golden,
  type SearchHit,
  type Span,
} from "../records/index.js";
import { chunkerVersionOf } from "../matching/index.js";
import type { EvalStore } from "../storage/index.js";

/** What a store knows that scores depend on. */
export interface Evidence {
  /** The chunks that the runs and the golden set speak of; undefined when the store has no knowledge base. */
  readonly corpus?: CorpusSnapshot | undefined;
  /** Places kept from earlier. They tell where a chunk lay, not that it still exists. */
  readonly archive?: readonly ChunkRecord[] | undefined;
}

/** Looks up everything in a store that scoring the runs against the golden set can ask for, and no more. */
export async function evidenceFrom(
  store: EvalStore,
  runs: readonly EvalRun[],
  golden: Golden,
): Promise<Evidence> {
  const chunkIds = listExpectedChunkIds(golden);
  const docPaths = new Set<string>();
  for (const run of runs) {
    for (const { hits_top_k, answer } of run.results) {
      for (const hit of hits_top_k) chunkIds.add(hit.chunk_id);
      for (const { citation } of answer?.citations ?? []) {
        if (typeof citation["chunk_id"] === "string") chunkIds.add(citation["chunk_id"]);
        if (citation.kind !== undefined) docPaths.add(citation.path);
      }
    }
  }
  const archive = await store.findArchivedChunks(chunkIds);
  return (await store.hasCorpus())
    ? { corpus: { chunks: await store.findChunks({ chunkIds, docPaths }) }, archive }
    : { archive };
}

/**
 * The places that a run's comparison will need when the knowledge base has been indexed again: of its hits,
 * and of the golden set's chunks. What the knowledge base says of a chunk goes before what a hit says.
 */
export async function placesToArchive(
  store: EvalStore,
  run: EvalRun,
  golden: Golden | undefined,
): Promise<ChunkRecord[]> {
  const wanted = golden === undefined ? new Set<string>() : listExpectedChunkIds(golden);
  const places = new Map<string, ChunkRecord>();
  const keep = (chunk: ChunkRecord): void => {
    const key = JSON.stringify([chunk.chunk_id, chunk.chunker_version ?? ""]);
    if ((chunk.source_spans ?? []).length > 0 || !places.has(key)) places.set(key, chunk);
  };
  for (const { hits_top_k } of run.results) for (const { chunk_id } of hits_top_k) wanted.add(chunk_id);
  for (const place of placesOfHits(run)) keep(place);
  for (const chunk of await store.findChunks({ chunkIds: wanted })) keep(chunk);
  return [...places.values()];
}

function spansOf({ source_spans, citation }: SearchHit): readonly Span[] {
  if (source_spans != null && source_spans.length > 0) return source_spans;
  if (citation == null || citation.kind === undefined) return [];
  const { path: _, ...span } = citation;
  return [span];
}

/**
 * Where the hits of a run lie, as far as they say so.
 *
 * @param wanted chunks that are looked for; all unless given.
 */
export function placesOfHits(run: EvalRun, wanted?: ReadonlySet<string>): ChunkRecord[] {
  const version = chunkerVersionOf(run);
  return run.results.flatMap(({ hits_top_k }) =>
    hits_top_k.flatMap((hit) => {
      const source_spans = spansOf(hit);
      const { chunk_id, doc_id, doc_path, chunker_version } = hit;
      return source_spans.length === 0 || wanted?.has(chunk_id) === false
        ? []
        : [{ chunk_id, doc_id, doc_path, source_spans, chunker_version: chunker_version ?? version }];
    }),
  );
}
