import * as z from "zod";

const text = z.string({ error: "must be a string" });
const filled = text.min(1, { error: "must not be empty" });
const paperId = z.union([filled, z.int()], { error: "must be a text or a whole number" });
const WHOLE_FROM_1 = { error: "must be a whole number from 1" };
const GRADE = { error: "must be a whole number from 0 to 3" };

/**
 * A paper of a benchmark fixture: what is cut into sections and searched. Unknown further fields are kept.
 */
export const paperSchema = z.looseObject({
  paper_id: paperId,
  title: text,
  abstract: text,
  structured_card: z.record(
    z.string(),
    z.union([text, z.array(text)], { error: "must be a text or a list of texts" }),
    { error: "must be a mapping of names to texts" },
  ),
  year: z.union([text, z.int()], { error: "must be a whole number or a text" }).nullish(),
  venue: text.nullish(),
});

/** One query of a benchmark fixture, with what is relevant to it. Unknown further fields are kept. */
export const fixtureCaseSchema = z.looseObject({
  case_id: filled,
  query: filled,
  query_type: filled,
  top_k: z.int(WHOLE_FROM_1).min(1, WHOLE_FROM_1),
  judgments: z.array(
    z.looseObject({
      paper_id: paperId,
      chunk_ref: filled,
      relevance: z.int(GRADE).min(0, GRADE).max(3, GRADE),
    }),
    { error: "must be a list of judgments" },
  ),
  expected_paper_ids: z.array(paperId, { error: "must be a list of paper ids" }).optional(),
  expected_chunk_refs: z.array(filled, { error: "must be a list of chunk references" }).optional(),
});

/**
 * A benchmark of evidence in papers: the papers, and queries with judgments of their sections. Unknown
 * further fields are kept.
 */
export const benchFixtureSchema = z.looseObject({
  version: z.union([z.string(), z.number()], { error: "must be a text or a number" }).nullish(),
  description: text.nullish(),
  papers: z.array(paperSchema, { error: "must be a list of papers" }),
  cases: z.array(fixtureCaseSchema, { error: "must be a list of cases" }),
});

/** A paper of a benchmark fixture. */
export type Paper = z.infer<typeof paperSchema>;
/** One query of a benchmark fixture, with its judgments. */
export type FixtureCase = z.infer<typeof fixtureCaseSchema>;
/** A benchmark of evidence in papers, as its file holds it. */
export type PaperFixture = z.infer<typeof benchFixtureSchema>;
