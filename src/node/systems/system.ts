import type { RecordOptions } from "../../runs/index.js";

/** A search or RAG system that can be recorded. */
export interface RecordedSystem extends Pick<RecordOptions, "retrieve" | "answer"> {
  /** What a change of it is made of. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Aborted when it can answer nothing any more, with the error that says why. */
  readonly broken?: AbortSignal | undefined;
  /** Lets go of what it holds. */
  close(): Promise<void>;
}
