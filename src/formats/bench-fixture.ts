import { throwProblems } from "../foundation/errors/index.js";
import { paperFixtureSchema } from "../records/schema/index.js";
import { type Locate, type PaperFixture, shapeProblems } from "../records/index.js";
import { textOf } from "./decode-text.js";
import { locateIn } from "./located.js";
import { wholeJson } from "./whole-json.js";

/** A benchmark fixture, and where its parts stand in the file. */
export interface LocatedFixture {
  readonly fixture: PaperFixture;
  /** For what is found wrong later, when the papers are cut into chunks. */
  readonly locate: Locate;
}

/**
 * Reads a benchmark fixture of papers and judged queries from JSON, and keeps where everything stands.
 *
 * @param source the text, or the bytes of the file.
 * @throws InputError `FIXTURE_SYNTAX`, or `FIXTURE_SHAPE` with every problem, each with line and column.
 */
export function locateBenchFixture(source: string | Uint8Array, file = "fixture"): LocatedFixture {
  const document = wholeJson(textOf(source, file), file, "FIXTURE_SYNTAX");
  const locate = locateIn(document, file);
  throwProblems(shapeProblems(paperFixtureSchema, document.value, { code: "FIXTURE_SHAPE", locate }));
  return { fixture: document.value as PaperFixture, locate };
}

/**
 * Reads a benchmark fixture of papers and judged queries from JSON. Unknown fields are kept.
 *
 * @param source the text, or the bytes of the file.
 * @throws InputError `FIXTURE_SYNTAX`, or `FIXTURE_SHAPE` with every problem, each with line and column.
 */
export function parseBenchFixture(source: string | Uint8Array, file = "fixture"): PaperFixture {
  return locateBenchFixture(source, file).fixture;
}
