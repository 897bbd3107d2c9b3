import { compareIds } from "../foundation/ids/index.js";
import type { ChunkRecord, EvalRun, SearchHit, Span } from "../records/index.js";
import { extentOf, hasExtent, sizeOf } from "./extent.js";
import { extentsOverlap } from "./overlap.js";

/** Where a chunk lies: its document and its spans where they are known. */
export interface ChunkPlace {
  readonly docId: string;
  readonly spans: readonly Span[] | null;
}

/** Look-ups of chunk places by id. */
export interface ChunkPlaces {
  /** The place of an expected chunk: from the archive, else from the hits that carry it. */
  findExpected(chunkId: string): ChunkPlace | undefined;
  /** The place of a chunk of one chunker; null for one that is unknown. From the archive alone. */
  ofChunk(chunkId: string, version: string | null): ChunkPlace | undefined;
  /**
   * The spans of a hit: its own, else those of the archive, else its citation; null when none of them has an
   * extent.
   *
   * @param runVersion the chunker of the run that the hit is of, for hits that do not say theirs.
   */
  ofHit(hit: SearchHit, runVersion: string | null): readonly Span[] | null;
}

/** The chunker version of a run: its snapshot's, else the one its hits agree on, else null. */
export function chunkerVersionOf(run: EvalRun): string | null {
  const declared = run.config_snapshot["chunker_version"];
  if (typeof declared === "string" || typeof declared === "number") return String(declared);
  const carried = new Set<string>();
  for (const result of run.results) {
    for (const hit of result.hits_top_k)
      if (typeof hit.chunker_version === "string") carried.add(hit.chunker_version);
  }
  const [version, ...others] = carried;
  return version !== undefined && others.length === 0 ? version : null;
}

/**
 * One chunk id may stand for different places under different chunkers: places by id, then by version ("" =
 * unknown).
 */
class PlacesByVersion {
  readonly #byId = new Map<string, Map<string, { docId: string; spans: Map<string, Span> }>>();

  add(chunkId: string, version: string, docId: string, spans: readonly Span[]): void {
    let versions = this.#byId.get(chunkId);
    if (versions === undefined)
      this.#byId.set(chunkId, (versions = new Map<string, { docId: string; spans: Map<string, Span> }>()));
    let place = versions.get(version);
    if (place === undefined) versions.set(version, (place = { docId, spans: new Map<string, Span>() }));
    // The same chunk seen again: what is kept must not depend on which came first.
    const isBare = place.docId === chunkId;
    if (isBare || (docId !== chunkId && compareIds(docId, place.docId) < 0)) place.docId = docId;
    for (const span of spans) place.spans.set(JSON.stringify(span), span);
  }

  versions(chunkId: string): Map<string, ChunkPlace> {
    return new Map(
      [...(this.#byId.get(chunkId) ?? [])].map(([version, { docId, spans }]) => [
        version,
        { docId, spans: [...spans.values()] },
      ]),
    );
  }
}

const usable = (spans: readonly Span[] | null | undefined): spans is readonly Span[] =>
  spans !== null && spans !== undefined && hasExtent(spans);

/** Whether two chunkers mean much the same by an id, as far as that is known. */
function isSamePlace(a: ChunkPlace, b: ChunkPlace): boolean {
  if (a.docId !== b.docId) return false;
  return !usable(a.spans) || !usable(b.spans) || extentsOverlap(extentOf(a.spans), extentOf(b.spans));
}

/** Being the same is not handed on from place to place, so that each is held against each. */
function areSamePlace(places: readonly ChunkPlace[]): boolean {
  return places.every((a, at) => places.slice(at + 1).every((b) => isSamePlace(a, b)));
}

/** The smallest of some places in any order: each chunker's own chunk stands for it, and little else. */
function smallestPlace(places: readonly ChunkPlace[]): ChunkPlace | undefined {
  const textOf = ({ spans }: ChunkPlace): string => String(spans?.map((span) => JSON.stringify(span)).sort());
  const sized = places.map((place) => ({ place, size: sizeOf(extentOf(place.spans ?? [])) }));
  return sized.sort((a, b) => a.size - b.size || compareIds(textOf(a.place), textOf(b.place)))[0]?.place;
}

/** How a chunker calls its chunks: an id without its document and its numbers. */
function formOf(chunkId: string, { docId }: ChunkPlace): string {
  return chunkId.replace(docId, "").replace(/\d+/g, "0");
}

/** The spans that a hit itself carries, or its citation; null when neither has an extent. */
function ownSpans(hit: SearchHit, field: "source_spans" | "citation"): readonly Span[] | null {
  if (field === "source_spans") return usable(hit.source_spans) ? hit.source_spans : null;
  const { citation } = hit;
  return citation !== null && citation !== undefined && citation.kind !== undefined && hasExtent([citation])
    ? [citation]
    : null;
}

