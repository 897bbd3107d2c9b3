import * as z from "zod";
import { citationSchema, spanSchema } from "./span.js";
import { id, text } from "./primitives.js";

/** One returned chunk. Unknown further fields are kept. */
export const searchHitSchema = z.looseObject({
  rank: z
    .int({ error: "must be a whole number from 1" })
    .min(1, { error: "must be a whole number from 1" })
    .nullish()
    .describe("1-based; without it, the place in the list."),
  chunk_id: id.describe("The chunk; what exact matching compares."),
  doc_id: id.describe("Its document."),
  score: z
    .number({ error: "must be a finite number" })
    .nullish()
    .describe("The system's own score; kept, not used."),
  source_spans: z
    .array(spanSchema, { error: "must be a list of spans" })
    .nullish()
    .describe("Where in the document it lies; needed to match across chunkers."),
  doc_path: text.nullish().describe("Path of the document, for citations by path."),
  citation: citationSchema.nullish().describe("Stands in for missing `source_spans`."),
  chunker_version: text.nullish().describe("What cut the document, where the configuration does not say it."),
  features: z
    .record(z.string(), z.number({ error: "must be a finite number" }), {
      error: "must be a mapping of names to numbers",
    })
    .nullish()
    .describe("Numbers by name, kept for diagnosis; not used."),
});

/** What the system said, and what it cites. */
export const answerSchema = z.looseObject({
  answer: text.describe("What the system said; `must_contain` and `forbidden` are looked for in it."),
  grounded: z
    .boolean({ error: "must be true or false (false = the system refused)" })
    .describe("False: the system declined to answer."),
  citations: z
    .array(
      z.looseObject({
        marker: text.nullish().describe("How the text refers to it, such as `1`."),
        citation: citationSchema.describe("The cited chunk or place."),
      }),
      {
        error: "must be a list of `{citation}`",
      },
    )
    .nullish()
    .describe("What it points at."),
  refusal_reason: text.nullish().describe("Kept for people."),
  prompt_template_version: text.nullish().describe("Kept for people."),
});

/** What the system returned for one query. Unknown further fields are kept. */
export const queryResultSchema = z.looseObject({
  query_id: id.describe("Id of the golden query."),
  query: text.nullish().describe("The text that was asked."),
  mode: text.nullish().describe("The way of searching, such as `lexical`."),
  hits_top_k: z
    .array(searchHitSchema, { error: "must be a list of hits" })
    .describe("Hits, best first; empty when nothing came back."),
  answer: answerSchema.nullish().describe("The answer of a system that answers."),
  elapsed_ms: z
    .number({ error: "must be a number of milliseconds from 0" })
    .min(0, { error: "must be a number of milliseconds from 0" })
    .nullish()
    .describe("Milliseconds that the system took, from 0."),
  error: text.nullish().describe("What the query failed with; any text, even an empty one, is an error."),
  request_ids: z
    .array(text, { error: "must be a list of strings" })
    .nullish()
    .describe("`X-Request-ID` of each request, by which it is found in the log of the service."),
  plan: z.unknown().optional().describe("What the service says of how it searched."),
  channels: z
    .record(z.string(), z.array(text, { error: "must be a list of ids" }), {
      error: "must be a mapping of names to lists of ids",
    })
    .nullish()
    .describe("Ids by the name of a stage, best first."),
});

/** What one version of a system returned for a set of queries. */
export const evalRunSchema = z.looseObject({
  run_id: id.describe("Unique in a store."),
  suite: text.describe("What runs of one golden set share; `default` where a file does not say."),
  created_at: text.describe("When it was recorded, in UTC: 2026-05-01T09:00:00Z."),
  commit_hash: text.nullish().describe("The commit that it was recorded at."),
  config_snapshot: z
    .record(z.string(), z.unknown(), { error: "must be a mapping" })
    .describe(
      "How the system was configured; a comparison says what differs. Known keys: chunker_version, " +
        "embedding.model, llm.model_id, prompt_template_version, index_version, eval_k.",
    ),
  results: z
    .array(queryResultSchema, { error: "must be a list of query results" })
    .describe("One result for each query."),
  incomplete: z.boolean().nullish().describe("True while a recorded run has not finished."),
  gate_failed: z
    .boolean()
    .nullish()
    .describe("True where it did not pass the gate that it was recorded for: it is no baseline by default."),
  gate_pending: z
    .boolean()
    .nullish()
    .describe(
      "True until the gate that it is recorded for has been held; until then it is no baseline either.",
    ),
});

/** A chunk as the knowledge base has it, without its text. */
export const chunkRecordSchema = z.looseObject({
  chunk_id: id.describe("Unique in one version of the knowledge base."),
  doc_id: id.describe("Its document."),
  doc_path: text.nullish().describe("Path of the document."),
  source_spans: z
    .array(spanSchema, { error: "must be a list of spans" })
    .nullish()
    .describe("Where in the document it lies."),
  chunker_version: text.nullish().describe("What cut the document."),
});

/** What the knowledge base holds: the chunks that ids, citations and spans are checked against. */
export const corpusSchema = z.looseObject({
  chunks: z
    .array(chunkRecordSchema, { error: "must be a list of chunks" })
    .describe("The chunks that are there now."),
});
