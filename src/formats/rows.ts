import { quote, throwProblems, type ErrorCode, type Problem } from "../foundation/errors/index.js";
import type { GivenWarning, Qrel } from "../records/index.js";
import { RankOrder } from "./rank-order.js";

/** Whether a file is read for what a system returned, or for what is relevant. */
export type Role = "run" | "qrels";

/** One hit of a scored run. */
export interface ScoredRow {
  readonly query_id: string;
  readonly doc_id: string;
  readonly score: number;
}

/** A record of a file of named columns. */
export interface NamedRow {
  readonly values: Pick<ReadonlyMap<string, unknown>, "get" | "has">;
  /** Where the value of a column stands, or the record without one. */
  place(column?: string): Pick<Problem, "where" | "line" | "column">;
}

/** Names under which columns go, the one that is written first; those that may be of texts come last. */
const QUERY = ["query_id", "query-id", "qid", "topic", "q_id", "query"];
const DOC = [
  "doc_id",
  "corpus-id",
  "doc-id",
  // PyTerrier has a number of its own beside it as docid.
  "docno",
  "docid",
  "doc",
  "document_id",
  "item_id",
  "item",
  "product_id",
  "passage_id",
  "pid",
  "did",
  "chunk_id",
  "document",
  "_id",
];
/** Beside these names that of another column may be the id as well. */
const UNCLEAR: Readonly<Record<string, string>> = { topic: "query", chunk_id: "document" };
const SCORE = ["score", "_score", "sim", "similarity"];
/** In place of a score. */
const RANK = "rank";
const GRADE = ["grade", "relevance", "rel", "rating", "label", "judgment", "score"];
const SUBTOPIC = ["subtopic", "subtopic_id"];

/** Whether a list of names can be the header of a run or of judgments. */
export function isHeader(names: readonly string[]): boolean {
  return names.some((name) => QUERY.includes(name)) && names.some((name) => DOC.includes(name));
}

/** Columns of files that are more than a table. */
const NO_TABLE = ["hits_top_k", "results", "requests", "details", "queries"];

/**
 * The columns of a table that its rows are read from; null for a table that is no run or no judgments, or
 * more than that.
 */
export function columnsRead(names: readonly string[], role: Role): string[] | null {
  const number = role === "run" ? [...SCORE, RANK] : GRADE;
  const wanted = [...QUERY, ...DOC, ...number, ...(role === "run" ? [] : SUBTOPIC)];
  return isHeader(names) &&
    names.some((name) => number.includes(name)) &&
    !names.some((name) => NO_TABLE.includes(name))
    ? names.filter((name) => wanted.includes(name))
    : null;
}

const SYNTAX: Readonly<Record<Role, ErrorCode>> = { run: "RUN_SYNTAX", qrels: "QRELS_SYNTAX" };

/** The code of what is wrong with the form of a file. */
export function syntaxCode(role: Role): ErrorCode {
  return SYNTAX[role];
}

/** Turns named rows into hits or judgments; all that is wrong is reported together. */
export class RowCollector {
  readonly #role: Role;
  readonly #problems: Problem[];
  readonly hits: ScoredRow[] = [];
  readonly judgments: Qrel[] = [];
  readonly #seen = new Map<string, Pick<Problem, "where" | "line">>();
  /** By which of its names each part of a row is read. */
  readonly #names = new Map<readonly string[], string>();
  /** Whether ranks stand in for scores; undefined before the first row. */
  #isRanked: boolean | undefined;
  readonly #rankOrder = new RankOrder();
  readonly #warnings: GivenWarning[] = [];
  /** Queries that have no hits, in the order of the file. */
  readonly emptyQueries: string[] = [];

  constructor(role: Role, problems: Problem[] = []) {
    this.#role = role;
    this.#problems = problems;
  }

