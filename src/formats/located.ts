import { firstIndex } from "../foundation/columns/index.js";
import type { Locate, Path } from "../records/index.js";

/** A place in a text, both parts 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A parsed document that remembers where its values stand. */
export interface LocatedDocument {
  readonly value: unknown;
  /** Where the value at a path stands, or the nearest value around it. */
  readonly positionOf: (path: Path) => Position;
  /** Where a key of the mapping at a path stands. */
  readonly positionOfKey: (path: Path, key: string) => Position;
}

/** Deeper nesting than any real record; a limit instead of a stack overflow. */
export const DEEPEST_NESTING = 500;

/** A text that is not well-formed, and where. */
export class SyntaxProblem extends Error {
  readonly position: Position;

  constructor(message: string, position: Position) {
    super(message);
    this.position = position;
  }
}

/**
 * Tells the place of an offset in a text. Lines end with LF; they are counted once, at the first question.
 */
export function positionFinder(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    if (starts === undefined) {
      starts = [0];
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
    }
    const all = starts;
    const line = firstIndex(all.length, (at) => (all[at] as number) > offset);
    return { line, column: offset - (all[line - 1] as number) + 1 };
  };
}

/** A part of a document as a document of its own, so that messages name `id` and not `[17].id`. */
export function partOf(document: LocatedDocument, base: Path, value: unknown): LocatedDocument {
  return {
    value,
    positionOf: (path) => document.positionOf([...base, ...path]),
    positionOfKey: (path, key) => document.positionOfKey([...base, ...path], key),
  };
}

/** Where the parts of a document stand, as problems name it: `file:line:column`. */
export function locateIn(document: LocatedDocument, file: string, lineOffset = 0): Locate {
  return (path, key) =>
    placeIn(
      file,
      key === undefined ? document.positionOf(path) : document.positionOfKey(path, key),
      lineOffset,
    );
}

/** A position in a file as problems name it; `lineOffset` lines stand before the document. */
export function placeIn(file: string, { line, column }: Position, lineOffset = 0): ReturnType<Locate> {
  return { where: `${file}:${line + lineOffset}:${column}`, line: line + lineOffset, column };
}