/** Where the hits of runs that carry an expected id say that it lies; of one chunker, where one is named. */
function findCarriedPlaces(
  runs: readonly EvalRun[],
  expectedIds: ReadonlySet<string>,
  expectedVersion: string | null,
): PlacesByVersion {
  const carried = new PlacesByVersion();
  for (const run of runs) {
    const runVersion = chunkerVersionOf(run) ?? "";
    for (const result of run.results) {
      for (const hit of result.hits_top_k) {
        const version = hit.chunker_version ?? runVersion;
        if (!expectedIds.has(hit.chunk_id) || (expectedVersion ?? version) !== version) continue;
        carried.add(
          hit.chunk_id,
          version,
          hit.doc_id,
          ownSpans(hit, "source_spans") ?? ownSpans(hit, "citation") ?? [],
        );
      }
    }
  }
  return carried;
}

/**
 * Gathers where chunks lie.
 *
 * Where one id has several places, because two chunkers number their chunks alike, the place is that of the
 * chunker that the golden set names. Where it names none, it is that of the one that the archive knows most
 * of the expected ids of: the golden set was written against it. Where none stands out it is the smallest of
 * places that are much the same, and else unknown: no order and no name decides. Of an unknown chunker a
 * document that is called like the chunk comes last: the system gave bare ids, and the document is not
 * known.
 *
 * @param expectedIds the chunk ids of the golden set.
 * @param expectedVersion the chunker that they are of; null where nobody says.
 * @param known chunks of the knowledge base, now and earlier.
 */
export function chunkPlaces(
  expectedIds: ReadonlySet<string>,
  expectedVersion: string | null,
  known: readonly ChunkRecord[],
  runs: readonly EvalRun[],
): ChunkPlaces {
  const archive = new PlacesByVersion();
  for (const chunk of known)
    archive.add(chunk.chunk_id, chunk.chunker_version ?? "", chunk.doc_id, chunk.source_spans ?? []);

  const carried = findCarriedPlaces(runs, expectedIds, expectedVersion);
  const votes = new Map<string, number>();
  for (const id of expectedIds)
    for (const version of archive.versions(id).keys()) votes.set(version, (votes.get(version) ?? 0) + 1);
  if (expectedVersion !== null) votes.set(expectedVersion, Infinity);
  const settle = (places: ReadonlyMap<string, ChunkPlace>, chunkId: string): ChunkPlace | undefined => {
    const standings = Array.from(places, ([version, place]) => ({
      place,
      isBare: version === "" && place.docId === chunkId,
      votes: votes.get(version) ?? 0,
    })).sort((a, b) => Number(a.isBare) - Number(b.isBare) || b.votes - a.votes);
    const [best] = standings;
    if (best === undefined) return undefined;
    const rivals = standings
      .filter(({ isBare, votes }) => isBare === best.isBare && votes === best.votes)
      .map(({ place }) => place);
    if (areSamePlace(rivals)) {
      const placed = rivals.filter(({ spans }) => usable(spans));
      return smallestPlace(placed.length > 0 ? placed : rivals);
    }
    // Nothing tells which of them the golden set means.
    const { docId } = best.place;
    return rivals.every((place) => place.docId === docId) ? { docId, spans: null } : undefined;
  };

  // Where hits disagree about one id, an id of that form that one chunker's hits carry alone may be meant of
  // the other.
  const formsAtOdds = new Set(
    [...expectedIds].flatMap((id) => {
      const places = [...carried.versions(id).values()].filter(({ spans }) => usable(spans));
      return areSamePlace(places) ? [] : places.map((place) => formOf(id, place));
    }),
  );

  const ofChunk = (chunkId: string, version: string | null): ChunkPlace | undefined => {
    const versions = archive.versions(chunkId);
    // The place that another chunker gave the id would be worse than none.
    return version === null ? settle(versions, chunkId) : (versions.get(version) ?? versions.get(""));
  };

  return {
    findExpected(chunkId) {
      const versions = archive.versions(chunkId);
      if (expectedVersion !== null)
        for (const version of versions.keys())
          if (version !== expectedVersion && version !== "") versions.delete(version);
      const archived = settle(versions, chunkId);
      if (usable(archived?.spans)) return archived;
      // Another chunker's place is known: what hits say is no better.
      const isElsewhere = [...versions.values()].some(({ spans }) => usable(spans));
      const chunkers = carried.versions(chunkId);
      const seen = isElsewhere ? undefined : settle(chunkers, chunkId);
      if (usable(seen?.spans) && (chunkers.size > 1 || !formsAtOdds.has(formOf(chunkId, seen)))) return seen;
      const unplaced = archived ?? seen;
      return unplaced === undefined ? undefined : { docId: unplaced.docId, spans: null };
    },
    ofChunk,
    ofHit(hit, runVersion) {
      const own = ownSpans(hit, "source_spans");
      if (own !== null) return own;
      const archived = ofChunk(hit.chunk_id, hit.chunker_version ?? runVersion);
      return usable(archived?.spans) ? archived.spans : ownSpans(hit, "citation");
    },
  };
}
