import * as z from "zod";
import { spanSchema } from "./span.js";
import { id, text } from "./primitives.js";

const ids = z.array(id, { error: "must be a list of ids" });
const phrases = z.array(
  z.string({ error: "must be a string" }).min(1, { error: "must not be empty: every text contains it" }),
  { error: "must be a list of strings" },
);
const grade = z
  .number({ error: "must be a finite number" })
  .describe("How relevant it is: 0 or less is not relevant, higher is better.");
const label = text.nullish();

/** A graded judgment of one chunk or one document. */
export const judgmentSchema = z.union(
  [
    z.strictObject({ chunk_id: id.describe("The judged chunk."), grade }),
    z.strictObject({ doc_id: id.describe("The judged document."), grade }),
  ],
  {
    error: "must have a numeric `grade` and either a `chunk_id` or a `doc_id`",
  },
);

/** What one query should retrieve and what its answer must say. */
export const goldenQuerySchema = z.strictObject({
  id: id.describe("Unique in the golden set; joins the query with the results of runs."),
  query: text.describe("The text as a user would type it."),
  lang: label.describe("Language, such as `en`; a slice."),
  expected_doc_ids: ids
    .optional()
    .describe(
      "Documents that a good result covers. Empty, with no expected chunks: the query should be " +
        "refused. Absent: not judged.",
    ),
  expected_chunk_ids: ids.optional().describe("Chunks that hold the answer; their order does not matter."),
  must_contain: phrases.optional().describe("Texts that the answer must contain, all of them."),
  forbidden: phrases.optional().describe("Texts that the answer must not contain."),
  expected_refusal: z
    .boolean({ error: "must be true or false" })
    .nullish()
    .describe("Whether the system should decline; without it, an empty `expected_doc_ids` decides."),
  difficulty: label.describe("Such as `easy`; a slice."),
  query_type: label.describe("Such as `how_to`; a slice."),
  group: label.describe("Wordings of one intent share it; `rankproof paraphrases` compares them."),
  judgments: z
    .array(judgmentSchema, { error: "must be a list of judgments" })
    .optional()
    .describe("Grades of chunks or documents, for metrics such as nDCG@10."),
  expected_spans: z
    .array(
      z.strictObject({ doc_id: id.describe("The document."), span: spanSchema.describe("The place in it.") }),
      { error: "must be a list of `{doc_id, span}`" },
    )
    .optional()
    .describe("Places that hold the answer, whatever chunker cut them."),
  meta: z
    .record(z.string(), z.unknown(), { error: "must be a mapping" })
    .nullish()
    .describe("Anything else; its texts, numbers and truth values are slices."),
});

/** A golden set as a file holds it: the queries, and what the set is. */
export const goldenSetSchema = z.strictObject({
  version: z.union([z.string(), z.number()]).nullish().describe("For people."),
  description: label.describe("For people."),
  chunker_version: z
    .union([z.string(), z.number()], { error: "must be a text or a number, as in runs" })
    .nullish()
    .describe("The chunker that its chunk ids are of, as runs name it."),
  queries: z.array(goldenQuerySchema).describe("The queries; ids are unique."),
});
