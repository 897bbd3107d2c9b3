import * as z from "zod";
import { citationSchema, spanSchema } from "./span.js";

const text = z.string({ error: "must be a string" });
const id = text.min(1, { error: "must not be empty" });

/** One returned chunk. Unknown further fields are kept. */
export const searchHitSchema = z.looseObject({
  rank: z
    .int({ error: "must be a whole number from 1" })
    .min(1, { error: "must be a whole number from 1" })
    .nullish()
    .describe("1-based; without it, the place in the list"),
  chunk_id: id,
  doc_id: id,
  score: z.number({ error: "must be a finite number" }).nullish(),
  source_spans: z.array(spanSchema, { error: "must be a list of spans" }).nullish(),
  doc_path: text.nullish(),
  citation: citationSchema.nullish(),
  chunker_version: text.nullish(),
  features: z
    .record(z.string(), z.number({ error: "must be a finite number" }), {
      error: "must be a mapping of names to numbers",
    })
    .nullish(),
});

/** What the system said, and what it cites. */
export const answerSchema = z.looseObject({
  answer: text,
  grounded: z.boolean({ error: "must be true or false (false = the system refused)" }),
  citations: z
    .array(z.looseObject({ marker: text.nullish(), citation: citationSchema }), {
      error: "must be a list of `{citation}`",
    })
    .nullish(),
  refusal_reason: text.nullish(),
  prompt_template_version: text.nullish(),
});

/** What the system returned for one query. Unknown further fields are kept. */
export const queryResultSchema = z.looseObject({
  query_id: id,
  query: text.nullish(),
  mode: text.nullish(),
  hits_top_k: z.array(searchHitSchema, { error: "must be a list of hits" }),
  answer: answerSchema.nullish(),
  elapsed_ms: z
    .number({ error: "must be a number of milliseconds from 0" })
    .min(0, { error: "must be a number of milliseconds from 0" })
    .nullish(),
  error: text.nullish(),
});

/** What one version of a system returned for a set of queries. */
export const evalRunSchema = z.looseObject({
  run_id: id,
  suite: text,
  created_at: text,
  commit_hash: text.nullish(),
  config_snapshot: z.record(z.string(), z.unknown(), { error: "must be a mapping" }),
  results: z.array(queryResultSchema, { error: "must be a list of query results" }),
  incomplete: z.boolean().nullish().describe("true while a recorded run has not finished"),
});

/** A chunk as the knowledge base has it, without its text. */
export const chunkRecordSchema = z.looseObject({
  chunk_id: id,
  doc_id: id,
  doc_path: text.nullish(),
  source_spans: z.array(spanSchema, { error: "must be a list of spans" }).nullish(),
  chunker_version: text.nullish(),
});

/** What the knowledge base holds: the chunks that ids, citations and spans are checked against. */
export const corpusSchema = z.looseObject({
  chunks: z.array(chunkRecordSchema, { error: "must be a list of chunks" }),
});

/** One returned chunk. */
export type SearchHit = z.infer<typeof searchHitSchema>;
/** What the system said, and what it cites. */
export type Answer = z.infer<typeof answerSchema>;
/** What the system returned for one query. */
export type QueryResult = z.infer<typeof queryResultSchema>;
/** What one version of a system returned for a set of queries. */
export type EvalRun = z.infer<typeof evalRunSchema>;
/** A chunk as the knowledge base has it, without its text. */
export type ChunkRecord = z.infer<typeof chunkRecordSchema>;

/** {@link corpusSchema}; never changed by who reads it. */
export interface CorpusSnapshot {
  readonly chunks: readonly ChunkRecord[];
}
