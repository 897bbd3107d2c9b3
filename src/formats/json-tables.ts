import { isRecord } from "../foundation/checks/index.js";
import { problemsError, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { countOf } from "../foundation/numbers/index.js";
import { firstOf, parseJson } from "../foundation/text/index.js";
import type { GivenWarning } from "../records/index.js";
import type { ByteReader } from "./byte-reader.js";
import { JsonlReader } from "./jsonl.js";
import { locateJson, readJson } from "./located-json.js";
import { locateIn, type LocatedDocument } from "./located.js";
import { columnsRead, RowCollector, syntaxCode, type NamedRow, type Role } from "./rows.js";

/** A JSON record as a row. */
function rowOf(
  value: Readonly<Record<string, unknown>>,
  located: () => LocatedDocument,
  file: string,
  lineOffset = 0,
  base: readonly PropertyKey[] = [],
): NamedRow {
  return {
    values: { has: (name) => Object.hasOwn(value, name), get: (name) => value[name] },
    place: (column) => locateIn(located(), file, lineOffset)(column === undefined ? base : [...base, column]),
  };
}

/**
 * Reads a run or judgments from JSONL as it comes: one record of named columns a line. `end` throws all
 * problems, each with line and column.
 */
export function jsonlTableReader(file: string, role: Role): ByteReader<RowCollector> {
  const problems: Problem[] = [];
  const collector = new RowCollector(role, problems);
  const lines = new JsonlReader(file, syntaxCode(role), ({ value, lineOffset, located }) => {
    if (isRecord(value)) collector.add(rowOf(value, located, file, lineOffset));
    else
      problems.push({
        code: syntaxCode(role),
        where: `${file}:${lineOffset + 1}:1`,
        line: lineOffset + 1,
        column: 1,
        message: `a line must be a record such as \`{"query_id": …, "doc_id": …}\`, got ${quote(value)}`,
      });
  });
  return {
    write: (chunk) => lines.write(chunk),
    end() {
      lines.end();
      throwProblems(lines.problems.concat(problems));
      return collector;
    },
  };
}

const RETURNED_ONLY: GivenWarning = {
  code: "RETURNED_ONLY",
  message:
    "judgments are read from a response of _rank_eval, which rates returned hits only: recall and nDCG are " +
    "too high; give the request, which has all ratings",
};

/** The kinds of JSON documents that hold a run or judgments. */
export type JsonTable = "json" | "json list" | "rank_eval request" | "rank_eval response";

/** Which kind of table a JSON value is, apart from this project's own files. */
export function jsonTableOf(value: unknown): JsonTable {
  if (Array.isArray(value)) return "json list";
  if (isRecord(value) && Array.isArray(value["requests"])) return "rank_eval request";
  if (isRecord(value) && isRecord(value["details"])) return "rank_eval response";
  return "json";
}

/**
 * Reads a run or judgments from a JSON text: `{query: {item: number}}` as ranx and pytrec_eval have it, a
 * list of records of named columns, or Elasticsearch's `_rank_eval` request (judgments) or response (a run).
 *
 * @param inFileOrder the text, where hits of a query are wanted as they stand in it.
 * @throws InputError with all problems, each with line and column.
 */
export function parseJsonTable(
  document: LocatedDocument,
  file: string,
  role: Role,
  inFileOrder?: string,
): RowCollector {
  const problems: Problem[] = [];
  const collector = new RowCollector(role, problems);
  const { value } = document;
  const rows: Rows = {
    role,
    add: (path, values, numberAt = path) => {
      collector.add({
        values: new Map(values),
        place: (column) =>
          locateIn(document, file)(column === "score" || column === "grade" ? numberAt : path),
      });
    },
    asWritten:
      inFileOrder === undefined ? (_, items) => Object.entries(items) : entriesAsWritten(inFileOrder),
    noHits: (query) => void collector.emptyQueries.push(query),
    refuse: (path, message) =>
      void problems.push({ code: syntaxCode(role), ...locateIn(document, file)(path), message }),
  };
  const kind = jsonTableOf(value);
  if (kind === "json list") {
    (value as readonly unknown[]).forEach((row, index) => {
      if (isRecord(row)) collector.add(rowOf(row, () => document, file, 0, [index]));
      else
        rows.refuse([index], `must be a record such as \`{"query_id": …, "doc_id": …}\`, got ${quote(row)}`);
    });
  } else if (kind === "rank_eval request") {
    if (role === "run")
      throw problemsError([
        {
          code: "RUN_SYNTAX",
          where: file,
          message:
            "is a _rank_eval request, which holds judgments; give it as the qrels, and the " +
            "response as the run",
        },
      ]);
    addRequests((value as { requests: readonly unknown[] }).requests, rows);
  } else if (kind === "rank_eval response") {
    if (role === "qrels") collector.warn(RETURNED_ONLY);
    const { details, failures } = value as Readonly<
      Record<"details" | "failures", Readonly<Record<string, unknown>>>
    >;
    addDetails(details, rows);
    if (role === "run" && isRecord(failures)) warnOfFailedQueries(Object.keys(failures), collector);
  } else if (isRecord(value)) addMappings(value, rows);
  else rows.refuse([], `must be a mapping of queries to items, got ${quote(value)}`);
  throwProblems(problems);
  return collector;
}

function warnOfFailedQueries(failed: readonly string[], collector: RowCollector): void {
  if (failed.length === 0) return;
  collector.warn({
    code: "RESULTS_FAILED",
    message:
      `${countOf(failed.length, "query")} failed, as the response says, and have no hits: ` +
      firstOf(failed.map(quote), 3),
    count: failed.length,
  });
}

type Path = readonly PropertyKey[];
type Values = readonly (readonly [string, unknown])[];

/** Where rows of a document go, and what is wrong with it. */
interface Rows {
  readonly role: Role;
  /** `numberAt`: the place of the score or grade, where it is another one. */
  add(path: Path, values: Values, numberAt?: Path): void;
  /** The items of a query in the order of the file. */
  asWritten(query: string, items: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[];
  /** Takes a query that nothing was returned for. */
  noHits(query: string): void;
  refuse(path: Path, message: string): void;
}

function addRequests(requests: readonly unknown[], rows: Rows): void {
  requests.forEach((request, index) => {
    const ratings = isRecord(request) ? request["ratings"] : undefined;
    if (!isRecord(request) || !Array.isArray(ratings))
      rows.refuse(["requests", index], "must have an `id` and a list `ratings`");
    else {
      refuseTwoIndices(ratings, ["requests", index, "ratings"], rows);
      ratings.forEach((rating: unknown, place) => {
        const path = ["requests", index, "ratings", place];
        const values: Values = [
          ["query_id", request["id"]],
          ["doc_id", isRecord(rating) ? rating["_id"] : undefined],
          ["grade", isRecord(rating) ? rating["rating"] : undefined],
        ];
        rows.add(path, values, [...path, "rating"]);
      });
    }
  });
}

function addDetails(details: Readonly<Record<string, unknown>>, rows: Rows): void {
  for (const [query, detail] of Object.entries(details)) {
    const hits = isRecord(detail) ? detail["hits"] : undefined;
    if (!Array.isArray(hits)) rows.refuse(["details", query], "must have a list `hits`");
    else {
      const scores = hits.map((entry) => hitOf(entry)["_score"]);
      // Of what was sorted or pinned, scores tell another order than the engine's.
      const areInOrder = scores.every(
        (score, at) => score != null && !(Number(score) > Number(scores[at - 1])),
      );
      if (hits.length === 0) rows.noHits(query);
      refuseTwoIndices(hits.map(hitOf), ["details", query, "hits"], rows);
      hits.forEach((entry: unknown, place) => {
        const values = rankEvalHit(entry, query, rows.role, areInOrder ? undefined : hits.length - place);
        if (values !== null) rows.add(["details", query, "hits", place], values);
      });
    }
  }
}

function addMappings(queries: Readonly<Record<string, unknown>>, rows: Rows): void {
  const column = rows.role === "run" ? "score" : "grade";
  const misread = misreadAs(queries, rows.role);
  if (misread !== null) return rows.refuse([], misread);
  for (const [query, items] of Object.entries(queries)) {
    if (!isRecord(items))
      rows.refuse([query], `must be a mapping of items to ${column}s, got ${quote(items)}`);
    else if (Object.keys(items).length === 0) rows.noHits(query);
    else
      for (const [item, number] of rows.asWritten(query, items))
        rows.add(
          [query, item],
          [
            ["query_id", query],
            ["doc_id", item],
            [column, number],
          ],
        );
  }
}

/** Metrics as pytrec_eval and BEIR write them, and those of them that no item is called. */
const METRIC =
  /^(?:n?dcg|map|mrr|p|recall|precision|hits?|success|f|rprec|bpref|recip_rank|\w+_[a-z]\w+)(?:[@_].*)?$/i;
const SURE_METRIC = /^(?:n?dcg|map|recip_rank|bpref|rprec)(?:_cut_\d+)?$|^\w+@\d+$/i;

/** What a mapping is that looks like one of queries to items; null for one that is. */
function misreadAs(queries: Readonly<Record<string, unknown>>, role: Role): string | null {
  const all = Object.values(queries).filter(isRecord);
  const [first] = all;
  if (first === undefined) return null;
  const keys = Object.keys(first).join();
  const isByColumns =
    columnsRead(Object.keys(queries), role) !== null && all.every((row) => Object.keys(row).join() === keys);
  if (isByColumns || all.every((row) => columnsRead(Object.keys(row), role) !== null))
    return "is a table by its columns or rows; write it as records (pandas: `orient='records'`)";
  const items = all.flatMap((row) => Object.keys(row));
  return items.every((item) => METRIC.test(item)) && items.some((item) => SURE_METRIC.test(item))
    ? `has scores of metrics, such as ${quote(items[0])}, and no items`
    : null;
}

/** What engines take for the number of an element; they put such keys first, by their numbers. */
const NUMBER_KEY = /^(?:0|[1-9]\d{0,9})$/;

/** Where items with equal scores are out of the file's order, which may break the tie, puts them back. */
function entriesAsWritten(text: string): Rows["asWritten"] {
  let written: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  let mark = "~";
  return (query, items) => {
    const entries = Object.entries(items);
    const isMoved = entries.length > 1 && NUMBER_KEY.test((entries[0] as [string, unknown])[0]);
    if (!isMoved || new Set(entries.map(([, score]) => score)).size === entries.length) return entries;
    if (written === undefined) {
      while (text.includes(mark)) mark += "~";
      // Nothing but keys is in quotes there, and what is no number stays where it stands.
      written = parseJson(text.replace(/"(\d+)"(?=\s*:)/g, `"${mark}$1"`)) as typeof written & object;
    }
    const own = written[`${mark}${query}`] ?? written[query] ?? {};
    const found = Object.keys(own).map((item) => (item.startsWith(mark) ? item.slice(mark.length) : item));
    // Escapes can hide what is a number, and what is the mark.
    const areAll = found.length === entries.length && found.every((item) => Object.hasOwn(items, item));
    return areAll ? found.map((item) => [item, items[item]]) : entries;
  };
}

function hitOf(entry: unknown): Readonly<Record<string, unknown>> {
  return isRecord(entry) && isRecord(entry["hit"]) ? entry["hit"] : {};
}

/** An id names a document of one index only. */
function refuseTwoIndices(items: readonly unknown[], path: Path, rows: Rows): void {
  const indices = new Map<unknown, unknown>();
  items.forEach((item, at) => {
    if (!isRecord(item)) return;
    const { _id: id, _index: index } = item;
    if (typeof id !== "string" || typeof index !== "string") return;
    if (!indices.has(id)) indices.set(id, index);
    else if (indices.get(id) !== index)
      rows.refuse(
        [...path, at],
        `has id ${quote(id)} of index ${quote(index)} and of ${quote(indices.get(id))}, which would be one ` +
          "item here; use one index",
      );
  });
}

/**
 * Hits keep the engine's order also where scores do not give it; unrated hits are no judgments.
 *
 * @param byPlace in place of the score.
 */
function rankEvalHit(entry: unknown, query: string, role: Role, byPlace: number | undefined): Values | null {
  const hit = hitOf(entry);
  if (role === "run")
    return [
      ["query_id", query],
      ["doc_id", hit["_id"]],
      ["score", byPlace ?? hit["_score"]],
    ];
  if (!isRecord(entry) || entry["rating"] === undefined || entry["rating"] === null) return null;
  return [
    ["query_id", query],
    ["doc_id", hit["_id"]],
    ["grade", entry["rating"]],
  ];
}

/** Beyond this length keeping the place of every value costs too much memory; then problems name no line. */
const LONGEST_LOCATED = 64_000_000;

/** A JSON text with the places of its values, unless it is very long. */
export function jsonDocument(text: string): LocatedDocument {
  if (text.length <= LONGEST_LOCATED) return locateJson(text);
  const nowhere = (): { line: number; column: number } => ({ line: 1, column: 1 });
  return { value: readJson(text), positionOf: nowhere, positionOfKey: nowhere };
}
