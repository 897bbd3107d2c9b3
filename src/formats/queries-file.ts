import { InputError, quote, throwProblems, type Problem } from "../foundation/errors/index.js";
import { listKnownQueries, sliceLabelsOf, type KnownQuery } from "../records/index.js";
import { columnNames, headerLine, readTable } from "./csv.js";
import { textOf } from "./decode-text.js";
import { parseGolden } from "./golden-file.js";
import { isGoldenColumn } from "./golden-table.js";
import { jsonLines } from "./jsonl.js";
import { locateIn, placeIn } from "./located.js";

/** The names that programs give to a query's id and to its words, the first that is there counts. */
const IDS = ["_id", "query_id", "qid", "id", "query-id", "topic_id"];
const WORDS = ["text", "query", "question", "user_input", "title"];
/** What XML begins with, as topics of TREC are written. */
const XML = /^\s*<(?:\?xml|!--|top|topics|xml|queries|query)\b/i;
/** What a cell says that names a column of ids. */
const ID_NAME = /^(?:[a-z]+[_-])*q?id$/i;
const META = ["meta", "metadata"];
/** What only a query of a golden set has. */
const EXPECTED = [
  "expected_doc_ids",
  "expected_chunk_ids",
  "expected_spans",
  "expected_refusal",
  "judgments",
];

const duplicateIdText = (id: string): string =>
  `id ${quote(id)} is duplicated; every query needs an id of its own`;

/**
 * Reads the words of queries, and what they can be sliced by: JSONL as BEIR and others have it
 * (`{"_id", "text"}`, further simple fields become labels), a table whose first line names such columns,
 * lines of an id, a tab and words, or a golden set; of a `.txt` file that is none of these each line that is
 * not blank, by its number.
 *
 * @returns what is known by query id, in the order of the file.
 * @throws InputError `GOLDEN_SYNTAX` or `GOLDEN_SHAPE` with all problems, each with its place.
 */
