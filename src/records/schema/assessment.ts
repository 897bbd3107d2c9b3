import * as z from "zod";
import { isTimestamp, TIMESTAMP } from "../is-timestamp.js";
import { filled, text, wholeFrom0, WHOLE_FROM_1 } from "./primitives.js";

const GRADE = { error: "must be a whole number from 0 to 3" };
const TIME = { error: "must be a time in UTC with milliseconds, such as 2026-05-01T09:00:00.000Z" };
const AMOUNT = { error: "must be a number from 0" };
const amount = z.number(AMOUNT).min(0, AMOUNT);
const hash = text.regex(/^[0-9a-f]{64}$/, { error: "must be a SHA-256 digest in small hexadecimal digits" });

/** What sort of rater said it. */
export const raterKindSchema = z.enum(["model", "human", "adjudicator", "import", "click"], {
  error: "must be model, human, adjudicator, import or click",
});

/**
 * Who or what assesses. All of it but `answered_model` is its identity: with another prompt, or other
 * parameters, it is another rater. Unknown further fields are kept.
 */
export const raterSchema = z.looseObject({
  kind: raterKindSchema.describe("What sort of rater it is."),
  name: filled.describe("A person's name, or that of a labeler."),
  model: text.nullish().describe("The model that was asked for."),
  answered_model: text.nullish().describe("The model that the answer names."),
  prompt: text.nullish().describe("Id of the prompt."),
  prompt_version: text.nullish().describe("Version of the prompt."),
  parameters: z
    .record(z.string(), z.unknown(), { error: "must be a mapping" })
    .nullish()
    .describe("What else decides what it says, such as the temperature."),
});

/** What came of asking a rater once. */
export const assessmentOutcomeSchema = z.enum(["graded", "cannot_tell", "invalid", "refused", "withdrawn"], {
  error: "must be graded, cannot_tell, invalid, refused or withdrawn",
});

/**
 * What one rater said once of one item for one query. It is never changed: a later one takes its place, and
 * `withdrawn` takes back the latest one of the same rater. Unknown further fields are kept.
 */
export const assessmentSchema = z
  .looseObject({
    tenant: filled.describe("Whose label it is; `default` unless several share a store."),
    query: filled.describe("The query's text, normalized: NFC, white space folded, case kept."),
    item: filled.describe("Id of the item."),
    item_hash: hash
      .nullish()
      .describe("SHA-256 of the item's label fields as canonical JSON; a label is stale when they change."),
    sent_hash: hash.nullish().describe("SHA-256 of what the rater was shown of the item."),
    sent_length: wholeFrom0.nullish().describe("Characters that were shown, where the item was cut."),
    outcome: assessmentOutcomeSchema.describe(
      "`graded`; `cannot_tell`, said by the rater; `invalid`, an answer that cannot be used; `refused`; " +
        "`withdrawn`, which takes back the rater's assessment before it.",
    ),
    grade: z
      .int(GRADE)
      .min(0, GRADE)
      .max(3, GRADE)
      .nullable()
      .describe("From 0, irrelevant, to 3, fully relevant; null unless it is `graded`."),
    rater: raterSchema.describe("Who said it."),
    vote: z
      .int(WHOLE_FROM_1)
      .min(1, WHOLE_FROM_1)
      .default(1)
      .describe("Number of the vote, where a model is asked several times."),
    batch: text.nullish().describe("Items of one batch were judged in one request."),
    place: wholeFrom0.nullish().describe("Place in the batch, from 0."),
    batch_size: wholeFrom0.nullish().describe("Items in the batch."),
    at: text
      .regex(TIMESTAMP, TIME)
      .refine(isTimestamp, TIME)
      .describe("When, in UTC with milliseconds: 2026-05-01T09:00:00.000Z."),
    tokens: z
      .object({
        input: amount.describe("Tokens of the request, the item's share of its batch."),
        output: amount.describe("Tokens of the answer, the item's share of its batch."),
      })
      .nullish()
      .describe("What it took."),
    price: z
      .object({
        amount: amount.describe("The item's share of its batch."),
        currency: text.describe("Such as `EUR`."),
      })
      .nullish()
      .describe("What it cost, where the labeler has a price."),
    reason: text.nullish().describe("Why, in the rater's words, or what was wrong with the answer."),
  })
  .refine(({ outcome, grade }) => (outcome === "graded") === (grade !== null), {
    error: "must have a grade where it is graded, and else null",
    path: ["grade"],
  });
