import type { Chunker } from "./text-chunk.js";

/** How large chunks are, in the unit of the chunker; each has its usual value where it is left out. */
export interface ChunkSize {
  readonly size?: number | undefined;
  /** How much a chunk shares with the one before. */
  readonly overlap?: number | undefined;
}

/** A chunker that goes by a name, with what a command line or a form says of it. */
export interface ChunkerCard {
  readonly name: string;
  /** What its size and overlap count, and how much they usually are; left out where documents are not cut. */
  readonly size?: { readonly unit: string; readonly usual: number; readonly usualOverlap: number };
  /** @throws InputError `ARGUMENT` for a size or an overlap that is not possible. */
  make(size?: ChunkSize): Chunker;
}
