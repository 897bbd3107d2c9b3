import type { SearchHit } from "../types/index.js";
import type { Retriever, SearchOptions } from "./retriever.js";

/** An item as raters and rerankers see it. */
export interface LabelItem {
  readonly id: string;
  /** What is shown of it, by name: title, text, attributes. A label is stale when any of it changes. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A hit with what the search says of the item. */
export type BackendHit = SearchHit & { readonly fields?: LabelItem["fields"] | undefined };

/**
 * A live search that labels are built over, and results are measured of.
 *
 * For those who implement it: the rules are those of a {@link Retriever}, and an abort rejects with its
 * reason. `backendContract` of `rankproof/testing` holds a backend to them.
 */
export interface Backend extends Retriever {
  /** Hits for a question, best first, with the fields of their items where the search gives them. */
  search(query: string, options: SearchOptions): readonly BackendHit[] | Promise<readonly BackendHit[]>;
  /** Every item, each once, the same again while nothing changes; left out where it cannot. */
  list?(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<LabelItem>;
  /** What the service says of its own settings, for a record of what was measured. */
  configuration?(options?: { readonly signal?: AbortSignal | undefined }): Promise<unknown>;
  /** Lets go of what it holds. */
  close?(): Promise<void>;
}
