/** The judgments of one query: a range of the table's entries. */
export interface TableQuery {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** The grades from 0 on, highest first; made when they are asked for. */
  readonly pool: Float64Array;
}

/**
 * Judgments as bytes and numbers, so that a run can be held against them without making a string of any
 * item's id: 40 bytes a judgment instead of 150.
 */
export interface QrelsTable {
  readonly queries: ReadonlyMap<string, TableQuery>;
  /** The highest grade of all. */
  readonly highest: number;
  /** The ids of all items, one after the other; that of entry i is from `starts[i]` to `ends[i]`. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly hashes: Int32Array;
  readonly grades: Float64Array;
}