export function parseQueries(source: string | Uint8Array, file = "queries"): Map<string, KnownQuery> {
  const text = textOf(source, file);
  const isText = /\.txt(?:\.gz)?$/i.test(file);
  // Lines of words may begin with anything.
  if (XML.test(text) && (!isText || /<num>|<\/\w+>/i.test(text)))
    throw new InputError(
      "GOLDEN_SYNTAX",
      `${file}: is XML; write the queries as lines of an id, a tab and the words, or as JSONL`,
    );
  const columns = columnNames(headerLine(text));
  if (isText ? isTableOf(columns, text) : hasBoth(columns))
    return columns.every(isGoldenColumn)
      ? listKnownQueries(parseGolden(source, file))
      : fromTable(text, file);
  if (/^\s*\{/.test(text)) {
    const first = text.trimStart().split("\n", 1)[0] as string;
    if (isText ? hasId(first) : isObject(first)) return fromLines(text, file);
  }
  if (isText) return arePairs(text) ? fromPairs(text, file) : fromPlainLines(text);
  if (/^[^\s\t#[-][^\t\n]*\t[^\n]*\S/.test(text)) return fromPairs(text, file);
  return listKnownQueries(parseGolden(source, file));
}

const hasBoth = (columns: readonly string[]): boolean =>
  [IDS, WORDS].every((names) => names.some((name) => columns.includes(name)));

/** Whether the second line has as many columns as these names. */
function isTableOf(columns: readonly string[], text: string): boolean {
  const [, second = ""] = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return hasBoth(columns) && columnNames(second).length === columns.length;
}

/** Whether most lines are an id without white space, a tab, and words, as topics of TREC are. */
function arePairs(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return 2 * lines.filter((line) => /^\S+\t.*\S/.test(line)).length > lines.length;
}

function fromPlainLines(text: string): Map<string, KnownQuery> {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => [String(index + 1), { query: line.trim() }] as const);
  return new Map(lines.filter(([, { query }]) => query !== ""));
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !("queries" in value);
  } catch {
    return false;
  }
}

function hasId(line: string): boolean {
  return isObject(line) && Object.keys(JSON.parse(line) as object).some((name) => IDS.includes(name));
}

function fromLines(text: string, file: string): Map<string, KnownQuery> {
  const { lines, problems } = jsonLines(text, file, "GOLDEN_SYNTAX");
  const known = new Map<string, KnownQuery>();
  for (const { value, lineOffset, located } of lines) {
    const fields = new Map<string, unknown>(
      Object.entries(typeof value === "object" && value !== null ? value : {}),
    );
    const problem = (field: string, message: string): Problem => ({
      code: "GOLDEN_SHAPE",
      ...locateIn(located(), file, lineOffset)([field]),
      message,
    });
    const [id, words] = [IDS, WORDS].map((names) => names.find((name) => fields.has(name)));
    const key = fields.get(id ?? "");
    if (typeof key === "number" && !Number.isSafeInteger(key))
      problems.push(
        problem(
          id ?? "",
          `id ${key} is a number that JSON does not keep exactly; write it as a text, in quotes`,
        ),
      );
    else if (typeof key !== "string" && typeof key !== "number")
      problems.push(problem(id ?? "", `a query needs an id: a text in ${IDS.map(quote).join(", ")}`));
    else if (known.has(String(key))) problems.push(problem(id ?? "", duplicateIdText(String(key))));
    else {
      const query = fields.get(words ?? "");
      const more = META.flatMap((name) => Object.entries(fields.get(name) ?? {}) as [string, unknown][]);
      const rest = [...fields].filter(([name]) => name !== id && name !== words);
      const group = fields.get("group");
      known.set(String(key), {
        query: typeof query === "string" ? query : null,
        labels: sliceLabelsOf(Object.fromEntries([...more, ...rest])),
        // Elsewhere it may be a group of any kind.
        ...(typeof group === "string" && EXPECTED.some((name) => fields.has(name)) && { group }),
      });
    }
  }
  throwProblems(problems);
  return known;
}

const nameIn = (values: ReadonlyMap<string, string>, names: readonly string[]): string =>
  names.find((name) => values.has(name)) ?? "";

function fromTable(text: string, file: string): Map<string, KnownQuery> {
  const known = new Map<string, KnownQuery>();
  const problems: Problem[] = [];
  readTable(
    text,
    (at, message) => problems.push({ code: "GOLDEN_SYNTAX", ...placeIn(file, at), message }),
    ({ values, at }) => {
      const [id, words] = [nameIn(values, IDS), nameIn(values, WORDS)];
      const key = values.get(id) ?? "";
      const fail = (message: string): void =>
        void problems.push({ code: "GOLDEN_SHAPE", ...placeIn(file, at(id)), message });
      if (key === "") fail("a query needs an id");
      else if (known.has(key)) fail(duplicateIdText(key));
      else {
        const filled = [...values].filter(([name, cell]) => name !== "" && cell.trim() !== "");
        const rest = filled.filter(([name]) => name !== id && name !== words);
        const query = values.get(words)?.trim() ?? "";
        known.set(key, {
          query: query === "" ? null : query,
          labels: sliceLabelsOf(Object.fromEntries(rest)),
        });
      }
    },
  );
  throwProblems(problems);
  return known;
}

function fromPairs(text: string, file: string): Map<string, KnownQuery> {
  const known = new Map<string, KnownQuery>();
  const problems: Problem[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === "") return;
    const tab = line.indexOf("\t");
    const place = { code: "GOLDEN_SHAPE", where: `${file}:${index + 1}`, line: index + 1 } as const;
    if (known.size === 0 && ID_NAME.test(line.slice(0, Math.max(0, tab))))
      problems.push({
        ...place,
        message:
          `names columns, of which none is known to have the words of queries; call them ${quote(IDS[1])} ` +
          `and ${quote(WORDS[0])}, or leave the line out`,
      });
    else if (tab < 1)
      problems.push({ ...place, message: "a line must be an id, a tab, and the words of the query" });
    else if (known.has(line.slice(0, tab)))
      problems.push({
        ...place,
        message: duplicateIdText(line.slice(0, tab)),
      });
    else known.set(line.slice(0, tab), { query: line.slice(tab + 1).trim() });
  });
  throwProblems(problems);
  return known;
}
