import * as z from "zod";

const line = z
  .int({ error: "must be a whole line number from 1" })
  .min(1, { error: "must be a whole line number from 1" });
const extent = z.number({ error: "must be a number" });
const offset = z.number({ error: "must be a number from 0" }).min(0, { error: "must be a number from 0" });
const pageNumber = z
  .int({ error: "must be a whole page number from 0" })
  .min(0, { error: "must be a whole page number from 0" });

const lineFields = { start: line, end: line };
const codeFields = { line_start: line, line_end: line };
const byteFields = { start: offset, end: offset };
const pageFields = { page: pageNumber, char_start: offset.nullish(), char_end: offset.nullish() };
const timeFields = { start_ms: offset, end_ms: offset };
const regionFields = { x: extent, y: extent, w: offset, h: offset, page: pageNumber.nullish() };

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

const path = z.string({ error: "must be a string: the path of the cited document" });

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
  [z.looseObject({ kind: z.undefined().optional(), chunk_id: z.string() }), locatedCitationSchema],
  {
    error: "must have a `chunk_id`, or a `kind` with `path` and its span",
  },
);

/** A place in a document, of one of seven kinds. */
export type Span = z.infer<typeof spanSchema>;
/** What an answer points at: a chunk by its id, or a place in a document. */
export type Citation = z.infer<typeof citationSchema>;
/** The kinds of places: line, code, byte, page, time, region, caption. */
export type SpanKind = Span["kind"];
