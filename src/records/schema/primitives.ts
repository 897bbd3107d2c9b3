import * as z from "zod";

// Values of several schemas, with what an error says of a wrong one.

export const text = z.string({ error: "must be a string" });
const EMPTY = { error: "must not be empty" };
export const filled = text.min(1, EMPTY);
export const id = text.min(1, EMPTY);
export const path = z.string({ error: "must be a path" }).min(1, EMPTY);
export const texts = z.array(text);
export const count = z.int().min(0);
export const share = z.number().min(0).max(1);
/** Null where it is not among the hits. */
export const rank = z.int().min(1).nullable();
export const WHOLE_FROM_0 = { error: "must be a whole number from 0" };
export const wholeFrom0 = z.int(WHOLE_FROM_0).min(0, WHOLE_FROM_0);
export const WHOLE_FROM_1 = { error: "must be a whole number from 1" };
export const wholeFrom1 = z.int(WHOLE_FROM_1).min(1, WHOLE_FROM_1);

/**
 * Null where nothing could be computed. Means and their differences have 4 decimals; nothing else is rounded.
 */
export const score = z.number().nullable();
/** Above 0 unless it was computed in closed form; null where there is no test. */
export const pValue = z.number().min(0).max(1).nullable();
export const interval = z
  .object({ low: z.number().describe("Lower end."), high: z.number().describe("Upper end.") })
  .nullable();
