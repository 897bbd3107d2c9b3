import * as z from "zod";
import { spanSchema } from "./span.js";

const text = z.string({ error: "must be a string" });
const id = z.string({ error: "must be a string" }).min(1, { error: "must not be empty" });
const ids = z.array(id, { error: "must be a list of ids" });
const phrases = z.array(
  z.string({ error: "must be a string" }).min(1, { error: "must not be empty: every text contains it" }),
  { error: "must be a list of strings" },
);
const grade = z.number({ error: "must be a finite number" });
const label = text.nullish();

/** A graded judgment of one chunk or one document. */
export const judgmentSchema = z.union(
  [z.strictObject({ chunk_id: id, grade }), z.strictObject({ doc_id: id, grade })],
  {
    error: "must have a numeric `grade` and either a `chunk_id` or a `doc_id`",
  },
);

/** What one query should retrieve and what its answer must say. */
export const goldenQuerySchema = z.strictObject({
  id,
  query: text,
  lang: label,
  expected_doc_ids: ids.optional(),
  expected_chunk_ids: ids.optional(),
  must_contain: phrases.optional(),
  forbidden: phrases.optional(),
  expected_refusal: z.boolean({ error: "must be true or false" }).nullish(),
  difficulty: label,
  query_type: label,
  group: label,
  judgments: z.array(judgmentSchema, { error: "must be a list of judgments" }).optional(),
  expected_spans: z
    .array(z.strictObject({ doc_id: id, span: spanSchema }), { error: "must be a list of `{doc_id, span}`" })
    .optional(),
  meta: z.record(z.string(), z.unknown(), { error: "must be a mapping" }).nullish(),
});

/** A golden set as a file holds it: the queries, and what the set is. */
export const goldenSetSchema = z.strictObject({
  version: z.union([z.string(), z.number()]).nullish(),
  description: label,
  queries: z.array(goldenQuerySchema),
});

/** How relevant one chunk or document is to a query. */
export type Judgment = z.infer<typeof judgmentSchema>;
/** One query and what is expected of it. */
export type GoldenQuery = z.infer<typeof goldenQuerySchema>;
/** Queries with what they should retrieve and say. */
export type GoldenSet = z.infer<typeof goldenSetSchema>;