  add(row: NamedRow): void {
    const query_id = this.#id(row, QUERY, "the query's id");
    const doc_id = this.#id(row, DOC, "the item's id");
    const isRun = this.#role === "run";
    const number = isRun ? this.#score(row) : this.#number(row, GRADE, "grade");
    if (query_id === null || doc_id === null || number === null) return;
    if (isRun) {
      this.hits.push({ query_id, doc_id, score: number });
      const rank = row.values.get(RANK);
      if (rank != null && this.#isRanked === false) this.#rankOrder.add(query_id, Number(rank), number);
      return;
    }
    const subtopic = SUBTOPIC.map((name) => row.values.get(name)).find(
      (value): value is string | number =>
        (typeof value === "string" && value !== "") || typeof value === "number",
    );
    const key = JSON.stringify([query_id, doc_id, subtopic ?? null]);
    const before = this.#seen.get(key);
    if (before !== undefined) {
      this.#problems.push({
        code: "QRELS_DUPLICATE",
        ...row.place(),
        message:
          `query ${quote(query_id)}: item ${quote(doc_id)} was judged at ${before.where} already; ` +
          "keep one of the judgments",
      });
      return;
    }
    this.#seen.set(key, row.place());
    this.judgments.push({
      query_id,
      doc_id,
      grade: number,
      ...(subtopic !== undefined && { subtopic: String(subtopic) }),
    });
  }

  /** Takes what else can mislead about the rows. */
  warn(warning: GivenWarning): void {
    this.#warnings.push(warning);
  }

  /** What can mislead about the rows. */
  get warnings(): readonly GivenWarning[] {
    return [...this.#warnings, ...this.#rankOrder.warnings];
  }

  /** A value by the first of its names that the row has. */
  #findNamed(row: NamedRow, names: readonly string[]): { name: string; value: unknown } | null {
    const name = names.find((each) => row.values.has(each));
    return name === undefined ? null : { name, value: row.values.get(name) };
  }

  /**
   * Whether rows before were read by another name: what is missing in a row must not be taken from a column
   * that means something else.
   */
  #isOtherName({ name }: { readonly name: string }, names: readonly string[], row: NamedRow): boolean {
    const known = this.#names.get(names) ?? name;
    this.#names.set(names, known);
    if (known !== name)
      this.#problems.push({
        code: syntaxCode(this.#role),
        ...row.place(name),
        message: `has ${quote(name)} where a row before has ${quote(known)}; give all rows the same`,
      });
    return known !== name;
  }

  #id(row: NamedRow, names: readonly string[], what: string): string | null {
    const found = this.#findNamed(row, names);
    if (found !== null && this.#isOtherName(found, names, row)) return null;
    const other = UNCLEAR[found?.name ?? ""];
    if (other !== undefined && row.values.has(other)) {
      const both = `has ${quote(found?.name)} and ${quote(other)}`;
      const message = `${both}; call the one that is the id ${quote(names[0])}`;
      this.#problems.push({ code: syntaxCode(this.#role), ...row.place(found?.name), message });
      return null;
    }
    const value = found?.value;
    if (typeof value === "string" && value !== "") return value;
    // Ids that look like numbers are often written as such.
    if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
    const message =
      found === null
        ? `${what} is missing; call the column ${quote(names[0])}`
        : `${found.name}: ${what} must be a string that is not empty, got ${quote(value)}`;
    this.#problems.push({ code: syntaxCode(this.#role), ...row.place(found?.name), message });
    return null;
  }

  /** The score; of a table that has ranks alone, one that falls with them. */
  #score(row: NamedRow): number | null {
    const score = this.#findNamed(row, SCORE)?.value ?? "";
    const isRanked = row.values.has(RANK) && score === "";
    this.#isRanked ??= isRanked;
    if (isRanked !== this.#isRanked) {
      this.#problems.push({
        code: "RUN_SCORE",
        ...row.place(),
        message:
          (isRanked ? "has no score, which rows before have" : "has a score, which rows before have not") +
          "; ranks count where no row has a score",
      });
      return null;
    }
    if (!isRanked) return this.#number(row, SCORE, "score");
    const rank = this.#number(row, [RANK], "rank");
    return rank === null ? null : -rank;
  }

  #number(row: NamedRow, names: readonly string[], what: "score" | "rank" | "grade"): number | null {
    const found = this.#findNamed(row, names);
    if (found !== null && what !== "rank" && this.#isOtherName(found, names, row)) return null;
    const value = typeof found?.value === "string" ? decimal(found.value) : found?.value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    const isComma =
      typeof found?.value === "string" && Number.isFinite(decimal(found.value.replace(",", ".")));
    const isUnrated = found?.value === "" || found?.value === null;
    const ofGrades = `; use 0 for not relevant${isUnrated ? ", and leave out what is not rated" : ""}`;
    const advice = isComma ? "; write it with a point" : what === "grade" ? ofGrades : "";
    const message =
      found === null
        ? `the ${what} is missing; call the column ${quote(names[0])}`
        : `${found.name} must be a finite number, got ${quote(found.value)}${advice}`;
    this.#problems.push({
      code: what === "grade" ? "QRELS_GRADE" : "RUN_SCORE",
      ...row.place(found?.name),
      message,
    });
    return null;
  }

  /** @throws InputError with all that was wrong with the rows. */
  check(): this {
    throwProblems(this.#problems);
    return this;
  }
}

/** A number as people write it; NaN for anything else, `0x10` and an empty text too. */
export function decimal(text: string): number {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text.trim()) ? Number(text) : NaN;
}
