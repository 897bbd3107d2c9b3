import * as z from "zod";
import { filled, text, WHOLE_FROM_1 } from "./primitives.js";

const paperId = z.union([filled, z.int()], { error: "must be a text or a whole number" });
const GRADE = { error: "must be a whole number from 0 to 3" };

/**
 * A paper of a benchmark fixture: what is cut into sections and searched. Unknown further fields are kept.
 */
export const paperSchema = z.looseObject({
  paper_id: paperId.describe('Unique in the fixture; 7 and "7" are the same paper.'),
  title: text.describe("The paper's title."),
  abstract: text.describe("The paper's abstract; empty where it has none."),
  structured_card: z
    .record(z.string(), z.union([text, z.array(text)], { error: "must be a text or a list of texts" }), {
      error: "must be a mapping of names to texts",
    })
    .describe("Sections by name, such as `method`: a text, or a list of texts."),
  year: z
    .union([text, z.int()], { error: "must be a whole number or a text" })
    .nullish()
    .describe("Year of publication."),
  venue: text.nullish().describe("Journal or conference."),
});

/** One query of a benchmark fixture, with what is relevant to it. Unknown further fields are kept. */
export const fixtureCaseSchema = z.looseObject({
  case_id: filled.describe("Unique in the fixture."),
  query: filled.describe("The text that is searched for."),
  query_type: filled.describe("Kind of query; scores are given for each kind."),
  top_k: z.int(WHOLE_FROM_1).min(1, WHOLE_FROM_1).describe("Cutoff of this case's scores, from 1."),
  judgments: z
    .array(
      z.looseObject({
        paper_id: paperId.describe("The paper of the section."),
        chunk_ref: filled.describe("The section: `PAPER_ID#NAME`."),
        relevance: z.int(GRADE).min(0, GRADE).max(3, GRADE).describe("Grade from 0, not relevant, to 3."),
      }),
      { error: "must be a list of judgments" },
    )
    .describe("What is relevant, and how much."),
  expected_paper_ids: z
    .array(paperId, { error: "must be a list of paper ids" })
    .optional()
    .describe("For people; it must agree with the judgments."),
  expected_chunk_refs: z
    .array(filled, { error: "must be a list of chunk references" })
    .optional()
    .describe("For people; it must agree with the judgments."),
});

/**
 * A benchmark of evidence in papers: the papers, and queries with judgments of their sections. Unknown
 * further fields are kept.
 */
export const paperFixtureSchema = z.looseObject({
  version: z
    .union([z.string(), z.number()], { error: "must be a text or a number" })
    .nullish()
    .describe("For people."),
  description: text.nullish().describe("For people."),
  papers: z
    .array(paperSchema, { error: "must be a list of papers" })
    .describe("What is cut into sections and searched."),
  cases: z
    .array(fixtureCaseSchema, { error: "must be a list of cases" })
    .describe("The queries with their judgments."),
});
