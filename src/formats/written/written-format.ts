import { InputError, quote } from "../../foundation/errors/index.js";
import type { Qrel, ScoredRun } from "../../records/index.js";

/** What judgments are written with besides themselves. */
export interface QrelsText {
  /** Of queries by id, for the golden set; a query without one is called by its id. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A format that runs and judgments are written in. Reading back what it writes gives the same. */
export interface WrittenFormatCard {
  readonly name: string;
  /** Extensions of files that are written in it, where no format is named. */
  readonly extensions: readonly string[];
  /** Whether it has a place for the subtopic of a judgment. */
  readonly hasSubtopics: boolean;
  /** Whether a run keeps queries without hits. */
  readonly hasEmptyQueries: boolean;
  /**
   * A run, part by part, because a long one has no room in one string; best hits first. All ids are checked
   * before the first part.
   *
   * @param name what the run is called, where the format says so.
   * @param docs the document of each id that is a chunk's, where the format has a place for it.
   * @throws InputError `ARGUMENT` for an id that the format cannot hold.
   */
  run(run: ScoredRun, name: string, docs?: ReadonlyMap<string, string>): Iterable<string>;
  /** @throws InputError `ARGUMENT` for an id that the format cannot hold. */
  qrels(judgments: readonly Qrel[], text: QrelsText): Iterable<string>;
}

/** A hit of a run, as a row of a table. */
export interface RunRow {
  readonly query: string;
  readonly id: string;
  /** From 1. */
  readonly rank: number;
  readonly score: number;
}

/** The hits of all queries, one after the other. */
export function* rowsOf(run: ScoredRun): Iterable<RunRow> {
  for (const [query, { ids, scores }] of run)
    for (let i = 0; i < ids.length; i++)
      yield { query, id: ids[i] as string, rank: i + 1, score: scores[i] as number };
}

/** The hits of each query. */
export function* queriesOf(
  run: ScoredRun,
): Iterable<readonly [query: string, hits: (readonly [id: string, score: number])[]]> {
  for (const [query, { ids, scores }] of run)
    yield [query, ids.map((id, index) => [id, scores[index] as number] as const)];
}

/** Each of some things as a line. */
export function* linesOf<T>(all: Iterable<T>, line: (each: T) => string): Iterable<string> {
  for (const each of all) yield `${line(each)}\n`;
}

/** Members of a mapping, a line each. */
export function* wrap(begin: string, members: Iterable<string>, end: string): Iterable<string> {
  yield begin;
  let comma = "";
  for (const member of members) {
    yield `${comma}\n  ${member}`;
    comma = ",";
  }
  yield end;
}

/**
 * An id as it stands in a file of text: half of a character has no form in UTF-8, and two would be one.
 *
 * @throws InputError `ARGUMENT` for an id that would be another one when it is read.
 */
export function textField(id: string, what: string): string {
  if (id.isWellFormed() && !id.includes("\0")) return id;
  const [found, other] = id.includes("\0")
    ? ["a zero byte", "JSON, JSONL or Parquet"]
    : ["half of a character (a lone surrogate)", "JSON or JSONL"];
  throw new InputError(
    "ARGUMENT",
    `${what} ${quote(id)} has ${found} in it, which this format cannot hold; write ${other} instead`,
    { id },
  );
}

/** An id as a field of TREC's format, which has no way to write white space and controls. */
export function trecField(id: string, what: string): string {
  textField(id, what);
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  const [wrong] = /[\s\u0000-\u001f]/.exec(id) ?? [];
  if (id === "" || wrong !== undefined) {
    const found = wrong === undefined || /\s/.test(wrong) ? "white space" : "a control character";
    throw notForTrec(`${what} ${quote(id)} has ${found} in it`, id);
  }
  return id;
}

/** A query id at the beginning of a line, where `#` by itself is a comment. */
export function trecQuery(id: string): string {
  if (id === "#") throw notForTrec("query id `#` begins a comment", id);
  return trecField(id, "query id");
}

function notForTrec(problem: string, id: string): InputError {
  return new InputError(
    "ARGUMENT",
    `${problem}, which TREC's format cannot hold; write CSV or JSONL instead`,
    { id },
  );
}
