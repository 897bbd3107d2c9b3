import type { Role, RowCollector } from "./rows.js";

/** A format of runs and judgments that is known by the first line of a file, and read as a whole. */
export interface ReadFormatCard {
  readonly name: string;
  /** What it can hold; both unless given. */
  readonly role?: Role;
  /** Whether a file can be one whose first line, comments and empty lines aside, is this. */
  readonly fits: (line: string) => boolean;
  /**
   * The hits of a run, or judgments.
   *
   * @throws InputError with all problems, each with line and column.
   */
  readonly read: (
    text: string,
    file: string,
    role: Role,
  ) => Pick<RowCollector, "hits" | "judgments" | "warnings">;
}
