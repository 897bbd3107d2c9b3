import * as z from "zod";

const line = z
  .int({ error: "must be a whole line number from 1" })
  .min(1, { error: "must be a whole line number from 1" });
const extent = z.number({ error: "must be a number" });
const offset = z.number({ error: "must be a number from 0" }).min(0, { error: "must be a number from 0" });
const pageNumber = z
  .int({ error: "must be a whole page number from 0" })
  .min(0, { error: "must be a whole page number from 0" });

const lineFields = {
  start: line.describe("First line, from 1."),
  end: line.describe("Last line, included."),
};
const codeFields = {
  line_start: line.describe("First line, from 1."),
  line_end: line.describe("Last line, included."),
};
const byteFields = {
  start: offset.describe("First byte, from 0."),
  end: offset.describe("First byte after it."),
};
const pageFields = {
  page: pageNumber.describe("Page, from 0."),
  char_start: offset.nullish().describe("First character on the page, from 0; without it, the whole page."),
  char_end: offset.nullish().describe("First character after it."),
};
const timeFields = {
  start_ms: offset.describe("First millisecond."),
  end_ms: offset.describe("First millisecond after it."),
};
const regionFields = {
  x: extent.describe("Left edge, in any unit."),
  y: extent.describe("Upper edge, in the same unit."),
  w: offset.describe("Width."),
  h: offset.describe("Height."),
  page: pageNumber.nullish().describe("Page, from 0; without it, any."),
};

/**
 * Where in its document a chunk lies. Lines are 1-based and inclusive; bytes, characters and times are
 * half-open; a page without characters is the whole page; `caption` has no extent. Unknown further fields are
 * kept.
 */
export const spanSchema = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("line"), ...lineFields }),
  z.looseObject({ kind: z.literal("code"), ...codeFields }),
  z.looseObject({ kind: z.literal("byte"), ...byteFields }),
  z.looseObject({ kind: z.literal("page"), ...pageFields }),
  z.looseObject({ kind: z.literal("time"), ...timeFields }),
  z.looseObject({ kind: z.literal("region"), ...regionFields }),
  z.looseObject({ kind: z.literal("caption") }),
]);

const path = z
  .string({ error: "must be a string: the path of the cited document" })
  .describe("Path of the cited document.");

/** A span together with the path of its document. */
const locatedCitationSchema = z.discriminatedUnion("kind", [
  z.looseObject({ kind: z.literal("line"), path, ...lineFields }),
  z.looseObject({ kind: z.literal("code"), path, ...codeFields }),
  z.looseObject({ kind: z.literal("byte"), path, ...byteFields }),
  z.looseObject({ kind: z.literal("page"), path, ...pageFields }),
  z.looseObject({ kind: z.literal("time"), path, ...timeFields }),
  z.looseObject({ kind: z.literal("region"), path, ...regionFields }),
  z.looseObject({ kind: z.literal("caption"), path }),
]);

/** What an answer points at: a chunk by its id, or a place in a document. */
export const citationSchema = z.union(
  [
    z.looseObject({ kind: z.undefined().optional(), chunk_id: z.string().describe("The cited chunk.") }),
    locatedCitationSchema,
  ],
  {
    error: "must have a `chunk_id`, or a `kind` with `path` and its span",
  },
);
